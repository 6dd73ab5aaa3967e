"""The language server as an editor meets it: another process, over its standard streams."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from editor.marked import ECHO, URI
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

T = TypeVar("T")
FILE = lsp.TextDocumentIdentifier(URI)


class Editor(LanguageClient):
    """An editor with one file, that collects what the server says."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.logged: list[str] = []

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.feature(lsp.WINDOW_LOG_MESSAGE)
        def log(params: lsp.LogMessageParams) -> None:
            self.logged.append(params.message)

    def open(self, text: str) -> None:
        item = lsp.TextDocumentItem(URI, "recycle", 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

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
async def editor() -> AsyncIterator[Editor]:
    """Start a server, and end it; it must not have logged any failure."""
    client = Editor()
    await client.start_io(sys.executable, "-m", "cardwright", "lsp")
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    yield client
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    assert client.logged == []


def run(story: Callable[[Editor], Awaitable[T]]) -> T:
    async def told() -> T:
        async with editor() as client:
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
