"""The frame of a program: its sections in order, and the program they make."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import Seat
from cardwright.program.elaborate import Elaborator
from cardwright.program.fitting import key_of
from cardwright.program.forms import BY_KEY, SECTIONS
from cardwright.program.kinds import ValueKind
from cardwright.program.program import Program
from cardwright.program.setup import ProgramSetup, corrected, is_part, section_mistake, well_formed
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, rewritten
from cardwright.syntax.suggest import did_you_mean
from cardwright.syntax.tree import Atom, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.program.constants import Constant
    from cardwright.syntax.source import Span


def _find_base(setup: ProgramSetup, marks: set[str], nodes: Iterable[n.Node]) -> int:
    """Return 0 or 1, by the five rules in `docs/language.md`, "Numbers of players"."""
    numbers = {number for number, _ in chain.from_iterable(setup.teams)}
    if 0 in numbers:
        return 0
    if "C" in marks or setup.players in numbers:
        return 1
    if "A" in marks:
        return 0
    for node in nodes:
        match node:
            case n.Numbered(number=n.Number(value=0)):
                return 0
    return 1


def _warn_of_zero(setup: ProgramSetup, marks: set[str]) -> None:
    """Warn if nothing but the teams makes a file of the newest dialect count from 0."""
    members = list(chain.from_iterable(setup.teams))
    zero = next((span for number, span in members if number == 0), None)
    if zero is None or "C" not in marks or "A" in marks:
        return
    setup.by.report.add(
        Code.COUNTED_FROM_0,
        zero,
        "these teams count players from 0, and so does the whole file: "
        "(1 player) is the second one",
        help="count from 1, as other files of this dialect do: "
        + " ".join(f"({', '.join(str(number + 1) for number, _ in team)})" for team in setup.teams),
        edits=tuple(Edit(span, str(number + 1)) for number, span in members),
    )


def _resolve_teams(setup: ProgramSetup, base: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each team; without teams in the file every player is one."""
    if not setup.teams:
        return tuple((Seat(i),) for i in range(setup.players))
    report = setup.by.report
    before = len(report.found)
    seated: set[int] = set()
    for number, place in chain.from_iterable(setup.teams):
        seat = number - base
        if not 0 <= seat < setup.players:
            report.add(
                Code.BAD_TEAMS,
                place,
                f"there is no player {number}",
                expected=f"players are numbered {base} to {setup.players - 1 + base} in this file",
            )
        elif seat in seated:
            report.add(Code.BAD_TEAMS, place, f"player {number} is in two teams, or twice in one")
        seated.add(seat)
    missing = [str(seat + base) for seat in range(setup.players) if seat not in seated]
    if missing and len(report.found) == before:
        listed = ", ".join(missing)
        who = f"players {listed} are" if len(missing) > 1 else f"player {listed} is"
        report.add(Code.BAD_TEAMS, setup.seen["create teams"], f"{who} in no team")
    return tuple(tuple(Seat(number - base) for number, _ in team) for team in setup.teams)


_ORDER = ("declare", "setup", "item", "scoring")
_WHOLE = "(game (setup ...) ... (scoring ...))"
_EXAMPLES = {
    "setup": "(setup (create players N) (create deck ...))",
    "item": "a stage or a block, such as (do ((shuffle (game iloc STOCK))))",
    "scoring": "(scoring max ((current player) sto SCORE))",
}


