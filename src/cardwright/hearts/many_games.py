"""Many games of Hearts in machine code, between hierarchies, rule players and random players.

Their choices are exactly those of their Python counterparts in `referee_game(..., paired=True)`:
every decision has its own stream (`Stream.of_decision`), so the same deal can be replayed with
another player in one seat while random choices elsewhere stay the same.
"""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardwright.compiler.extension import Extension
from cardwright.compiler.layout import STREAM
from cardwright.game.errors import CardwrightError, GameError
from cardwright.game.native import NativeBoard, native_engine, native_or_none
from cardwright.game.seeds import game_seed, seed_array
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.hearts.hierarchy import HierarchyPlayer
from cardwright.hearts.kernels import hierarchies, hierarchy_table
from cardwright.hearts.native_words import NativePlayer, lacking, words_of
from cardwright.hearts.rule import RulePlayer
from cardwright.players.random import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from cardwright.game.game import Game
    from cardwright.game.native import NativeEngine
    from cardwright.players.player import Player

    Long: TypeAlias = "NDArray[np.int64]"
    Short: TypeAlias = "NDArray[np.int32]"

__all__ = ["ManyGames", "NativePlayer", "SeatResults", "native_player_of", "unsuited"]

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int64

GAMES = Extension(
    "games of hierarchies",
    (hierarchies.__name__,),
    {
        "cw_hearts_game": (*[_POINTER] * 3, _INT, *[_POINTER] * 3, _INT),
        "cw_hearts_games": (*[_POINTER] * 4, _INT, _POINTER, _INT, _POINTER, _POINTER),
    },
)
"""The functions that play whole games."""

_AT_ONCE = 2_000
"""Games per call of the machine code, which cannot be interrupted."""

_CAPACITY = 1 << 10
"""Initial capacity for the choices of a game; a match has more."""


def native_player_of(player: Player) -> NativePlayer | None:
    """Return a player's native equivalent; None if there is none."""
    match player:
        case HierarchyPlayer():
            return player.hierarchy
        case RandomPlayer() if type(player) is RandomPlayer:
            return "random"
        case RulePlayer() if type(player) is RulePlayer:
            return "rule"
    return None


def unsuited(game: Game) -> str | None:
    """Return why machine code cannot play a game, as a sentence; None if it can."""
    try:
        family = family_of(game)
    except NotHeartsError as error:
        return str(error)
    if family.name != "hearts":
        return f"{family.name} has other kinds of tricks: machine code plays only hearts"
    if family.packs > 1:
        return "machine code does not support two packs, where equal cards cancel"
    engine = native_or_none(game)
    if engine is None:
        return f'this game is played by the engine "{game.engine_name}", not by machine code'
    lacks = lacking(engine, family)
    if lacks is not None:
        return f"{game.name} is not built as the hearts of the library: it lacks {lacks}"
    return None


class UnsuitedGameError(CardwrightError):
    """A game that machine code cannot play with these players; the message says why."""


class SeatResults(NamedTuple):
    """The results of games: a row for each game, and a column for each seat.

    `tricks` counts the tricks taken in the whole game, `queens` the deals in which a seat took the
    queen (`HeartsFamily.queen`), `moons` those in which it took all penalty cards, however scored.
    `deals` has the number of deals of each game.
    """

    scores: Long
    tricks: Short
    queens: Short
    moons: Short
    deals: Short


