"""Observations: what a seat sees as numbers at fixed places, and the meaning of each place.

`observation_layout` lays out the columns of a program; `observe_world` fills them from the world
of the interpreter and so defines them. Machine code writes the same numbers (`ObservationWords`).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cardwright.compiler.intrinsics import wrap
from cardwright.compiler.kernels.picks import PICKED
from cardwright.game.relative import Relative, owner_name
from cardwright.game.wording.naming import Namer
from cardwright.interpreter.world import sees
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.chains import choosing, public_key
from cardwright.program.intervals import Interval
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.compiler.native import NativeProgram
    from cardwright.compiler.plan import Frames
    from cardwright.game.information.sightings import Recalled
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.world import World
    from cardwright.syntax.source import Source

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

OBSERVATION_VERSION = 2
"""The version of all layouts: it changes whenever the columns of any game do."""

_Bounds: TypeAlias = tuple[float, float, float]
"""By what a number is divided, and the bounds of what is left."""

_MOST_SCALED = 10_000
"""Stored integers are divided by their largest magnitude if it is proved and no more than this."""

# Layouts ----------------------------------------------------------------------------------


class Block(NamedTuple):
    """The columns of a location: the first for its counts, and for its cards if they are seen."""

    counts: int
    cards: int | None


class StringColumns(NamedTuple):
    """The columns of a stored string: the first, and the strings that have one each, in order."""

    first: int
    texts: tuple[str, ...]


class MadeBlocks(NamedTuple):
    """The columns of locations made in play: the first, how many locations, the columns of each.

    A location begins with a column for each of `sorts`: what owners, kinds and names there are.
    """

    first: int
    most: int
    width: int
    sorts: tuple[tuple[OwnerId, LocationKind, str], ...]


class PickColumns(NamedTuple):
    """The columns of what a recalled choice picked besides cards, from the first of the choice.

    A string has one for each of `texts`, and a player or a team for each that there is. An integer
    has one, and so has a location: its number, from 1, among those known before the game.
    """

    kind: ValueKind
    first: int
    texts: tuple[str, ...]


class RecalledColumns(NamedTuple):
    """The columns for the latest choices: the first, and how many each of them has.

    A choice begins with a column for each seat. From there are counted the column of each branch of
    the game's choices, those of what it picks, and the first of those for cards.
    """

    first: int
    width: int
    branches: tuple[int, ...]
    picks: tuple[PickColumns, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Where everything that a seat may see is among the columns of a program.

    `deciding` is the first of the columns for whose turn it is. Choices are known by the blocks
    that enclose them (`BlockPlan`). Cycles of players begin at the first of `cycles`, outermost
    first, and those of teams at the second, without their outermost; a cycle has a column for each
    member that may be current, then one for each that may be queued. `backs` has how many cards
    there are of each back. Owners are relative to the observer.
    """

    native: NativeProgram
    deciding: int
    choices: dict[Frames, int]
    cycles: tuple[int, int]
    integers: dict[tuple[OwnerId, str], int]
    strings: dict[tuple[OwnerId, str], StringColumns]
    places: dict[Location, Block]
    made: MadeBlocks
    backs: dict[str, int]
    recalled: RecalledColumns


@dataclass(frozen=True, slots=True, eq=False)
class ObservationLayout:
    """What each number of an observation of a game is; the same for all seats and both engines.

    Owners are relative to the observer (`Relative`). A number of an observation times its `scales`
    is the number of the game; `low` and `high` bound the observed numbers, infinite where no bound
    is proved. `history` of the latest choices are observed.
    """

    columns: tuple[str, ...]
    scales: Numbers
    low: Numbers
    high: Numbers
    _map: ColumnMap
    history: int
    version: int = OBSERVATION_VERSION

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __eq__(self, other: object) -> bool:
        """Return whether this is the layout of the same rules, with as many choices."""
        if not isinstance(other, ObservationLayout):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int]:
        return self._map.native.program.digest, self.history, self.version

    def __repr__(self) -> str:
        name = self._map.native.program.source.name
        return f"<ObservationLayout of {name}, version {self.version}, {self.size} columns>"


@lru_cache(maxsize=64)
def layout_of(native: NativeProgram, history: int = 0) -> ObservationLayout:
    """Return the layout of a program with some of the latest choices; it is made once."""
    return _Maker(native).made(history)


