"""Decoding: the bytes of a native state as a read-only world of the interpreter."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from cardwright.compiler.layout import dynamic_operands
from cardwright.interpreter.effects import Pile
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import RuleBlock, RunFrame, TurnCycle, World
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location, OwnerId
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.compiler.layout import Cells
    from cardwright.compiler.native import NativeProgram
    from cardwright.interpreter.world import Awards, Cell, PointMap

_WORD = 2**64 - 1


class Decoder:
    """Makes worlds from the states of one program."""

    def __init__(self, native: NativeProgram) -> None:
        self._native = native
        self._layout = native.layout
        self._names = native.names
        self._maps: dict[tuple[int, tuple[int, ...]], PointMap] = {}
        self._sites = [node for node in native.program.nodes() if isinstance(node, n.SetPoints)]
        self._operands = [len(dynamic_operands(site)) for site in self._sites]

    @cached_property
    def rules(self) -> Rules:
        """The interpreter's form of the program."""
        return Rules(self._native.program)

    @cached_property
    def _blocks(self) -> dict[int, RuleBlock]:
        found: dict[int, RuleBlock] = {}
        pending = [self.rules.items]
        while pending:
            block = pending.pop()
            found[block.number] = block
            pending += [item for item in block.items if isinstance(item, RuleBlock)]
        return found

    def location(self, state: bytearray, slot: int) -> Location:
        """Return the location of a slot."""
        places = self._layout.places
        if slot < places.fixed:
            return places.locations[slot]
        at = slot - places.fixed
        fields = self._layout.board.fields
        owner, kind, name, index = (
            self._items(state, field, 1, fields[field].width * at)[0]
            for field in ("pool_owner", "pool_kind", "pool_name", "pool_at")
        )
        return self.named((owner, kind, name, index))

    def named(self, of: Sequence[int]) -> Location:
        """Return a location by its owner, the number of its kind, that of its name, its index."""
        owner, kind, name, at = of
        return Location(OwnerId(owner), KINDS[kind - 1], self._names.texts[name], at)

    def player(self, state: bytearray) -> int:
        """Return the current player at the place of a state."""
        at = self._pc_at
        cycle = self._cycle_at[state[at] | state[at + 1] << 8]
        return state[cycle]

    @cached_property
    def _pc_at(self) -> int:
        return self._layout.board.fields["pc"].offset

    @cached_property
    def _cycle_at(self) -> list[int]:
        """The field of the current player, by place in the program."""
        cycles = self._native.plan.cycles
        first = self._layout.board.fields["current"].offset
        return [first + cycles[pc] for pc in range(len(cycles))]

    def pc(self, state: bytearray) -> int:
        """Return the place in the program of a state."""
        return state[self._pc_at] | state[self._pc_at + 1] << 8

    def where(self, state: bytearray, card: CardId) -> Location:
        """Return the place where a card really lies."""
        for slot, mask in enumerate(self._masks(state, "mask", self._layout.forms.masks)):
            if mask >> card & 1:
                return self._layout.places.locations[slot]
        field = self._layout.board.fields["where"]
        start = field.offset + field.width * card
        return self.location(state, int.from_bytes(state[start : start + field.width], "little"))

    def world(self, state: bytearray) -> World:
        """Return a state as a world."""
        world = World(self.rules, 0)
        first, second, third, fourth = (word & _WORD for word in self._items(state, "words", 4))
        world.stream = Stream.at((first, second, third, fourth))
        frames = self._native.plan.frames[self.pc(state)]
        world.frames = [RunFrame(self._blocks[number], at) for number, at in frames]
        self._cycles(world, state)
        self._piles(world, state)
        self._stored(world, state)
        (world.births,) = self._items(state, "births", 1)
        (world.decisions,) = self._items(state, "decisions", 1)
        return world

    def _items(self, state: bytearray, name: str, count: int, skip: int = 0) -> memoryview[int]:
        """Return a number of items of an array, after the skipped bytes."""
        field = self._layout.board.fields[name]
        start = field.offset + skip
        return _integers(bytes(state[start : start + field.width * count]), field.width)

    def _cycles(self, world: World, state: bytearray) -> None:
        players, teams = 1, 1
        for frame in world.frames[1:]:
            if frame.block.team:
                teams += 1
            else:
                players += 1
        first = self._layout.player_cycles
        current = self._items(state, "current", first + teams)
        queued = self._items(state, "queued", first + teams)
        world.players = [_cycle(current[at], queued[at]) for at in range(players)]
        world.teams = [_cycle(current[first + at], queued[first + at]) for at in range(teams)]

    def _piles(self, world: World, state: bytearray) -> None:
        """Read the piles, the one large part of a state, in as few steps as possible."""
        slots = self._layout.places.fixed + self._layout.places.pool
        fixed, places = self._layout.places.fixed, self._layout.places.locations
        unordered = self._layout.places.unordered
        pool: dict[int, Location] = {}
        where = self._masked(world, state)
        first = self._layout.forms.masks
        born, counts = self._of_piles(state, "born", slots), self._of_piles(state, "count", slots)
        known = self._of_piles(state, "known_count", slots) if self._layout.known else counts
        stride = self._layout.board.fields["card"].strides[0]
        for slot in range(first, slots):
            if not born[slot]:
                continue
            if slot < fixed:
                place = places[slot]
            else:
                place = pool[slot] = self.location(state, slot)
            pile = world.piles[place] = Pile(place, ordered=slot >= unordered)
            pile.born = born[slot] - 1
            pile.cards = list(map(CardId, self._items(state, "card", counts[slot], stride * slot)))
            if self._layout.known and known[slot]:
                pile.known = self._known_cards(state, slot)
        world.where = [
            where.get(CardId(card))
            or (places[slot] if slot < fixed else pool.get(slot) or self.location(state, slot))
            for card, slot in enumerate(
                self._items(state, "where", len(self._native.program.cards))
            )
        ]

    def _masks(self, state: bytearray, name: str, count: int) -> list[int]:
        """Return a number of masks of an array, as integers from 0."""
        field = self._layout.board.fields[name]
        starts = range(field.offset, field.offset + field.width * count, field.width)
        return [int.from_bytes(state[at : at + field.width], "little") for at in starts]

    def _masked(self, world: World, state: bytearray) -> dict[CardId, Location]:
        """Read the locations that are masks; return where each of their cards lies."""
        layout = self._layout
        where: dict[CardId, Location] = {}
        masks = self._masks(state, "mask", layout.forms.masks)
        known = self._masks(state, "known_mask", layout.forms.pure) if layout.known else ()
        for slot, mask in enumerate(masks):
            if not mask:
                continue
            place = layout.places.locations[slot]
            pile = world.piles[place] = Pile(place, ordered=slot >= layout.forms.pure)
            pile.born = 0
            pile.cards = self._pile_cards(state, slot, mask)
            where.update(dict.fromkeys(pile.cards, place))
            if slot < layout.forms.pure and layout.known:
                pile.known = _cards_of(known[slot])
            elif layout.known:
                pile.known = self._known_cards(state, slot)
        return where

    def _known_cards(self, state: bytearray, slot: int) -> list[CardId]:
        """Return the cards of a pile that everybody saw coming."""
        count = self._layout.board.fields["known_count"]
        (number,) = self._items(state, "known_count", 1, count.strides[0] * slot)
        stride = self._layout.board.fields["known"].strides[0]
        return list(map(CardId, self._items(state, "known", number, stride * slot)))

    def _pile_cards(self, state: bytearray, slot: int, mask: int) -> list[CardId]:
        """Return the cards of a location that has a mask, in their order."""
        cards = _cards_of(mask)
        if slot < self._layout.forms.pure or len(cards) < 2:
            return cards
        stride = self._layout.board.fields["card"].strides[0]
        return list(map(CardId, self._items(state, "card", len(cards), stride * slot)))

    def _of_piles(self, state: bytearray, name: str, slots: int) -> list[int]:
        """Return a number of every pile."""
        field = self._layout.board.fields[name]
        stride, pure = field.strides[0], self._layout.forms.pure
        start, end = field.offset + stride * pure, field.offset + stride * slots
        low = state[start:end:stride]
        if field.width == 1:
            return [0] * pure + list(low)
        high = state[start + 1 : end : stride]
        return [0] * pure + [a | b << 8 for a, b in zip(low, high, strict=True)]

    def _stored(self, world: World, state: bytearray) -> None:
        layout = self._layout
        for cell, number in self._set(state, "integers", layout.integers):
            world.integers[cell] = number
        for cell, number in self._set(state, "strings", layout.strings):
            world.strings[cell] = self._names.texts[number]
        stride = 8 * layout.operands
        for cell, number in self._set(state, "points", layout.points):
            at = layout.points.owners.index(cell)
            count = self._operands[number - 1]
            operands = tuple(self._items(state, "operands", count, stride * at))
            world.points[cell] = self._map(number, operands)

    def _set(self, state: bytearray, name: str, cells: Cells) -> list[tuple[Cell, int]]:
        """Return the cells of a kind of storage whose values are not 0, with their values."""
        values = self._items(state, name, len(cells))
        return [(cell, value) for cell, value in zip(cells.owners, values, strict=True) if value]

    def _map(self, number: int, operands: tuple[int, ...]) -> PointMap:
        """Return a point map from the number of the form that set it and its operands."""
        key = number, operands
        if key not in self._maps:
            if len(self._maps) > _MAPS_KEPT:
                self._maps.clear()
            self._maps[key] = self.rules.point_map(self._awards(number, iter(operands)))
        return self._maps[key]

    def _awards(self, number: int, operands: Iterator[int]) -> Awards:
        awards: list[tuple[tuple[str, ...], tuple[str, ...], int]] = []
        for award in self._sites[number - 1].awards:
            assert isinstance(award, n.Award)
            keys = tuple(self._text(key, operands) for key in award.keys)
            values = tuple(self._text(value, operands) for value in award.values)
            points = award.points
            worth = points.value if isinstance(points, n.Number) else next(operands)
            awards.append((keys, values, worth))
        return tuple(awards)

    def _text(self, node: n.Node, operands: Iterator[int]) -> str:
        return node.value if isinstance(node, n.Text) else self._names.texts[next(operands)]


_FORMATS: dict[int, Literal["B", "H", "q"]] = {1: "B", 2: "H", 8: "q"}
_MAPS_KEPT = 1_000


def _cards_of(mask: int) -> list[CardId]:
    """Return the cards of a mask, by number."""
    return [CardId(card) for card in range(mask.bit_length()) if mask >> card & 1]


def _integers(content: bytes, width: int) -> memoryview[int]:
    return memoryview(content).cast(_FORMATS[width])


def _cycle(current: int, queued: int) -> TurnCycle:
    return TurnCycle(current, queued - 1 if queued else None)
