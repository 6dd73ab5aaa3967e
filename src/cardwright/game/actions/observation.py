"""Observations: what a seat sees as numbers at fixed places, and the meaning of each place.

`observation_layout` lays out the columns of a program; `observe_world` fills them from the world
of the interpreter and so defines them. Machine code writes the same numbers (`ObservationWords`).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.compiler.intrinsics import wrap
from cardwright.compiler.kernels.picks import PICKED
from cardwright.game.actions.relative import Relative, owner_name
from cardwright.game.wording.naming import Namer
from cardwright.interpreter.world import sees
from cardwright.program import nodes as n
from cardwright.program.abstract_state import Interval
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.chains import choosing, public_key
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence

    from cardwright.compiler.native import NativeProgram
    from cardwright.game.information.sightings import Recalled
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.world import World
    from cardwright.syntax.source import Source

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

OBSERVATION_VERSION = 2
"""The version of all layouts: it changes whenever the columns of any game do."""

_Bounds: TypeAlias = tuple[float, float, float]
"""By what a number is divided, and the bounds of what is left."""

_UNIT: _Bounds = (1, 0, 1)

_Group: TypeAlias = "tuple[Hashable, list[str], _Bounds]"
"""Columns that belong together: their key, their names, and the bounds of each."""

_MOST_SCALED = 10_000
"""Stored integers are divided by their largest magnitude if it is proved and no more than this."""

# Layouts ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Where everything that a seat may see is among the columns of a program.

    `first` has the first column of each group: "decides" for whose turn it is; "choices", and then
    each with the blocks that enclose it (`BlockPlan`); "players" and "teams", where a cycle has a
    column for each member that may be current, then one for each that may be queued; and those of
    stored values. `texts` are the strings that have a column each. A location has "counts", a
    column for each of `backs`, and "cards" if they are seen. Owners are relative to the observer.

    Locations made in play have `made` blocks, the first of which counts as the location "made": a
    column for each of `sorts`, what owners, kinds and names there are, the index, and its cards.
    The latest choices have blocks too: a column for each seat, those of the `branches`, counted
    from the block's first, of each of `picks`, and "recalled cards". An integer that is picked has
    one column, and so has a location: its number, from 1, among those known before the game.
    """

    native: NativeProgram
    backs: dict[str, int]
    first: dict[Hashable, int]
    texts: dict[Hashable, tuple[str, ...]]
    made: int
    made_width: int
    sorts: tuple[tuple[OwnerId, LocationKind, str], ...]
    recalled_width: int
    branches: tuple[int, ...]
    picks: tuple[tuple[str, ValueKind], ...]


@dataclass(frozen=True, slots=True, repr=False)
class ObservationLayout:
    """What each number of an observation of a game is; the same for all seats and both engines.

    Owners are relative to the observer (`Relative`). A number of an observation times its `scales`
    is the number of the game; `low` and `high` bound the observed numbers, infinite where no bound
    is proved. `history` of the latest choices are observed. Layouts of the same rules with as many
    choices are equal.
    """

    columns: tuple[str, ...] = field(compare=False)
    scales: Numbers = field(compare=False)
    low: Numbers = field(compare=False)
    high: Numbers = field(compare=False)
    _map: ColumnMap = field(compare=False)
    _digest: str
    history: int
    version: int = OBSERVATION_VERSION

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        name = self._map.native.program.source.name
        return f"<ObservationLayout of {name}, version {self.version}, {self.size} columns>"


@lru_cache(maxsize=64)
def layout_of(native: NativeProgram, history: int = 0) -> ObservationLayout:
    """Return the layout of a program with some of the latest choices; it is made once."""
    return _Maker(native).made(history)


