"""The answers to an editor's questions, by the method of the Language Server Protocol.

Each takes the open files and the parameters of a request. What is asked about a file that is not
open has an empty answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp
from lsprotocol.types import (
    DocumentSymbol,
    FoldingRange,
    FoldingRangeKind,
    InlayHint,
    InlayHintKind,
    SymbolKind,
)

from cardwright.editor.actions import code_actions
from cardwright.editor.commands import lenses, path_of
from cardwright.editor.completion import completions
from cardwright.editor.document import LineMap
from cardwright.editor.highlight import semantic_tokens
from cardwright.editor.hover import hover, path_to
from cardwright.editor.layout import layout_edits
from cardwright.editor.rename import RenameError, renamable, rename
from cardwright.program.kinds import in_words
from cardwright.program.nodes import Variable
from cardwright.program.shapes import shown
from cardwright.syntax.data_files import read_bytes
from cardwright.syntax.source import MAX_BYTES, Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardwright.editor.document import Document, OpenFiles
    from cardwright.program.symbols import Occurrence
    from cardwright.syntax.diagnostic import Edit

_PLAIN = frozenset({"player", "team"})
"""Collections that say by themselves what is in them."""


def inlay_hints(document: Document, within: Span) -> list[InlayHint]:
    """Return the kinds of variables in a stretch of text that the text itself does not tell.

    That is a variable of `let`, and one of `all`, `any` or `filter` that goes through anything but
    all players or all teams.
    """
    meaning = document.examined.meaning
    kinds = {
        binding.span.start: binding.value.kind
        for binding in (meaning.scope.bindings if meaning else ())
        if isinstance(binding.value, Variable) and binding.value.kind.known
    }
    found: list[InlayHint] = []
    pending = [document.form] if document.form else []
    while pending:
        form = pending.pop()
        if form.span.end < within.start or form.span.start > within.end:
            continue
        pending.extend(item for item in form.items if isinstance(item, Form))
        if len(form.items) < 3:
            continue
        source, bound = form.items[1:3]
        kind = kinds.get(bound.span.start)
        told = any(is_word(source, word) for word in _PLAIN)
        if kind is not None and not told and within.start <= bound.span.end <= within.end:
            place = document.lines.position(bound.span.end)
            label = in_words(kind).split(" ", 1)[1]
            found.append(InlayHint(place, label, InlayHintKind.Type, padding_left=True))
    return sorted(found, key=lambda hint: (hint.position.line, hint.position.character))


@dataclass(frozen=True)
class Beside:
    """The URI and the text of such a file, as its editor has it if it is open."""

    uri: str
    text: str

    @classmethod
    def of(cls, files: OpenFiles, uri: str) -> Beside | None:
        """Return the file beside the game of a URI; None if there is none that can be read."""
        path = path_of(uri)
        if path is None or path.suffix != ".rcy":
            return None
        beside = path.with_suffix(".toml")
        other = uri.removesuffix(".rcy") + ".toml"
        opened = files.get(other)
        if opened is not None:
            return cls(other, opened.text)
        try:
            return cls(other, read_bytes(beside, MAX_BYTES).decode("utf-8"))
        except (OSError, ValueError):
            return None


_KINDS = {
    "declare": SymbolKind.Constant,
    "define": SymbolKind.Function,
    "setup": SymbolKind.Module,
    "stage": SymbolKind.Class,
    "choice": SymbolKind.Event,
    "do": SymbolKind.Method,
    "scoring": SymbolKind.Number,
    "create": SymbolKind.Struct,
}
_LONGEST = 60


def document_symbols(document: Document) -> list[DocumentSymbol]:
    """Return the outline of a file: parts in order, stages with what is in them."""
    return [] if document.form is None else list(_inside(document, document.form.items[1:]))


def _inside(document: Document, items: tuple[Syntax, ...]) -> Iterator[DocumentSymbol]:
    for item in items:
        if not isinstance(item, Form):
            continue
        if not isinstance(item.head, Atom):  # under a condition
            yield from _inside(document, item.items[1:])
            continue
        word = item.head.text
        nested = _inside(document, item.items[1:]) if word in {"stage", "setup"} else ()
        if word in _KINDS:
            yield _symbol(document, item, word, list(nested))
        elif word in {"all", "any", "let"}:
            yield from _inside(document, item.items[1:])


def _symbol(
    document: Document, form: Form, word: str, children: list[DocumentSymbol]
) -> DocumentSymbol:
    name, selection = _name(form, word)
    return DocumentSymbol(
        name=name,
        kind=_KINDS[word],
        range=document.lines.range(form.span),
        selection_range=document.lines.range(selection),
        children=children or None,
    )


def _name(form: Form, word: str) -> tuple[str, Span]:
    """Return what to call a part of the outline, and what to select when it is chosen."""
    head = form.items[0].span
    if word == "declare" and len(form.items) > 2:
        name = form.items[2]
        if is_atom(name, AtomKind.VARIABLE):
            return f"{shown(name)} = {shown(form.items[1], _LONGEST)}", name.span
    if word == "stage" and len(form.items) > 1:
        ends = form.items[2] if len(form.items) > 2 else None
        until = ends.items[1] if isinstance(ends, Form) and len(ends.items) > 1 else None
        suffix = f" until {shown(until, _LONGEST)}" if until is not None else ""
        return f"stage of {shown(form.items[1])}s{suffix}", head
    if word in {"create", "scoring", "define"} and len(form.items) > 1:
        rest = form.items[2] if len(form.items) > 2 and not is_word(form.items[1], "deck") else None
        more = f" {shown(rest, _LONGEST)}" if rest is not None else ""
        return f"{word} {shown(form.items[1], _LONGEST)}{more}", head
    return word, head


def folding_ranges(document: Document) -> list[FoldingRange]:
    """Return the forms and the runs of comments that take several lines, outermost first."""
    found: dict[int, FoldingRange] = {}
    pending: list[Syntax] = [] if document.form is None else [document.form]
    while pending:
        item = pending.pop()
        if isinstance(item, Form):
            first = document.lines.position(item.span.start).line
            last = document.lines.position(item.span.end).line
            if last > first:
                found.setdefault(first, FoldingRange(first, last))
            pending.extend(reversed(item.items))
    return [*found.values(), *_comments(document)]


def _comments(document: Document) -> Iterator[FoldingRange]:
    reading = document.examined.reading
    run: list[int] = []
    for comment in reading.comments if reading else ():
        line = document.lines.position(comment.span.start).line
        if document.lines.position(comment.span.start).character and not _alone(
            document, comment.span
        ):
            continue
        if run and line == run[-1] + 1:
            run.append(line)
            continue
        if len(run) > 1:
            yield FoldingRange(run[0], run[-1], kind=FoldingRangeKind.Comment)
        run = [line]
    if len(run) > 1:
        yield FoldingRange(run[0], run[-1], kind=FoldingRangeKind.Comment)


def _alone(document: Document, span: Span) -> bool:
    text = document.source.text
    return not text[text.rfind("\n", 0, span.start) + 1 : span.start].strip()


class _AtPosition(Protocol):
    """The parameters of a request about a place in a file."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


