"""The world: the one mutable state of a game in play, and what all worlds of a program share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from cardwright.interpreter.chance import UndrawnCards
from cardwright.interpreter.effects import (
    Born,
    Exchanged,
    Forgot,
    Moved,
    Passed,
    Pick,
    Pile,
    Regrouped,
    Remembered,
    Shuffled,
    Stored,
    Swapped,
    Turned,
    Undrawn,
    VirtualLocation,
)
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.integers import LARGEST, SMALLEST
from cardwright.program.limits import COMPUTED_KEPT, MOST_COMPUTED, ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cardwright.interpreter.effects import Effect, Said
    from cardwright.interpreter.stream import Words
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId
    from cardwright.program.places import Places
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


class Fault(Exception):  # noqa: N818 - the language's word; it becomes a GameError for users
    """A rule of the language that a game broke while it ran, and the form that broke it.

    `rule` is a short stable name, such as empty-move or no-options.
    """

    def __init__(self, rule: str, message: str, span: Span) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.span = span


Awards: TypeAlias = tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...]
"""Evaluated awards: keys, values, points."""


class PointMap:
    """The points of every card: the sum of the awards whose values it has.

    Awards with the same keys and values add up; a missing attribute counts as the empty string.
    `fits` says whether every card's points fit in 64 bits; a map where they do not is never stored.
    """

    __slots__ = ("_attributes", "_scores", "awards", "fits")

    def __init__(self, awards: Awards, program: Program) -> None:
        self.awards = awards
        self._attributes: list[Mapping[str, str]] = [card.attributes for card in program.cards]
        self._scores: dict[CardId, int] = {}
        small = sum(abs(points) for _, _, points in awards) <= LARGEST
        self.fits = small or all(
            SMALLEST <= self.worth(card.id) <= LARGEST for card in program.cards
        )

    def worth(self, card: CardId) -> int:
        """Return the points of a card."""
        try:
            return self._scores[card]
        except KeyError:
            read = self._attributes[card].get
            score = self._scores[card] = sum(
                points
                for keys, values, points in self.awards
                if values == tuple(read(key, "") for key in keys)
            )
            return score

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointMap) and self.awards == other.awards

    def __hash__(self) -> int:
        return hash(self.awards)


Cell: TypeAlias = tuple[OwnerId, str]
"""Where a value is stored: an owner and a name."""

Result = TypeVar("Result")
Meaning: TypeAlias = "Callable[[World], Result]"
"""What a form means: a function of the world."""

Todo: TypeAlias = "tuple[Explore, Todo] | None"
"""What is left to do on a path through a step."""

Explore: TypeAlias = "Callable[[World, Todo], Todo | BranchPoint]"
"""Does its own part of a step, and returns the work to do next, or that a player has to pick."""


class Run(NamedTuple):
    """A block that runs without a decision: a do, any, all or let."""

    act: Meaning[object]
    span: Span


class Decide(NamedTuple):
    """A choice, with the explorer of each of its steps, and the most options it may have.

    `labelled` says whether options of it may have labels.
    """

    explorers: tuple[Explore, ...]
    span: Span
    node: n.Choice
    most: int
    labelled: bool


class Test(NamedTuple):
    """A test on which it depends whether the next item is played, or that at another place."""

    holds: Meaning[bool]
    otherwise: int
    span: Span


class Skip(NamedTuple):
    """Play goes on at a later place of the block."""

    then: int


@dataclass(slots=True, eq=False)
class RuleBlock:
    """A numbered list of items, of the game or of a stage; a stage repeats them until its end.

    A fork stands in it as its test, its items, and what skips the second of them. `deal` says that
    each repetition is a deal.
    """

    number: int
    span: Span
    end: Meaning[bool] | None = None
    team: bool = False
    deal: bool = False
    items: tuple[Item, ...] = ()


Item: TypeAlias = Run | Decide | Test | Skip | RuleBlock


class GameRules:
    """What all worlds of a program share: the meanings of its items, and its places.

    `places` says which locations are known before the game, and how the others get slots.
    """

    decks: list[tuple[Meaning[Pile | VirtualLocation], tuple[CardId, ...]]]
    items: RuleBlock
    score: Meaning[int]
    places: Places

    def __init__(self, program: Program) -> None:
        self.program = program
        self._maps: dict[Awards, PointMap] = {}

    def point_map(self, awards: Awards) -> PointMap:
        """Return the point map of some awards; equal ones share the scores computed so far."""
        try:
            return self._maps[awards]
        except KeyError:
            if len(self._maps) > _MAPS_KEPT:
                self._maps.clear()
            points = self._maps[awards] = PointMap(awards, self.program)
            return points

    @cached_property
    def blocks(self) -> dict[int, RuleBlock]:
        """All blocks by their numbers."""
        blocks = [self.items]
        for block in blocks:
            blocks += [item for item in block.items if isinstance(item, RuleBlock)]
        return {block.number: block for block in blocks}


_MAPS_KEPT = 1_000


@dataclass(slots=True)
class TurnCycle:
    """Which player or team is current in a cycle, and which is queued to follow."""

    current: int
    queued: int | None = None

    def copy(self) -> TurnCycle:
        """Return an independent cycle at the same place."""
        return TurnCycle(self.current, self.queued)

    def __reduce__(self) -> tuple[object, ...]:
        return TurnCycle, (self.current, self.queued)

    def successor(self, count: int) -> int:
        """Return who follows: the one that is queued, or else the next in order."""
        return (self.current + 1) % count if self.queued is None else self.queued


@dataclass(slots=True)
class RunFrame:
    """How far a list of items has been run; all except the outermost are the items of a stage."""

    block: RuleBlock
    at: int = 0


class World:
    """Everything that can change in a game.

    `where` gives the real location of every card. `env` holds the variables of the form being
    evaluated; nothing in it survives a form. While options are built, `journal` collects the
    effects so that they can be undone; otherwise it is None. `path` is what `any` has picked so
    far, and `said` what labels say of it, if that is wanted. `allowance` is how many steps are
    allowed without a decision, and `left` how many remain, in rounds; a world that was not advanced
    has no limit. With `one_deal` the game is over after the deal that is being played
    (`cardwright.program.program`).
    """

    __slots__ = (
        "allowance", "births", "decisions", "env", "frames", "integers", "journal", "left",
        "one_deal", "path", "piles", "players", "points", "rules", "said", "stream", "strings",
        "teams", "where",
    )  # fmt: skip

    def __init__(self, rules: GameRules, seed: int) -> None:
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
        _apply(self, effect)
        if self.journal is None:
            _learn(self, effect)
        else:
            self.journal.append(effect)

    def store(self, storage: str, cell: Cell, value: Any) -> None:
        """Store a value: an integer, a string or a point map, by the name of its storage."""
        owner, name = cell
        self.do(Stored(storage, owner, name, getattr(self, storage).get(cell), value))

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
        world = world_with(self.rules, content_of_world(self))
        world.stream = self.stream.copy()
        world.allowance, world.left = self.allowance, self.left
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


# Paths through steps ------------------------------------------------------------------------


class PathMark(NamedTuple):
    """A place on a path: how much has been done and drawn until there, and the variables."""

    effects: int
    picks: int
    said: int
    words: Words
    env: list[Any]

    @classmethod
    def at(cls, world: World) -> PathMark:
        """Return the place where a world is."""
        effects, said = len(world.journal or ()), len(world.said or ())
        return cls(effects, len(world.path), said, world.stream.words, world.env.copy())

    def back(self, world: World) -> None:
        """Undo what was done since."""
        journal = world.journal
        assert journal is not None
        while len(journal) > self.effects:
            _apply(world, journal.pop(), back=True)
        del world.path[self.picks :]
        if world.said is not None:
            del world.said[self.said :]
        world.stream.words = self.words
        world.env[:] = self.env


@dataclass(slots=True)
class BranchPoint:
    """An `any` on a path: its items, how many were taken, what follows, and its place."""

    node: n.ForEach
    items: Sequence[Any]
    then: Todo
    mark: PathMark
    taken: int = 0

    def take(self, world: World) -> Todo:
        """Take the next item, and return the work to do with it and after it."""
        item = self.items[self.taken]
        world.env[self.node.variable.slot] = item
        world.path.append(Pick(self.node, self.taken, _frozen(item)))
        self.taken += 1
        return self.then


def _frozen(item: Any) -> Any:
    """Return what was picked as a value, since a group loses its cards when they are moved out."""
    if isinstance(item, Pile):
        return item.location
    if isinstance(item, VirtualLocation):
        return tuple(item.cards)
    return item


# Doing, undoing and seeing effects ----------------------------------------------------------


def _apply(world: World, effect: Effect, *, back: bool = False) -> None:
    """Do an effect, or undo it."""
    piles = world.piles
    if isinstance(effect, Moved):
        card, source, source_at, target, target_at = effect
        if back:
            source, source_at, target, target_at = target, target_at, source, source_at
        del piles[source].cards[source_at]
        piles[target].cards.insert(target_at, card)
        world.where[card] = target
    elif isinstance(effect, Stored):
        value = effect.old if back else effect.new
        values = getattr(world, effect.storage)
        if value is None:
            del values[effect.owner, effect.name]
        else:
            values[effect.owner, effect.name] = value
    elif isinstance(effect, Turned):
        seat = effect.old if back else effect.new
        if effect.queue:
            world.players[-1].queued = seat
        else:
            assert seat is not None
            world.players[-1].current = seat
    elif isinstance(effect, Born):
        world.pile(effect.location).born = None if back else world.births
        world.births += -1 if back else 1
    elif isinstance(effect, Shuffled):
        world.pile(effect.location).cards[:] = effect.before if back else effect.after
    elif isinstance(effect, Remembered | Forgot):
        memory = effect.target if isinstance(effect, Remembered) else effect.source
        if isinstance(effect, Remembered) is back:
            del piles[memory].cards[effect.at]
        else:
            piles[memory].cards.insert(effect.at, effect.card)
    elif isinstance(effect, Swapped):
        left, right = (effect.left, effect.right) if back else (effect.right, effect.left)
        piles[effect.left_place].replace(effect.left_at, right, left)
        piles[effect.right_place].replace(effect.right_at, left, right)
        world.where[left], world.where[right] = effect.left_place, effect.right_place
    elif isinstance(effect, Exchanged):
        held = effect.left_cards, effect.right_cards
        into = (effect.left, effect.right) if back else (effect.right, effect.left)
        for location, cards in zip(into, held, strict=True):
            piles[location].cards = piles[location].arranged(cards)
            for card in cards:
                world.where[card] = location
    elif isinstance(effect, Regrouped):
        if back:  # a group was changed before this was recorded
            effect.group.cards[:] = effect.before
    elif isinstance(effect, Undrawn):
        assert not back, "while options are built, shuffles are drawn at once"
        pile = world.pile(effect.location)
        pile.cards = UndrawnCards.shuffled(pile.cards, effect.location)
    else:
        assert isinstance(effect, Passed)


def _learn(world: World, effect: Effect) -> None:
    """Update what everybody knows of hidden cards: other effects are public, or tell nothing.

    Cards that are known stay known after a shuffle: they are still there.
    """
    if isinstance(effect, Moved):
        _learn_move(world, effect.card, effect.source, effect.target)
    elif isinstance(effect, Swapped):
        _learn_move(world, effect.left, effect.left_place, effect.right_place)
        _learn_move(world, effect.right, effect.right_place, effect.left_place)
    elif isinstance(effect, Exchanged):
        left, right = world.piles[effect.left], world.piles[effect.right]
        left.known, right.known = left.arranged(right.known), right.arranged(left.known)
        _relearn(left, effect.right)
        _relearn(right, effect.left)


_CONCEALED = (LocationKind.INVISIBLE, LocationKind.HIDDEN)


def _learn_move(world: World, card: CardId, source: Location, target: Location) -> None:
    if source == target:
        return
    if source.kind in _CONCEALED:
        known = world.piles[source].known
        if known and target.kind is not LocationKind.VISIBLE:
            known.clear()
        elif card in known:
            known.remove(card)
    elif source.kind is LocationKind.VISIBLE and target.kind in _CONCEALED:
        pile = world.piles[target]
        # In a world that was dealt anew, the list names what was seen in the real one.
        if pile.ordered or card not in pile.known:
            pile.known = pile.arranged((*pile.known, card))


def _relearn(pile: Pile, came_from: Location) -> None:
    if pile.location.kind not in _CONCEALED:
        pile.known.clear()
    elif came_from.kind is LocationKind.VISIBLE:
        pile.known = pile.cards.copy()


# Pickles ------------------------------------------------------------------------------------


class WorldContent(NamedTuple):
    """What a world holds, without its rules; the parts have the names that they have there.

    A frame is the number of its block and how far it has been run, a point map its awards.
    """

    words: Words
    piles: list[Pile]
    where: list[Location]
    integers: dict[Cell, int]
    strings: dict[Cell, str]
    points: dict[Cell, Awards]
    players: list[TurnCycle]
    teams: list[TurnCycle]
    frames: tuple[tuple[int, int], ...]
    births: int
    decisions: int
    one_deal: bool


def content_of_world(world: World) -> WorldContent:
    """Return the content of a world that is not building options; it shares its parts."""
    return WorldContent(
        world.stream.words,
        [pile for pile in world.piles.values() if pile.born is not None],
        world.where,
        world.integers,
        world.strings,
        {cell: points.awards for cell, points in world.points.items()},
        world.players,
        world.teams,
        tuple((frame.block.number, frame.at) for frame in world.frames),
        world.births,
        world.decisions,
        world.one_deal,
    )


def world_with(rules: GameRules, content: WorldContent) -> World:
    """Return a world with a content; raises KeyError for a block that the rules do not have."""
    world = World(rules, 0)
    world.stream = Stream.at(content.words)
    world.piles = {pile.location: pile.copy() for pile in content.piles}
    world.where = content.where.copy()
    world.integers, world.strings = content.integers.copy(), content.strings.copy()
    world.points = {cell: rules.point_map(awards) for cell, awards in content.points.items()}
    world.players = [cycle.copy() for cycle in content.players]
    world.teams = [cycle.copy() for cycle in content.teams]
    world.frames = [RunFrame(rules.blocks[number], at) for number, at in content.frames]
    world.births, world.decisions = content.births, content.decisions
    world.one_deal = content.one_deal
    return world
