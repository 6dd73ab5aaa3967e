"""What a seat sees of a world, as the numbers of an observation: the definition of all of them."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.intrinsics import wrap
from cardwright.compiler.kernels.observe import PICKED
from cardwright.game.observation import Block
from cardwright.game.relative import Relative
from cardwright.interpreter.world import sees
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.followers import GameFollower
    from cardwright.game.information.sightings import Recalled
    from cardwright.game.observation import Numbers, ObservationLayout, PickColumns
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.world import TurnCycle, World
    from cardwright.program.cards import Seat


def observe_board(
    board: Board, layout: ObservationLayout, seat: Seat, follower: GameFollower | None
) -> Numbers:
    """Return what a seat sees of a board, by machine code if that plays it.

    A layout with a history needs a follower of the game that has as many entries.
    """
    from cardwright.game.native.engine import NativeBoard

    if not isinstance(board, NativeBoard):
        recalled = () if follower is None else follower.seen.recalled[: layout.history]
        return observe_world(layout, board.world(), seat, board.player, recalled)
    out = np.empty(layout.size, np.float32)
    engine, mover = board.engine, -1 if board.player is None else board.player
    entries = array("q") if follower is None else follower.entries(layout.history)
    places = engine.observed(layout).address, entries.buffer_info()[0], out.ctypes.data
    engine.call("cw_observe_one", board.address, seat, mover, *places)
    return out


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
        self._world = world
        self._seat = seat
        self._relative = Relative(layout._map.native.program, seat)
        self._scales = layout.scales.tolist()
        self._out = np.zeros(layout.size, np.float32)

    def observation(self, player: int | None, entries: Sequence[Recalled]) -> Numbers:
        """Return the observation."""
        world, relative, where = self._world, self._relative, self._map
        self._out[self._seat] = 1
        if player is not None:
            self._out[where.deciding + relative.seat_number(player)] = 1
        if player == self._seat:
            frames = tuple((frame.block.number, frame.at) for frame in world.frames)
            self._out[where.choices[frames]] = 1
        program = where.native.program
        players = [relative.seat_number(seat) for seat in range(program.players)]
        teams = [relative.team_number(team) for team in range(len(program.teams))]
        self._cycles(world.players, where.cycles.players, players)
        self._cycles(world.teams[1:], where.cycles.teams, teams)
        self._stored()
        self._piles()
        for ago, entry in enumerate(entries):
            self._recalled(where.recalled.first + where.recalled.width * ago, entry)
        return self._out

    def _recalled(self, column: int, entry: Recalled) -> None:
        """Write one of the latest choices, whose columns begin there."""
        where = self._map.recalled
        self._out[column + self._relative.seat_number(entry.seat)] = 1
        self._out[column + where.branches[entry.branch]] = 1
        for pick, word in zip(where.picks, entry.picks, strict=True):
            if word:
                self._picked(pick, column + pick.first, wrap(word - PICKED))
        for card in range(len(self._map.native.program.cards)):
            if entry.cards[self._seat] >> card & 1:
                self._out[column + where.cards + card] = 1

    def _picked(self, pick: PickColumns, column: int, item: int) -> None:
        """Write what a choice picked besides cards."""
        native, relative = self._map.native, self._relative
        match pick.kind:
            case ValueKind.INTEGER:
                self._out[column] = item / self._scales[column]
            case ValueKind.STRING:
                self._out[column + pick.texts.index(native.names.texts[item])] = 1
            case ValueKind.PLAYER:
                self._out[column + relative.seat_number(item)] = 1
            case ValueKind.TEAM:
                self._out[column + relative.team_number(item)] = 1
            case _:
                places = native.layout.places.locations
                place = places[item]._replace(owner=relative.owner(places[item].owner))
                self._out[column] = (1 + places.index(place)) / len(places)

    def _cycles(self, cycles: Sequence[TurnCycle], first: int, numbers: Sequence[int]) -> None:
        for at, cycle in enumerate(cycles):
            column = first + 2 * len(numbers) * at
            self._out[column + numbers[cycle.current]] = 1
            if cycle.queued is not None:
                self._out[column + len(numbers) + numbers[cycle.queued]] = 1

    def _stored(self) -> None:
        where, owner = self._map, self._relative.owner
        for (whose, name), value in self._world.integers.items():
            column = where.integers[owner(whose), name]
            self._out[column] = value / self._scales[column]
        for (whose, name), text in self._world.strings.items():
            if text:
                first, texts = where.strings[owner(whose), name]
                self._out[first + texts.index(text)] = 1

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
        """Write how many cards a location has, and which ones if they are seen."""
        cards, count = self._map.native.program.cards, len(pile.cards)
        held = Counter(cards[card].back for card in pile.cards)
        for at, (back, total) in enumerate(self._map.backs.items()):
            self._out[block.counts + at] = held[back] / total
        if sees(self._map.native.program, self._seat, pile.location):
            assert block.cards is not None
            for at, card in enumerate(pile.cards):
                self._out[block.cards + card] = (at + 1) / count if pile.ordered else 1
