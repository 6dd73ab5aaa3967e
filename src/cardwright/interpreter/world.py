"""The world: the one mutable state of a game in play."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.interpreter.effects import Born, Stored
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.integers import LARGEST
from cardwright.program.limits import COMPUTED_KEPT, MOST_COMPUTED, ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.labels import Said
    from cardwright.interpreter.options import Pick
    from cardwright.interpreter.points import PointMap
    from cardwright.interpreter.rules import RuleBlock, Rules
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

Cell: TypeAlias = tuple[OwnerId, str]
"""Where a value is stored: an owner and a name."""


class Pile:
    """A real location and its cards, from bottom to top; without an `order`, by number.

    `born` numbers the locations in order of their first card; None before that. `known`
    are the cards of a hidden pile that everybody saw going in, in the order in which they came or
    by number too.
    """

    __slots__ = ("born", "cards", "known", "location", "ordered")

    def __init__(self, location: Location, *, ordered: bool = True) -> None:
        self.location = location
        self.ordered = ordered
        self.cards: list[CardId] = []
        self.born: int | None = None
        self.known: list[CardId] = []

    def copy(self) -> Pile:
        """Return an independent pile with the same cards."""
        pile = Pile.__new__(Pile)
        pile.location = self.location
        pile.ordered = self.ordered
        pile.cards = self.cards.copy()
        pile.born = self.born
        pile.known = self.known.copy()
        return pile

    def arranged(self, cards: Iterable[CardId]) -> list[CardId]:
        """Return cards in the order in which they lie here if they all come at once."""
        return list(cards) if self.ordered else sorted(cards)

    def replace(self, at: int, old: CardId, new: CardId) -> None:
        """Let a card take the place of another, which is at a position."""
        if self.ordered:
            self.cards[at] = new
        else:
            self.cards.remove(old)
            insort(self.cards, new)


class VirtualLocation:
    """A virtual location: a list of real cards that lie elsewhere."""

    __slots__ = ("cards",)

    def __init__(self, cards: list[CardId]) -> None:
        self.cards = cards


class TurnCycle:
    """Which player or team is current in a cycle, and which is queued to follow."""

    __slots__ = ("current", "queued")

    def __init__(self, current: int, queued: int | None = None) -> None:
        self.current = current
        self.queued = queued

    def copy(self) -> TurnCycle:
        """Return an independent cycle at the same place."""
        return TurnCycle(self.current, self.queued)


class RunFrame:
    """How far a list of items has been run; all except the outermost are the items of a stage."""

    __slots__ = ("at", "block")

    def __init__(self, block: RuleBlock, at: int = 0) -> None:
        self.block = block
        self.at = at


class World:
    """Everything that can change in a game.

    `where` gives the real location of every card. `env` holds the variables of the form being
    evaluated; nothing in it survives a form. While options are built, `journal` collects the
    effects so that they can be undone; otherwise it is None. `path` is what `any` has picked so
    far, and `said` what labels say of it, if that is wanted. `allowance` is how many steps are
    allowed without a decision, and `left` how many remain, in rounds; a world that was not advanced
    has no limit. With `one_deal` the game is over after the deal that is being played
    (`cardwright.program.deals`).
    """

    __slots__ = (
        "allowance",
        "births",
        "decisions",
        "env",
        "frames",
        "integers",
        "journal",
        "left",
        "one_deal",
        "path",
        "piles",
        "players",
        "points",
        "rules",
        "said",
        "stream",
        "strings",
        "teams",
        "where",
    )

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules = rules
        self.stream = Stream(seed)
        self.piles: dict[Location, Pile] = {}
        self.where: list[Location] = []
        self.integers: dict[Cell, int] = {}
        self.strings: dict[Cell, str] = {}
        self.points: dict[Cell, PointMap] = {}
        self.players = [TurnCycle(0)]
        self.teams = [TurnCycle(0)]
        self.frames = [RunFrame(rules.items)]
        self.births = 0
        self.allowance = self.left = LARGEST
        self.decisions = 0
        self.one_deal = False
        self.env: list[Any] = [None] * rules.program.slots
        self.journal: list[Effect] | None = None
        self.path: list[Pick] = []
        self.said: list[Said] | None = None

    def pile(self, location: Location) -> Pile:
        """Return the pile at a location; touching one that never held a card changes nothing."""
        try:
            return self.piles[location]
        except KeyError:
            ordered = location not in self.rules.places.unordered_locations
            pile = self.piles[location] = Pile(location, ordered=ordered)
            return pile

    def do(self, effect: Effect) -> None:
        """Apply an effect; while options are built it is recorded, to be undone."""
        effect.apply(self)
        if self.journal is None:
            effect.learn(self)
        else:
            self.journal.append(effect)

    def store(self, storage: str, cell: Cell, value: Any) -> None:
        """Store a value: an integer, a string or a point map, by the name of its storage."""
        owner, name = cell
        self.do(Stored(storage, owner, name, getattr(self, storage).get(cell), value))

    def undo_to(self, mark: int) -> None:
        """Undo the recorded effects, latest first, until only `mark` of them are left."""
        journal = self.journal
        assert journal is not None
        while len(journal) > mark:
            journal.pop().undo(self)

    def bear(self, pile: Pile) -> None:
        """Number a pile that is about to get its first card ever."""
        if pile.born is None:
            self.do(Born(pile.location))

    def allow(self, steps: int) -> None:
        """Allow this many steps from here without a decision."""
        self.allowance = steps
        self.left = steps * ROUNDS_A_STEP

    def count(self, rounds: int, span: Span) -> None:
        """Count rounds of a loop, or those of a step; raises Fault beyond the limit."""
        self.left -= rounds
        if self.left < 0:
            many = f"{self.allowance:,} steps went by without a decision"
            raise Fault("steps", many, span)

    def _computed(self) -> list[Pile]:
        """Return the piles that have held a card and were not known before the game, in order."""
        known = self.rules.places.fixed_locations
        return [pile for pile in self.touched() if pile.location not in known]

    def make_room(self, pile: Pile, span: Span) -> None:
        """Raise Fault if a pile cannot get its first card because too many piles are computed."""
        if pile.born is not None or pile.location in self.rules.places.fixed_locations:
            return
        if len(self._computed()) >= MOST_COMPUTED:
            many = f"more than {MOST_COMPUTED} locations whose names or indices are computed"
            raise Fault("capacity", many, span)

    def tidy(self) -> None:
        """Forget empty locations that were not known before the game, if there are many."""
        places = self.rules.places
        if not places.pool:
            return
        computed = self._computed()
        excess = len(computed) - COMPUTED_KEPT
        for pile in computed:
            if excess > 0 and not pile.cards and not places.lists(pile.location):
                del self.piles[pile.location]
                excess -= 1

    def copy(self) -> World:
        """Return an independent world in the same state."""
        world = World.__new__(World)
        world.rules = self.rules
        world.stream = self.stream.copy()
        world.piles = {
            key: pile.copy() for key, pile in self.piles.items() if pile.born is not None
        }
        world.where = self.where.copy()
        world.integers = self.integers.copy()
        world.strings = self.strings.copy()
        world.points = self.points.copy()
        world.players = [cycle.copy() for cycle in self.players]
        world.teams = [cycle.copy() for cycle in self.teams]
        world.frames = [RunFrame(frame.block, frame.at) for frame in self.frames]
        world.births = self.births
        world.allowance = self.allowance
        world.left = self.left
        world.decisions = self.decisions
        world.one_deal = self.one_deal
        world.env = [None] * len(self.env)
        world.journal = None
        world.path = []
        world.said = None
        return world

    def touched(self) -> list[Pile]:
        """Return the piles that matter: those with cards, and those that `indexed` may list.

        Those known before the game come as the program first names them, then all others in order
        of their first card.
        """
        places, piles = self.rules.places, self.piles
        known = [
            piles[place]
            for place in places.in_text
            if place in piles and piles[place].cards and place not in places.born_in_play
        ]
        made = [
            pile
            for pile in piles.values()
            if pile.born is not None
            and (
                pile.location not in places.fixed_locations or pile.location in places.born_in_play
            )
        ]
        return known + sorted(made, key=lambda pile: pile.born or 0)

    def key(self) -> Hashable:
        """Return everything that determines how the game goes on; equal worlds have equal keys.

        Values that were never set equal values set to their defaults.
        """
        return *self.position(), self.stream.words

    def position(self) -> tuple[Hashable, ...]:
        """Return the key of the world without its random stream."""
        return (
            tuple((frame.block.number, frame.at) for frame in self.frames),
            tuple((cycle.current, cycle.queued) for cycle in (*self.players, *self.teams)),
            tuple((p.location, tuple(p.cards), tuple(p.known)) for p in self.touched()),
            self.stored(),
        )

    def stored(self) -> Hashable:
        """Return all stored values that differ from their defaults."""
        return (
            frozenset((cell, value) for cell, value in self.integers.items() if value),
            frozenset((cell, value) for cell, value in self.strings.items() if value),
            frozenset((cell, value) for cell, value in self.points.items() if value.awards),
        )


def sees(program: Program, seat: int, location: Location) -> bool:
    """Return whether a player sees the cards of a location."""
    match location.kind:
        case LocationKind.VISIBLE | LocationKind.MEMORY:
            return True
        case LocationKind.INVISIBLE:
            return location.owner == seat
        case LocationKind.OTHERS:
            return location.owner != program.table and seat not in program.members(location.owner)
        case LocationKind.HIDDEN:
            return False
