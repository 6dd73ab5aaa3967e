"""Where a bracket is missing, or one is too many: the place that gives forms of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.fitting import suits
from cardwright.program.forms import BY_KEY
from cardwright.program.keys import STORED, is_pair, key_of
from cardwright.program.sections import SHAPES
from cardwright.program.shapes import Misfit, fit, fits_any
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.reader import named
from cardwright.syntax.source import Span
from cardwright.syntax.tokens import tokens
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.syntax.recovery import Damage, Recovered
    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Syntax

_MOST_TRIED = 120
"""Most places that are tried, the last of them first; each takes about a millisecond."""

_MOST_TOKENS = 1_200
"""Longest part of a program in which the place is looked for, in words and brackets."""


class _Lexeme(NamedTuple):
    text: str
    start: int
    end: int
    column: int
    atom: Atom | None


class _Trial(NamedTuple):
    """An edit to be tried, and the token that a bracket goes before, or that comes after one."""

    edit: Edit
    at: int


class Mended(NamedTuple):
    """How to make brackets match, and what is wrong with them where, if there is a message."""

    edits: tuple[Edit, ...]
    span: Span = Span(0, 0)
    message: str = ""


def mend(recovered: Recovered) -> Mended:
    """Return how all brackets of a program can be made to match; without edits if they cannot."""
    found = [_mend_one(recovered.source, damage) for damage in recovered.damages]
    if len(found) == 1:
        return found[0]
    edits = tuple(edit for one in found for edit in one.edits)
    return Mended(edits if all(one.edits for one in found) else ())


def _mend_one(source: Source, damage: Damage) -> Mended:
    listed = list(_listed(source, damage.around))
    if abs(damage.left_open) != 1 or len(listed) > _MOST_TOKENS:
        return Mended(())
    for trial in _trials(listed, damage.left_open):
        if _is_sound(listed, trial):
            return Mended((trial.edit,), *_told(listed, trial))
    return Mended(())


def _told(listed: Sequence[_Lexeme], trial: _Trial) -> tuple[Span, str]:
    """Return where a bracket is missing or too many, and the message about it."""
    if trial.edit.text == "(":
        after = listed[trial.at]
        return Span(after.start, after.end), f"an opening bracket is missing before {after.text}"
    opened: list[int] = []
    for at in range(trial.at if trial.edit.text else trial.at - 1):
        if listed[at].text == "(":
            opened.append(at)
        elif listed[at].text == ")" and opened:
            opened.pop()
    if not opened:
        return Span(0, 0), ""
    words = [token.atom for token in listed[opened[-1] + 1 : opened[-1] + 3]]
    name = named([word for word in words if word])
    if trial.edit.text:
        first = listed[opened[-1]]
        return Span(first.start, first.end), f"the bracket of {name} is never closed"
    return trial.edit.span, f"there is a closing bracket too many: this one closes {name}"


def _listed(source: Source, span: Span) -> Iterator[_Lexeme]:
    """Yield words and brackets; the column is 0 for all but the first one of a line."""
    line = 0
    for token in tokens(source, Diagnostics(source), span.start):
        if isinstance(token, Comment):
            continue
        where = token.span if isinstance(token, Atom) else Span(token[1], token[1] + 1)
        if where.start >= span.end:
            return
        place = source.position(where.start)
        column = place.column if place.line != line else 0
        line = place.line
        if isinstance(token, Atom):
            yield _Lexeme(token.text, where.start, where.end, column, token)
        else:
            text = "(" if token[0] in "([{" else ")"
            yield _Lexeme(text, where.start, where.end, column, None)


def _trials(listed: Sequence[_Lexeme], left_open: int) -> Iterator[_Trial]:
    """Yield the edits that make the depths of the lines agree, in the order of their promise."""
    lines = _agreeing(listed, left_open)
    ends = [at for at in range(len(listed), 0, -1) if _line_of(listed, at - 1) in lines]
    for at in ends[:_MOST_TRIED]:
        before = listed[at - 1]
        if left_open > 0:
            yield _Trial(Edit(Span(before.end, before.end), ")"), at)
        elif before.text == ")":
            yield _Trial(Edit(Span(before.start, before.end), ""), at)
    if left_open < 0:
        for at in ends[:_MOST_TRIED]:
            before = listed[at - 1]
            yield _Trial(Edit(Span(before.start, before.start), "("), at - 1)


def _line_of(listed: Sequence[_Lexeme], at: int) -> int:
    """Return the index of the first token on the line of a token."""
    while not listed[at].column:
        at -= 1
    return at


def _agreeing(listed: Sequence[_Lexeme], left_open: int) -> set[int]:
    """Return the lines, by their first tokens, on which a change makes all depths agree."""
    depth = 0
    starts: list[tuple[int, int, int]] = []
    for at, token in enumerate(listed):
        if token.column and token.text != ")":
            starts.append((at, token.column, depth))
        depth += (token.text == "(") - (token.text == ")")
    found: set[int] = set()
    for at, token in enumerate(listed):
        if token.column and _agree([(c, d - (s > at) * left_open) for s, c, d in starts]):
            found.add(at)
    return found


def _agree(lines: Sequence[tuple[int, int]]) -> bool:
    """Return whether lines of the same column stand at the same depth, those in them deeper."""
    above: list[tuple[int, int]] = []
    for column, depth in lines:
        while above and above[-1][0] > column:
            above.pop()
        if above and above[-1][0] == column:
            if above[-1][1] != depth:
                return False
            continue
        if above and above[-1][1] >= depth:
            return False
        above.append((column, depth))
    return True


def _is_sound(listed: Sequence[_Lexeme], trial: _Trial) -> bool:
    """Return whether an edit makes forms of the table of everything, with nothing left over."""
    stack: list[list[Syntax]] = [[]]
    inserts = bool(trial.edit.text)
    for at in range(len(listed) + 1):
        if at == trial.at and inserts and not _step(stack, trial.edit.text, None):
            return False
        left_out = at == trial.at - 1 and not inserts
        if at < len(listed) and not left_out:
            token = listed[at]
            if not _step(stack, token.text, token.atom):
                return False
    return len(stack) == 1 and all(isinstance(item, Form) for item in stack[0])


def _step(stack: list[list[Syntax]], text: str, atom: Atom | None) -> bool:
    """Take up a word or bracket; return whether the form that it closes is one, if it does."""
    if atom is not None:
        stack[-1].append(atom)
    elif text == "(":
        stack.append([])
    elif len(stack) > 1:  # others close what is open around the damage
        form = Form(tuple(stack.pop()), Span(0, 1))
        stack[-1].append(form)
        return not _is_odd(form)
    return True


def _is_odd(form: Form) -> bool:
    """Return whether no form of a sound program looks like this one."""
    shapes = BY_KEY.get(key_of(form), ())
    head = form.head
    named = isinstance(head, Form) or is_atom(head, AtomKind.NAME)
    if key_of(form) == "_" and (named or any(is_word(item, ",") for item in form.items)):
        return _is_odd_list(form)
    if shapes:
        fits = (fit(shape.parts, form.items) for shape in shapes)
        return not any(not isinstance(one, Misfit) and all(map(suits, one)) for one in fits)
    if head is None or (isinstance(head, Atom) and head.kind is AtomKind.PUNCTUATION):
        return True
    if is_atom(head, AtomKind.WORD):
        assert isinstance(head, Atom)
        return head.text in STORED or (
            head.text in SHAPES and not fits_any(form, SHAPES[head.text])
        )
    return _is_odd_list(form)


def _is_award(form: Form) -> bool:
    *pairs, points = form.items
    named = [isinstance(item, Form) and is_pair(item) for item in pairs]
    return bool(named) and all(named) and not (isinstance(points, Form) and is_pair(points))


def _is_uniform(form: Form) -> bool:
    """Return whether a list has awards only, or none, and no pairs outside awards."""
    forms = [item for item in form.items if isinstance(item, Form)]
    awards = sum(isinstance(item.head, Form) and is_pair(item.head) for item in forms)
    return awards in {0, len(forms)} and not any(map(is_pair, forms))


def _is_odd_list(form: Form) -> bool:
    """Return whether a form without a word of its own is no list, no award and no attribute."""
    atoms = [item for item in form.items if isinstance(item, Atom)]
    marks = [atom.text for atom in atoms if atom.kind is AtomKind.PUNCTUATION]
    if ":" in marks:
        return len(form.items) != 3 or not is_word(form.items[1], ":")
    if marks:
        return len(atoms) != len(form.items) or len(marks) != len(atoms) // 2
    if isinstance(form.head, Form):
        if any(atom.kind in {AtomKind.WORD, AtomKind.OPERATOR} for atom in atoms):
            return True
        return not _is_award(form) and (bool(atoms) or not _is_uniform(form))
    return len(form.items) > 1 and len(atoms) > 1
