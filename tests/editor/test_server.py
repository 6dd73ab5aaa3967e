"""The language server as an editor meets it: another process, over its standard streams."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from cardwright.editor.highlight import LEGEND_TYPES
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source
from editor.marked import ECHO, URI
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

T = TypeVar("T")
FILE = lsp.TextDocumentIdentifier(URI)


class Editor(LanguageClient):
    """An editor with one file, that collects what the server says."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.logged: list[str] = []
        self.agreed: str | None = None

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.feature(lsp.WINDOW_LOG_MESSAGE)
        def log(params: lsp.LogMessageParams) -> None:
            self.logged.append(params.message)

    def open(self, text: str) -> None:
        item = lsp.TextDocumentItem(URI, "recycle", 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change_part(self, version: int, text: str, where: lsp.Range) -> None:
        self.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, URI),
                [lsp.TextDocumentContentChangePartial(where, text)],
            )
        )

    def change(self, version: int, text: str) -> None:
        self.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, URI),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def messages(self) -> lsp.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.published.get(), PATIENCE)


@asynccontextmanager
async def editor(encodings: Sequence[str] | None = None) -> AsyncIterator[Editor]:
    """Start a server, and end it; it must not have logged any failure."""
    client = Editor()
    await client.start_io(sys.executable, "-m", "cardwright", "lsp")
    general = lsp.GeneralClientCapabilities(position_encodings=encodings)
    asked = lsp.InitializeParams(lsp.ClientCapabilities(general=general))
    client.agreed = (await client.initialize_async(asked)).capabilities.position_encoding
    client.initialized(lsp.InitializedParams())
    yield client
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    assert client.logged == []


def run(story: Callable[[Editor], Awaitable[T]], encodings: Sequence[str] | None = None) -> T:
    async def told() -> T:
        async with editor(encodings) as client:
            return await asyncio.wait_for(story(client), PATIENCE)

    return asyncio.run(told())


@pytest.mark.slow
def test_messages_follow_the_text() -> None:
    """They are of the newest version; of a closed file there are none."""

    async def story(client: Editor) -> None:
        client.open(ECHO)
        assert (await client.messages()).diagnostics == ()
        broken = ECHO.replace("(inc ", "(ink ")
        client.change(2, broken.replace("(do", "(doo"))
        client.change(3, broken)
        found = await client.messages()
        while found.version != 3:
            found = await client.messages()
        (only,) = found.diagnostics
        assert (only.code, only.severity) == ("E201", lsp.DiagnosticSeverity.Error)
        assert "ink" in only.message
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(FILE))
        assert (await client.messages()).diagnostics == ()

    run(story)


@pytest.mark.slow
def test_questions_are_answered() -> None:
    async def story(client: Editor) -> None:
        client.open(ECHO)
        line = ECHO[: ECHO.index("'P iloc")].count("\n")
        column = ECHO.splitlines()[line].index("'P iloc")
        place = lsp.Position(line, column + 1)
        shown = await client.text_document_hover_async(lsp.HoverParams(FILE, place))
        assert shown is not None
        assert "a player" in shown.contents.value  # type: ignore[union-attr]
        first = await client.text_document_definition_async(lsp.DefinitionParams(FILE, place))
        assert isinstance(first, lsp.Location)
        bound = ECHO.splitlines()[first.range.start.line][first.range.start.character :]
        assert bound.startswith("'P (repeat")
        assert first.range.start.line == line
        offers = await client.text_document_completion_async(lsp.CompletionParams(FILE, place))
        assert offers

    run(story)


# Places, in the units that were agreed on --------------------------------------------------------

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
CARDS = "\U0001f0a1 \u2014 \u00e9t\u00e9 \U0001f600"
ODD = (
    ECHO.replace("(do (\n    (shuffle", f"(do (    ;; {CARDS}\n    {CARDS} (shufle", 1)
    + f";; {CARDS}"
)
"""Echo with a comment, and with an odd text and a mistake after it on one line."""
FACTS = f'[words]\nabout = "{CARDS} \'CARDS {CARDS}"\n'


