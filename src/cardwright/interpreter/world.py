"""The world: the one mutable state of a game in play, and what all worlds of a program share."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, assert_never

from cardwright.interpreter.chance import UndrawnCards
from cardwright.interpreter.effects import (
    Born,
    Exchanged,
    Forgot,
    Moved,
    Passed,
    Pile,
    Regrouped,
    Remembered,
    Shuffled,
    Stored,
    Swapped,
    Turned,
    Undrawn,
)
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.integers import LARGEST, SMALLEST
from cardwright.program.limits import COMPUTED_KEPT, MOST_COMPUTED, ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cardwright.interpreter.effects import Effect, Pick, Said, VirtualLocation
    from cardwright.interpreter.stream import Words
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Seat
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

    __slots__ = ("_attributes", "_groups", "_scores", "awards", "fits")

    def __init__(self, awards: Awards, program: Program) -> None:
        self.awards = awards
        self._attributes: list[Mapping[str, str]] = [card.attributes for card in program.cards]
        self._groups: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
        for keys, values, points in awards:
            group = self._groups.setdefault(keys, defaultdict(int))
            group[values] += points
        self._scores: dict[CardId, int] = {}
        small = sum(abs(points) for _, _, points in awards) <= LARGEST
        self.fits = small or all(SMALLEST <= self.of(card.id) <= LARGEST for card in program.cards)

    def of(self, card: CardId) -> int:
        """Return the points of a card."""
        try:
            return self._scores[card]
        except KeyError:
            attributes = self._attributes[card]
            score = 0
            for keys, group in self._groups.items():
                score += group.get(tuple(attributes.get(key, "") for key in keys), 0)
            self._scores[card] = score
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
"""What is left to do on a path through a step of a choice."""

Explore: TypeAlias = "Callable[[World, Todo], Todo | PickPoint]"
"""Does its own part of a step, and returns the work to do next, or that a player has to pick."""


class PickPoint:
    """An `any` on a path: its form and items, and what follows for each."""

    __slots__ = ("items", "node", "then")

    def __init__(self, node: n.ForEach, items: Sequence[Any], then: tuple[Explore, Todo]) -> None:
        self.node = node
        self.items = items
        self.then = then


class Run(NamedTuple):
    """A block that runs without a decision: a do, any, all or let."""

    act: Meaning[None]
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


class RuleBlock:
    """A numbered list of items, of the game or of a stage; a stage repeats them until its end.

    A fork stands in it as its test, its items, and what skips the second of them. `deal` says that
    each repetition is a deal.
    """

    __slots__ = ("deal", "end", "items", "number", "span", "team")

    def __init__(self, number: int, span: Span, end: Meaning[bool] | None, *, team: bool) -> None:
        self.number = number
        self.span = span
        self.end = end
        self.team = team
        self.deal = False
        self.items: tuple[Item, ...] = ()


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
            found = self._maps[awards] = PointMap(awards, self.program)
            return found

    def blocks(self) -> dict[int, RuleBlock]:
        """Return all blocks by their numbers."""
        found: dict[int, RuleBlock] = {}
        pending = [self.items]
        while pending:
            block = pending.pop()
            found[block.number] = block
            pending += [item for item in block.items if isinstance(item, RuleBlock)]
        return found


_MAPS_KEPT = 1_000


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

    def undo_to(self, mark: int) -> None:
        """Undo the recorded effects, latest first, until only `mark` of them are left."""
        journal = self.journal
        assert journal is not None
        while len(journal) > mark:
            _undo(self, journal.pop())

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


# Doing, undoing and seeing effects ----------------------------------------------------------


def _apply(world: World, effect: Effect) -> None:
    piles = world.piles
    if isinstance(effect, Moved):
        del piles[effect.source].cards[effect.source_at]
        piles[effect.target].cards.insert(effect.target_at, effect.card)
        world.where[effect.card] = effect.target
    elif isinstance(effect, Stored):
        getattr(world, effect.storage)[effect.owner, effect.name] = effect.new
    elif isinstance(effect, (Passed, Regrouped)):
        pass  # a group was changed before this was recorded
    elif isinstance(effect, Turned):
        _turn(world, effect.new, queue=effect.queue)
    elif isinstance(effect, Born):
        world.pile(effect.location).born = world.births
        world.births += 1
    elif isinstance(effect, Shuffled):
        world.pile(effect.location).cards[:] = effect.after
    elif isinstance(effect, Remembered):
        piles[effect.target].cards.insert(effect.at, effect.card)
    elif isinstance(effect, Forgot):
        del piles[effect.source].cards[effect.at]
    elif isinstance(effect, Swapped):
        _swap(world, effect, effect.right, effect.left)
    elif isinstance(effect, Exchanged):
        _exchange(world, effect, effect.right_cards, effect.left_cards)
    elif isinstance(effect, Undrawn):
        pile = world.pile(effect.location)
        pile.cards = UndrawnCards.shuffled(pile.cards, effect.location)
    else:
        assert_never(effect)


def _undo(world: World, effect: Effect) -> None:
    piles = world.piles
    if isinstance(effect, Moved):
        del piles[effect.target].cards[effect.target_at]
        piles[effect.source].cards.insert(effect.source_at, effect.card)
        world.where[effect.card] = effect.source
    elif isinstance(effect, Stored) and effect.old is None:
        del getattr(world, effect.storage)[effect.owner, effect.name]
    elif isinstance(effect, Stored):
        getattr(world, effect.storage)[effect.owner, effect.name] = effect.old
    elif isinstance(effect, Passed):
        pass
    elif isinstance(effect, Turned):
        _turn(world, effect.old, queue=effect.queue)
    elif isinstance(effect, Born):
        piles[effect.location].born = None
        world.births -= 1
    elif isinstance(effect, Shuffled):
        piles[effect.location].cards[:] = effect.before
    elif isinstance(effect, Remembered):
        del piles[effect.target].cards[effect.at]
    elif isinstance(effect, Forgot):
        piles[effect.source].cards.insert(effect.at, effect.card)
    elif isinstance(effect, Regrouped):
        effect.group.cards[:] = effect.before
    elif isinstance(effect, Swapped):
        _swap(world, effect, effect.left, effect.right)
    elif isinstance(effect, Exchanged):
        _exchange(world, effect, effect.left_cards, effect.right_cards)
    elif isinstance(effect, Undrawn):
        raise AssertionError("while options are built, shuffles are drawn at once")
    else:
        assert_never(effect)


def _turn(world: World, seat: Seat | None, *, queue: bool) -> None:
    cycle = world.players[-1]
    if queue:
        cycle.queued = seat
    else:
        assert seat is not None
        cycle.current = seat


def _swap(world: World, places: Swapped, left: CardId, right: CardId) -> None:
    """Lay two cards at the left and the right place, each where the other is."""
    world.piles[places.left_place].replace(places.left_at, right, left)
    world.piles[places.right_place].replace(places.right_at, left, right)
    world.where[left] = places.left_place
    world.where[right] = places.right_place


def _exchange(
    world: World, places: Exchanged, left: tuple[CardId, ...], right: tuple[CardId, ...]
) -> None:
    for place, cards in ((places.left, left), (places.right, right)):
        pile = world.piles[place]
        pile.cards = pile.arranged(cards)
        for card in cards:
            world.where[card] = place


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
    piles: tuple[tuple[Location, bool, list[CardId], int | None, list[CardId]], ...]
    where: tuple[Location, ...]
    integers: dict[Cell, int]
    strings: dict[Cell, str]
    points: dict[Cell, Awards]
    players: tuple[tuple[int, int | None], ...]
    teams: tuple[tuple[int, int | None], ...]
    frames: tuple[tuple[int, int], ...]
    births: int
    decisions: int
    one_deal: bool


def content_of_world(world: World) -> WorldContent:
    """Return the content of a world that is not building options."""
    return WorldContent(
        world.stream.words,
        tuple(
            (pile.location, pile.ordered, pile.cards.copy(), pile.born, pile.known.copy())
            for pile in world.piles.values()
            if pile.born is not None
        ),
        tuple(world.where),
        world.integers.copy(),
        world.strings.copy(),
        {cell: found.awards for cell, found in world.points.items()},
        tuple((cycle.current, cycle.queued) for cycle in world.players),
        tuple((cycle.current, cycle.queued) for cycle in world.teams),
        tuple((frame.block.number, frame.at) for frame in world.frames),
        world.births,
        world.decisions,
        world.one_deal,
    )


def world_with(rules: GameRules, content: WorldContent) -> World:
    """Return a world with a content; raises KeyError for a block that the rules do not have."""
    world = World(rules, 0)
    world.stream = Stream.at(content.words)
    for location, ordered, cards, born, known in content.piles:
        pile = world.piles[location] = Pile(location, ordered=ordered)
        pile.cards, pile.born, pile.known = cards.copy(), born, list(known)
    world.where = list(content.where)
    world.integers, world.strings = dict(content.integers), dict(content.strings)
    world.points = {cell: rules.point_map(awards) for cell, awards in content.points.items()}
    world.players = [TurnCycle(*cycle) for cycle in content.players]
    world.teams = [TurnCycle(*cycle) for cycle in content.teams]
    blocks = rules.blocks()
    world.frames = [RunFrame(blocks[number], at) for number, at in content.frames]
    world.births, world.decisions = content.births, content.decisions
    world.one_deal = content.one_deal
    return world


def successor(cycle: TurnCycle, count: int) -> int:
    """Return the successor in a cycle: the one that is queued, or else the next in order."""
    return (cycle.current + 1) % count if cycle.queued is None else cycle.queued
