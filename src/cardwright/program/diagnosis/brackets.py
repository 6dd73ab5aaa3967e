"""Programs whose brackets do not match: where one is missing or too many, and what else is wrong.

It is missing or too many at the place where putting it right gives forms of the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.fitting import STORED, is_pair, key_of, suits
from cardwright.program.forms import BY_KEY, fits_any
from cardwright.program.frame import ProgramElaborator
from cardwright.program.setup import SECTION_SHAPES
from cardwright.program.shapes import Misfit, fit
from cardwright.syntax.diagnostic import Code, Diagnostic, Diagnostics, Edit, Related, Severity
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import GAME, named, read, tokens
from cardwright.syntax.recovery import first_damage
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardwright.program.constants import Constant
    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.recovery import Damage, Recovered
    from cardwright.syntax.tree import Syntax

_MOST_TRIED = 120
"""Most places that are tried, the last of them first; each takes about a millisecond."""

_MOST_TOKENS = 1_200
"""Longest part of a program in which the place is looked for, in words and brackets."""

_MOST_AT_ONCE = 6
"""Most brackets that are put or taken away at one place."""

_MOST_REPAIRS = 12
"""Most places at which brackets of one text are put right."""

_DEFINED = re.compile(r"\(define\s+\(([A-Z]\w*)((?:\s+'[A-Z]\w*)*)\s*\)")
"""The head of a definition with parameters."""

_VARIABLE = re.compile(r"'[A-Z]\w*")


class _Lexeme(NamedTuple):
    """A word or bracket; the column is 0 for all but the first one of a line."""

    text: str
    span: Span
    column: int
    atom: Atom | None


class _Trial(NamedTuple):
    """An edit to be tried: brackets go before the token at an index, or those before it go."""

    edit: Edit
    at: int


@dataclass(frozen=True)
class Repair:
    """How brackets of one place are made to match, and what is wrong with them there.

    The edits of all repairs of a text belong together. `others` would do as well, by the forms of
    the table; it is `likely` if there are none, and the table has all forms that it makes. In which
    `lines` the mistake must be, first and last, the layout says, and how many brackets are left
    open there: their `number` is negative if too many are closed.
    """

    code: Code
    edit: Edit
    span: Span
    message: str
    related: tuple[Related, ...] = ()
    others: tuple[Repair, ...] = ()
    lines: tuple[int, int] = (1, 1)
    number: int = 0
    likely: bool = False

    def report(self, report: Diagnostics, message: str, *, guess: bool = False) -> None:
        """Report it, with the edit that makes it."""
        related, edits = self.related, (self.edit,)
        report.add(self.code, self.span, message, related=related, edits=edits, guess=guess)


def repairs(source: Source) -> tuple[Repair, ...]:
    """Return how all brackets of a program can be made to match; nothing if they cannot.

    The first damage is repaired, and then what the layout shows in the text that this gives.
    """
    found: list[Repair] = []
    text = source.text
    while len(found) < _MOST_REPAIRS:
        now = Source(source.name, text)
        damage = first_damage(now)
        if damage is None:
            return tuple(found) if _match(now) else ()
        repair = _repair(now, damage)
        original = repair and _Moves(one.edit for one in found).repair(repair)
        if original is None:
            return ()
        found.append(original)
        try:
            text = apply_edits(source.text, (one.edit for one in found))
        except ValueError:  # what one of them puts, another takes away
            return ()
    return ()


def _match(source: Source) -> bool:
    report = Diagnostics(source)
    reading = read(source, report)
    return reading.form is not None and reading.rest is None and not report.errors


class _Moves:
    """The way back from places in a text that was edited to those of the original."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = sorted(edits, key=lambda edit: edit.span)

    def offset(self, offset: int) -> int | None:
        """Return where a place was; None within what was put into the text."""
        moved = 0
        for edit in self.edits:
            start = edit.span.start + moved
            if offset <= start:
                break
            if offset < start + len(edit.text):
                return None
            moved += len(edit.text) - (edit.span.end - edit.span.start)
        return offset - moved

    def span(self, span: Span) -> Span | None:
        start, end = self.offset(span.start), self.offset(span.end)
        return None if start is None or end is None else Span(start, max(start, end))

    def repair(self, repair: Repair) -> Repair | None:
        edited, span = self.span(repair.edit.span), self.span(repair.span)
        if edited is None or span is None:
            return None
        related = ((self.span(one.span), one.message) for one in repair.related)
        others = map(self.repair, repair.others)
        return replace(
            repair,
            edit=Edit(edited, repair.edit.text),
            span=span,
            related=tuple(Related(where, words) for where, words in related if where is not None),
            others=tuple(one for one in others if one is not None),
        )


