"""The layout of the observations of a program."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.compiler.chains import choosing, public_key
from cardwright.game.naming import Namer
from cardwright.game.observation import (
    Block,
    ColumnMap,
    Cycles,
    MadeBlocks,
    ObservationLayout,
    PickColumns,
    RecalledColumns,
    StringColumns,
)
from cardwright.game.relative import Relative, owner_name
from cardwright.interpreter.world import sees
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.interval_arithmetic import Between
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.compiler.native import NativeProgram
    from cardwright.syntax.source import Source

_Bounds: TypeAlias = tuple[float, float, float]
"""By what a number is divided, and the bounds of what is left."""

_MOST_SCALED = 10_000
"""Stored integers are divided by their largest magnitude if it is proved and no more than this."""


@lru_cache(maxsize=64)
def layout_of(native: NativeProgram, history: int = 0) -> ObservationLayout:
    """Return the layout of a program with some of the latest choices; it is made once."""
    return _Maker(native).made(history)


class _Maker:
    """Lays the columns out in sequence."""

    def __init__(self, native: NativeProgram) -> None:
        self._native = native
        self._program = native.program
        self._namer = Namer(native.program)
        self._columns: list[str] = []
        self._bounds: list[tuple[float, float, float]] = []
        self._cards = _card_names(native, self._namer)
        self._backs = dict(Counter(card.back for card in self._program.cards))

    def made(self, history: int) -> ObservationLayout:
        """Return the layout."""
        seats = range(self._program.players)
        self._add(f"seat p{seat + 1}" for seat in seats)
        deciding = self._add(f"{self._owner(seat)} decides" for seat in seats)
        choices = {
            self._native.plan.frames[item.pc]: self._add(
                [f"choice at {_line(self._program.source, item.node)}"]
            )
            for item in self._native.plan.choices
        }
        cycles, integers, strings = self._cycles(), self._integers(), self._strings()
        places, made, recalled = self._places(), self._made(), self._recalled(history)
        where = ColumnMap(
            self._native,
            deciding,
            choices,
            cycles,
            integers,
            strings,
            places,
            made,
            self._backs,
            recalled,
        )
        scales, low, high = (
            column.astype(np.float32) for column in np.array(self._bounds).reshape(-1, 3).T
        )
        return ObservationLayout(tuple(self._columns), scales, low, high, where, history)

    def _add(self, names: Iterable[str], scale: float = 1, low: float = 0, high: float = 1) -> int:
        """Add columns, and return the first."""
        first = len(self._columns)
        self._columns += names
        self._bounds += [(scale, low, high)] * (len(self._columns) - first)
        return first

    def _owner(self, owner: int) -> str:
        return owner_name(self._program, owner)

    def _cycles(self) -> Cycles:
        """Add the columns of cycles; the teams' outermost never moves, and has none."""
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
                    self._add(f"{sort} cycle {at} {word} {self._owner(one)}" for one in owners)
        return Cycles(first, first + 2 * players * self._program.players)

    def _integers(self) -> dict[tuple[OwnerId, str], int]:
        found: dict[tuple[OwnerId, str], int] = {}
        for owner, name in self._native.layout.integers.owners:
            scale, low, high = _scaled(self._native.analysis.stored_bounds((name,)))
            column = self._add([f"{self._owner(owner)} sto {name}"], scale, low, high)
            found[owner, name] = column
        return found

    def _strings(self) -> dict[tuple[OwnerId, str], StringColumns]:
        found: dict[tuple[OwnerId, str], StringColumns] = {}
        for owner, name in self._native.layout.strings.owners:
            known = self._native.analysis.stored_strings(name)
            texts = self._native.names.texts if known is None else tuple(sorted(known))
            texts = tuple(text for text in texts if text)
            column = self._add(f"{self._owner(owner)} str {name} {text}" for text in texts)
            found[owner, name] = StringColumns(column, texts)
        return found

    def _places(self) -> dict[Location, Block]:
        found: dict[Location, Block] = {}
        for location in self._native.layout.places.locations:
            place = self._namer.location(location)
            place = f"{self._owner(location.owner)} {place.split(' ', 1)[1]}"
            counts = self._counts(place, location.kind)
            seen = _seen_by_some(self._native, location)
            cards = self._add(f"{place}: {card}" for card in self._cards) if seen else None
            found[location] = Block(counts, cards)
        return found

    def _counts(self, place: str, kind: LocationKind | None = None) -> int:
        """Add the columns for how many cards of each back are at a place; return the first."""
        first = len(self._columns)
        memory = kind in {None, LocationKind.MEMORY}
        for back, count in self._backs.items():
            name = f"{place} count {back}" if len(self._backs) > 1 else f"{place} count"
            # A memory may have a card more than once, and then has up to the capacity of one back.
            most = max(self._native.layout.capacity, count) if memory else count
            self._add([name], count, 0, most / count)
        return first

    def _recalled(self, history: int) -> RecalledColumns:
        """Add the columns for some of the latest choices."""
        first, seats = len(self._columns), self._program.players
        found = RecalledColumns(first, 0, (), (), 0)
        branches, picks = self._branches(), list(self._picks())
        for ago in range(1, history + 1):
            start = len(self._columns)
            self._add(f"{ago} ago {self._owner(seat)}" for seat in range(seats))
            self._add(f"{ago} ago at {place}" for place in dict.fromkeys(branches))
            columns = []
            for kind, texts, names, bounds in picks:
                at = self._add((f"{ago} ago {name}" for name in names), *bounds)
                columns.append(PickColumns(kind, at - start, texts))
            cards = self._add(f"{ago} ago: {card}" for card in self._cards) - start
            places = list(dict.fromkeys(branches))
            found = RecalledColumns(
                first,
                len(self._columns) - start,
                tuple(seats + places.index(place) for place in branches),
                tuple(columns),
                cards,
            )
        return found

    def _branches(self) -> list[str]:
        """Return where the branches of all choices are in the source."""
        choices = [plan.choice for plan in self._native.options.values()]
        return [_line(self._program.source, step) for node in choices for step in node.steps]

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
                    texts = self._texts(own)
                    columns = [f"{name} {text}" for text in texts]
                case ValueKind.INTEGER:
                    ends = [analysis.item_bounds(form) for form in own]
                    low = min(0, *(end.low for end in ends))  # 0 if a choice does not pick it
                    high = max(0, *(end.high for end in ends))
                    bounds, columns = _scaled(Between(low, high)), [name]
                case _:
                    columns = [f"{name} place"]
            yield kind, texts, columns, bounds

    def _texts(self, forms: Sequence[n.ForEach]) -> tuple[str, ...]:
        """Return the strings that some `any`s can pick."""
        found: dict[str, None] = {}
        for form in forms:
            known = self._native.analysis.strings(form.variable)
            found |= dict.fromkeys(self._native.names.texts if known is None else known)
        return tuple(found)

    def _made(self) -> MadeBlocks:
        places, first = self._native.layout.places, len(self._columns)
        sorts = _made_sorts(self._native) if places.pool else ()
        most = min(places.pool, self._native.layout.capacity)
        for at in range(most):
            self._add(f"made {at} {self._owner(o)} {kind} {name}" for o, kind, name in sorts)
            self._add([f"made {at} index"], 1, -np.inf, np.inf)
            self._counts(f"made {at}")
            self._add(f"made {at}: {card}" for card in self._cards)
        width = (len(self._columns) - first) // max(1, most)
        return MadeBlocks(first, most, width, sorts)


def _line(source: Source, node: n.Node) -> str:
    place = source.position(node.span.start)
    return f"{place.line}:{place.column}"


def _card_names(native: NativeProgram, namer: Namer) -> list[str]:
    """Return the names of all cards, with their numbers where names are not enough."""
    cards = native.program.cards
    names = [namer.card(card) for card in cards]
    times = Counter(names)
    return [
        name if times[name] == 1 else f"{name} ({card.id})"
        for name, card in zip(names, cards, strict=True)
    ]


def _scaled(bounds: Between) -> _Bounds:
    """Return by what a stored integer is divided, and the bounds of what is left."""
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
    """Return the owners, kinds and names of the locations that are made in play."""
    program, analysis = native.program, native.analysis
    found: dict[tuple[OwnerId, LocationKind, str], None] = {}
    for node in program.nodes():
        if not isinstance(node, n.Place):
            continue
        families = families_of(node, analysis)
        if families is not None and all(one in native.layout.places.bases for one in families):
            continue
        first, size = sort_of(node.owner, program)
        for name in analysis.strings(node.name) or native.names.texts:
            for owner in range(first, first + size):
                found[OwnerId(owner), node.place, name] = None
    return tuple(found)