def after(text: str, edits: Sequence[lsp.TextEdit], encoding: str) -> str:
    """Return a text as an editor makes it of edits, that counts the bytes of an encoding."""
    codec, size = CODECS[encoding]
    lines = text.split("\n")

    def offset(place: lsp.Position) -> int:
        line = lines[place.line].encode(codec)
        assert place.character * size <= len(line)
        before = line[: place.character * size].decode(codec)
        return sum(len(line) + 1 for line in lines[: place.line]) + len(before)

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def place_of(text: str, word: str, encoding: str) -> lsp.Position:
    codec, size = CODECS[encoding]
    before = text[: text.index(word)].split("\n")
    return lsp.Position(len(before) - 1, len(before[-1].encode(codec)) // size)


def range_of(text: str, word: str, encoding: str) -> lsp.Range:
    start = place_of(text, word, encoding)
    return lsp.Range(start, lsp.Position(start.line, start.character + len(word)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        (None, "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        pytest.param(["utf-16"], "utf-16", marks=pytest.mark.deep),
        pytest.param(["utf-32", "utf-8"], "utf-32", marks=pytest.mark.deep),
    ],
    ids=["nothing", "utf-8", "utf-16", "utf-32"],
)
def test_columns_are_counted_as_agreed(offered: list[str] | None, agreed: str) -> None:
    """In what the server says, in what it is asked, and in the edits that it makes."""

    async def story(client: Editor) -> None:
        assert client.agreed == agreed
        codec, size = CODECS[agreed]
        client.open(ODD)
        misspelt = range_of(ODD, "shufle", agreed)
        found = [one for one in (await client.messages()).diagnostics if one.code == "E201"]
        assert misspelt in [one.range for one in found]

        asked = lsp.CodeActionContext([])
        actions = await client.text_document_code_action_async(
            lsp.CodeActionParams(FILE, misspelt, asked)
        )
        edits = [
            one.edit.changes[URI]
            for one in actions or ()
            if isinstance(one, lsp.CodeAction) and one.edit and one.edit.changes
        ]
        mended = ODD.replace("shufle", "shuffle")
        assert mended in [after(ODD, one, agreed) for one in edits]

        stock = range_of(ODD, "iloc STOCK))\n    (all", agreed)
        word = lsp.Range(stock.start, lsp.Position(stock.start.line, stock.start.character + 4))
        shown = await client.text_document_hover_async(lsp.HoverParams(FILE, stock.start))
        assert shown is not None
        assert shown.range == word
        offers = await client.text_document_completion_async(lsp.CompletionParams(FILE, word.end))
        assert isinstance(offers, list | tuple)
        replaced = [one.text_edit for one in offers if isinstance(one.text_edit, lsp.TextEdit)]
        assert replaced
        assert all(one.range == word for one in replaced)

        client.change_part(2, "", range_of(ODD, "(shufle", agreed))
        text = ODD.replace("(shufle", "")
        odd = place_of(text, f"{CARDS}  (game", agreed)
        beyond = lsp.Position(odd.line, odd.character + len(f"{CARDS} ".encode(codec)) // size)
        client.change_part(3, "(shuffle", lsp.Range(odd, beyond))
        text = text.replace(f"{CARDS}  (game", "(shuffle (game")
        while (newest := await client.messages()).version != 3:
            pass
        assert newest.diagnostics == ()

        words = await client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(FILE)
        )
        assert words is not None
        comment = len(f";; {CARDS}".encode(codec)) // size
        assert list(words.data[-3:-1]) == [comment, LEGEND_TYPES.index("comment")]

        options = lsp.FormattingOptions(2, insert_spaces=True)
        layout = await client.text_document_formatting_async(
            lsp.DocumentFormattingParams(FILE, options)
        )
        assert after(text, layout or (), agreed) == format_source(Source("echo.rcy", text))

        beside = URI.replace(".rcy", ".toml")
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(beside, "toml", 1, FACTS))
        )
        where = place_of(text, "'CARDS)", agreed)
        renamed = await client.text_document_rename_async(lsp.RenameParams(FILE, where, "HAND"))
        assert renamed is not None
        assert renamed.changes is not None
        assert after(text, renamed.changes[URI], agreed) == text.replace("'CARDS", "'HAND")
        assert after(FACTS, renamed.changes[beside], agreed) == FACTS.replace("'CARDS", "'HAND")

    run(story, offered)
