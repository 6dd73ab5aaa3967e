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
KINDS = ("iloc", "vloc", "hloc", "oloc")
FAR = "1000000000"
LARGEST = "9223372036854775807"

SEATS = (
    "(create players 3)",
    "(create players 3) (create teams (1, 3) (2))",
    "(create players 3) (create teams (0, 2) (1))",
    "(create players 5) (create teams (2, 4) (1, 3, 5))",
)
"""Whoever plays: there are players 1 and 2 and team 1, however they are numbered."""

EXTENDED_SEATS = (
    "(create players 4) (create teams 2)",
    "(create players 3) (create teams 'TWO)",
)
EXTENDED_PACK = "(create deck (game iloc STOCK) (deck (VAL 'VALUES) (HUE (X, Y))))"
SECRETS = """
  (create secret (player isto BID) (range 0 .. 3))
  (create secret (player istr VOTE) (A, B))"""
DECLARED = """ (declare (A, B, C) 'VALUES)
 (declare (max 1 2) 'TWO)
 (declare (1 player) 'FIRST)
 (declare (top (game iloc STOCK)) 'UP)
 (declare ((A : 'TWO) (B : (- 0 3)) (X : 2)) 'TABLE)
 (declare true 'OPEN)
"""
"""What programs with extensions declare, and what their set-up has."""

PACKS = (
    "(create deck (game iloc STOCK) (deck (VAL (A, B, C)) (HUE (X, Y))))",
    "(create deck (game iloc STOCK) (deck (VAL (A, B, C)) (HUE (X, Y))))",
    "(repeat 2 (create deck (game iloc STOCK) (deck (VAL (A, B)) (HUE (X (SUB (C))) (Y)))))",
)


@st.composite
def programs(draw: st.DrawFn, beside: int = 0) -> str:
    """Return the text of a game: blocks, a stage with a choice, another choice, a scoring.

    A number of cards may lie beside the others, which are numbered after them.
    """
    extended = draw(st.booleans())
    secret = extended and draw(st.booleans())
    turns = draw(st.integers(0, 3 if extended else 1)) == 0
    writer = _Writer(draw, extended=extended, secret=secret, turns=turns)
    seats = draw(st.sampled_from(SEATS + EXTENDED_SEATS * extended))
    pack = draw(st.sampled_from(PACKS + (EXTENDED_PACK,) * 2 * extended))
    declared = DECLARED + writer.definitions() if extended else ""
    items = [writer.item(writer.block(3)) for _ in range(draw(st.integers(1, 2)))]
    items.append(writer.item(writer.stage()))
    items.append(writer.item(writer.choice(4)))
    scoring = f"(scoring {draw(st.sampled_from(['max', 'min']))} {writer.integer(3)}))"
    values = ", ".join(f"V{at}" for at in range(beside))
    rest = f"(create deck (game vloc REST) (deck (VAL ({values}))))" if beside else ""
    secrets = SECRETS * secret
    frame = _FRAME.format(declared=declared, seats=seats, rest=rest, pack=pack, secrets=secrets)
    return "\n".join((frame, *items, scoring))


_FRAME = """(game
{declared} (setup {seats}
  {rest} {pack}
  (create deck BLUE ((1 player) iloc A) (deck (VAL (A, C)))){secrets})
 (do (
  (set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((HUE : Y) 1)))
  (shuffle (game iloc STOCK))
  (all player 'Z (repeat 1 (move (top (game iloc STOCK)) (top ('Z iloc A)))))))"""


