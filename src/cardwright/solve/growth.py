"""Trees while they grow: the nodes along every path of a game, by machine code or the interpreter.

How large a tree is at least is found out before it grows. A random game makes an unbiased estimate:
how many nodes there would be if all others of each depth had as many edges as that on the path
(D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29,
1975). An estimate is F times too large with a probability of at most 1/F, by Markov's inequality;
that all of several are, practically never happens.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardwright.compiler.kernel_sets import GAME_TREES
from cardwright.compiler.kernels import game_trees as words
from cardwright.compiler.kernels.information import CHAINS
from cardwright.game.errors import GameError
from cardwright.game.followers import follower_memory
from cardwright.game.game import State
from cardwright.game.information.sightings import SeenSoFar
from cardwright.game.option import Content, SeenDecision, Unseen
from cardwright.interpreter.stream import Stream
from cardwright.players.strategy import content_text
from cardwright.program.cards import Seat
from cardwright.program.deferral import draws_by_rules_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.game import Game
    from cardwright.game.native.engine import NativeEngine
    from cardwright.solve.tree import Integers, Reals

_FRAMES = 64
_GAMES = 10
_FACTOR = 1000.0
"""How many random games are played, and how many times too large all of them must be."""


class TooManyWaysError(Exception):
    """The draws after one choice have more outcomes together than an integer of 64 bits."""


def tree_engine(game: Game) -> NativeEngine | None:
    """Return the engine that follows every path of a game by machine code; None if none can.

    Where options draw, or a shuffle cannot be deferred, only the interpreter knows which draws can
    wait.
    """
    engine = game._machine
    if engine is None or not draws_by_rules_alone(engine.native.analysis):
        return None
    return engine


def begun(game: Game, engine: NativeEngine | None) -> TreeGrowth | PlainGrowth:
    """Return the tree of a game before it grows; without an engine the interpreter follows it."""
    return PlainGrowth(game) if engine is None else TreeGrowth(game, engine)


def least_size(game: Game, most: int, engine: NativeEngine | None = None) -> float:
    """Return the size of a tree that is certainly too large, by the median of estimates.

    That is the decimal logarithm of the number of nodes; 0 if the tree may have no more than
    `most` nodes.
    """
    sizes = []
    for number in range(_GAMES):
        try:
            edges = begun(game, engine).follow_at_random(Stream(number))
        except TooManyWaysError:
            edges = PlainGrowth(game).follow_at_random(Stream(number))
        sizes.append(sum(map(math.log10, edges)))
        if sizes[-1] <= math.log10(most * _FACTOR):
            return 0.0
    return sorted(sizes)[_GAMES // 2]


class _OpenNode(NamedTuple):
    """A state whose node is still to be added: where it belongs, and its share of the tree.

    `chance` is the probability of the edge to it, 1 for an option.
    """

    state: State
    parent: int
    edge: int
    level: int
    share: float = 1.0
    chance: float = 1.0


class PlainGrowth:
    """A tree while the interpreter builds it, depth first; it is used as `TreeGrowth` is."""

    at_once = 256

    def __init__(self, game: Game) -> None:
        self._game = game
        self._way = [game.start_chance()]
        self._edges: list[int] = []
        self._open = [_OpenNode(self._way[0].copy(), -1, 0, 0)]
        self._options: dict[str, int] = {}
        self._chances: list[float] = []
        self._followed = 0.0

    @property
    def done(self) -> bool:
        """Whether the tree is whole."""
        return not self._open

    @property
    def followed(self) -> float:
        """Which part of the tree has been followed."""
        return 1.0 if self.done else self._followed

    def follow_at_random(self, stream: Stream) -> list[int]:
        """Go a random way to the end of the game; return how many edges each node on it has."""
        edges, state = [], self._way[0].copy()
        while not state.finished:
            edges.append(state.option_count if state.chance is None else len(state.chance))
            _follow(state, stream.below(edges[-1]))
        return edges

    def grow(self, most: int) -> tuple[Integers, Integers]:
        """Add some nodes; return their rows, and the keys of the options of all decisions."""
        rows = np.zeros((most, words.ENDS + self._game.players), np.int64)
        keys: list[int] = []
        count = 0
        while self._open and count < most:
            state, parent, edge, level, share, chance = self._open.pop()
            row, draw, seat = rows[count], state.chance, state.player
            row[: words.COUNT] = parent, edge, level, words.OVER
            shares: tuple[float, ...] = ()
            if draw is not None:
                row[words.ACTOR], shares = words.CHANCE, draw.probabilities
            elif seat is not None:
                row[words.ACTOR], shares = seat, (1 / state.option_count,) * state.option_count
                row[words.KEY : words.ENDS] = np.frombuffer(state.information(seat), np.int64)
                contents = map(content_text, state.contents())
                keys += [
                    self._options.setdefault(content, len(self._options)) for content in contents
                ]
            else:
                row[words.ENDS :] = state.scores
                self._followed += share
            row[words.COUNT] = len(shares)
            node = len(self._chances)
            for at in reversed(range(len(shares))):
                drawn = 1.0 if draw is None else shares[at]
                after = state.copy()
                _follow(after, at)
                self._open.append(_OpenNode(after, node, at, level + 1, share * shares[at], drawn))
            self._chances.append(chance)
            count += 1
        return rows[:count], np.array(keys, np.int64)

    def chances(self, _rows: Integers) -> Reals:
        """Return for each node the probability of the edge to it, 1 for an option."""
        return np.array(self._chances)

    def state(self, path: Integers) -> State:
        """Return the state at the end of a path, of which these are the rows.

        The states on the way to the last one are kept, as most paths share their beginnings.
        """
        edges = path[1:, words.EDGE].tolist()
        same = [edge == before for edge, before in zip(edges, self._edges, strict=False)]
        shared = same.index(False) if False in same else len(same)
        del self._way[shared + 1 :]
        for edge in edges[shared:]:
            after = self._way[-1].copy()
            _follow(after, edge)
            self._way.append(after)
        self._edges = edges
        return self._way[-1]

    def record(self, _path: Integers, state: State, seat: int) -> tuple[SeenDecision, ...]:
        """Return the decisions on the way to a state, as far as a seat saw what was chosen."""
        return state.record(seat)


def _follow(state: State, edge: int) -> None:
    """Play an option, or take an outcome of chance."""
    if state.chance is None:
        state.play(edge)
    else:
        state.take_chance(edge)


class KernelRun:
    """A game that kernels follow by machine code, with all that its seats know."""

    def __init__(self, game: Game, engine: NativeEngine, kernels: KernelSet, kept: int) -> None:
        """Begin; a frame has so many words besides what seats know and the board.

        Raises EngineError for a program that is too large to be compiled.
        """
        layout = engine.native.layout
        self._game = game
        self._engine = engine
        self._code = engine.extended(kernels)
        self._memory = follower_memory(engine, SeenSoFar(game._sightings.beginning), 0)
        self._board = engine.new_board()
        self._beginning = self._memory.array[CHAINS : CHAINS + 2 * layout.players + 2]
        self._frame = kept + 2 * layout.players + 2 + layout.board.bytes // 8
        self._frames = self._room(_FRAMES)

    def _room(self, frames: int) -> Integers:
        return np.zeros((frames, self._frame), np.int64)

    def _call(self, name: str, *args: NDArray[Any] | int) -> int:
        """Call a kernel with numbers, and arrays by their addresses."""
        context = self._engine.context("followed")
        context.set("extra", self._memory.address)
        plain = [arg if isinstance(arg, int) else self._engine.lend(arg) for arg in args]
        forms = self._engine.pick_forms.address
        return self._code.functions[name](self._board.address, context.address, forms, *plain)

    def _error(self, choices: Sequence[int] = ()) -> GameError:
        """Return the error of a game that has just broken a rule after these choices."""
        context = self._engine.context("followed")
        context.check()
        fault = self._engine.fault(context)
        return GameError(fault, self._game.program, self._game.name, None, choices)


class TreeGrowth(KernelRun):
    """A tree while machine code builds it, depth first.

    `cardwright.compiler.kernels.game_trees` says what the words of rows, keys and frames are.
    """

    at_once = 65_536

    def __init__(self, game: Game, engine: NativeEngine) -> None:
        """Begin a tree; raises EngineError for a program that is too large to be compiled."""
        super().__init__(game, engine, GAME_TREES, words.KEPT)
        self._row = words.ENDS + game.players
        self._tree = np.zeros(words.FIRST_NODE + 1, np.int64)
        self._tree[words.DEPTH] = 1
        first = self._frames[0]
        first[: words.KEPT] = -1, 1, 0, words.BEGINS, 0, -1, 1
        first[words.KEPT : words.KEPT + len(self._beginning)] = self._beginning

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

        Raises TooManyWaysError, and GameError if the game breaks a rule.
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
                frames = self._frames[: tree[words.DEPTH]]
                edges = frames[:, words.NEXT] - 1
                edges[-1] += 1  # the edge of the last frame was not followed to its end
                made = edges[frames[:, words.CHOICE] == words.CHOOSES].tolist()
                raise self._error(made)
            if result == words.KEYS_FULL:
                keys = np.concatenate([keys, np.empty_like(keys)])
            if result == words.FRAMES_FULL:
                more = self._room(len(self._frames))
                self._frames = np.concatenate([self._frames, more])

    def chances(self, rows: Integers) -> Reals:
        """Return for each node the probability of the edge to it, 1 for an option."""
        above = rows[rows[:, words.PARENT]]
        drawn = (above[:, words.ACTOR] == words.CHANCE) & (rows[:, words.PARENT] >= 0)
        return np.where(drawn, 1.0 / np.maximum(above[:, words.COUNT], 1), 1.0)

    def state(self, path: Integers) -> State:
        """Return the state at the end of a path, of which these are the rows."""
        steps, ways = [[words.BEGINS, 0, 0]], 1
        for above, below in pairwise(path.tolist()):
            edge = below[words.EDGE]
            if above[words.ACTOR] == words.CHANCE:
                steps[-1][1] += ways * edge
                steps[-1][2] += 1
                ways *= above[words.COUNT]
            else:
                steps.append([edge, 0, 0])
                ways = 1
        given = np.zeros(3 * len(steps) + self._row, np.int64)
        given[: 3 * len(steps)] = np.array(steps).reshape(-1)
        for at, word in enumerate(self._beginning, CHAINS):
            self._memory.array[at] = word
        result = self._call("cw_tree_follow", given, len(steps))
        assert result >= 0
        state = State(self._game, self._board.copy(), None)
        state.advance()
        state.begin_here()
        return state

    def record(self, path: Integers, _state: State, seat: int) -> tuple[SeenDecision, ...]:
        """Return the decisions on the way to a state, as far as a seat saw what was chosen."""
        hidden = (("", Unseen(None)),)
        return tuple(
            SeenDecision(
                Seat(int(decision[words.ACTOR])),
                Content(0, hidden if after[words.HIDDEN] >> seat & 1 else ()),
            )
            for decision, after in pairwise(path[path[:, words.ACTOR] != words.CHANCE])
        )