class _Maker:
    """Lays the columns out in sequence; its methods add columns and return where they are."""

    def __init__(self, native: NativeProgram) -> None:
        self._native = native
        self._program = native.program
        self._namer = Namer(native.program)
        self._columns: list[str] = []
        self._bounds: list[_Bounds] = []
        self._backs = dict(Counter(card.back for card in self._program.cards))
        names = [self._namer.card(card) for card in self._program.cards]
        times = Counter(names)
        self._cards = [
            name if times[name] == 1 else f"{name} ({card.id})"
            for name, card in zip(names, self._program.cards, strict=True)
        ]

    def made(self, history: int) -> ObservationLayout:
        native, program = self._native, self._program
        seats = range(program.players)
        self._add(f"seat p{seat + 1}" for seat in seats)
        where = ColumnMap(
            native,
            deciding=self._add(f"{self._owner(seat)} decides" for seat in seats),
            choices={
                native.plan.frames[item.pc]: self._add(
                    [f"choice at {_line(program.source, item.node)}"]
                )
                for item in native.plan.choices
            },
            cycles=self._cycles(),
            integers=dict(self._integers()),
            strings=dict(self._strings()),
            places=dict(self._places()),
            made=self._made(),
            backs=self._backs,
            recalled=self._recalled(history),
        )
        bounds = np.array(self._bounds).reshape(-1, 3).T
        scales, low, high = (column.astype(np.float32) for column in bounds)
        return ObservationLayout(tuple(self._columns), scales, low, high, where, history)

    def _add(self, names: Iterable[str], scale: float = 1, low: float = 0, high: float = 1) -> int:
        first = len(self._columns)
        self._columns += names
        self._bounds += [(scale, low, high)] * (len(self._columns) - first)
        return first

    def _owner(self, owner: int) -> str:
        return owner_name(self._program, owner)

    def _cycles(self) -> tuple[int, int]:
        items = self._native.plan.choices
        players = 1 + max((item.players for item in items), default=0)
        teams = max((item.teams for item in items), default=0)
        first, table = len(self._columns), self._program.table
        for sort, numbers, owners in (
            ("player", range(players), range(self._program.players)),
            ("team", range(1, 1 + teams), range(self._program.players, table)),
        ):
            for at in numbers:
                for word in ("current", "queued"):
                    self._add(f"{sort} cycle {at} {word} {self._owner(owner)}" for owner in owners)
        return first, first + 2 * players * self._program.players

    def _integers(self) -> Iterator[tuple[tuple[OwnerId, str], int]]:
        for owner, name in self._native.layout.integers.owners:
            bounds = _scaled(self._native.analysis.stored_bounds((name,)))
            yield (owner, name), self._add([f"{self._owner(owner)} sto {name}"], *bounds)

    def _strings(self) -> Iterator[tuple[tuple[OwnerId, str], StringColumns]]:
        for owner, name in self._native.layout.strings.owners:
            known = self._native.analysis.stored_strings(name)
            texts = self._native.names.texts if known is None else tuple(sorted(known))
            texts = tuple(text for text in texts if text)
            column = self._add(f"{self._owner(owner)} str {name} {text}" for text in texts)
            yield (owner, name), StringColumns(column, texts)

    def _places(self) -> Iterator[tuple[Location, Block]]:
        for location in self._native.layout.places.locations:
            place = self._namer.location(location)
            place = f"{self._owner(location.owner)} {place.split(' ', 1)[1]}"
            counts = self._counts(place, memory=location.kind is LocationKind.MEMORY)
            seen = _seen_by_some(self._native, location)
            cards = self._add(f"{place}: {card}" for card in self._cards) if seen else None
            yield location, Block(counts, cards)

    def _counts(self, place: str, *, memory: bool) -> int:
        """Add the columns for how many cards of each back are at a place.

        A memory may have a card more than once, and then has up to the capacity of one back.
        """
        first = len(self._columns)
        for back, count in self._backs.items():
            name = f"{place} count {back}" if len(self._backs) > 1 else f"{place} count"
            most = max(self._native.layout.capacity, count) if memory else count
            self._add([name], count, 0, most / count)
        return first

    def _recalled(self, history: int) -> RecalledColumns:
        program, options = self._program, self._native.options.values()
        steps = [step for plan in options for step in plan.choice.steps]
        branches = [_line(program.source, step) for step in steps]
        lines = list(dict.fromkeys(branches))
        picks = list(self._picks())
        first, seats = len(self._columns), range(program.players)
        recalled = RecalledColumns(first, 0, (), (), 0)
        for ago in range(1, history + 1):
            start = len(self._columns)
            self._add(f"{ago} ago {self._owner(seat)}" for seat in seats)
            self._add(f"{ago} ago at {line}" for line in lines)
            columns = []
            for kind, texts, names, bounds in picks:
                at = self._add((f"{ago} ago {name}" for name in names), *bounds)
                columns.append(PickColumns(kind, at - start, texts))
            cards = self._add(f"{ago} ago: {card}" for card in self._cards) - start
            width = len(self._columns) - start
            numbers = tuple(len(seats) + lines.index(line) for line in branches)
            recalled = RecalledColumns(first, width, numbers, tuple(columns), cards)
        return recalled

    def _picks(self) -> Iterator[tuple[ValueKind, tuple[str, ...], list[str], _Bounds]]:
        """Yield for each thing but cards that options pick its kind, texts, columns and bounds."""
        analysis, players = self._native.analysis, self._program.players
        forms = choosing(self._program.nodes())
        for key in self._native.layout.public:
            variable, kind = key
            name = variable.removeprefix("'")
            own = [form for form in forms if public_key(analysis, form) == key]
            texts: tuple[str, ...] = ()
            bounds: _Bounds = (1, 0, 1)
            match kind:
                case ValueKind.PLAYER:
                    columns = [f"{name} {self._owner(owner)}" for owner in range(players)]
                case ValueKind.TEAM:
                    teams = range(players, self._program.table)
                    columns = [f"{name} {self._owner(owner)}" for owner in teams]
                case ValueKind.STRING:
                    sets = [analysis.strings(form.variable) for form in own]
                    every = self._native.names.texts
                    known = (text for texts in sets for text in (every if texts is None else texts))
                    texts = tuple(dict.fromkeys(known))
                    columns = [f"{name} {text}" for text in texts]
                case ValueKind.INTEGER:
                    ends = [analysis.item_bounds(form) for form in own]
                    low = min(0, *(end.low for end in ends))  # 0 if a choice does not pick it
                    high = max(0, *(end.high for end in ends))
                    bounds, columns = _scaled(Interval(low, high)), [name]
                case _:
                    columns = [f"{name} place"]
            yield kind, texts, columns, bounds

    def _made(self) -> MadeBlocks:
        places, first = self._native.layout.places, len(self._columns)
        sorts = _made_sorts(self._native) if places.pool else ()
        most = min(places.pool, self._native.layout.capacity)
        for at in range(most):
            self._add(f"made {at} {self._owner(o)} {kind} {name}" for o, kind, name in sorts)
            self._add([f"made {at} index"], 1, -np.inf, np.inf)
            self._counts(f"made {at}", memory=True)
            self._add(f"made {at}: {card}" for card in self._cards)
        width = (len(self._columns) - first) // max(1, most)
        return MadeBlocks(first, most, width, sorts)