class ProgramElaborator:
    """Elaborates the sections of one program in order.

    `seen` has the first place of each section; `loose` are parts of a set-up found outside it.
    """

    def __init__(
        self,
        report: Diagnostics,
        overrides: dict[str, Constant],
        base: int | None,
        make: Callable[[Diagnostics], Elaborator] = Elaborator,
    ) -> None:
        self.report = report
        self.overrides = overrides
        self.base = base
        self.by = make(report)
        self.setup = ProgramSetup(self.by, base)
        self.items: list[n.Node] = []
        self.seen: dict[str, Span] = {}
        self.loose: list[Syntax] = []
        self.ordered = self.highest = True
        self.score: n.Node | None = None

    def program(self, form: Form) -> Program | None:
        """Return the program of a form, if nothing in it is wrong."""
        if not is_word(form.head, "game"):
            self._no_game(form)
            return None
        form = self.by.extensions.defined(form)
        self.setup.last = _last_declared(form)
        for item in form.items[1:]:
            self._section(item)
        if self.loose and "setup" not in self.seen:
            self.seen["setup"] = self.loose[0].span
            self.setup.read(Form((form.items[0], *self.loose), self.loose[0].span))
        self._complete(form)
        self._unknown_overrides(form)
        if self.score is None or not self.setup.players:
            return None
        return self._close()

    # Sections -----------------------------------------------------------------------------

    def _section(self, item: Syntax) -> None:
        item = corrected(self.by, item, section_mistake(item))
        head = item.head.text if isinstance(item, Form) and isinstance(item.head, Atom) else ""
        match item:
            case Form() if head == "declare":
                self._in_order(head, item)
                self.setup.declare(item, self.overrides)
            case Form() if head == "define":
                self._in_order("declare", item, head)
            case Form() if head in {"setup", "scoring"} and head in self.seen:
                self.report.add(
                    Code.DOUBLED_SECTION,
                    item.span,
                    f"a second ({head} ...)",
                    expected="one",
                    related=(Related(self.seen[head], "the first one"),),
                )
            case Form() if head in {"setup", "scoring"}:
                self._in_order(head, item)
                (self.setup.read if head == "setup" else self._scoring)(item)
            case Form() if is_part(item):
                if not self.loose:
                    self.report.add(
                        Code.MISPLACED,
                        item.span,
                        "players, teams and decks are made in the set-up only",
                        expected=_EXAMPLES["setup"],
                    )
                self.loose.append(item)
            case _:
                if isinstance(item, Form) and key_of(item) in BY_KEY:
                    self._in_order("item", item)
                self.items.append(self.by.elaborate(item, ValueKind.BLOCK))

    def _in_order(self, section: str, item: Form, name: str = "") -> None:
        """Report the first section that comes too late; the name is that of its own word."""
        late = [later for later in _ORDER[_ORDER.index(section) + 1 :] if later in self.seen]
        self.seen.setdefault(section, item.span)
        if not late or not self.ordered:
            return
        self.ordered = False
        self.report.add(
            Code.SECTION_ORDER,
            item.span,
            f"{'an item' if section == 'item' else f'({name or section} ...)'} after "
            f"{'the items' if late[0] == 'item' else f'({late[0]} ...)'}",
            expected="constants, then the set-up, then stages and blocks, then the scoring",
            related=(Related(self.seen[late[0]], "this should come later"),),
        )

    def _scoring(self, form: Form) -> None:
        self.score = n.ErrorNode(ValueKind.INTEGER, form.span)
        written = well_formed(self.by, form, "scoring")
        if written is not None:
            self.highest = is_word(written.items[1], "max")
            self.score = self.by.elaborate(written.items[2], ValueKind.INTEGER)

    # The program as a whole -----------------------------------------------------------

    def _no_game(self, form: Form) -> None:
        head = form.head
        word = head.text if isinstance(head, Atom) else ""
        advice = did_you_mean(word, ("game",))
        if word in {section.head for section in SECTIONS}:
            advice = f"the whole program belongs in one bracket: (game ({word} ...) ...)"
        self.report.add(
            Code.NO_GAME,
            head.span if head else form.span,
            "a program starts with the word game",
            expected=_WHOLE,
            help=advice,
            edits=rewritten(head.span, "game") if head and advice.startswith("did") else (),
        )

    def _complete(self, form: Form) -> None:
        there = self.seen.keys() | ({"item"} if self.items else set())
        missing = [part for part in _ORDER[1:] if part not in there]
        if not missing:
            return
        names = ["stages and no blocks" if part == "item" else f"({part} ...)" for part in missing]
        self.report.add(
            Code.MISSING_SECTION,
            form.items[0].span,
            "the game has no " + ", no ".join(names),
            expected=_EXAMPLES[missing[0]] if len(missing) == 1 else _WHOLE,
        )

    def _unknown_overrides(self, form: Form) -> None:
        known = {declared.name: declared for declared in self.setup.declared}
        for name in self.overrides:
            declared = known.get(name)
            if declared is None:
                values = [
                    constant.name for constant in known.values() if constant.default is not None
                ]
                listed = ", ".join(values) or "none"
                self.report.add(
                    Code.UNKNOWN_DECLARED,
                    form.items[0].span,
                    f"the game declares no constant {name}",
                    expected=f"one of its constants: {listed}",
                    help=did_you_mean(name, values),
                )
            elif declared.default is None:
                self.report.add(
                    Code.BAD_OVERRIDE, declared.span, f"{name} names no value and cannot be set"
                )

    def _close(self) -> Program | None:
        assert self.score is not None
        items = [*self.setup.opening, *self.items]
        nodes = [node for item in (*items, self.score) for node in n.walk(item)]
        base = self.base
        if base is None:
            base = _find_base(self.setup, self.by.marks, nodes)
            _warn_of_zero(self.setup, self.by.marks)
        teams = _resolve_teams(self.setup, base)
        if self.report.errors:
            return None
        return Program(
            source=self.report.source,
            declared=tuple(self.setup.declared),
            players=self.setup.players,
            teams=teams,
            cards=tuple(self.setup.cards),
            decks=tuple(self.setup.decks),
            absent=tuple(self.setup.absent),
            items=tuple(items),
            highest_wins=self.highest,
            score=self.score,
            base=base,
            slots=self.by.scope.slots,
            forced_base=self.base is not None,
        )


def _last_declared(form: Form) -> dict[str, Span]:
    return {
        item.items[2].text: item.items[2].span
        for item in form.items
        if isinstance(item, Form) and len(item.items) > 2 and is_word(item.head, "declare")
        if isinstance(item.items[2], Atom)
    }