def _repair(source: Source, damage: Damage) -> Repair | None:
    """Return the first change that repairs a damage, with the others that would as well."""
    listed = list(_listed(source, damage.around))
    if not 0 < abs(damage.left_open) <= _MOST_AT_ONCE or len(listed) > _MOST_TOKENS:
        return None
    forms = _Forms(source.text)
    trials = list(_trials(source, listed, damage.left_open))
    sound = [trial for trial in trials if forms.are_sound(listed, trial)]
    likely = len(sound) == 1
    sound = sound or [trial for trial in trials if _is_at_end_of_line(listed, trial)]
    if not sound:
        return None
    first, *others = (_told(source, listed, trial) for trial in sound)
    lines = source.line_at(damage.around.start), source.line_at(damage.around.end - 1)
    return replace(first, others=tuple(others), lines=lines, number=damage.left_open, likely=likely)


def _is_at_end_of_line(listed: Sequence[_Lexeme], trial: _Trial) -> bool:
    """Return whether closing brackets are put or taken away where authors count them."""
    after = listed[trial.at] if trial.at < len(listed) else None
    return not trial.edit.text.startswith("(") and (after is None or bool(after.column))


def _told(source: Source, listed: Sequence[_Lexeme], trial: _Trial) -> Repair:
    edit = trial.edit
    number = len(edit.text) or edit.span.end - edit.span.start
    if edit.text.startswith("("):
        after = listed[trial.at]
        what = "an opening bracket is" if number == 1 else f"{number} opening brackets are"
        message = f"{what} missing before {after.text if after.atom else 'this one'}"
        return Repair(Code.CLOSED_EARLY, edit, after.span, message)
    start, name = _innermost(source, edit.span.start)
    if edit.text:
        code, place = Code.UNCLOSED, listed[trial.at - 1].span
        what = "a closing bracket is" if number == 1 else f"{number} closing brackets are"
        message = f"{what} missing here: {name} is never closed"
    else:
        code, place = Code.CLOSED_EARLY, edit.span
        what = "is a closing bracket" if number == 1 else f"are {number} closing brackets"
        closes = "this one closes" if number == 1 else "the first one closes"
        message = f"there {what} too many: {closes} {name}"
    elsewhere = source.line_at(start.start) != source.line_at(place.start)
    related = (Related(start, "it starts here"),) if elsewhere else ()
    return Repair(code, edit, place, message, related)


def _innermost(source: Source, offset: int) -> tuple[Span, str]:
    game = GAME.search(source.text)
    listed = list(_listed(source, Span(game.start("game") if game else 0, offset)))
    opened: list[int] = []
    for at, token in enumerate(listed):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            opened.pop()
    if not opened:
        return Span(offset, offset), "the game"
    first, *words = listed[opened[-1] : opened[-1] + 3]
    atoms = [word.atom for word in words if word.atom]
    line = f"the bracket of line {source.line_at(first.span.start)}"
    return first.span, named(atoms if words and words[0].atom else [], line)


def _listed(source: Source, span: Span) -> Iterator[_Lexeme]:
    line = 0
    for token in tokens(source, Diagnostics(source), span.start):
        if isinstance(token, Comment):
            continue
        if token.span.start >= span.end:
            return
        place = source.position(token.span.start)
        column = place.column if place.line != line else 0
        line = place.line
        if isinstance(token, Atom):
            yield _Lexeme(token.text, token.span, column, token)
        else:
            yield _Lexeme("(" if token.opens else ")", token.span, column, None)


