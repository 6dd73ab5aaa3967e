"""Checking a game file: from its text to a program and its diagnostics.

With an `IncrementalCache`, forms that are as they were in the last version of a text are not
elaborated again. What a form means depends on its text, on the kinds expected in its place, and on
what its variables denote; if all of that is the same, its node is taken from there, with its places
moved and its slots numbered anew. Only forms in which nothing is wrong are kept, so the messages
are those of a check of the new text alone.
"""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, node_of, truth
from cardwright.program.context import Binding
from cardwright.program.diagnosis.messages import report_older
from cardwright.program.elaborate import Elaborator
from cardwright.program.expansion import Made
from cardwright.program.fitting import forms_in
from cardwright.program.frame import ProgramElaborator
from cardwright.program.kinds import ValueKind
from cardwright.program.lint import lint
from cardwright.program.program import fold_constants, unlabelled
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, silence
from cardwright.syntax.reader import read, report_early
from cardwright.syntax.source import MAX_BYTES, Source, Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardwright.program.constants import Constant
    from cardwright.program.context import Instead
    from cardwright.program.diagnosis.brackets import Recovery
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostic
    from cardwright.syntax.reader import ReadText
    from cardwright.syntax.tree import Syntax


def holds(condition: str, values: Mapping[str, Constant]) -> bool:
    """Return whether a condition such as `(<= 'PASS 4)` holds for these values of constants.

    Raises ValueError if the text is not a condition, or refers to more than these constants.
    """
    names = {name: node_of(value, Span(0, 0)) for name, value in values.items()}
    node, _ = elaborated(condition, ValueKind.BOOLEAN, names)
    try:
        return truth(node)
    except NotConstantError as error:
        reason = error.reason or "this is not known before the game starts"
        raise ValueError(f"{condition}: {reason}") from None


_WANTED = {ValueKind.BOOLEAN: "condition", ValueKind.PLAYER | ValueKind.TEAM: "player or team"}


def elaborated(text: str, kind: ValueKind, names: Mapping[str, n.Node]) -> tuple[n.Node, int]:
    """Return the node of a form of its own, and how many variables it has.

    `names` are what variables denote in it; one of them, or a number, may stand alone. Raises
    ValueError if it is no form of this kind.
    """
    alone = _alone(text.strip(), names)
    if alone is not None and alone.kind & kind:
        return alone, 0
    report = Diagnostics(Source("form", text))
    by = Elaborator(report)
    for name, node in names.items():
        by.scope.declare(f"'{name}", node, Span(0, 0))
    reading = read(report.source, report)
    found = None if reading.form is None else by.elaborate(reading.form, kind)
    if (found is None and not text.strip()) or reading.rest is not None:
        raise ValueError(f"{text!r} is not a {_WANTED.get(kind, 'number or text')}")
    if found is None or report.errors:
        raise ValueError(f"{text}: {report.errors[0].message}")
    return found, by.scope.slots


def _alone(text: str, names: Mapping[str, n.Node]) -> n.Node | None:
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return node_of(int(text), Span(0, 0))
    return names.get(text[1:]) if text.startswith("'") else None


_SHORTEST = 60
"""Shortest text of a form that is kept, in characters: others are elaborated as fast."""

_VARIABLE = re.compile(r"'[A-Z][A-Za-z0-9_]*")
_NOWHERE = Span(0, 0)

MakeElaborator: TypeAlias = "Callable[[Diagnostics], Elaborator]"


class _FormKey(NamedTuple):
    """All on which the meaning of a form depends."""

    text: str
    expected: ValueKind
    in_choice: bool
    denoted: tuple[tuple[str, object], ...]
    """Each variable in the text, with what it denotes before it."""


@dataclass(frozen=True, slots=True)
class _KeptForm:
    """A form that was elaborated: its node, its place, and what came of it besides.

    Its own variables have the slots from `slot` on. `bindings` are all of them, and `uses` what
    variables in it denote. `inner` are the forms in it that are kept too.
    """

    node: n.Node
    span: Span
    slot: int
    slots: int
    marks: frozenset[str]
    bindings: tuple[Binding, ...]
    uses: tuple[tuple[Span, Binding], ...]
    inner: Sequence[tuple[_FormKey, _KeptForm]]


