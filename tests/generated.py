"""Random programs that pass the checker: a hypothesis strategy for whole games.

Forms are made by kind, so that nearly every form of the language turns up in places where it is
meaningful. The games are small, end by themselves, and often break rules while they run: that is
part of what is tested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("A", "B", "C")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Return the text of a game: blocks, a stage with a choice, another choice, a scoring."""
    writer = _Writer(draw)
    teams = draw(st.sampled_from(["", "(create teams (1, 3) (2))"]))
    items = [writer.block(3) for _ in range(draw(st.integers(1, 2)))]
    items.append(writer.stage())
    items.append(writer.choice(4))
    scoring = f"(scoring {draw(st.sampled_from(['max', 'min']))} {writer.integer(3)}))"
    return "\n".join((_FRAME.format(teams=teams), *items, scoring))


_FRAME = """(game
 (setup (create players 3) {teams}
  (create deck (game iloc STOCK) (deck (VAL (A, B, C)) (HUE (X, Y))))
  (create deck BLUE ((1 player) iloc A) (deck (VAL (A, C)))))
 (do (
  (set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((HUE : Y) 1)))
  (shuffle (game iloc STOCK))
  (all player 'Z (repeat 1 (move (top (game iloc STOCK)) (top ('Z iloc A)))))))"""