class _Writer:
    """Writes forms; `scope` holds the variables in force, by kind, and `defined` what is defined.

    Only programs that are `extended` have extensions of the language, but for those of blocks; some
    of them have a `secret` integer and a secret string. Without `turns` nothing is about whose turn
    is next: a plain program cannot say that under a condition.
    """

    def __init__(
        self,
        draw: st.DrawFn,
        *,
        extended: bool = False,
        secret: bool = False,
        turns: bool = True,
    ) -> None:
        self.draw = draw
        self.extended = extended
        self.secret = secret
        self.turns = turns
        self.scope: list[tuple[str, str]] = []
        self.names = 0
        self.defined: dict[str, list[tuple[str, str]]] = {}

    def pick(self, *options: str | Callable[[], str]) -> str:
        """Return one of several texts; one that is a function is only written if it is picked."""
        option = options[self.number(0, len(options) - 1)]
        return option if isinstance(option, str) else option()

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def risky(self) -> bool:
        """Say whether to write something that will break a rule unless it happens to be right."""
        return self.number(0, 60) == 43

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

    # Definitions --------------------------------------------------------------------------

    def definitions(self) -> str:
        """Return a definition of each sort, about one parameter; later ones may use others."""
        return "".join(
            self.definition(f"{kind}S", kind, held, write)
            for kind, held, write in (
                ("INTEGER", "player", lambda: self.integer(2)),
                ("TEST", "integer", lambda: self.test(2)),
                ("CARD", "location", lambda: self.bound_card(1)),
                ("PLACE", "player", self.place),
                ("STEP", "location", lambda: self.step(2, choose=False)),
            )
        )

    def definition(self, name: str, kind: str, held: str, write: Callable[[], str]) -> str:
        parameter, body = self.bound(held, write)
        self.defined.setdefault(kind, []).append((name, held))
        return f" (define ({name} {parameter}) {body})\n"

    def use(self, kind: str) -> str:
        """Return a use of something that is defined."""
        name, held = self.defined[kind][0]
        write = {"player": self.player, "integer": lambda: self.integer(1), "location": self.place}
        return f"({name} {write[held]()})"

    # Values -------------------------------------------------------------------------------

    def integer(self, depth: int) -> str:
        if depth <= 0:
            return self.or_variable("integer", str(self.number(0, 4)))
        less = depth - 1
        if self.extended and self.number(0, 7) == 0:
            return self.extended_integer(less)
        match self.number(0, 9):
            case 0 | 1:
                return self.arithmetic(less)
            case 2 | 3:
                return f"(size {self.collection(less)[1]})"
            case 4:
                return self.stored("sto")
            case 5:
                word = self.pick("sum", "scoremax", "scoremin")
                return f"({word} {self.location(less)} using {self.worth()})"
            case 6 if self.variables("card") or self.risky():
                card = self.pick(*(self.variables("card") or [self.card(less)]))
                return f"(score {card} using {self.worth()})"
            case 6 | 7:
                return self.pick(lambda: f"(pid {self.player()})", lambda: f"(tid {self.team()})")
            case 8:
                return f"(random {self.number(0, 2)} .. {self.number(2, 4)})"
            case _:
                kind, items = self.collection(less)
                name, value = self.bound(kind, lambda: self.integer(less - 1))
                return f"(all {items} {name} {value})"

    def extended_integer(self, less: int) -> str:
        if self.secret and self.number(0, 2) == 0:
            return f"({self.player()} isto BID)"
        if "INTEGER" in self.defined and self.number(0, 2) == 0:
            return self.use("INTEGER")
        if self.number(0, 2) == 0:
            table = self.pick("'TABLE", "((A : 1) (X : 'TWO))")
            return f"(score {self.still(self.string)} using {table})"
        more = f" {self.integer(less - 1)}" if self.number(0, 3) == 0 else ""
        word = self.pick("max", "min")
        return f"({word} {self.integer(less)} {self.integer(less)}{more})"

    def still(self, write: Callable[[], str], instead: str = "A") -> str:
        """Return what is written, or something else in its place if it might draw."""
        text = write()
        return instead if "using" in text or "random" in text or "S " in text else text

    def arithmetic(self, less: int) -> str:
        """Return a sum, a product and so on; sometimes one at the edge of 64 bits."""
        match self.number(0, 7):
            case 0:
                return f"({self.pick('//', '%', 'mod')} {self.integer(less)} {self.number(1, 3)})"
            case 1 if self.risky():
                return f"({self.pick('//', '%', '^')} {self.integer(less)} {self.integer(less)})"
            case 1:
                return f"(^ {self.number(0, 3)} {self.number(0, 4)})"
            case 2:
                return f"({self.pick('tri', 'fib')} {self.number(0, 5)})"
            case 3 if self.risky():
                return f"({self.pick('+', '-', '*')} {LARGEST} {self.integer(less)})"
            case 3:
                word = self.pick("+", "*")
                return f"({word} {self.integer(less)} {self.integer(less)} {self.number(0, 2)})"
        return f"({self.pick('+', '-', '*')} {self.integer(less)} {self.integer(less)})"

    def name(self) -> str:
        """Return the name of a storage or a location; sometimes one that only play can tell."""
        return self.string() if self.number(0, 11) == 0 else self.pick(*NAMES)

    def stored(self, storage: str) -> str:
        return f"({self.owner()} {storage} {self.name()})"

    def worth(self) -> str:
        """Return a point map: the game's W, which is always set, or another one."""
        if self.number(0, 3):
            return "(game points W)"
        return self.pick("(game points V)", "((current player) points W)", "'V")

    def string(self) -> str:
        known = self.variables("string")
        stored = "(game str A)", "(game str B)"
        if self.secret and self.number(0, 9) == 0:
            return f"({self.player()} istr VOTE)"
        return self.pick(*NAMES, "X", *known, *stored, lambda: self.attribute("(game str B)"))

    def attribute(self, *keys: str) -> str:
        key = self.pick("VAL", "VAL", "HUE", "SUB", *keys, *self.variables("string"))
        return f"(cardatt {key} {self.card(0)})"

    def test(self, depth: int) -> str:
        less = depth - 1
        if self.extended and depth > 0 and self.number(0, 9) == 0:
            use = (lambda: self.use("TEST"),) if "TEST" in self.defined else ()
            return self.pick(
                self.decided,
                lambda: f"(or {self.decided()} {self.test(less)})",
                lambda: f"(and {self.test(less)} {self.decided()})",
                *use,
            )
        match self.number(0, 7) if depth > 0 else 0:
            case 0:
                word = self.pick("==", "==", "!=")
                return f"({word} (cardatt VAL {self.card(less)}) {self.string()})"
            case 7 if self.variables("boolean"):
                return f"({self.pick('and', 'or')} {self.test(less)} {self.boolean()})"
            case 7:
                return f"({self.pick('==', '!=')} {self.team()} {self.team()})"
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

    def decided(self) -> str:
        """Return a condition that is known before the game."""
        return self.pick(
            "true", "'OPEN", "(not 'OPEN)", "(or false (== (max 1 'TWO) 3))", "(== 1 1)"
        )

    def drawn(self) -> str:
        """Return a condition that draws."""
        return self.pick(
            "(== (random 1) 1)",
            lambda: f"(< {self.integer(1)} (random 2))",
            "(== (cardatt VAL (max (game iloc STOCK) using (game points V))) A)",
        )

    def boolean(self) -> str:
        return self.pick(*self.variables("boolean"))

    def player(self) -> str:
        following = "(next player)" if self.turns else "(current player)"
        turns = "(current player)", following, "(previous player)"
        text = self.pick(*turns, "(2 player)", "(1 player)")
        if self.extended and self.number(0, 5) == 0:
            text = self.pick(
                "'FIRST",
                lambda: f"({self.pick('top', 'bottom', '1')} {self.players()})",
                lambda: self.first(f"(>= (size ('F iloc A)) {self.number(0, self.risky())})"),
                lambda: self.first("(!= 'F (current player))", f"from {following} "),
                lambda: self.first(f"(or (== 'F (1 player)) {self.still_test()})"),
            )
        if self.risky():
            text = self.pick(
                lambda: f"({self.integer(1)} player)", lambda: f"(owner {self.card(0)})"
            )
        return self.or_variable("player", text)

    def players(self) -> str:
        """Return a list of players with more than one of them, as a rule."""
        kept = "(!= 'F (current player))", lambda: f"(or (== 'F (1 player)) {self.still_test()})"
        return self.pick(
            "player", "(other player)", lambda: f"(filter player 'F {self.pick(*kept)})"
        )

    def first(self, test: str, start: str = "") -> str:
        """Return the first player that passes a test about 'F."""
        if not start and self.number(0, 2) == 0:
            start = f"from {self.still(self.player, '(1 player)')} "
        return f"(first player {start}'F {test})"

    def still_test(self) -> str:
        return self.still(lambda: self.test(1), "false")

    def team(self) -> str:
        turns = "(current team)", "(next team)", "(previous team)"
        of_player = lambda: f"(team {self.player()})"  # noqa: E731 - written if it is picked
        text = self.pick("(team (current player))", *turns, "(1 team)", of_player)
        if self.risky():
            text = f"({self.integer(1)} team)"
        return self.or_variable("team", text)

    def owner(self) -> str:
        return self.pick("game", "game", self.player, self.player, self.team)

    # Cards --------------------------------------------------------------------------------

    def place(self) -> str:
        if "PLACE" in self.defined and self.number(0, 11) == 0:
            return self.use("PLACE")
        owner = self.owner()
        kind = self.pick("vloc", *KINDS)
        index = self.pick("", "", "", "", f" {self.number(0, 2)}")
        if owner == "game" and self.number(0, 2) == 0:
            return "(game iloc STOCK)"
        if self.number(0, 15) == 0:
            index = " " + self.pick(FAR, "(- 0 1)", lambda: self.integer(1))
        if self.risky():
            kind = "mem"
        return f"({owner} {kind} {self.name()}{index})"

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
                if self.number(0, 2) == 0:
                    return f"({word} {self.locations(less)})"
                return f"({word} {self.location(less)} {self.place()})"
            case 5:
                count = self.number(0, 2) if self.risky() else 0
                return f"({self.pick('top', 'bottom')} {count} {self.location(less)})"
            case 6 if self.risky():
                return f"({self.pick('top', 'bottom')} {self.locations(less)})"
            case 6:
                name, value = self.bound("player", self.place)
                return f"({self.pick('top', 'bottom', '0', '1')} (all player {name} {value}))"
            case _:
                end = self.pick("run top", "run bottom")
                count = self.pick("", f"{end} {self.number(1, 2)}")
                return f"({count or 'sort'} {self.location(less)} using {self.worth()})"

    def locations(self, depth: int) -> str:
        less = depth - 1
        match self.number(0, 8):
            case 0:
                return self.partition(less)
            case 1:
                test = self.pick("", "<", ">", "<=", ">=", "==", "!=")
                size = f" {test} {self.number(0, 2)}" if test else ""
                return f"(subsets {self.location(less)}{size})"
            case 2:
                word = self.pick("largest", "all")
                return f"(runs {word} 2 {self.location(less)} using {self.worth()})"
            case 3:
                kind = self.pick("vloc", "mem", *KINDS)
                return f"(indexed {self.owner()} {kind} {self.name()})"
            case 4:
                name, value = self.bound("player", self.place)
                return f"(all player {name} {value})"
            case 5 if depth > 0:
                name, value = self.bound("location", lambda: self.test(less - 1))
                return f"(filter {self.locations(less)} {name} {value})"
            case 6 if depth > 0:
                kind, items = self.collection(less)
                name, value = self.bound(kind, lambda: self.location(less))
                return f"(all {items} {name} {value})"
            case 7:
                return f"(tuples {self.number(1, 2)} {self.location(less)} using {self.worth()})"
            case _:
                return self.or_variable("locations", f"(partition VAL {self.place()})")

    def partition(self, less: int) -> str:
        """Return a partition in one of its four forms."""
        key = self.pick("VAL", "HUE", "SUB", self.string)
        parts = self.location(less)
        if self.number(0, 2) == 0:
            parts = self.locations(less)
        elif self.number(0, 2) == 0:
            parts = f"{parts} {self.place()}"
        return self.pick(f"(partition {key} {parts})", f"(partition {parts} {key})")

    def card(self, depth: int) -> str:
        if self.extended and self.number(0, 9) == 0:
            return self.use("CARD") if "CARD" in self.defined and self.number(0, 1) else "'UP"
        if depth <= 0:
            if self.number(0, 9) == 0:
                place = self.pick(lambda: f"(game mem {self.name()})", self.place)
                return self.pick(f"(top {place})", f"({place})")
            return self.or_variable("card", f"({self.pick('top', 'bottom')} {self.place()})")
        match self.number(0, 7):
            case 6:
                return f"(actual {self.card(depth - 1)})"
            case 7:
                return f"({self.pick('top', 'bottom')} {self.locations(depth - 1)})"
            case 0 | 1 | 2:
                return f"({self.pick('top', 'bottom')} {self.location(depth - 1)})"
            case 3:
                return f"({self.number(0, 2) if self.risky() else 0} {self.location(depth - 1)})"
            case 4 if self.risky():
                word = self.pick("max", "min")
                return f"({word} {self.location(depth - 1)} using {self.worth()})"
            case _:
                return self.or_variable("card", f"(top {self.place()})")

    def bound_card(self, depth: int, *, choose: bool = False) -> str:
        """Return a card that a `let` may bind, where the top of several locations is no card.

        What a plain choice cannot have is a draw there.
        """
        word = self.pick("top", "bottom", "top" if choose else "max")
        using = f" using {self.worth()}" if word == "max" else ""
        return f"({word} {self.location(depth)}{using})"

    def collection(self, depth: int) -> tuple[str, str]:
        """Return the kind of the items, and the form."""
        known = [held for _, held in self.scope if held.endswith(" list")]
        if known and self.number(0, 3) == 0:
            held = self.pick(*known)
            return held.removesuffix(" list"), self.pick(*self.variables(held))
        kind, items = self.plain_collection(depth)
        if self.number(0, 5) == 0 and depth > 0:
            name, value = self.bound(kind, lambda: self.test(depth - 2))
            return kind, f"(filter {items} {name} {value})"
        return kind, items

    def plain_collection(self, depth: int) -> tuple[str, str]:
        match self.number(0, 6):
            case 0 | 1:
                return "card", self.location(depth)
            case 2:
                return "player", self.pick("player", "(other player)", self.team)
            case 3:
                if self.number(0, 3) == 0:
                    return "integer", f"(range {self.integer(0)} .. {self.integer(0)})"
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
        match self.number(0, 15):
            case 13:
                return self.set_points(less)
            case 14:
                places = self.place(), self.place()
                full = " ".join(f"(> (size {place}) 0)" for place in places)
                return f"((and {full}) (swap {' '.join(places)}))"
            case 15:
                memory = f"(game mem {self.name()})"
                forget = f"(forget ({self.pick('top', 'bottom')} {memory}))"
                if self.number(0, 1):
                    return f"(repeat all {forget})"
                return f"((> (size {memory}) 0) {forget})"
            case 0 | 1 | 2 | 3:
                if self.risky():
                    return f"(move {self.card(less)} {self.aim()})"
                known = self.variables("card")
                if known and self.number(0, 1):
                    return f"(move {self.pick(*known)} {self.aim()})"
                return self.guarded(less, lambda card: f"(move {card} {self.aim()})")
            case 4:
                return f"(set {self.stored('sto')} {self.integer(less)})"
            case 5:
                amount = self.pick("", "", lambda: f" {self.integer(less)}")
                return f"({self.pick('inc', 'dec')} {self.stored('sto')}{amount})"
            case 6:
                storage = self.pick("(game str A)", "(game str B)", lambda: self.stored("str"))
                return f"(set {storage} {self.string()})"
            case 7:
                return self.guarded(
                    less, lambda card: self.guarded(less, lambda other: f"(swap {card} {other})")
                )
            case 8:
                if not self.turns:
                    return "(turn pass)"
                return f"(cycle {self.pick('next', 'current')} {self.player()})"
            case 9:
                location = self.place() if self.number(0, 3) else self.location(less)
                return f"(repeat all (move (top {location}) {self.aim()}))"
            case 10:
                return f"(shuffle {self.location(less)})"
            case 11:
                end = self.pick("top", "bottom", "0")
                memory = f"({end} (game mem {self.name()}))"
                return self.guarded(less, lambda card: f"(remember {card} {memory})")
            case _:
                if self.number(0, 1):
                    return "(turn pass)"
                count = self.pick("2", lambda: self.integer(0))
                return f"(repeat {count} (inc {self.stored('sto')}))"

    def set_points(self, less: int) -> str:
        """Return a form that sets a point map, with parts that only play can tell."""
        awards = []
        for _ in range(self.number(1, 3)):
            pairs = []
            for _ in range(self.number(1, 2)):
                key = self.pick("VAL", "HUE", "SUB", self.string)
                pairs.append(f"({key} : {self.string()})")
            awards.append(f"({' '.join(pairs)} {self.integer(less)})")
        if self.number(0, 3) == 0:
            return f"(put points 'V ({' '.join(awards)}))"
        target = self.pick("(game points V)", "(game points W)", "((current player) points W)")
        return f"(set {target} ({' '.join(awards)}))"

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
        if self.extended and self.number(0, 3) == 0:
            return self.extended_step(less, choose)
        match self.number(0, 5):
            case 0:
                steps = [self.step(less, choose) for _ in range(self.number(1, 3))]
                return f"(do ({' '.join(steps)}))"
            case 1 if choose and self.number(0, 3) == 0:
                return self.label(less, choose)
            case 1:
                return f"({self.test(2)} {self.step(less, choose)})"
            case 2 | 3:
                word = self.pick("any", "any", "all") if choose else "all"
                kind, items = self.collection(1)
                name, value = self.bound(kind, lambda: self.step(less, choose))
                return f"({word} {items} {name} {value})"
            case 4:
                if self.number(0, 3) == 0:
                    return self.guarded(1, lambda card: self.let("card", card, less, choose))
                return self.let(*self.value(), less, choose)
            case _:
                return self.action(2)

    def extended_step(self, less: int, choose: bool) -> str:
        """Return a step that is an extension, with others in it."""
        match self.number(0, 7):
            case 0 if "STEP" in self.defined:
                return self.use("STEP")
            case 1:
                return self.label(less, choose)
            case 2:
                return self.let("card", self.bound_card(less, choose=choose), less, choose)
            case 3:
                return self.let("player", self.player(), less, choose)
            case 4 | 5 if self.secret:
                return self.secret_step(less, choose)
        return self.otherwise(less, choose)

    def otherwise(self, less: int, choose: bool) -> str:
        """Return one of two steps; often the second is such a step itself."""
        test = self.pick(lambda: self.test(2), lambda: self.test(2), self.decided, self.drawn)
        second = self.otherwise if less > 0 and self.number(0, 1) else self.step
        return f"({test} {self.step(less, choose)} else {second(less - 1, choose)})"

    def label(self, less: int, choose: bool) -> str:
        part = self.still(lambda: self.pick(self.string, self.player, lambda: self.card(1)))
        return f"(label (A {part}) {self.step(less, choose)})"

    def secret_step(self, less: int, choose: bool) -> str:
        """Return a step that sets a secret, or lets it be chosen."""
        whose = self.pick("(current player)", self.player)
        match self.number(0, 4):
            case 0:
                return f"(set ({whose} istr VOTE) {self.value_of_vote()})"
            case 1:
                value = self.pick("2", lambda: f"(^ (% {self.integer(1)} 2) 2)")
                return f"(set ({whose} isto BID) {value})"
            case 2:
                word, test = self.pick("inc 3", "dec 0").split()
                return f"((!= ({whose} isto BID) {test}) ({word} ({whose} isto BID)))"
        word, kind = self.pick("isto BID integer", "istr VOTE string").rsplit(maxsplit=1)
        name, value = self.bound(kind, lambda: self.step(less, choose))
        return f"({'any' if choose else 'let'} ({whose} {word}) {name} {value})"

    def value_of_vote(self) -> str:
        text = self.pick("A", "B", self.string)
        return text if text not in {"C", "X"} else "A"

    def let(self, held: str, items: str, less: int, choose: bool) -> str:
        name, value = self.bound(held, lambda: self.step(less, choose))
        return f"(let {items} {name} {value})"

    def value(self) -> tuple[str, str]:
        """Return what a `let` binds: the kind of the variable, and the form."""
        match self.number(0, 9):
            case 8:
                return "player", self.player()
            case 9:
                return "card", self.card(0)
            case 0 | 1:
                return "location", self.location(2)
            case 2 | 3:
                return "locations", self.locations(1)
            case 4:
                return "integer", self.integer(2)
            case 5:
                return "string", self.string()
            case 6:
                return "boolean", self.test(1)
            case _:
                kind, items = self.plain_collection(1)
                held = {"card": "location", "location": "locations"}.get(kind, f"{kind} list")
                return held, items

    def block(self, depth: int) -> str:
        steps = [self.step(depth, choose=False) for _ in range(self.number(1, 2))]
        return f"(do ({' '.join(steps)}))"

    def choice(self, depth: int) -> str:
        steps = [
            self.otherwise(depth - 1, choose=True)
            if self.extended and self.number(0, 2) == 0
            else self.step(depth, choose=True)
            for _ in range(self.number(1, 3))
        ]
        return f"(choice ({' '.join(steps)} (turn pass)))"

    def perhaps(self, item: str) -> str:
        """Return an item of a stage, mostly as it is, or under a condition."""
        match self.number(0, 7):
            case 0 | 1:
                return f"({self.test(1)} {item})"
            case 2:
                other = self.single() if self.extended else self.block(1)
                return f"({self.test(1)} {item} else {other})"
            case 3:
                return f"({self.test(1)} ({self.test(1)} {self.block(1)} else {item}))"
        return item

    def item(self, item: str) -> str:
        """Return an item of the game, or with extensions perhaps one in others, and others."""
        if not self.extended:
            return item
        match self.number(0, 7):
            case 0:
                test = self.pick(self.decided, lambda: self.test(1))
                other = self.pick(self.single, lambda: self.perhaps(self.single()))
                one, two = self.pick(f"{item}|{other}", f"{other}|{item}").split("|")
                return f"({test} {one} else {two})"
            case 1:
                return f"{self.single()} {item}"
            case 2:
                return self.perhaps(item)
        return item

    def single(self) -> str:
        """Return a step as an item, which is no action."""
        return self.pick(
            lambda: self.label(1, choose=False),
            lambda: self.let("card", self.bound_card(1), 1, choose=False),
            lambda: self.let(*self.value(), 1, choose=False),
            lambda: self.block(1),
        )

    def stage(self) -> str:
        kind = self.pick("player", "player", "team")
        inner = ""
        if self.number(0, 3) == 0:
            word = self.pick("player", "team")
            inner = " " + self.perhaps(
                f"(stage {word} (end (== (% (game sto STEPS) 2) 1))"
                f" {self.perhaps(self.choice(2))} (do ((inc (game sto STEPS)))))"
            )
        return (
            f"(stage {kind} (end (>= (game sto TURNS) {self.number(2, 6)}))"
            f" {self.perhaps(self.choice(3))}{inner}"
            f" (do ((inc (game sto TURNS)) (inc (game sto STEPS))))"
            f" {self.perhaps(self.block(2))})"
        )