class IncrementalCache:
    """The forms of the last version of a text, for the check of the next one."""

    def __init__(self) -> None:
        self.last: dict[_FormKey, _KeptForm] = {}
        self.now: list[tuple[_FormKey, _KeptForm]] = []

    def elaborator(self, form: Form, damaged: Iterable[Span] = ()) -> MakeElaborator:
        """Return what makes the elaborator of a program; parts of its text may be damaged."""
        return partial(_RecallingElaborator, recall=self, written=form, damaged=tuple(damaged))

    def turn(self) -> None:
        """Keep the forms of the check that is over, and no others, for the next one."""
        self.last = dict(self.now)
        self.now = []


@dataclass
class _RecallingElaborator(Elaborator):
    """An elaborator that remembers. What it understood is only kept in part."""

    recall: IncrementalCache = field(default_factory=IncrementalCache)
    written: Form = field(default_factory=lambda: Form((), _NOWHERE))
    damaged: tuple[Span, ...] = ()
    _originals: set[int] | None = None

    def elaborate(
        self, item: Syntax, expected: ValueKind, instead: Instead | None = None
    ) -> n.Node:
        key = self._key(item, expected) if isinstance(item, Form) else None
        kept = None if key is None else self.recall.last.get(key)
        if key is not None and kept is not None:
            return self._recalled(key, kept, item.span.start)
        elaborate = partial(super().elaborate, item, expected, instead)
        return elaborate() if key is None else self._first(key, item.span, elaborate)

    def _key(self, form: Form, expected: ValueKind) -> _FormKey | None:
        """Return the key of a form; None if it is short, or its text does not say what is in it."""
        if form.span.end - form.span.start < _SHORTEST:
            return None
        made = isinstance(form, Made) or form.span.via
        if made or self.report.full or not self._is_original(form):
            return None
        text = self.report.source.at(form.span)
        names = dict.fromkeys(_VARIABLE.findall(text))
        denoted = tuple((name, _denoted(self.scope.find(name))) for name in names)
        return _FormKey(text, expected, self.in_choice, denoted)

    def _is_original(self, form: Form) -> bool:
        """Return whether a form is as it is written: no part was left out or put into it."""
        if any(span.overlaps(form.span) for span in self.damaged):
            return False
        if not self.extensions.definitions.named:
            return True
        if self._originals is None:
            self._originals = set(map(id, forms_in(self.written)))
        return id(form) in self._originals

    def _recalled(self, key: _FormKey, kept: _KeptForm, start: int) -> n.Node:
        """Return the node of a form that is as it was."""
        scope, by = self.scope, start - kept.span.start
        slots = {kept.slot + at: scope.slots + at for at in range(kept.slots)}
        scope.slots += kept.slots
        move = _Move(kept.span, by, slots)
        own = {binding.span for binding in kept.bindings}
        bound: dict[Span, Binding] = {}
        for _, one in kept.uses:
            if one.span not in own and one.span not in bound:
                denoted = scope.find(one.name)
                assert denoted is not None
                bound[one.span] = denoted
                if isinstance(one.value, n.Variable) and isinstance(denoted.value, n.Variable):
                    slots[one.value.slot] = denoted.value.slot
        for one in kept.bindings:
            moved = bound[one.span] = Binding(one.name, move.node(one.value), move.span(one.span))
            scope.gone[one.name] = moved.value.span
            scope.bindings.append(moved)
        scope.uses += ((move.span(span), bound[used.span]) for span, used in kept.uses)
        self.marks |= kept.marks
        self.recall.now.extend(kept.inner)
        self.recall.now.append((key, kept))
        same = not by and all(old == new for old, new in slots.items())
        return kept.node if same else move.node(kept.node)

    def _first(self, key: _FormKey, span: Span, elaborate: Callable[[], n.Node]) -> n.Node:
        """Elaborate a form, and keep it if nothing in it is wrong."""
        told = self.report.asked, len(self.extensions.uses)
        slot, before = self.scope.slots, len(self.recall.now)
        bound, used = len(self.scope.bindings), len(self.scope.uses)
        marks, self.marks = self.marks, set()
        node = elaborate()
        own, self.marks = self.marks, self.marks | marks
        wrong = (self.report.asked, len(self.extensions.uses)) != told
        if wrong or isinstance(node, n.ErrorNode):
            return node
        kept = _KeptForm(
            node=node,
            span=span,
            slot=slot,
            slots=self.scope.slots - slot,
            marks=frozenset(own),
            bindings=tuple(self.scope.bindings[bound:]),
            uses=tuple(self.scope.uses[used:]),
            inner=tuple(self.recall.now[before:]),
        )
        self.recall.now.append((key, kept))
        return node


