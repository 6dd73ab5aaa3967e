"""Programs whose brackets do not match: where one is missing or too many, and what else is wrong.

They are read on by the author's indentation. Lines that start at the same column, with nothing
further left between them, stand side by side: so many brackets are open before the one as before
the other. Where that is not so, what was written between them is damaged. It is left out, and the
rest of the program can be read. The bracket is missing or too many at the place where putting it
right gives forms of the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from cardwright.english import agreed, counted, counted_or_a
from cardwright.program.fitting import STORED, is_pair, key_of, suits
from cardwright.program.forms import BY_KEY, fits_any
from cardwright.program.frame import ProgramElaborator
from cardwright.program.setup import SECTION_SHAPES
from cardwright.program.shapes import Misfit, fit
from cardwright.syntax.diagnostic import Code, Diagnostic, Diagnostics, Edit, Related, Severity
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import GAME, named, read, tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence, Set

    from cardwright.program.constants import Constant
    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.tree import Syntax

# Words and brackets ----------------------------------------------------------------------------


class _Lexeme(NamedTuple):
    """A word or bracket of a text, or a bracket that is to be put into it, which has no letters."""

    text: str
    span: Span
    line: int
    column: int
    atom: Atom | None


_MOST_UNMATCHED = 1_000
"""Most brackets too many or too few of a text that is read on: beyond that they are no slips."""


def _lexemes(source: Source) -> list[_Lexeme]:
    """Return the words and brackets from where a game begins; none of a text beyond hope."""
    lexemes: list[_Lexeme] = []
    if abs(source.text.count("(") - source.text.count(")")) > _MOST_UNMATCHED:
        return lexemes
    start = GAME.search(source.text)
    for token in tokens(source, Diagnostics(source), start.start("game")) if start else ():
        if isinstance(token, Comment):
            continue
        place = source.position(token.span.start)
        text, atom = (token.text, token) if isinstance(token, Atom) else (token.round, None)
        lexemes.append(_Lexeme(text, token.span, place.line, place.column, atom))
    return lexemes


def _starts_line(lexemes: Sequence[_Lexeme], at: int) -> bool:
    return at == 0 or lexemes[at - 1].line != lexemes[at].line


# Reading on by indentation ---------------------------------------------------------------------

MOST_DAMAGES = 4
"""Most damages of one text: with more of them, its indentation says nothing about its brackets."""


class Damage(NamedTuple):
    """A stretch of text whose brackets do not match.

    `span` is what is left out, and `around` the form of the layout in which the cause must be, with
    the lexemes from `first` to `end`. `left_open` is how many brackets too many are open after it;
    negative if too many are closed.
    """

    span: Span
    around: Span
    left_open: int
    first: int
    end: int


def recover(source: Source) -> Recovery | None:
    """Return the program of a source with unmatched brackets; None if layout does not show it."""
    recovery = Recovery(source, _lexemes(source))
    return None if recovery.program is None else recovery


class _Unclosed(NamedTuple):
    offset: int
    items: list[Syntax]


class _Line(NamedTuple):
    """The first lexeme of a line: where it is, and what was open before it."""

    at: int
    column: int
    depth: int
    stack: tuple[tuple[_Unclosed, int], ...]


class Recovery:
    """A program whose damaged stretches are left out, each with an empty atom in its place.

    `program` is None if the layout does not show it. `sound` are forms whose brackets surely match,
    and which mean the same wherever they stand. While the text is read, `lines` are the latest
    lines of each column, further left than all after them, and `beyond` counts brackets that close
    more than is open.
    """

    def __init__(self, source: Source, lexemes: Sequence[_Lexeme]) -> None:
        self.source = source
        self.lexemes = lexemes
        self.stack: list[_Unclosed] = []
        self.lines: list[_Line] = []
        self.damages: list[Damage] = []
        self.sound: list[Span] = []
        self.last: _Line | None = None
        self.beyond = 0
        self.at = 0
        self.within: int | None = None
        self.program = self._read()

    @property
    def form(self) -> Form:
        """The program, if the layout shows it."""
        assert self.program is not None
        return self.program

    def is_reliable(self, span: Span) -> bool:
        """Return whether what is at a place was surely read as the author meant it."""
        if not any(damage.around.overlaps(span) for damage in self.damages):
            return True
        sound = (part for part in self.sound if part.start < span.start and span.end <= part.end)
        return any(not any(d.span.overlaps(part) for d in self.damages) for part in sound)

    def _read(self) -> Form | None:
        line = 0
        for lexeme in self.lexemes:
            closes = lexeme.atom is None and lexeme.text == ")"
            if lexeme.line != line and not closes:
                line = lexeme.line
                if not self._line(lexeme.column):
                    return None
            if lexeme.atom is not None:
                self._add(lexeme.atom)
            elif closes:
                self._close(lexeme.span.end)
            else:
                self.stack.append(_Unclosed(lexeme.span.start, []))
            self.at += 1
        return self._finish()

    @property
    def _depth(self) -> int:
        return len(self.stack) - self.beyond

    @property
    def _end(self) -> int:
        return self.lexemes[self.at - 1].span.end if self.at else 0

    def _add(self, item: Syntax) -> None:
        if self.stack:
            self.stack[-1].items.append(item)

    def _close(self, end: int) -> None:
        """Close the innermost bracket; that of the game stays open until the end of the text."""
        if len(self.stack) < 2:
            self.beyond += 1
            return
        opened = self.stack.pop()
        self._add(Form(tuple(opened.items), Span(opened.offset, end)))

    def _line(self, column: int) -> bool:
        """Take up a line; what stands before it is damaged if the depth is not as expected."""
        if self.within is not None and column > self.within:
            return True
        while self.lines and self.lines[-1].column > column:
            self.lines.pop()
        beside = self.lines[-1] if self.lines and self.lines[-1].column == column else None
        if beside is not None:
            if self._depth == beside.depth:
                self._sound(beside)
            elif not self._leave_out(beside.at, beside.depth):
                return False
            self.within = None
            self.lines.pop()
        elif self.within is not None:
            return False
        elif self.last is not None:
            if not self.lines:
                return False
            if self._depth <= self.lines[-1].depth:
                self.last = self.lines[-1]
                self.within = self.last.column
                return self.last.depth > 0
        now = tuple((opened, len(opened.items)) for opened in self.stack)
        self.last = _Line(self.at, column, self._depth, now)
        self.lines.append(self.last)
        return True

    def _sound(self, line: _Line) -> None:
        """Keep a line and those in it as sound if they are one form that begins with a word."""
        opened, count = line.stack[-1] if line.stack else (None, 0)
        added = opened.items[count:] if opened else []
        if len(added) == 1 and isinstance(added[0], Form) and is_atom(added[0].head, AtomKind.WORD):
            self.sound.append(Span(self.lexemes[line.at].span.start, self._end))

    def _leave_out(self, first: int | None, depth: int) -> bool:
        """Leave out what follows the start of the last line; return whether that makes sense."""
        last = self.last
        if last is None or last.depth < max(depth, 1) or len(self.damages) == MOST_DAMAGES:
            return False
        span = Span(self.lexemes[last.at].span.start, self._end)
        around = Span(0 if first is None else self.lexemes[first].span.start, self._end)
        self.damages.append(Damage(span, around, self._depth - depth, first or 0, self.at))
        self.stack = [opened for opened, _ in last.stack]
        for opened, count in last.stack:
            del opened.items[count:]
        self.beyond = 0
        self._add(Atom(AtomKind.BAD, "", span))
        while len(self.stack) > max(depth, 1):
            self._close(self._end)
        return True

    def _finish(self) -> Form | None:
        section = next((line.at for line in self.lines if line.depth == 1), None)
        if self._depth != 0 and not self._leave_out(section, 0):
            return None
        if len(self.stack) != 1 or not self.damages:
            return None
        (game,) = self.stack
        return Form(tuple(game.items), Span(game.offset, max(self._end, game.offset + 1)))


# Where brackets are missing or too many --------------------------------------------------------

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
    made: list[Repair] = []
    lexemes = _lexemes(source)
    while len(made) < _MOST_REPAIRS:
        recovery = Recovery(source, lexemes)
        if not recovery.damages:
            return tuple(made) if _match(source, made) else ()
        damage = recovery.damages[0]
        before, listed = lexemes[: damage.first], lexemes[damage.first : damage.end]
        trials, likely = _promising(source, listed, damage.left_open)
        if not trials:
            return ()
        first, *others = (_repair_of(source, before, listed, trial) for trial in trials)
        lines = source.line_at(damage.around.start), source.line_at(damage.around.end - 1)
        number = damage.left_open
        made.append(replace(first, others=tuple(others), lines=lines, number=number, likely=likely))
        lexemes = before + _changed(lexemes[damage.first :], trials[0])
    return ()


def _match(source: Source, made: Sequence[Repair]) -> bool:
    """Return whether the brackets match with repairs made, of which none takes away another's."""
    try:
        text = apply_edits(source.text, (repair.edit for repair in made))
    except ValueError:
        return False
    report = Diagnostics(Source(source.name, text))
    reading = read(report.source, report)
    return reading.form is not None and reading.rest is None and not report.errors