def _line(source: Source, node: n.Node) -> str:
    place = source.position(node.span.start)
    return f"{place.line}:{place.column}"


def _scaled(bounds: Interval) -> _Bounds:
    most = max(abs(bounds.low), abs(bounds.high), 1)
    if most <= _MOST_SCALED:
        return most, bounds.low / most, bounds.high / most
    low, high = (end if abs(end) <= 2**31 else math.copysign(math.inf, end) for end in bounds)
    return 1, low, high


def _seen_by_some(native: NativeProgram, location: Location) -> bool:
    """Return whether some observer sees the cards of a location that is relative to it."""
    program = native.program
    return any(
        sees(program, seat, location._replace(owner=OwnerId(owner)))
        for seat in range(program.players)
        for owner in range(program.table + 1)
        if Relative(program, seat).owner(owner) == location.owner
    )


def _made_sorts(native: NativeProgram) -> tuple[tuple[OwnerId, LocationKind, str], ...]:
    program, analysis = native.program, native.analysis
    sorts: dict[tuple[OwnerId, LocationKind, str], None] = {}
    for node in program.nodes():
        if not isinstance(node, n.Place):
            continue
        families = families_of(node, analysis)
        if families is not None and all(key in native.layout.places.bases for key in families):
            continue
        first, size = sort_of(node.owner, program)
        for name in analysis.strings(node.name) or native.names.texts:
            for owner in range(first, first + size):
                sorts[OwnerId(owner), node.place, name] = None
    return tuple(sorts)


# Observing --------------------------------------------------------------------------------