class _Maker:
    """Lays the columns out in sequence, in groups of which it keeps the first."""

    def __init__(self, native: NativeProgram) -> None:
        self._native = native
        self._program = native.program
        self._namer = Namer(native.program)
        self._columns: list[str] = []
        self._bounds: list[_Bounds] = []
        self._first: dict[Hashable, int] = {}
        self._texts: dict[Hashable, tuple[str, ...]] = {}
        self._backs = dict(Counter(card.back for card in self._program.cards))
        names = list(map(self._namer.card, self._program.cards))
        times = Counter(names)
        self._cards = [
            f": {name}" if times[name] == 1 else f": {name} ({card.id})"
            for name, card in zip(names, self._program.cards, strict=True)
        ]

    def made(self, history: int) -> ObservationLayout:
        native, program = self._native, self._program
        layout, plan = native.layout, native.plan
        players = range(program.players)
        self._add("seats", [f"seat p{seat + 1}" for seat in players])
        self._add("decides", [f"{self._owner(seat)} decides" for seat in players])
        self._add("choices", ())
        for item in plan.choices:
            line = _line(program.source, item.node)
            self._add(("choice", plan.frames[item.pc]), [f"choice at {line}"])
        depth = max((item.players for item in plan.choices), default=0)
        self._cycles("player", range(1 + depth), players)
        depth = max((item.teams for item in plan.choices), default=0)
        self._cycles("team", range(1, 1 + depth), range(program.players, program.table))
        for cell in layout.integers.owners:
            bounds = _scaled(native.analysis.stored_bounds((cell[1],)))
            self._add(("integer", *cell), [f"{self._owner(cell[0])} sto {cell[1]}"], bounds)
        for cell in layout.strings.owners:
            known = native.analysis.stored_strings(cell[1])
            texts = native.names.texts if known is None else tuple(sorted(known))
            texts = self._texts["string", *cell] = tuple(filter(None, texts))
            name = f"{self._owner(cell[0])} str {cell[1]}"
            self._add(("string", *cell), [f"{name} {text}" for text in texts])
        for place in layout.places.locations:
            name = f"{self._owner(place.owner)} {self._namer.location(place).split(' ', 1)[1]}"
            memory = place.kind is LocationKind.MEMORY
            pile = self._pile(place, memory=memory, seen=_seen_by_some(native, place))
            self._repeat(place, [name], list(pile))
        sorts = _made_sorts(native) if layout.places.pool else ()
        most = min(layout.places.pool, layout.capacity)
        groups = [
            ("made sorts", [f" {self._owner(o)} {kind} {name}" for o, kind, name in sorts], _UNIT),
            ("made index", [" index"], (1, -np.inf, np.inf)),
            *self._pile("made", memory=True, seen=True),
        ]
        made_width = self._repeat("made", [f"made {at}" for at in range(most)], groups)
        steps = [step for options in native.options.values() for step in options.choice.steps]
        branches = [_line(program.source, step) for step in steps]
        lines = list(dict.fromkeys(branches))
        groups = [
            ("recalled seats", [f" {self._owner(seat)}" for seat in players], _UNIT),
            ("recalled lines", [f" at {line}" for line in lines], _UNIT),
            *self._picks(),
            ("recalled cards", self._cards, _UNIT),
        ]
        agos = [f"{ago} ago" for ago in range(1, history + 1)]
        where = ColumnMap(
            native,
            self._backs,
            self._first,
            self._texts,
            most,
            made_width,
            sorts,
            self._repeat("recalled", agos, groups),
            tuple(len(players) + lines.index(line) for line in branches) if history else (),
            layout.public if history else (),
        )
        table = np.array(self._bounds).reshape(-1, 3).T
        scales, low, high = (column.astype(np.float32) for column in table)
        columns, digest = tuple(self._columns), program.digest
        return ObservationLayout(columns, scales, low, high, where, digest, history)

    def _add(self, key: Hashable, names: Collection[str], bounds: _Bounds = _UNIT) -> None:
        self._first.setdefault(key, len(self._columns))
        self._columns += names
        self._bounds += [bounds] * len(names)

    def _repeat(self, key: Hashable, titles: Sequence[str], groups: Sequence[_Group]) -> int:
        """Add a block of groups for each title, and return how many columns each has."""
        self._add(key, ())
        for title in titles:
            for group, names, bounds in groups:
                self._add(group, [title + name for name in names], bounds)
        return (len(self._columns) - self._first[key]) // max(1, len(titles))

    def _owner(self, owner: int) -> str:
        return owner_name(self._program, owner)

    def _cycles(self, sort: str, numbers: range, owners: range) -> None:
        self._add(f"{sort}s", ())
        for at in numbers:
            for word in ("current", "queued"):
                name = f"{sort} cycle {at} {word}"
                self._add(name, [f"{name} {self._owner(owner)}" for owner in owners])

    def _pile(self, place: Hashable, *, memory: bool, seen: bool) -> Iterator[_Group]:
        """Yield the groups of a place: how many cards of each back there are, and the cards seen.

        A memory may have a card more than once, and then has up to the capacity of one back.
        """
        for back, count in self._backs.items():
            most = max(self._native.layout.capacity, count) if memory else count
            name = f" count {back}" if len(self._backs) > 1 else " count"
            yield ("counts", place), [name], (count, 0, most / count)
        if seen:
            yield ("cards", place), self._cards, _UNIT

    def _picks(self) -> Iterator[_Group]:
        """Yield the group of each thing but cards that options pick."""
        analysis, players = self._native.analysis, self._program.players
        forms = choosing(self._program.nodes())
        for key in self._native.layout.public:
            variable, kind = key
            own = [form for form in forms if public_key(analysis, form) == key]
            bounds, ends = _UNIT, [" place"]
            match kind:
                case ValueKind.PLAYER | ValueKind.TEAM:
                    owners = range(players, self._program.table)
                    owners = range(players) if kind is ValueKind.PLAYER else owners
                    ends = [f" {self._owner(owner)}" for owner in owners]
                case ValueKind.STRING:
                    sets = [analysis.strings(form.variable) for form in own]
                    every = self._native.names.texts
                    known = (text for texts in sets for text in (every if texts is None else texts))
                    texts = self._texts["picked", key] = tuple(dict.fromkeys(known))
                    ends = [f" {text}" for text in texts]
                case ValueKind.INTEGER:
                    intervals = [analysis.item_bounds(form) for form in own]
                    low = min(0, *(end.low for end in intervals))  # 0 if a choice does not pick it
                    high = max(0, *(end.high for end in intervals))
                    bounds, ends = _scaled(Interval(low, high)), [""]
            name = variable.removeprefix("'")
            yield ("picked", key), [f" {name}{end}" for end in ends], bounds


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
        self._program = layout._map.native.program
        self._world = world
        self._seat = seat
        self._relative = Relative(self._program, seat)
        self._scales = layout.scales.tolist()
        self._out = np.zeros(layout.size, np.float32)

    def observation(self, player: int | None, entries: Sequence[Recalled]) -> Numbers:
        world, relative, first, out = self._world, self._relative, self._map.first, self._out
        out[self._seat] = 1
        if player is not None:
            out[first["decides"] + relative.seat_number(player)] = 1
        if player == self._seat:
            frames = tuple((frame.block.number, frame.at) for frame in world.frames)
            out[first["choice", frames]] = 1
        players = [relative.seat_number(seat) for seat in range(self._program.players)]
        teams = [relative.team_number(team) for team in range(len(self._program.teams))]
        for cycles, column, numbers in (
            (world.players, first["players"], players),
            (world.teams[1:], first["teams"], teams),
        ):
            members = [member for cycle in cycles for member in (cycle.current, cycle.queued)]
            for at, member in enumerate(members):
                if member is not None:
                    out[column + len(numbers) * at + numbers[member]] = 1
        for (owner, name), value in world.integers.items():
            self._number(first["integer", relative.owner(owner), name], value)
        for (owner, name), text in world.strings.items():
            if text:
                self._text(("string", relative.owner(owner), name), text)
        self._piles()
        for ago, entry in enumerate(entries):
            self._recalled(self._map.recalled_width * ago, entry)
        return out

    def _number(self, column: int, value: int) -> None:
        self._out[column] = value / self._scales[column]

    def _text(self, key: Hashable, text: str, shift: int = 0) -> None:
        self._out[self._map.first[key] + self._map.texts[key].index(text) + shift] = 1

    def _piles(self) -> None:
        where, shift = self._map, 0
        for pile in self._world.touched():
            owner, kind, name, at = pile.location
            whose = self._relative.owner(owner)
            place = pile.location._replace(owner=whose)
            if place in where.first:
                self._pile(pile, place)
            elif pile.cards and shift < where.made * where.made_width:
                column = where.first["made"] + shift
                self._out[column + where.sorts.index((whose, kind, name))] = 1
                self._out[column + len(where.sorts)] = at
                self._pile(pile, "made", shift)
                shift += where.made_width

    def _pile(self, pile: Pile, place: Hashable, shift: int = 0) -> None:
        cards, count, first = self._program.cards, len(pile.cards), self._map.first
        held = Counter(cards[card].back for card in pile.cards)
        for column, (back, total) in enumerate(self._map.backs.items(), first["counts", place]):
            self._out[column + shift] = held[back] / total
        if sees(self._program, self._seat, pile.location):
            column = first["cards", place] + shift
            for at, card in enumerate(pile.cards):
                self._out[column + card] = (at + 1) / count if pile.ordered else 1

    def _recalled(self, shift: int, entry: Recalled) -> None:
        """Write one of the latest choices, whose columns are so many after those of the latest."""
        where, out = self._map, self._out
        column = where.first["recalled"] + shift
        out[column + self._relative.seat_number(entry.seat)] = 1
        out[column + where.branches[entry.branch]] = 1
        for key, word in zip(where.picks, entry.picks, strict=True):
            if word:
                self._picked(key, shift, wrap(word - PICKED))
        for card in range(len(self._program.cards)):
            if entry.cards[self._seat] >> card & 1:
                out[where.first["recalled cards"] + shift + card] = 1

    def _picked(self, key: tuple[str, ValueKind], shift: int, item: int) -> None:
        native, relative = self._map.native, self._relative
        column = self._map.first["picked", key] + shift
        match key[1]:
            case ValueKind.INTEGER:
                self._number(column, item)
            case ValueKind.STRING:
                self._text(("picked", key), native.names.texts[item], shift)
            case ValueKind.PLAYER:
                self._out[column + relative.seat_number(item)] = 1
            case ValueKind.TEAM:
                self._out[column + relative.team_number(item)] = 1
            case _:
                places = native.layout.places.locations
                place = places[item]._replace(owner=relative.owner(places[item].owner))
                self._out[column] = (1 + places.index(place)) / len(places)