def _promising(
    source: Source, listed: Sequence[_Lexeme], left_open: int
) -> tuple[list[_Trial], bool]:
    """Return the edits that may repair a damage, and whether the first of them is likely right."""
    if not 0 < abs(left_open) <= _MOST_AT_ONCE or len(listed) > _MOST_TOKENS:
        return [], False
    uses = _DEFINED.finditer(source.text)
    defined = {(match[1], len(_VARIABLE.findall(match[2]))) for match in uses}
    trials = list(_trials(source, listed, left_open))
    sound = [trial for trial in trials if _are_sound(_changed(listed, trial), defined)]
    lines = {len(listed), *(at for at in range(len(listed)) if _starts_line(listed, at))}
    # Authors count closing brackets at the ends of lines.
    at_ends = [trial for trial in trials if trial.at in lines and trial.edit.text[:1] != "("]
    return sound or at_ends, len(sound) == 1


def _changed(lexemes: Sequence[_Lexeme], trial: _Trial) -> list[_Lexeme]:
    """Return lexemes with an edit made; what follows on its line moves."""
    span, put, at = trial.edit.span, trial.edit.text, trial.at
    gone = 0 if put else span.end - span.start
    place = lexemes[at] if put.startswith("(") else lexemes[at - 1]
    column = place.column + (len(place.text) if put.startswith(")") else 0)
    brackets = [_Lexeme(put[0], span, place.line, column + more, None) for more in range(len(put))]
    beside = list(takewhile(lambda lexeme: lexeme.line == place.line, lexemes[at:]))
    moved = [lexeme._replace(column=lexeme.column + len(put) - gone) for lexeme in beside]
    return [*lexemes[: at - gone], *brackets, *moved, *lexemes[at + len(beside) :]]


