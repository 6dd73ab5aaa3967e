"""The nodes of a game's tree by machine code, and how many there are at least."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.compiler.kernel_sets import GAME_TREES
from cardwright.compiler.kernels import game_trees as words
from cardwright.compiler.kernels.information import CHAINS
from cardwright.game.errors import GameError
from cardwright.game.followers import follower_memory
from cardwright.game.information.sightings import SeenSoFar
from cardwright.interpreter.stream import Stream
from cardwright.program.deferral import draws_by_rules_alone
from cardwright.solve.tree import TreeTooLargeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.native import NativeCode
    from cardwright.game.game import Game
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.interpreter.world import Fault

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

_FRAMES = 64


class TooManyWaysError(Exception):
    """The draws after one choice have more outcomes together than an integer of 64 bits."""


class TreeBrokenError(Exception):
    """The game breaks a rule on an edge of a node.

    `rows` are those that were found since the growth was last asked for nodes.
    """

    def __init__(self, fault: Fault, rows: Integers, parent: int, edge: int) -> None:
        super().__init__(str(fault), parent, edge)
        self.fault = fault
        self.rows = rows
        self.parent = parent
        self.edge = edge


def tree_engine(game: Game) -> NativeEngine | None:
    """Return the engine that follows every path of a game by machine code; None if none can.

    Where options draw, or a shuffle cannot be deferred, only the interpreter knows which draws can
    wait.
    """
    engine = game._machine
    if engine is None or not draws_by_rules_alone(engine.native.analysis):
        return None
    return engine


class TreeGrowth:
    """A tree while machine code builds it, depth first.

    `cardwright.compiler.kernels.game_trees` says what the words of rows, keys and frames are.
    """

    def __init__(self, game: Game, engine: NativeEngine) -> None:
        """Begin a tree; raises EngineError for a program that is too large to be compiled."""
        layout = engine.native.layout
        self._engine = engine
        self._code: NativeCode = engine.extended(GAME_TREES)
        self._row = words.ENDS + layout.players
        self._frame = words.KEPT + 2 * layout.players + 2 + layout.board.bytes // 8
        self._frames = self._room(_FRAMES)
        self._tree = np.zeros(words.FIRST_NODE + 1, np.int64)
        self._tree[words.DEPTH] = 1
        self._memory = follower_memory(engine, SeenSoFar(game._sightings.beginning), 0)
        self._board = engine.new_board()
        first = self._frames[0]
        first[: words.KEPT] = -1, 1, 0, words.BEGINS, 0, -1, 1
        chains = words.KEPT, words.KEPT + 2 * layout.players + 2
        self._beginning = self._memory[CHAINS : CHAINS + chains[1] - chains[0]]
        first[slice(*chains)] = self._beginning

    def _room(self, frames: int) -> Integers:
        return np.zeros((frames, self._frame), np.int64)

    @property
    def done(self) -> bool:
        """Whether the tree is whole."""
        return bool(self._tree[words.DEPTH] == 0)

    @property
    def followed(self) -> float:
        """Which part of the tree has been followed, in equal shares for the edges of a node."""
        share, part = 1.0, 0.0
        for frame in self._frames[: self._tree[words.DEPTH]]:
            edges, after = int(frame[words.EDGES]), int(frame[words.NEXT])
            part += share * after / edges
            share /= edges
            # The edge before the next one is being followed, but for the last frame.
            part -= share
        return part + share

    def follow_at_random(self, stream: Stream) -> list[int]:
        """Go a random way to the end of the game; return how many edges each node on it has.

        The tree cannot grow after that. Raises as `grow`.
        """
        edges: list[int] = []
        while not edges or edges[-1]:
            frame = self._frames[self._tree[words.DEPTH] - 1]
            frame[words.NEXT] = stream.below(int(frame[words.EDGES]))
            rows, _ = self.grow(1)
            edges.append(int(rows[0, words.COUNT]))
        return edges[:-1]

    def grow(self, most: int) -> tuple[Integers, Integers]:
        """Add some nodes; return their rows, and the keys of the options of all decisions.

        Raises TooManyWaysError and TreeBrokenError.
        """
        rows = np.zeros((most, self._row), np.int64)
        keys = np.empty(4 * most, np.int64)
        tree = self._tree
        tree[words.FIRST_NODE] += tree[words.NODES]
        tree[words.NODES] = tree[words.KEYS] = 0
        while True:
            tree[words.NODE_ROOM], tree[words.KEY_ROOM] = most, len(keys)
            tree[words.FRAME_ROOM] = len(self._frames)
            result = self._call("cw_tree_grow", tree, self._frames, rows, keys)
            if result in (words.DONE, words.NODES_FULL):
                return rows[: tree[words.NODES]], keys[: tree[words.KEYS]]
            if result == words.TOO_MANY_WAYS:
                raise TooManyWaysError
            if result == words.BROKEN:
                frame = self._frames[tree[words.DEPTH] - 1]
                fault = self._engine.fault(self._engine.context("followed"))
                found = rows[: tree[words.NODES]]
                raise TreeBrokenError(fault, found, int(frame[words.NODE]), int(frame[words.NEXT]))
            if result == words.KEYS_FULL:
                keys = np.concatenate([keys, np.empty_like(keys)])
            if result == words.FRAMES_FULL:
                more = self._room(len(self._frames))
                self._frames = np.concatenate([self._frames, more])

    def board(self, steps: Sequence[Sequence[int]]) -> NativeBoard:
        """Return the board at the end of a path: a choice, outcomes and draws for each step."""
        given = np.zeros(3 * len(steps) + self._row, np.int64)
        given[: 3 * len(steps)] = np.array(steps).reshape(-1)
        for at, word in enumerate(self._beginning, CHAINS):
            self._memory[at] = word
        found = self._call("cw_tree_follow", given, len(steps))
        assert found >= 0
        return self._board.copy()

    def _call(self, name: str, *args: Integers | int) -> int:
        context = self._engine.context("followed")
        context.set("extra", ctypes.addressof(self._memory))
        plain = [arg if isinstance(arg, int) else arg.ctypes.data for arg in args]
        forms = self._engine.pick_forms.address
        result: int = self._code.functions[name](
            self._board.address, context.address, forms, *plain
        )
        if result == words.BROKEN:
            context.check()
        return result


_GAMES = 10
_FACTOR = 1000.0
"""How many random games are played, and how many times too large all of them must be."""


def least_size(game: Game, most: int, engine: NativeEngine | None = None) -> float:
    """Return the size of a tree that is certainly too large, by the median of estimates.

    That is the decimal logarithm of the number of nodes; 0 if the tree may have no more than
    `most` nodes. `engine` is what builds the tree, None for the interpreter.
    """
    enough = math.log10(most * _FACTOR)
    found = []
    for number in range(_GAMES):
        size = _native_estimate(game, engine, number) if engine else _estimate(game, number)
        if size <= enough:
            return 0.0
        found.append(size)
    return sorted(found)[_GAMES // 2]


def too_large(game: Game, most: int, seen: float) -> TreeTooLargeError:
    """Return the error for a tree that was followed only so far."""
    return TreeTooLargeError(
        f"the tree of {game.name} is too large: at {most:,} nodes, the most allowed, about "
        f"{100 * seen:.2g} % of it had been followed",
        most,
    )


def _estimate(game: Game, number: int) -> float:
    """Return the decimal logarithm of the estimate by a random game: of its largest level."""
    state, stream, size = game.start_chance(), Stream(number), 0.0
    while not state.finished:
        chance = state.chance
        count = state.option_count if chance is None else len(chance)
        size += math.log10(count)
        if chance is None:
            state.play(stream.below(count))
        else:
            state.take_chance(stream.below(count))
    return size


def _native_estimate(game: Game, engine: NativeEngine, number: int) -> float:
    """Return the same where machine code builds the tree, in which hands are dealt as sets."""
    try:
        edges = TreeGrowth(game, engine).follow_at_random(Stream(number))
    except TooManyWaysError:
        return _estimate(game, number)
    except TreeBrokenError as broken:
        raise GameError(broken.fault, game.program, game.name, None, ()) from None
    return sum(map(math.log10, edges))