class _Writer:
    """Writes forms; `scope` holds the variables in force, by kind."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.scope: list[tuple[str, str]] = []
        self.names = 0

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def risky(self) -> bool:
        """Say whether to write something that will break a rule unless it happens to be right."""
        return self.number(0, 24) == 0

    def variables(self, kind: str) -> list[str]:
        return [name for name, held in self.scope if held == kind]

    def or_variable(self, kind: str, text: str) -> str:
        known = self.variables(kind)
        return self.pick(*known, text) if known else text

    def bound(self, kind: str, write: Callable[[], str]) -> tuple[str, str]:
        """Return a new variable of a kind, and what `write` writes with it in force."""
        self.names += 1
        name = f"'V{self.names}"
        self.scope.append((name, kind))
        text = write()
        self.scope.pop()
        return name, text

    # Values -------------------------------------------------------------------------------

    def integer(self, depth: int) -> str:
        if depth <= 0:
            return self.or_variable("integer", str(self.number(0, 4)))
        less = depth - 1
        match self.number(0, 9):
            case 0 | 1:
                if self.number(0, 3) == 0:
                    return f"({self.pick('//', '%')} {self.integer(less)} {self.number(1, 3)})"
                return f"({self.pick('+', '-', '*')} {self.integer(less)} {self.integer(less)})"
            case 2 | 3:
                return f"(size {self.collection(less)[1]})"
            case 4:
                return f"({self.owner()} sto {self.pick(*NAMES)})"
            case 5:
                word = self.pick("sum", "scoremax", "scoremin")
                return f"({word} {self.location(less)} using (game points W))"
            case 6 if self.variables("card") or self.risky():
                card = self.pick(*(self.variables("card") or [self.card(less)]))
                return f"(score {card} using (game points W))"
            case 6 | 7:
                return f"(pid {self.player()})"
            case 8:
                return f"(random {self.number(0, 2)} .. {self.number(2, 4)})"
            case _:
                kind, items = self.collection(less)
                name, value = self.bound(kind, lambda: self.integer(less - 1))
                return f"(all {items} {name} {value})"

    def string(self) -> str:
        known = self.variables("string")
        return self.pick(*NAMES, "X", *known, "(game str A)", f"(cardatt VAL {self.card(0)})")

    def test(self, depth: int) -> str:
        less = depth - 1
        match self.number(0, 6) if depth > 0 else 0:
            case 0:
                return f"(== (cardatt VAL {self.card(less)}) {self.string()})"
            case 1:
                return f"({self.pick('<', '>', '<=', '>=', '==', '!=')} {self.integer(less)} 2)"
            case 2:
                return f"({self.pick('and', 'or')} {self.test(less)} {self.test(less)})"
            case 3:
                return f"(not {self.test(less)})"
            case 4:
                return f"({self.pick('==', '!=')} {self.card(less)} {self.card(less)})"
            case 5:
                return f"({self.pick('==', '!=')} {self.player()} (current player))"
            case _:
                kind, items = self.collection(less)
                name, value = self.bound(kind, lambda: self.test(less - 1))
                return f"({self.pick('any', 'all')} {items} {name} {value})"

    def player(self) -> str:
        text = self.pick("(current player)", "(next player)", "(previous player)", "(2 player)")
        return self.or_variable("player", text)

    def owner(self) -> str:
        return self.pick("game", self.player(), "(team (current player))")

    # Cards --------------------------------------------------------------------------------

    def place(self) -> str:
        owner = self.pick("game", self.player())
        kind = self.pick("iloc", "vloc", "vloc", "hloc", "oloc")
        index = self.pick("", "", f" {self.number(0, 2)}")
        if owner == "game" and self.number(0, 2) == 0:
            return "(game iloc STOCK)"
        return f"({owner} {kind} {self.pick(*NAMES)}{index})"

    def location(self, depth: int) -> str:
        if depth <= 0:
            return self.or_variable("location", self.place())
        less = depth - 1
        match self.number(0, 7):
            case 0 | 1 | 2:
                return self.or_variable("location", self.place())
            case 3:
                name, value = self.bound("card", lambda: self.test(less - 1))
                return f"(filter {self.location(less)} {name} {value})"
            case 4:
                word = self.pick("union", "intersect", "disjunction")
                return f"({word} {self.location(less)} {self.place()})"
            case 5:
                count = self.number(0, 2) if self.risky() else 0
                return f"({self.pick('top', 'bottom')} {count} {self.location(less)})"
            case 6 if self.risky():
                return f"({self.pick('top', 'bottom')} {self.locations(less)})"
            case 6:
                name, value = self.bound("player", self.place)
                return f"({self.pick('top', 'bottom')} (all player {name} {value}))"
            case _:
                end = self.pick("run top", "run bottom")
                return self.pick(
                    f"({end} 1 {self.location(less)} using (game points W))",
                    f"(sort {self.location(less)} using (game points W))",
                )

    def locations(self, depth: int) -> str:
        less = depth - 1
        match self.number(0, 6):
            case 0:
                return f"(partition {self.pick('VAL', 'HUE')} {self.location(less)})"
            case 1:
                return f"(subsets {self.location(less)})"
            case 2:
                word = self.pick("largest", "all")
                return f"(runs {word} 2 {self.location(less)} using (game points W))"
            case 3:
                return f"(indexed game vloc {self.pick(*NAMES)})"
            case 4:
                name, value = self.bound("player", self.place)
                return f"(all player {name} {value})"
            case 5:
                name, value = self.bound("location", lambda: self.test(less - 1))
                return (
                    f"(filter {self.locations(less)} {name} {value})"
                    if depth > 0
                    else (f"(partition VAL {self.place()})")
                )
            case _:
                return self.or_variable("locations", f"(partition VAL {self.place()})")

    def card(self, depth: int) -> str:
        if depth <= 0:
            return self.or_variable("card", f"({self.pick('top', 'bottom')} {self.place()})")
        match self.number(0, 5):
            case 0 | 1 | 2:
                return f"({self.pick('top', 'bottom')} {self.location(depth - 1)})"
            case 3:
                return f"({self.number(0, 2) if self.risky() else 0} {self.location(depth - 1)})"
            case 4 if self.risky():
                word = self.pick("max", "min")
                return f"({word} {self.location(depth - 1)} using (game points W))"
            case _:
                return self.or_variable("card", f"(top {self.place()})")

    def collection(self, depth: int) -> tuple[str, str]:
        """Return the kind of the items, and the form."""
        match self.number(0, 6):
            case 0 | 1:
                return "card", self.location(depth)
            case 2:
                return "player", self.pick("player", "(other player)", "(team (current player))")
            case 3:
                return "integer", f"(range {self.number(0, 2)} .. {self.number(0, 3)})"
            case 4:
                return "string", "(A, B)"
            case 5:
                return "location", self.locations(depth)
            case _:
                return "team", self.pick("team", "(other team)")

    # Steps --------------------------------------------------------------------------------

    def action(self, depth: int) -> str:
        """Return an action, or one that is guarded by a test so that it does not fail."""
        less = depth - 1
        match self.number(0, 12):
            case 0 | 1 | 2 | 3:
                if self.risky():
                    return f"(move {self.card(less)} {self.aim()})"
                known = self.variables("card")
                if known and self.number(0, 1):
                    return f"(move {self.pick(*known)} {self.aim()})"
                return self.guarded(less, lambda card: f"(move {card} {self.aim()})")
            case 4:
                return f"(set ({self.owner()} sto {self.pick(*NAMES)}) {self.integer(less)})"
            case 5:
                return f"({self.pick('inc', 'dec')} ({self.owner()} sto {self.pick(*NAMES)}))"
            case 6:
                return f"(set (game str A) {self.string()})"
            case 7:
                return self.guarded(
                    less, lambda card: self.guarded(less, lambda other: f"(swap {card} {other})")
                )
            case 8:
                return f"(cycle {self.pick('next', 'current')} {self.player()})"
            case 9:
                location = self.place() if self.number(0, 3) else self.location(less)
                return f"(repeat all (move (top {location}) {self.aim()}))"
            case 10:
                return f"(shuffle {self.location(less)})"
            case 11:
                memory = f"(top (game mem {self.pick(*NAMES)}))"
                return self.guarded(less, lambda card: f"(remember {card} {memory})")
            case _:
                return self.pick("(turn pass)", f"(repeat 2 (inc (game sto {self.pick(*NAMES)})))")

    def aim(self) -> str:
        return f"({self.pick('top', 'bottom', 'top', '0')} {self.place()})"

    def guarded(self, depth: int, write: Callable[[str], str]) -> str:
        """Return a step with a card of a location that is tested not to be empty."""
        location = self.location(depth)
        card = f"({self.pick('top', 'bottom')} {location})"
        if self.number(0, 5) == 0:
            card = f"({self.pick('max', 'min')} {location} using (game points W))"
        return f"((> (size {location}) 0) {write(card)})"

    def step(self, depth: int, choose: bool) -> str:
        if depth <= 0:
            return self.action(1)
        less = depth - 1
        match self.number(0, 5):
            case 0:
                steps = [self.step(less, choose) for _ in range(self.number(1, 3))]
                return f"(do ({' '.join(steps)}))"
            case 1:
                return f"({self.test(2)} {self.step(less, choose)})"
            case 2 | 3:
                word = self.pick("any", "any", "all") if choose else "all"
                kind, items = self.collection(1)
                name, value = self.bound(kind, lambda: self.step(less, choose))
                return f"({word} {items} {name} {value})"
            case 4:
                kind, items = self.pick("card list", "locations", "integer"), ""
                if kind == "card list":
                    items, held = self.location(2), "location"
                elif kind == "locations":
                    items = held = "locations"
                    items = self.locations(1)
                else:
                    items, held = self.integer(2), "integer"
                name, value = self.bound(held, lambda: self.step(less, choose))
                return f"(let {items} {name} {value})"
            case _:
                return self.action(2)

    def block(self, depth: int) -> str:
        steps = [self.step(depth, choose=False) for _ in range(self.number(1, 2))]
        return f"(do ({' '.join(steps)}))"

    def choice(self, depth: int) -> str:
        steps = [self.step(depth, choose=True) for _ in range(self.number(1, 3))]
        return f"(choice ({' '.join(steps)} (turn pass)))"

    def stage(self) -> str:
        kind = self.pick("player", "player", "team")
        return (
            f"(stage {kind} (end (>= (game sto TURNS) {self.number(1, 3)}))"
            f" {self.choice(3)} (do ((inc (game sto TURNS)))) {self.block(2)})"
        )