def _repair_of(
    source: Source, before: Sequence[_Lexeme], listed: Sequence[_Lexeme], trial: _Trial
) -> Repair:
    edit = trial.edit
    number = len(edit.text) or edit.span.end - edit.span.start
    if edit.text.startswith("("):
        after = listed[trial.at]
        what = f"{counted_or_a(number, 'opening bracket')} {agreed('are', number)}"
        message = f"{what} missing before {after.text if after.atom else 'this one'}"
        return Repair(Code.CLOSED_EARLY, edit, after.span, message)
    end = trial.at if edit.text else trial.at - number
    start, name = _innermost(source, [*before, *listed[:end]], edit.span.start)
    if edit.text:
        code, place = Code.UNCLOSED, listed[trial.at - 1].span
        what = counted_or_a(number, "closing bracket")
        message = f"{what} {agreed('are', number)} missing here: {name} is never closed"
    else:
        code, place = Code.CLOSED_EARLY, edit.span
        what = counted_or_a(number, "closing bracket")
        closes = "this one closes" if number == 1 else "the first one closes"
        message = f"there {agreed('are', number)} {what} too many: {closes} {name}"
    elsewhere = source.line_at(start.start) != source.line_at(place.start)
    related = (Related(start, "it starts here"),) if elsewhere else ()
    return Repair(code, edit, place, message, related)


def _innermost(source: Source, lexemes: Sequence[_Lexeme], offset: int) -> tuple[Span, str]:
    """Return the innermost bracket that is open after some lexemes, and what to call it."""
    opened: list[int] = []
    for at, lexeme in enumerate(lexemes):
        if lexeme.text == "(":
            opened.append(at)
        elif lexeme.text == ")" and opened:
            opened.pop()
    if not opened:
        return Span(offset, offset), "the game"
    first, *words = lexemes[opened[-1] : opened[-1] + 3]
    atoms = [word.atom for word in words if word.atom]
    line = f"the bracket of line {source.line_at(first.span.start)}"
    return first.span, named(atoms if words and words[0].atom else [], line)


def _trials(source: Source, listed: Sequence[_Lexeme], left_open: int) -> Iterator[_Trial]:
    """Yield the edits that make the depths of the lines agree, in the order of their promise.

    Of places that give the same brackets there is the last one, before opening brackets the first.
    """
    number = abs(left_open)
    ends = _agreeing(listed, left_open)
    for at in ends[:_MOST_TRIED]:
        run = listed[max(at - number, 0) : at]
        if at < len(listed) and listed[at].text == ")" and at + 1 in ends:
            continue
        if left_open > 0:
            place = listed[at - 1].span.end
            yield _Trial(Edit(Span(place, place), ")" * number), at)
        elif len(run) == number and all(lexeme.text == ")" for lexeme in run):
            span = run[0].span.to(run[-1].span)
            if source.at(span) == ")" * number:
                yield _Trial(Edit(span, ""), at)
    if left_open < 0:
        for at in ends[:_MOST_TRIED]:
            place = listed[at - 1].span.start
            if at == 1 or listed[at - 2].text != "(" or at - 1 not in ends:
                yield _Trial(Edit(Span(place, place), "(" * number), at - 1)


