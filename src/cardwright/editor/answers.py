"""The answers to an editor's questions, by the method of the Language Server Protocol.

Each takes the open files and the parameters of a request. What is asked about a file that is not
open has an empty answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp

from cardwright.editor.completion import completions
from cardwright.editor.hover import hover
from cardwright.editor.outline import document_symbols, folding_ranges
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.editor.document import Document
    from cardwright.editor.open_files import OpenFiles
    from cardwright.editor.symbols import Occurrence


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
    return completions(document, document.lines.offset(params.position), files.names(document))


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
    places = document.names.of(found.symbol)
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
        for one in document.names.of(found.symbol)
    ]


def on_formatting(files: OpenFiles, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Answer how to lay out a file; not at all while its brackets are wrong."""
    document = files.get(params.text_document.uri)
    if document is None:
        return []
    try:
        text = format_source(Source(document.source.name, document.text))
    except UnformattableError:
        return []
    if text == document.text:
        return []
    return [lsp.TextEdit(document.lines.whole, text)]


def on_symbols(files: OpenFiles, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """Answer the outline of a file."""
    document = files.get(params.text_document.uri)
    return [] if document is None else document_symbols(document)


def on_folding(files: OpenFiles, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """Answer what can be folded."""
    document = files.get(params.text_document.uri)
    return [] if document is None else folding_ranges(document)


ANSWERS: dict[str, Callable[[OpenFiles, Any], Any]] = {
    lsp.TEXT_DOCUMENT_HOVER: on_hover,
    lsp.TEXT_DOCUMENT_COMPLETION: on_completion,
    lsp.TEXT_DOCUMENT_DEFINITION: on_definition,
    lsp.TEXT_DOCUMENT_REFERENCES: on_references,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: on_highlight,
    lsp.TEXT_DOCUMENT_FORMATTING: on_formatting,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: on_symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: on_folding,
}
"""What is answered by which function."""
