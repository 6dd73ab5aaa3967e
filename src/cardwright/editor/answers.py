"""The answers to an editor's questions, by the method of the Language Server Protocol.

Each takes the open files and the parameters of a request. What is asked about a file that is not
open has an empty answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp

from cardwright.editor.actions import code_actions
from cardwright.editor.beside import Beside
from cardwright.editor.commands import lenses
from cardwright.editor.completion import completions
from cardwright.editor.highlight import semantic_tokens
from cardwright.editor.hints import inlay_hints
from cardwright.editor.hover import hover, path_to
from cardwright.editor.layout import layout_edits
from cardwright.editor.outline import document_symbols, folding_ranges
from cardwright.editor.positions import LineMap
from cardwright.editor.rename import RenameError, renamable, rename
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.editor.document import Document
    from cardwright.editor.open_files import OpenFiles
    from cardwright.program.symbols import Occurrence
    from cardwright.syntax.diagnostic import Edit


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
