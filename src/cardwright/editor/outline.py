"""The outline of a game: its constants, set-up, stages, choices and blocks, and its scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind

from cardwright.program.shapes import shown
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.editor.document import Document
    from cardwright.syntax.source import Span

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