def _trials(source: Source, listed: Sequence[_Lexeme], left_open: int) -> Iterator[_Trial]:
    """Yield the edits that make the depths of the lines agree, in the order of their promise.

    Of places that give the same brackets there is the last one, before opening brackets the first.
    """
    lines = _agreeing(listed, left_open)
    number = abs(left_open)
    ends = [at for at in range(len(listed), 0, -1) if _line_of(listed, at - 1) in lines]
    for at in ends[:_MOST_TRIED]:
        run = listed[max(at - number, 0) : at]
        if at < len(listed) and listed[at].text == ")" and at + 1 in ends:
            continue
        if left_open > 0:
            place = listed[at - 1].span.end
            yield _Trial(Edit(Span(place, place), ")" * number), at)
        elif len(run) == number and all(one.text == ")" for one in run):
            span = run[0].span.to(run[-1].span)
            if source.at(span) == ")" * number:
                yield _Trial(Edit(span, ""), at)
    if left_open < 0:
        for at in ends[:_MOST_TRIED]:
            place = listed[at - 1].span.start
            if at == 1 or listed[at - 2].text != "(" or at - 1 not in ends:
                yield _Trial(Edit(Span(place, place), "(" * number), at - 1)


def _line_of(listed: Sequence[_Lexeme], at: int) -> int:
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


class _Forms:
    """What a form of a sound program may look like: those of the table, and those defined."""

    def __init__(self, text: str) -> None:
        self.defined = {
            (match[1], len(_VARIABLE.findall(match[2]))) for match in _DEFINED.finditer(text)
        }

    def are_sound(self, listed: Sequence[_Lexeme], trial: _Trial) -> bool:
        """Return whether an edit makes such forms of everything, with nothing left over."""
        stack: list[list[Syntax]] = [[]]
        put = trial.edit.text
        gone = 0 if put else trial.edit.span.end - trial.edit.span.start
        for at in range(len(listed) + 1):
            if at == trial.at and not all(self._step(stack, bracket, None) for bracket in put):
                return False
            if at < len(listed) and not trial.at - gone <= at < trial.at:
                token = listed[at]
                if not self._step(stack, token.text, token.atom):
                    return False
        return len(stack) == 1 and all(isinstance(item, Form) for item in stack[0])

    def _step(self, stack: list[list[Syntax]], text: str, atom: Atom | None) -> bool:
        """Take up a word or bracket; return whether the form that it closes is one, if it does."""
        if atom is not None:
            stack[-1].append(atom)
        elif text == "(":
            stack.append([])
        elif len(stack) > 1:  # others close what is open around the damage
            form = Form(tuple(stack.pop()), Span(0, 1))
            stack[-1].append(form)
            return self._is_defined(form) or not _is_odd(form)
        return True

    def _is_defined(self, form: Form) -> bool:
        head = form.head
        return isinstance(head, Atom) and (head.text, len(form.items) - 1) in self.defined


def _is_odd(form: Form) -> bool:
    """Return whether no form of a sound program looks like this one."""
    shapes = BY_KEY.get(key_of(form), ())
    head = form.head
    named = isinstance(head, Form) or is_atom(head, AtomKind.NAME)
    if key_of(form) == "_" and (named or any(is_word(item, ",") for item in form.items)):
        return _is_odd_list(form)
    if is_word(head, "repeat") and _creates(form.items[-1]):
        return len(form.items) != 3
    if shapes:
        fits = (fit(shape.parts, form.items) for shape in shapes)
        return not any(not isinstance(one, Misfit) and all(map(suits, one)) for one in fits)
    if head is None or (isinstance(head, Atom) and head.kind is AtomKind.PUNCTUATION):
        return True
    if is_atom(head, AtomKind.WORD):
        assert isinstance(head, Atom)
        return head.text in STORED or (
            head.text in SECTION_SHAPES and not fits_any(form, SECTION_SHAPES[head.text])
        )
    return _is_odd_list(form)


def _creates(item: Syntax) -> bool:
    return isinstance(item, Form) and item.starts_with("create")


def _is_award(form: Form) -> bool:
    *pairs, points = form.items
    named = [isinstance(item, Form) and is_pair(item) for item in pairs]
    return bool(named) and all(named) and not (isinstance(points, Form) and is_pair(points))


def _is_uniform(form: Form) -> bool:
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


# Programs whose brackets do not match ----------------------------------------------------------

_BRACKETS = frozenset({Code.UNCLOSED, Code.CLOSED_EARLY})