def observe_world(
    layout: ObservationLayout,
    world: World,
    seat: int,
    player: int | None,
    entries: Sequence[Recalled] = (),
) -> Numbers:
    """Return what a seat sees of a world in which `player` has to decide, None if it is over."""
    return _Observer(layout, world, seat).observation(player, entries)


class _Observer:
    """Writes one observation."""

    def __init__(self, layout: ObservationLayout, world: World, seat: int) -> None:
        self._map = layout._map
        self._native = layout._map.native
        self._program = self._native.program
        self._world = world
        self._seat = seat
        self._relative = Relative(self._program, seat)
        self._scales = layout.scales.tolist()
        self._out = np.zeros(layout.size, np.float32)

    def observation(self, player: int | None, entries: Sequence[Recalled]) -> Numbers:
        world, relative, where, out = self._world, self._relative, self._map, self._out
        out[self._seat] = 1
        if player is not None:
            out[where.deciding + relative.seat_number(player)] = 1
        if player == self._seat:
            frames = tuple((frame.block.number, frame.at) for frame in world.frames)
            out[where.choices[frames]] = 1
        players = [relative.seat_number(seat) for seat in range(self._program.players)]
        teams = [relative.team_number(team) for team in range(len(self._program.teams))]
        for cycles, first, numbers in (
            (world.players, where.cycles[0], players),
            (world.teams[1:], where.cycles[1], teams),
        ):
            for at, cycle in enumerate(cycles):
                column = first + 2 * len(numbers) * at
                out[column + numbers[cycle.current]] = 1
                if cycle.queued is not None:
                    out[column + len(numbers) + numbers[cycle.queued]] = 1
        for (owner, name), value in world.integers.items():
            column = where.integers[relative.owner(owner), name]
            out[column] = value / self._scales[column]
        for (owner, name), text in world.strings.items():
            if text:
                first, texts = where.strings[relative.owner(owner), name]
                out[first + texts.index(text)] = 1
        self._piles()
        for ago, entry in enumerate(entries):
            self._recalled(where.recalled.first + where.recalled.width * ago, entry)
        return out

    def _piles(self) -> None:
        where = self._map
        first, most, width, sorts = where.made
        number = 0
        for pile in self._world.touched():
            owner, kind, name, at = pile.location
            whose = self._relative.owner(owner)
            block = where.places.get(pile.location._replace(owner=whose))
            if block is not None:
                self._pile(pile, block)
            elif pile.cards and number < most:
                column = first + width * number
                number += 1
                self._out[column + sorts.index((whose, kind, name))] = 1
                column += len(sorts)
                self._out[column] = at
                self._pile(pile, Block(column + 1, column + 1 + len(where.backs)))

    def _pile(self, pile: Pile, block: Block) -> None:
        cards, count = self._program.cards, len(pile.cards)
        held = Counter(cards[card].back for card in pile.cards)
        for at, (back, total) in enumerate(self._map.backs.items()):
            self._out[block.counts + at] = held[back] / total
        if sees(self._program, self._seat, pile.location):
            assert block.cards is not None
            for at, card in enumerate(pile.cards):
                self._out[block.cards + card] = (at + 1) / count if pile.ordered else 1

    def _recalled(self, column: int, entry: Recalled) -> None:
        """Write one of the latest choices, whose columns begin there."""
        where = self._map.recalled
        self._out[column + self._relative.seat_number(entry.seat)] = 1
        self._out[column + where.branches[entry.branch]] = 1
        for pick, word in zip(where.picks, entry.picks, strict=True):
            if word:
                self._picked(pick, column + pick.first, wrap(word - PICKED))
        for card in range(len(self._program.cards)):
            if entry.cards[self._seat] >> card & 1:
                self._out[column + where.cards + card] = 1

    def _picked(self, pick: PickColumns, column: int, item: int) -> None:
        relative, places = self._relative, self._native.layout.places.locations
        match pick.kind:
            case ValueKind.INTEGER:
                self._out[column] = item / self._scales[column]
            case ValueKind.STRING:
                self._out[column + pick.texts.index(self._native.names.texts[item])] = 1
            case ValueKind.PLAYER:
                self._out[column + relative.seat_number(item)] = 1
            case ValueKind.TEAM:
                self._out[column + relative.team_number(item)] = 1
            case _:
                place = places[item]._replace(owner=relative.owner(places[item].owner))
                self._out[column] = (1 + places.index(place)) / len(places)