def _named(files: OpenFiles, params: _AtPosition) -> tuple[Document, Occurrence] | None:
    """Return the name at a position, with its document."""
    document = files.get(params.text_document.uri)
    if document is None:
        return None
    found = document.names.at(document.lines.offset(params.position))
    return None if found is None else (document, found)


def on_hover(files: OpenFiles, params: lsp.HoverParams) -> lsp.Hover | None:
    """Answer what the word at a position means."""
    document = files.get(params.text_document.uri)
    if document is None:
        return None
    found = hover(document, document.lines.offset(params.position))
    if found is None:
        return None
    text, span = found
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, document.lines.range(span))


def on_completion(files: OpenFiles, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Answer what can be typed at a position."""
    document = files.get(params.text_document.uri)
    if document is None:
        return []
    place, names = document.lines.offset(params.position), files.names(document)
    return completions(document, place, names, snippets=files.snippets)


def on_definition(files: OpenFiles, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Answer where the name at a position is introduced."""
    named = _named(files, params)
    if named is None:
        return None
    document, found = named
    first = document.names.definition(found.symbol)
    return lsp.Location(document.uri, document.lines.range(first.span)) if first else None


def on_references(files: OpenFiles, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """Answer everywhere that the name at a position stands."""
    named = _named(files, params)
    if named is None:
        return []
    document, found = named
    places = document.names.occurrences_of(found.symbol)
    if not params.context.include_declaration:
        first = document.names.definition(found.symbol)
        places = [place for place in places if place is not first]
    return [lsp.Location(document.uri, document.lines.range(one.span)) for one in places]


def on_highlight(
    files: OpenFiles, params: lsp.DocumentHighlightParams
) -> list[lsp.DocumentHighlight]:
    """Answer everywhere that the name at a position stands, telling what fills it."""
    named = _named(files, params)
    if named is None:
        return []
    document, found = named
    kinds = {"reads": lsp.DocumentHighlightKind.Read}
    return [
        lsp.DocumentHighlight(
            document.lines.range(one.span),
            kinds.get(one.use.value, lsp.DocumentHighlightKind.Write),
        )
        for one in document.names.occurrences_of(found.symbol)
    ]


def on_formatting(files: OpenFiles, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Answer how to lay out a file; not at all while its brackets are wrong."""
    document = files.get(params.text_document.uri)
    return [] if document is None else _shown_edits(document, layout_edits(document))


def on_range_formatting(
    files: OpenFiles, params: lsp.DocumentRangeFormattingParams
) -> list[lsp.TextEdit]:
    """Answer how to lay out the lines of a stretch of text."""
    document = files.get(params.text_document.uri)
    if document is None:
        return []
    return _shown_edits(document, layout_edits(document, _span(document, params.range)))


def _shown_edits(document: Document, edits: Iterable[Edit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(document.lines.range(edit.span), edit.text) for edit in edits]


def on_symbols(files: OpenFiles, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """Answer the outline of a file."""
    document = files.get(params.text_document.uri)
    return [] if document is None else document_symbols(document)


def on_folding(files: OpenFiles, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """Answer what can be folded."""
    document = files.get(params.text_document.uri)
    return [] if document is None else folding_ranges(document)


def on_prepare_rename(
    files: OpenFiles, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder:
    """Answer which name would be changed; an error if there is none."""
    document = files.get(params.text_document.uri)
    if document is None:
        raise RenameError("this file is not open")
    found = renamable(document, document.lines.offset(params.position))
    return lsp.PrepareRenamePlaceholder(document.lines.range(found.span), found.symbol.name)


def on_rename(files: OpenFiles, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Answer what to change for another name; an error if the game would not be the same."""
    document = files.get(params.text_document.uri)
    if document is None:
        return None
    beside = Beside.of(files, document.uri)
    text = beside.text if beside else None
    found = rename(document, document.lines.offset(params.position), params.new_name, text)
    changes = {
        document.uri: [lsp.TextEdit(document.lines.range(span), found.text) for span in found.spans]
    }
    if beside is not None and found.facts:
        lines = LineMap(beside.text, document.encoding)
        bare = found.text.removeprefix("'")
        changes[beside.uri] = [lsp.TextEdit(lines.range(span), bare) for span in found.facts]
    return lsp.WorkspaceEdit(changes=changes)


def on_actions(files: OpenFiles, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Answer what can be done about the messages in a stretch of text."""
    document = files.get(params.text_document.uri)
    only = params.context.only
    if document is None or (only and lsp.CodeActionKind.QuickFix not in only):
        return []
    return code_actions(document, _span(document, params.range))


def on_tokens(files: OpenFiles, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Answer what every word is."""
    document = files.get(params.text_document.uri)
    return lsp.SemanticTokens(semantic_tokens(document) if document else [])


def on_tokens_in_range(
    files: OpenFiles, params: lsp.SemanticTokensRangeParams
) -> lsp.SemanticTokens:
    """Answer what every word in a stretch of text is."""
    document = files.get(params.text_document.uri)
    if document is None:
        return lsp.SemanticTokens([])
    return lsp.SemanticTokens(semantic_tokens(document, _span(document, params.range)))


def on_hints(files: OpenFiles, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """Answer the kinds of variables in a stretch of text."""
    document = files.get(params.text_document.uri)
    return [] if document is None else inlay_hints(document, _span(document, params.range))


def on_selection(files: OpenFiles, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    """Answer which stretches around some positions can be selected, from small to large."""
    document = files.get(params.text_document.uri)
    if document is None:
        return []
    found = []
    for position in params.positions:
        selection = lsp.SelectionRange(document.lines.whole)
        for item in path_to(document.form, document.lines.offset(position)):
            selection = lsp.SelectionRange(document.lines.range(item.span), selection)
        found.append(selection)
    return found


def on_lenses(files: OpenFiles, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """Answer the commands to show above a game."""
    document = files.get(params.text_document.uri)
    return [] if document is None else lenses(document)


def _span(document: Document, where: lsp.Range) -> Span:
    return Span(document.lines.offset(where.start), document.lines.offset(where.end))


ANSWERS: dict[str, Callable[[OpenFiles, Any], Any]] = {
    lsp.TEXT_DOCUMENT_HOVER: on_hover,
    lsp.TEXT_DOCUMENT_COMPLETION: on_completion,
    lsp.TEXT_DOCUMENT_DEFINITION: on_definition,
    lsp.TEXT_DOCUMENT_REFERENCES: on_references,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: on_highlight,
    lsp.TEXT_DOCUMENT_FORMATTING: on_formatting,
    lsp.TEXT_DOCUMENT_RANGE_FORMATTING: on_range_formatting,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: on_symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: on_folding,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: on_prepare_rename,
    lsp.TEXT_DOCUMENT_RENAME: on_rename,
    lsp.TEXT_DOCUMENT_CODE_ACTION: on_actions,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: on_tokens,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: on_tokens_in_range,
    lsp.TEXT_DOCUMENT_INLAY_HINT: on_hints,
    lsp.TEXT_DOCUMENT_SELECTION_RANGE: on_selection,
    lsp.TEXT_DOCUMENT_CODE_LENS: on_lenses,
}
"""What is answered by which function."""