_MOST_WAYS = 20
"""Most ways to repair a text that are looked at; with more of them none is sure."""

_OF_THE_WHOLE = frozenset({Code.MISSING_SECTION, Code.BAD_TEAMS, Code.SECTION_ORDER})
"""What may follow from parts that were left out, wherever it is reported."""


def examine_rest(
    recovered: Recovered,
    report: Diagnostics,
    overrides: dict[str, Constant],
    base: int | None,
    make: Callable[[Diagnostics], Elaborator],
) -> Elaborator:
    """Report the mistakes in a recovered program that do not follow from its damages."""
    source = recovered.source
    counted = (
        _counted(
            damage.left_open,
            source.line_at(damage.around.start),
            source.line_at(max(damage.around.end - 1, 0)),
        )
        for damage in recovered.damages
    )
    report.amend({Code.UNCLOSED}, help="; ".join(counted))
    scratch = Diagnostics(source)
    frame = ProgramElaborator(scratch, overrides, base, make)
    frame.program(recovered.form)
    texts = (source.at(damage.around) for damage in recovered.damages)
    declared = {name for text in texts if "declare" in text for name in _VARIABLE.findall(text)}
    for found in scratch.found:
        if _is_sure(found, recovered, declared):
            report.take(found)
    return frame.by


def _is_sure(found: Diagnostic, recovered: Recovered, declared: set[str]) -> bool:
    """Return whether an error does not follow from damages, which may have `declared` constants."""
    if found.severity is not Severity.ERROR or found.code in _OF_THE_WHOLE:
        return False
    if not recovered.is_reliable(found.span):
        return False
    if found.code is not Code.UNBOUND:
        return True
    around = any(damage.around.overlaps(found.span) for damage in recovered.damages)
    return not around and recovered.source.at(found.span) not in declared


def _counted(left_open: int, first: int, last: int) -> str:
    """Return how many brackets are missing or too many in which lines."""
    number = abs(left_open)
    brackets = "1 closing bracket is" if number == 1 else f"{number} closing brackets are"
    where = f"in line {first}" if first == last else f"in lines {first} to {last}"
    return f"{brackets} {'missing' if left_open > 0 else 'too many'} {where}"


def put_right(report: Diagnostics, most: int, errors_in: Callable[[str], int | None]) -> bool:
    """Report where brackets are missing or too many, if it can be seen; return whether it can.

    `errors_in` gives the number of errors of a text, None if its brackets do not match. With the
    brackets put right there must not be more than `most`.
    """
    source = report.source

    def is_fine(way: Sequence[Repair]) -> bool:
        try:
            text = apply_edits(source.text, (repair.edit for repair in way))
        except ValueError:
            return False
        errors = errors_in(text)
        return errors is not None and errors <= most

    found = repairs(source)
    ways = list(islice(_ways(found), _MOST_WAYS + 1))
    sound = list(filter(is_fine, ways)) if len(ways) <= _MOST_WAYS else []
    if len(sound) == 1:
        report.drop_errors(_BRACKETS)
        for repair in sound[0]:
            repair.report(report, repair.message)
        return True
    if sound:
        report.amend(_BRACKETS, edits=tuple(repair.edit for repair in sound[0]), guess=True)
    elif len(found) > 1 and any(report.of_code(code) for code in _BRACKETS):
        report.drop_errors(_BRACKETS)
        for repair in found:
            _report_likely(report, repair)
    return False


def _report_likely(report: Diagnostics, repair: Repair) -> None:
    if repair.likely:
        what, colon, rest = repair.message.partition(":")
        repair.report(report, f"{what}, it seems{colon}{rest}", guess=True)
        return
    first = repair.lines[0]
    line = report.source.line(first)
    start = report.source.start_of(first) + len(line) - len(line.lstrip())
    report.add(repair.code, Span(start, start + 1), _counted(repair.number, *repair.lines))


def _ways(found: Sequence[Repair]) -> Iterator[tuple[Repair, ...]]:
    """Yield the ways to repair a text: the first, and those that differ from it in one place."""
    if not found:
        return
    yield tuple(found)
    for at, repair in enumerate(found):
        for other in repair.others:
            yield (*found[:at], other, *found[at + 1 :])
