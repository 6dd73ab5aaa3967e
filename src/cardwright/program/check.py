"""Checking a game file: from its text to a program, and everything there is to say about it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.elaborate import Elaborator
from cardwright.program.forms import SECTIONS
from cardwright.program.kinds import Kind
from cardwright.program.lint import lint
from cardwright.program.numbering import find_base, resolve_teams
from cardwright.program.program import Program
from cardwright.program.setup import Setup
from cardwright.syntax.diagnostic import Code, Diagnostics, Related
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span
from cardwright.syntax.suggest import did_you_mean
from cardwright.syntax.tree import Atom, Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.program.constants import Constant

_RECURSION = 3_000
_FRAME = ("declare", "setup", "item", "scoring")


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the program if there are no errors, and all diagnostics."""

    source: Source
    program: Program | None
    diagnostics: Diagnostics


def check(
    source: Source, overrides: Mapping[str, Constant] | None = None, base: int | None = None
) -> Checked:
    """Check a game file.

    `overrides` gives declared constants other values, by name without the apostrophe; `base`
    forces the number of the first player and team (0 or 1). Never raises on any text.
    """
    report = Diagnostics(source)
    reading = read(source, report)
    program = None
    if reading.form is not None:
        if reading.rest is not None:
            _report_rest(report, reading.form, reading.rest)
        with _deep_recursion():
            program = _Frame(report, dict(overrides or {}), base).program(reading.form)
            if program is not None:
                lint(program, report)
    return Checked(source, None if report.errors else program, report)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Leave room for the deepest form that the reader lets through, some ten frames a bracket."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _report_rest(report: Diagnostics, form: Form, rest: Span) -> None:
    report.add(
        Code.TRAILING_TEXT,
        Span(rest.start, rest.start + 1),
        "text after the end of the program is ignored",
        help="if it belongs to the program, a bracket was closed too early",
        related=(Related(Span(form.span.end - 1, form.span.end), "the program ends here"),),
    )


class _Frame:
    """Elaborates the sections of one program in order."""

    def __init__(
        self, report: Diagnostics, overrides: dict[str, Constant], base: int | None
    ) -> None:
        self.report = report
        self.overrides = overrides
        self.base = base
        self.by = Elaborator(report)
        self.setup = Setup(self.by)
        self.items: list[n.Node] = []
        self.seen: dict[str, Span] = {}
        self.highest = True
        self.score: n.Node | None = None

    def program(self, form: Form) -> Program | None:
        """Return the program of a form, if nothing in it is wrong."""
        if not is_word(form.head, "game"):
            head = form.head
            text = head.text if isinstance(head, Atom) else ""
            self.report.add(
                Code.NO_GAME,
                head.span if head else form.span,
                "a program starts with the word game",
                expected="(game (setup ...) ... (scoring ...))",
                help=did_you_mean(text, ("game",)),
            )
            return None
        for item in form.items[1:]:
            self._section(item)
        self._complete(form)
        self._unknown_overrides(form)
        if self.score is None or not self.setup.players:
            return None
        return self._close()

    def _section(self, item: Form | Atom) -> None:
        head = item.head if isinstance(item, Form) else None
        word = head.text if isinstance(head, Atom) else ""
        section = word if word in _FRAME else "item"
        self._in_order(section, item.span)
        assert isinstance(item, Form) or section == "item"
        match section:
            case "declare" if isinstance(item, Form):
                self.setup.declare(item, self.overrides)
            case "setup" if isinstance(item, Form):
                self.setup.read(item)
            case "scoring" if isinstance(item, Form):
                self._scoring(item)
            case _:
                self.items.append(self.by.elaborate(item, Kind.BLOCK))

    def _in_order(self, section: str, span: Span) -> None:
        first = self.seen.setdefault(section, span)
        if first is not span and section in {"setup", "scoring"}:
            self.report.add(
                Code.DOUBLED_SECTION,
                span,
                f"a second ({section} ...)",
                expected="one",
                related=(Related(first, "the first one"),),
            )
        late = [later for later in _FRAME[_FRAME.index(section) + 1 :] if later in self.seen]
        if late and first is span:
            self.report.add(
                Code.SECTION_ORDER,
                span,
                f"{'an item' if section == 'item' else f'({section} ...)'} after "
                f"{'the items' if late[0] == 'item' else f'({late[0]} ...)'}",
                expected="constants, then the set-up, then stages and blocks, then the scoring",
                related=(Related(self.seen[late[0]], "this should come later"),),
            )

    def _scoring(self, form: Form) -> None:
        words = form.items[1:2]
        if len(form.items) != 3 or not (is_word(words[0], "max") or is_word(words[0], "min")):
            pattern = next(s for s in SECTIONS if s.head == "scoring")
            self.by.complain.shape(
                form.span, "this is no scoring", pattern.pattern, f"for example {pattern.example}"
            )
            self.score = self.score or n.Bad(Kind.INTEGER, form.span)
            return
        self.highest = is_word(words[0], "max")
        self.score = self.by.elaborate(form.items[2], Kind.INTEGER)

    def _complete(self, form: Form) -> None:
        wanted = {
            "setup": "(setup (create players N) (create deck ...))",
            "item": "a stage or a block, such as (do ((shuffle (game iloc STOCK))))",
            "scoring": "(scoring max ((current player) sto SCORE))",
        }
        for section, example in wanted.items():
            if section not in self.seen:
                what = "stages and no blocks" if section == "item" else f"({section} ...)"
                self.report.add(
                    Code.MISSING_SECTION,
                    form.items[0].span,
                    f"the game has no {what}",
                    expected=example,
                )

    def _unknown_overrides(self, form: Form) -> None:
        known = {declared.name: declared for declared in self.setup.declared}
        for name in self.overrides:
            declared = known.get(name)
            if declared is None:
                listed = ", ".join(known) or "none"
                self.report.add(
                    Code.UNKNOWN_DECLARED,
                    form.items[0].span,
                    f"the game declares no constant {name}",
                    expected=f"one of its constants: {listed}",
                    help=did_you_mean(name, known),
                )
            elif declared.default is None:
                self.report.add(
                    Code.BAD_OVERRIDE, declared.span, f"{name} is a location and cannot be set"
                )

    def _close(self) -> Program | None:
        assert self.score is not None
        nodes = [node for item in (*self.items, self.score) for node in n.walk(item)]
        base = self.base
        if base is None:
            base = find_base(self.setup, self.by.marks, nodes)
        teams = resolve_teams(self.setup, base)
        if self.report.errors:
            return None
        return Program(
            source=self.report.source,
            declared=tuple(self.setup.declared),
            players=self.setup.players,
            teams=teams,
            cards=tuple(self.setup.cards),
            decks=tuple(self.setup.decks),
            items=tuple(self.items),
            highest_wins=self.highest,
            score=self.score,
            base=base,
            slots=self.by.scope.slots,
        )
