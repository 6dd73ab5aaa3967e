"""A program in plain RECYCLE: its extensions replaced by what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.program.check import check, deep_recursion, examine
from cardwright.program.expansion import ExtensionUse, FreshNames, Hole, Made
from cardwright.program.plain_forms import as_integer
from cardwright.syntax.diagnostic import Code, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.reader import MAX_DEPTH
from cardwright.syntax.source import MAX_BYTES, Source, Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from cardwright.program.check import SemanticModel
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

MOST_ROUNDS = 8
"""How often a text is looked through: a declaration may be the last use of another."""


def _tidied(name: str, text: str, before: Diagnostics, base: int | None) -> str:
    """Return a plain text with variables renamed that hide others, and without unused constants.

    What the author's text has of that, according to the messages `before`, stays.
    """
    known = {diagnostic.message for diagnostic in before}
    for _ in range(MOST_ROUNDS):
        examined = examine(Source(name, text), base=base)
        hiding, unused = (
            {
                diagnostic.span
                for diagnostic in examined.checked.diagnostics.of_code(code)
                if diagnostic.message not in known
            }
            for code in (Code.SHADOWING, Code.UNUSED_VARIABLE)
        )
        edits = [*_renamings(examined, text, hiding), *_declarations(examined, unused)]
        if not edits:
            break
        text = apply_edits(text, edits)
    return text


def _renamings(examined: SemanticModel, text: str, hiding: Set[Span]) -> Iterator[Edit]:
    assert examined.meaning is not None
    scope, fresh = examined.meaning.scope, FreshNames(text)
    for binding in scope.bindings:
        if binding.span in hiding:
            new = fresh.variable(binding.name)
            yield Edit(binding.span, new)
            yield from (Edit(span, new) for span, used in scope.uses if used is binding)


def _declarations(examined: SemanticModel, unused: Set[Span]) -> Iterator[Edit]:
    game = examined.form
    for before, item in pairwise(game.items) if game and unused else ():
        declares = isinstance(item, Form) and is_word(item.head, "declare") and len(item.items) > 2
        if declares and item.items[2].span in unused:  # type: ignore[union-attr]
            start = item.span.start
            gap = examined.checked.source.text[before.span.end : start]
            yield Edit(Span(start - (len(gap) if gap.isspace() else 0), item.span.end), "")


class NotPlainError(ValueError):
    """A program that plain RECYCLE cannot express; the message says where and why."""


def plain_text(examined: SemanticModel) -> str:
    """Return a program without errors in plain RECYCLE, in the formatter's layout.

    Comments stay, but for those in the forms that are rewritten. Raises NotPlainError.
    """
    program, meaning = examined.checked.program, examined.meaning
    assert program is not None
    assert meaning is not None
    source, form = examined.checked.source, meaning.extensions.program
    assert form is not None
    form = _opened(form, meaning.extensions.opening)
    for use in meaning.extensions.uses.values():
        if use.why:
            at = source.position(use.written.span.start)
            raise NotPlainError(
                f"{source.name}:{at.line}:{at.column}: this has no plain form: {use.why}"
            )
    values = _values(program, form)
    place_of = meaning.extensions.unfolding.place_of
    page = _PlainPage(source.text, meaning.extensions.uses, place_of, values)
    text = _written(page, source, form)
    base = program.base if program.forced_base else None
    made = check(Source(source.name, text), base=base).program
    if made is not None and made.base != program.base:
        text = _written(page, source, _counting(form))
    better = _tidied(source.name, text, examined.checked.diagnostics, base)
    return text if better == text else format_source(Source(source.name, better))


def _written(page: _PlainPage, source: Source, game: Form) -> str:
    with deep_recursion():
        text = page.form(game)
    text = source.text[: game.span.start] + text + source.text[game.span.end :]
    try:
        return format_source(Source(source.name, text))
    except UnformattableError:
        raise NotPlainError(
            f"{source.name}: the plain text would be nested more than {MAX_DEPTH} brackets deep"
        ) from None


def _opened(game: Form, opening: Sequence[Syntax]) -> Form:
    """Return a game with blocks that no author wrote after its set-up."""
    items: list[Syntax] = []
    for item in game.items:
        items.append(item)
        if isinstance(item, Form) and item.starts_with("setup"):
            after = Span(item.span.end, item.span.end, item.span.via)
            items += [replace(block, span=after) for block in opening]
    return Form(tuple(items), game.span)


def _counting(game: Form) -> Form:
    items = list(game.items)
    for at, item in enumerate(items):
        if isinstance(item, Form) and item.starts_with("scoring"):
            *head, score = item.items
            zero = Atom(AtomKind.INTEGER, "0", score.span)
            more = Made((Atom(AtomKind.OPERATOR, "+", score.span), score, zero, zero), score.span)
            items[at] = Made((*head, more), item.span)
    return Form(tuple(items), game.span)


def given_values(program: Program) -> dict[Span, str]:
    """Return the values that constants have been given, by the places of those in the text."""
    return {
        declared.written: constant_text(declared.value)
        for declared in program.declared
        if declared.value is not None and declared.value != declared.default
    }


def _values(program: Program, game: Form) -> dict[int, str]:
    given = given_values(program)
    return {
        id(item.items[1]): given[item.items[1].span]
        for item in game.items
        if isinstance(item, Form) and item.starts_with("declare") and len(item.items) > 2
        if item.items[1].span in given
    }


def constant_text(value: Constant) -> str:
    """Return a constant as it is written in a program."""
    match value:
        case bool():
            return "(== 1 1)" if value else "(== 0 1)"
        case int():
            return as_integer(value)
        case str():
            return value
        case tuple():
            return f"({', '.join(value)})"
        case range():
            return f"(range {constant_text(value.start)} .. {constant_text(value.stop - 1)})"


@dataclass(frozen=True)
class _PlainPage:
    """The text of a source, and what else stands in its places, by the identity of items.

    These are extensions, and values that declared constants have been given. `place_of` finds the
    text in whose place a definition or an argument stands.
    """

    source: str
    uses: Mapping[int, ExtensionUse]
    place_of: Callable[[Syntax], Syntax | None]
    values: Mapping[int, str]

    def plain(self, item: Syntax, names: Mapping[str, str] | None = None) -> list[str]:
        """Return the texts in the place of an item; `names` are variables to be renamed."""
        names = names or {}
        if isinstance(item, Hole):
            inner = names if item.renamed is None else {**names, item.renamed[0]: item.renamed[1]}
            return self.plain(item.written, inner)
        if id(item) in self.values:
            return [self.values[id(item)]]
        use = self.uses.get(id(item))
        if use is not None:
            return [text for part in use.plain for text in self.plain(part, names)]
        if isinstance(item, Atom):
            return [names.get(item.text, item.text)]
        return [self.form(item, names)]

    def form(self, form: Form, names: Mapping[str, str] | None = None) -> str:
        """Return the text of a form that is no extension itself."""
        parts = [self.plain(item, names) for item in form.items]
        places = [(self.place_of(item) or item).span for item in form.items]
        if isinstance(form, Made) or not _in_order(form.span, places):
            return _short(f"({' '.join(text for texts in parts for text in texts)})")
        text = ""
        at = form.span.start
        for place, texts in zip(places, parts, strict=True):
            gap = self.source[at : place.start]
            text += (gap if texts else _without_comment(gap)) + " ".join(texts)
            at = place.end
        return _short(text + self.source[at : form.span.end])


def _short(text: str) -> str:
    """Return a text, unless it is too long for a game file: some double at each level."""
    if len(text) > MAX_BYTES:
        raise NotPlainError(f"the plain text would be longer than {MAX_BYTES:,} characters")
    return text


def _in_order(whole: Span, places: Iterable[Span]) -> bool:
    """Return whether places follow each other within a form, as its author wrote it."""
    at = whole.start + 1
    for place in places:
        if place.start < at or place.end >= whole.end or place.via != whole.via:
            return False
        at = place.end
    return True


def _without_comment(gap: str) -> str:
    """Return the text before a form that is left out, without the comments directly above it."""
    rest, *lines = gap.split("\n")
    if lines:
        lines.pop()
    while lines and lines[-1].strip().startswith(";;"):
        lines.pop()
    return "\n".join([rest, *lines, ""])