def _agreeing(listed: Sequence[_Lexeme], left_open: int) -> list[int]:
    """Return the ends of lexemes, last first, in lines where a change makes all depths agree."""
    depth = 0
    starts: list[tuple[int, int, int]] = []
    for at, lexeme in enumerate(listed):
        if _starts_line(listed, at) and lexeme.text != ")":
            starts.append((at, lexeme.column, depth))
        depth += (lexeme.text == "(") - (lexeme.text == ")")
    ends: list[int] = []
    agrees = False
    for at in range(len(listed)):
        if _starts_line(listed, at):
            agrees = _agree([(c, d - (s > at) * left_open) for s, c, d in starts])
        if agrees:
            ends.append(at + 1)
    return ends[::-1]


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


def _are_sound(lexemes: Sequence[_Lexeme], defined: Set[tuple[str, int]]) -> bool:
    """Return whether lexemes are forms of a sound program, with nothing left over.

    Those are the forms of the table, and uses of what is `defined`, by name and number of parts.
    """
    stack: list[list[Syntax]] = [[]]
    for lexeme in lexemes:
        if lexeme.atom is not None:
            stack[-1].append(lexeme.atom)
        elif lexeme.text == "(":
            stack.append([])
        elif len(stack) > 1:  # others close what is open around the damage
            form = Form(tuple(stack.pop()), Span(0, 1))
            stack[-1].append(form)
            head = form.head
            use = isinstance(head, Atom) and (head.text, len(form.items) - 1) in defined
            if not use and _is_odd(form):
                return False
    return len(stack) == 1 and all(isinstance(item, Form) for item in stack[0])


def _is_odd(form: Form) -> bool:
    """Return whether no form of a sound program looks like this one."""
    shapes = BY_KEY.get(key_of(form), ())
    head = form.head
    named = isinstance(head, Form) or is_atom(head, AtomKind.NAME)
    if key_of(form) == "_" and (named or any(is_word(item, ",") for item in form.items)):
        return _is_odd_list(form)
    last = form.items[-1] if form.items else None
    if is_word(head, "repeat") and isinstance(last, Form) and last.starts_with("create"):
        return len(form.items) != 3
    if shapes:
        fits = (fit(shape.parts, form.items) for shape in shapes)
        return not any(not isinstance(one, Misfit) and all(map(suits, one)) for one in fits)
    if head is None or (isinstance(head, Atom) and head.kind is AtomKind.PUNCTUATION):
        return True
    if not is_atom(head, AtomKind.WORD):
        return _is_odd_list(form)
    text = head.text
    return text in STORED or (text in SECTION_SHAPES and not fits_any(form, SECTION_SHAPES[text]))


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


# What is reported ------------------------------------------------------------------------------

_BRACKETS = frozenset({Code.UNCLOSED, Code.CLOSED_EARLY})

_MOST_WAYS = 20
"""Most ways to repair a text that are looked at; with more of them none is sure."""

_OF_THE_WHOLE = frozenset({Code.MISSING_SECTION, Code.BAD_TEAMS, Code.SECTION_ORDER})
"""What may follow from parts that were left out, wherever it is reported."""


def examine_rest(
    recovered: Recovery,
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
    for error in scratch.found:
        if _is_sure(error, recovered, declared):
            report.take(error)
    return frame.by


def _is_sure(error: Diagnostic, recovered: Recovery, declared: set[str]) -> bool:
    """Return whether an error does not follow from damages, which may have `declared` constants."""
    if error.severity is not Severity.ERROR or error.code in _OF_THE_WHOLE:
        return False
    if not recovered.is_reliable(error.span):
        return False
    if error.code is not Code.UNBOUND:
        return True
    around = any(damage.around.overlaps(error.span) for damage in recovered.damages)
    return not around and recovered.source.at(error.span) not in declared


def _counted(left_open: int, first: int, last: int) -> str:
    """Return how many brackets are missing or too many in which lines."""
    number = abs(left_open)
    brackets = f"{counted(number, 'closing bracket')} {agreed('are', number)}"
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

    made = repairs(source)
    ways = list(islice(_ways(made), _MOST_WAYS + 1))
    sound = list(filter(is_fine, ways)) if len(ways) <= _MOST_WAYS else []
    unmatched = [error for code in _BRACKETS for error in report.of_code(code)]
    if len(sound) == 1:
        report.drop(unmatched)
        for repair in sound[0]:
            repair.report(report, repair.message)
        return True
    if sound:
        report.amend(_BRACKETS, edits=tuple(repair.edit for repair in sound[0]), guess=True)
    elif len(made) > 1 and unmatched:
        report.drop(unmatched)
        for repair in made:
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


def _ways(made: Sequence[Repair]) -> Iterator[tuple[Repair, ...]]:
    """Yield the ways to repair a text: the first, and those that differ from it in one place."""
    if not made:
        return
    yield tuple(made)
    for at, repair in enumerate(made):
        for other in repair.others:
            yield (*made[:at], other, *made[at + 1 :])
