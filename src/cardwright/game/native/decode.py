"""Decoding: the bytes of a native state as a read-only world of the interpreter."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from cardwright.compiler.layout import dynamic_operands
from cardwright.interpreter.effects import Pile
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import RunFrame, TurnCycle, World
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

    def location(self, state: bytearray, slot: int) -> Location:
        """Return the location of a slot."""
        places = self._layout.places
        if slot < places.fixed:
            return places.locations[slot]
        pool = ("pool_owner", "pool_kind", "pool_name", "pool_at")
        return self.named([self._item(state, field, slot - places.fixed) for field in pool])

    def named(self, of: Sequence[int]) -> Location:
        """Return a location by its owner, the number of its kind, that of its name, its index."""
        owner, kind, name, at = of
        return Location(OwnerId(owner), KINDS[kind - 1], self._names.texts[name], at)

    def player(self, state: bytes | bytearray) -> int:
        """Return the current player at the place of a state."""
        return state[self._cycle_at[self.pc(state)]]

    @cached_property
    def _pc_at(self) -> int:
        return self._layout.board.fields["pc"].offset

    @cached_property
    def _cycle_at(self) -> list[int]:
        """The field of the current player, by place in the program."""
        cycles = self._native.plan.cycles
        first = self._layout.board.fields["current"].offset
        return [first + cycles[pc] for pc in range(len(cycles))]

    def pc(self, state: bytes | bytearray) -> int:
        """Return the place in the program of a state."""
        return state[self._pc_at] | state[self._pc_at + 1] << 8

    def where(self, state: bytearray, card: CardId) -> Location:
        """Return the place where a card really lies."""
        for slot, mask in enumerate(self._masks(state, "mask", self._layout.forms.masks)):
            if mask >> card & 1:
                return self._layout.places.locations[slot]
        return self.location(state, self._item(state, "where", card))

    def world(self, state: bytearray) -> World:
        """Return a state as a world."""
        world = World(self.rules, 0)
        first, second, third, fourth = (word & _WORD for word in self._items(state, "words", 4))
        world.stream = Stream.at((first, second, third, fourth))
        frames = self._native.plan.frames[self.pc(state)]
        world.frames = [RunFrame(self.rules.blocks[number], at) for number, at in frames]
        teams = 1 + sum(frame.block.team for frame in world.frames[1:])
        world.players = self._cycles(state, 0, len(world.frames) + 1 - teams)
        world.teams = self._cycles(state, self._layout.player_cycles, teams)
        self._piles(world, state)
        self._stored(world, state)
        world.births = self._item(state, "births", 0)
        world.decisions = self._item(state, "decisions", 0)
        return world

    def _items(self, state: bytearray, name: str, count: int, skip: int = 0) -> memoryview[int]:
        """Return a number of items of an array, after the skipped bytes."""
        field = self._layout.board.fields[name]
        start = field.offset + skip
        content = bytes(state[start : start + field.width * count])
        return memoryview(content).cast(_FORMATS[field.width])

    def _item(self, state: bytearray, name: str, at: int) -> int:
        """Return an item of an array."""
        return self._items(state, name, 1, self._layout.board.fields[name].width * at)[0]

    def _cycles(self, state: bytearray, first: int, count: int) -> list[TurnCycle]:
        current = self._items(state, "current", first + count)[first:]
        queued = self._items(state, "queued", first + count)[first:]
        return [
            TurnCycle(now, then - 1 if then else None)
            for now, then in zip(current, queued, strict=True)
        ]

    def _piles(self, world: World, state: bytearray) -> None:
        """Read the piles, the one large part of a state, in as few steps as possible.

        The first of them are masks of cards, and of these the first are nothing else.
        """
        layout, places, forms = self._layout, self._layout.places, self._layout.forms
        slots = places.fixed + places.pool
        masks = self._masks(state, "mask", forms.masks)
        born, counts = self._of_piles(state, "born", slots), self._of_piles(state, "count", slots)
        known = self._of_piles(state, "known_count", slots) if layout.known else [0] * slots
        all_know = self._masks(state, "known_mask", forms.pure) if layout.known else ()
        masked: dict[CardId, Location] = {}
        lying: dict[int, Location] = {}
        for slot in range(slots):
            mask = masks[slot] if slot < forms.masks else 0
            if not mask and (slot < forms.masks or not born[slot]):
                continue
            place = lying[slot] = self.location(state, slot)
            ordered = slot >= (forms.pure if mask else places.unordered)
            pile = world.piles[place] = Pile(place, ordered=ordered)
            pile.born = 0 if mask else born[slot] - 1
            count = mask.bit_count() if mask else counts[slot]
            if mask and (slot < forms.pure or count < 2):
                pile.cards = _cards_of(mask)
            else:
                pile.cards = self._cards(state, "card", slot, count)
            if mask:
                masked.update(dict.fromkeys(pile.cards, place))
            if layout.known and mask and slot < forms.pure:
                pile.known = _cards_of(all_know[slot])
            elif known[slot]:
                pile.known = self._cards(state, "known", slot, known[slot])
        world.where = [
            masked.get(CardId(card)) or lying.get(slot) or self.location(state, slot)
            for card, slot in enumerate(
                self._items(state, "where", len(self._native.program.cards))
            )
        ]

    def _masks(self, state: bytearray, name: str, count: int) -> list[int]:
        """Return a number of masks of an array, as integers from 0."""
        field = self._layout.board.fields[name]
        starts = range(field.offset, field.offset + field.width * count, field.width)
        return [int.from_bytes(state[at : at + field.width], "little") for at in starts]

    def _cards(self, state: bytearray, name: str, slot: int, count: int) -> list[CardId]:
        """Return a number of cards of a list that each pile has."""
        stride = self._layout.board.fields[name].strides[0]
        return list(map(CardId, self._items(state, name, count, stride * slot)))

    def _of_piles(self, state: bytearray, name: str, slots: int) -> list[int]:
        """Return a number of every pile, 0 for those that are only masks."""
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
        world.integers.update(self._set(state, "integers", layout.integers))
        strings = self._set(state, "strings", layout.strings)
        world.strings.update((cell, self._names.texts[number]) for cell, number in strings)
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