def _denoted(binding: Binding | None) -> object:
    """Return what a variable denotes, wherever it is bound, unless its value has places in it."""
    if binding is None:
        return None
    value = binding.value
    if isinstance(value, n.Variable):
        return value.kind
    return value if any(n.children(value)) else replace(value, span=_NOWHERE)


@dataclass(frozen=True, slots=True)
class _Move:
    """The making of a node as it would be elsewhere in a text, with other slots.

    What was written outside of the form, such as the place of a declared location, stays.
    """

    within: Span
    by: int
    slots: dict[int, int]

    def span(self, span: Span) -> Span:
        """Return where what was at a place is now."""
        return Span(span.start + self.by, span.end + self.by)

    def node(self, node: n.Node) -> n.Node:
        """Return a node like this one, with everything in it."""
        span = node.span
        if not self.within.start <= span.start < self.within.end or span.via:
            return node
        span = self.span(span)
        if isinstance(node, n.Variable):
            return n.Variable(node.kind, span, self.slots.get(node.slot, node.slot), node.name)
        values = [self._value(getattr(node, name)) for name in node.operand_names]
        return type(node)(node.kind, span, *values)

    def _value(self, value: object) -> object:
        if isinstance(value, n.Node):
            return self.node(value)
        if isinstance(value, tuple) and value and isinstance(value[0], n.Node):
            return tuple(map(self.node, value))
        return value


_RECURSION = 3_000


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the program if there are no errors, and all diagnostics."""

    source: Source
    program: Program | None
    diagnostics: Diagnostics


@dataclass(frozen=True)
class SemanticModel:
    """The outcome of a check, with what was found on the way: what was read, and what it means.

    `meaning` has what names denote and what forms were taken for, also where there are errors. The
    form is that of the program; where brackets do not match, damaged parts are left out of it.
    """

    checked: Checked
    reading: ReadText | None
    meaning: Elaborator | None
    form: Form | None


def check(
    source: Source | str,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
) -> Checked:
    """Check a game file, or a text without one.

    `overrides` gives declared constants other values, by name without the apostrophe; `base`
    forces the number of the first player and team (0 or 1). `strict` notes each extension of the
    language. Never raises on any text.
    """
    if isinstance(source, str):
        source = Source("game", source)
    return examine(source, overrides, base, strict=strict).checked


def messages(source: Source, recall: IncrementalCache) -> Diagnostics:
    """Return what `check` says of a text, sooner if `recall` has seen almost the same before."""
    return examine(source, recall=recall).checked.diagnostics


class ValueCheck:
    """Checks a program with other values of constants, again and again.

    It is read once, and what is the same for two values is elaborated once.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._form = read(source, Diagnostics(source)).form
        self._recall = IncrementalCache()

    def errors(self, overrides: Mapping[str, Constant], *, whole: bool) -> list[Diagnostic]:
        """Return the errors that there are with some values.

        If it is not the `whole` program that is looked at, it is its declarations and its set-up,
        which takes much less time.
        """
        report, form = Diagnostics(self.source), self._form
        if form is None:
            return []
        if not whole:
            form = Form(tuple(takewhile(_is_before_play, form.items)), form.span)
        with deep_recursion():
            make = self._recall.elaborator(form)
            ProgramElaborator(report, dict(overrides), None, make).program(form)
        self._recall.turn()
        return [error for error in report.errors if whole or error.code is not Code.MISSING_SECTION]


def _is_before_play(item: Syntax) -> bool:
    sections = ("declare", "define", "setup")
    return not isinstance(item, Form) or any(item.starts_with(word) for word in sections)


def examine(
    source: Source,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
    recall: IncrementalCache | None = None,
) -> SemanticModel:
    """Check a game file as `check` does, and return what was found on the way as well.

    An empty `recall` keeps its forms, for `messages` of texts that are almost the same; then the
    program has the branches that its constants rule out as well.
    """
    report = Diagnostics(source)
    if len(source.text) > MAX_BYTES:
        report.add(
            Code.UNREADABLE,
            Span(0, 0),
            f"{len(source.text):,} characters are too many for a game file",
            expected=f"at most {MAX_BYTES:,}",
        )
        return SemanticModel(Checked(source, None, report), None, None, None)
    reading = read(source, report)
    with deep_recursion():
        examined = _Examination(dict(overrides or {}), base, recall).model_of(reading, report)
    if recall is not None:
        recall.turn()
    if strict and examined.meaning is not None:
        for use in examined.meaning.extensions.uses.values():
            examined.checked.diagnostics.add(
                Code.EXTENSION,
                use.written.span,
                f"{use.name} is an extension of the language",
                help="the same in plain RECYCLE: cardwright format --plain",
            )
    return examined