class ManyGames:
    """Plays games between given players; safe to use from several threads at once.

    Pickling keeps only the game and the players; another process builds the rest itself. Raises
    UnsuitedGameError for a game that machine code cannot play: see `unsuited`.
    """

    def __init__(self, game: Game, players: Sequence[NativePlayer]) -> None:
        why = unsuited(game)
        if why is not None:
            raise UnsuitedGameError(why)
        self.game = game
        self.players = tuple(players)
        self._engine = native_engine(game, "many games need")
        self._words, places = words_of(game, self._engine, family_of(game), self.players)
        self._places = np.array(places, np.int64)
        self._memories = threading.local()

    def play(self, seeds: NDArray[np.uint64], tables: Sequence[Sequence[int]]) -> SeatResults:
        """Play a game from each seed at each table, and return the results.

        A table has the index of a player for each seat. The tables of a seed are consecutive: row r
        is seed r // len(tables), table r % len(tables). A seed determines the cards and all other
        randomness. Raises GameError if a game breaks a rule of the language.
        """
        given = np.frombuffer(seed_array(seeds), np.uint64)
        placed, seats = self._placed(tables), self.game.players
        games = len(given) * len(placed)
        points = np.zeros((games, seats), np.int64)
        counts = np.zeros((games, 3 * seats + 1), np.int64)
        for first, some in _parts(len(given), max(1, _AT_ONCE // max(1, len(placed)))):
            at = first * len(placed)
            done = self._memory().call(
                "cw_hearts_games",
                given[first:].ctypes.data,
                some,
                placed.ctypes.data,
                len(placed),
                points[at:].ctypes.data,
                counts[at:].ctypes.data,
            )
            if done < some * len(placed):
                self._choices(int(given[first + done // len(placed)]), placed[done % len(placed)])
                raise AssertionError("a game broke a rule, but not when it was played again")
        columns = counts.astype(np.int32)
        tricks, queens, moons = (columns[:, at * seats : (at + 1) * seats] for at in range(3))
        return SeatResults(points, tricks, queens, moons, columns[:, -1])

    def choices(self, seed: int, table: Sequence[int]) -> tuple[int, ...]:
        """Return the indices chosen in one game, which replay it from `Game.start(seed)`.

        Raises GameError if it breaks a rule of the language.
        """
        return self._choices(game_seed(seed), self._placed([table])[0])

    def _choices(self, seed: int, placed: Long) -> tuple[int, ...]:
        memory, counts = self._memory(), np.zeros(3 * self.game.players + 1, np.int64)
        done, wanted = 0, _CAPACITY
        chosen = np.zeros(0, np.int64)
        while wanted > len(chosen):
            chosen = np.zeros(wanted, np.int64)
            done = memory.call(
                "cw_hearts_game",
                seed - (1 << 64) if seed >= 1 << 63 else seed,
                placed.ctypes.data,
                counts.ctypes.data,
                chosen.ctypes.data,
                len(chosen),
            )
            wanted = memory.decisions()
        made = chosen[:wanted].tolist()
        if done < 0:
            fault = self._engine.fault(memory.context)
            raise GameError(fault, self.game.program, self.game.name, seed, made)
        return tuple(made)

    def _placed(self, tables: Sequence[Sequence[int]]) -> Long:
        """Return tables as the kernels take them: the offset of each seat's player."""
        seats, many = self.game.players, len(self.players)
        for table in tables:
            if len(table) != seats or not all(0 <= player < many for player in table):
                raise ValueError(
                    f"a table has {seats} player numbers from 0 to {many - 1}, not {table}"
                )
        numbers = np.array(tables, np.int64).reshape(-1, seats)
        return np.ascontiguousarray(self._places[numbers])

    def _memory(self) -> _ThreadMemory:
        """Return the memory of the calling thread."""
        try:
            found: _ThreadMemory = self._memories.memory
        except AttributeError:
            found = self._memories.memory = _ThreadMemory(self._engine, self._words)
        return found


class _ThreadMemory:
    """Memory for one thread: a board, a context, a stream, and the kernels' data."""

    def __init__(self, engine: NativeEngine, words: list[int]) -> None:
        self._functions = engine.extended(GAMES).functions
        self._board = NativeBoard(engine, engine.native.new_board())
        self._stream = ctypes.create_string_buffer(STREAM.bytes)
        self._extra = (ctypes.c_int64 * len(words))(*words)
        self.context = engine.new_context()
        self.context.set("extra", ctypes.addressof(self._extra))

    def call(self, name: str, *args: Any) -> int:
        """Call a function of the machine code with this memory."""
        stream = ctypes.addressof(self._stream)
        done: int = self._functions[name](self._board.address, self.context.address, stream, *args)
        return done

    def decisions(self) -> int:
        """Return the number of decisions of the last game until it ended or broke a rule."""
        return self._extra[hierarchy_table.DONE]


def _parts(count: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield the start and length of consecutive parts of a range, each at most `most` long."""
    for first in range(0, count, most):
        yield first, min(most, count - first)
