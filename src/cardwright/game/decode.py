"""Decoding: the bytes of a native state as a world of the interpreter, to be looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.compiler.layout import dynamic_operands
from cardwright.compiler.memory import StructView
from cardwright.compiler.places import KINDS
from cardwright.interpreter.rules import Block, Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Cycle, Frame, Pile, World
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location, OwnerId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.native import NativeProgram
    from cardwright.interpreter.points import Awards, PointMap
    from cardwright.interpreter.stream import Words

_MASK = 2**64 - 1


class Decoder:
    """Makes worlds of the states of one program."""

    def __init__(self, native: NativeProgram) -> None:
        self._native = native
        self._layout = native.layout
        self._names = native.names
        self._sites = [node for node in native.program.nodes() if isinstance(node, n.SetPoints)]

    @cached_property
    def rules(self) -> Rules:
        """The interpreter's reading of the program."""
        return Rules(self._native.program)

    @cached_property
    def _blocks(self) -> dict[int, Block]:
        found: dict[int, Block] = {}
        pending = [self.rules.items]
        while pending:
            block = pending.pop()
            found[block.number] = block
            pending += [item for item in block.items if isinstance(item, Block)]
        return found

    def location(self, state: bytearray, slot: int) -> Location:
        """Return the location of a slot."""
        places = self._layout.places
        if slot < places.fixed:
            return places.locations[slot]
        view = self._view(state)
        at = slot - places.fixed
        of = view.pool_owner[at], view.pool_kind[at], view.pool_name[at], view.pool_at[at]
        return self.named(of)

    def named(self, of: Sequence[int]) -> Location:
        """Return a location by its owner, the number of its kind, that of its name, its index."""
        owner, kind, name, at = of
        return Location(OwnerId(owner), KINDS[kind - 1], self._names.texts[name], at)

    def player(self, state: bytearray) -> int:
        """Return who is current at the place where a state stands."""
        at = self._pc_at
        cycle = self._cycle_at[state[at] | state[at + 1] << 8]
        return state[cycle]

    @cached_property
    def _pc_at(self) -> int:
        return self._layout.board.fields["pc"].offset

    @cached_property
    def _cycle_at(self) -> list[int]:
        """Where the current player stands, by place in the program."""
        cycles = self._native.plan.cycles
        first = self._layout.board.fields["current"].offset
        return [first + cycles[pc] for pc in range(len(cycles))]

    def pc(self, state: bytearray) -> int:
        """Return the place in the program at which a state stands."""
        found: int = self._view(state).pc
        return found

    def where(self, state: bytearray, card: CardId) -> Location:
        """Return the place where a card really lies."""
        field = self._layout.board.fields["where"]
        start = field.offset + field.width * card
        return self.location(state, int.from_bytes(state[start : start + field.width], "little"))

    def _view(self, state: bytearray) -> StructView:
        return StructView(self._layout.board, state)

    def world(self, state: bytearray) -> World:
        """Return a state as a world."""
        view = self._view(state)
        world = World(self.rules, 0)
        world.stream = Stream.at(self._words(view))
        world.frames = [self._frame(number, at) for number, at in self._native.plan.frames[view.pc]]
        self._cycles(world, view)
        self._piles(world, state, view)
        self._stored(world, view)
        world.decisions = view.decisions
        return world

    def _words(self, view: StructView) -> Words:
        first, second, third, fourth = (view.words[at] & _MASK for at in range(4))
        return first, second, third, fourth

    def _frame(self, number: int, at: int) -> Frame:
        return Frame(self._blocks[number], at)

    def _cycles(self, world: World, view: StructView) -> None:
        players, teams = 1, 1
        for frame in world.frames[1:]:
            if frame.block.team:
                teams += 1
            else:
                players += 1
        first = self._layout.player_cycles
        world.players = [_cycle(view, at) for at in range(players)]
        world.teams = [_cycle(view, first + at) for at in range(teams)]

    def _piles(self, world: World, state: bytearray, view: StructView) -> None:
        world.births = view.births
        used = self._layout.places.fixed + self._pool
        for slot in range(used):
            born = self._of_pile(state, "born", slot, 1)[0]
            if not born:
                continue
            pile = Pile(self.location(state, slot))
            pile.born = born - 1
            pile.cards = self._cards(state, "card", "count", slot)
            if self._layout.known:
                pile.known = self._cards(state, "known", "known_count", slot)
            world.piles[pile.location] = pile
        for card in self._native.program.cards:
            world.where.append(self.where(state, card.id))

    def _cards(self, state: bytearray, field: str, count: str, slot: int) -> list[CardId]:
        (held,) = self._of_pile(state, count, slot, 1)
        return [CardId(card) for card in self._of_pile(state, field, slot, held)]

    def _of_pile(self, state: bytearray, name: str, slot: int, count: int) -> memoryview:
        """Return so many items of a field of a pile."""
        field = self._layout.board.fields[name]
        start = field.offset + field.strides[0] * slot
        content = bytes(state[start : start + field.width * count])
        return memoryview(content).cast("B" if field.width == 1 else "H")

    @property
    def _pool(self) -> int:
        return self._layout.places.pool

    def _stored(self, world: World, view: StructView) -> None:
        for at, cell in enumerate(self._layout.integers.owners):
            if view.integers[at]:
                world.integers[cell] = view.integers[at]
        for at, cell in enumerate(self._layout.strings.owners):
            if view.strings[at]:
                world.strings[cell] = self._names.texts[view.strings[at]]
        for at, cell in enumerate(self._layout.points.owners):
            if view.points[at]:
                world.points[cell] = self._map(view, at, self._sites[view.points[at] - 1])

    def _map(self, view: StructView, cell: int, site: n.SetPoints) -> PointMap:
        """Return a point map from the form that set it and the values of its operands."""
        count = len(dynamic_operands(site))
        operands = iter([view.operands[cell, at] for at in range(count)])
        awards: list[tuple[tuple[str, ...], tuple[str, ...], int]] = []
        for award in site.awards:
            assert isinstance(award, n.Award)
            keys = tuple(self._text(key, operands) for key in award.keys)
            values = tuple(self._text(value, operands) for value in award.values)
            points = award.points
            worth = points.value if isinstance(points, n.Number) else next(operands)
            awards.append((keys, values, worth))
        evaluated: Awards = tuple(awards)
        return self.rules.point_map(evaluated)

    def _text(self, node: n.Node, operands: object) -> str:
        if isinstance(node, n.Text):
            return node.value
        return self._names.texts[next(operands)]  # type: ignore[call-overload]


def _cycle(view: StructView, at: int) -> Cycle:
    queued = view.queued[at]
    return Cycle(view.current[at], queued - 1 if queued else None)