@dataclass(frozen=True)
class _Examination:
    """How a program is checked; with `recall`, only its messages are wanted, and soon."""

    overrides: dict[str, Constant]
    base: int | None
    recall: IncrementalCache | None = None

    def model_of(self, reading: ReadText, report: Diagnostics) -> SemanticModel:
        """Examine what was read."""
        source, form = report.source, reading.form
        if form is None:
            examined = self.unmatched(reading, report)
            report_older(report)
            return examined
        if reading.rest is not None and is_word(form.head, "game"):
            _report_rest(report, form, reading.rest)
        frame = ProgramElaborator(report, self.overrides, self.base, self.elaborator(form))
        program = frame.program(form)
        if program is not None:
            lint(unlabelled(program, report), report, frame.by.scope)
            program = unlabelled(fold_constants(program)) if self.recall is None else program
        elif reading.rest is not None and not source.at(reading.rest).strip(") \n\r\t"):
            told = Diagnostics(source)
            report_early(told, form, reading.rest, reading.early)
            examined = self.unmatched(reading, told)
            if examined.meaning is not None:
                return examined
        if report.errors:
            report_older(report)
        if report.errors and reading.rest is None:
            displaced = self.displaced(reading, len(report.errors), source)
            if displaced is not None:
                return displaced
        plain = not self.overrides and self.base is None
        complete = program is not None and not report.errors and plain
        silence(report, reading.comments, complete=complete)
        checked = Checked(source, None if report.errors else program, report)
        return SemanticModel(checked, reading, frame.by, form)

    def _rest(self, recovered: Recovery, report: Diagnostics) -> Elaborator:
        from cardwright.program.diagnosis.brackets import examine_rest

        make = self.elaborator(recovered.form, (damage.span for damage in recovered.damages))
        return examine_rest(recovered, report, self.overrides, self.base, make)

    def unmatched(self, reading: ReadText, report: Diagnostics) -> SemanticModel:
        """Examine what can be read of a program whose brackets do not match."""
        from cardwright.program.diagnosis.brackets import put_right, recover

        brackets = len(report.errors)
        recovered = recover(report.source) if brackets else None
        meaning, form = None, reading.form
        if recovered is not None:
            meaning, form = self._rest(recovered, report), recovered.form
        if brackets:
            put_right(report, len(report.errors) - brackets, self.errors_in)
        return SemanticModel(Checked(report.source, None, report), reading, meaning, form)

    def displaced(self, reading: ReadText, errors: int, source: Source) -> SemanticModel | None:
        """Examine a program with errors whose brackets match, but not with its layout.

        None if there is nothing to be put right by which it has fewer errors.
        """
        from cardwright.program.diagnosis.brackets import put_right, recover

        recovered = recover(source)
        if recovered is None:
            return None
        report = Diagnostics(source)
        meaning = self._rest(recovered, report)
        if not put_right(report, min(len(report.errors), errors - 1), self.errors_in):
            return None
        return SemanticModel(Checked(source, None, report), reading, meaning, recovered.form)

    def errors_in(self, text: str) -> int | None:
        """Return the number of errors of a text; None if its brackets do not match."""
        report = Diagnostics(Source("", text))
        reading = read(report.source, report)
        if reading.form is None or reading.rest is not None:
            return None
        by = self.elaborator(reading.form)
        ProgramElaborator(report, self.overrides, self.base, by).program(reading.form)
        return len(report.errors)

    def elaborator(self, form: Form, damaged: Iterable[Span] = ()) -> MakeElaborator:
        """Return what makes the elaborator of a program."""
        return Elaborator if self.recall is None else self.recall.elaborator(form, damaged)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Leave stack for the deepest form that the reader accepts, some ten frames a bracket."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _report_rest(report: Diagnostics, form: Form, rest: Span) -> None:
    only_brackets = not report.source.at(rest).strip(")")
    report.add(
        Code.TRAILING_TEXT,
        Span(rest.start, rest.start + 1),
        "text after the end of the program is ignored",
        help="if it belongs to the program, a bracket was closed too early",
        related=(Related(Span(form.span.end - 1, form.span.end), "the program ends here"),),
        edits=(Edit(rest, ""),) if only_brackets else (),
    )
