"""Hierarchies at seats of a batch, whose choices machine code makes in all games at once."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.extension import Extension
from cardwright.game.native import native_engine
from cardwright.hearts.family import family_of
from cardwright.hearts.kernels import hierarchy_batches
from cardwright.hearts.many_games import UnsuitedGameError, unsuited
from cardwright.hearts.native_words import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.batch import Batch, Integers, Streams, Truths
    from cardwright.game.game import Game
    from cardwright.hearts.native_words import NativePlayer

_POINTER = ctypes.c_void_p

CHOICES = Extension(
    "choices of hierarchies",
    (hierarchy_batches.__name__,),
    {"cw_hearts_choices": (*[_POINTER] * 7, ctypes.c_int64)},
)
"""The function that chooses for hierarchies in a batch."""


class BatchPlayers:
    """Hierarchies and rule players at some seats of every game of a batch.

    They choose exactly as their Python counterparts do with the streams of their seats. Raises
    UnsuitedGameError for a game that machine code cannot play: see `unsuited`; and HierarchyError
    for a hierarchy with a step of one's own.
    """

    def __init__(self, game: Game, seats: Mapping[int, NativePlayer]) -> None:
        why = unsuited(game)
        if why is not None:
            raise UnsuitedGameError(why)
        engine = native_engine(game, "these players need")
        words, places = words_of(game, engine, family_of(game), tuple(seats.values()))
        self._table = np.zeros(game.players, np.int64)
        self._table[list(seats)] = places
        self._choose = engine.extended(CHOICES).functions["cw_hearts_choices"]
        self._extra = (ctypes.c_int64 * len(words))(*words)
        self._context = engine.new_context()
        self._context.set("extra", ctypes.addressof(self._extra))

    def step(self, batch: Batch, streams: Streams, where: Truths) -> Integers:
        """Play in the games of a batch that wait for these players, and return the choices.

        They are -1 in other games. Only games in which `where` is true are played. Each player
        draws from the stream of its seat, as `Batch.seat_streams` makes them.
        """
        choices = np.empty(len(batch), np.int64)
        wanted = np.ascontiguousarray(where)
        boards, notes = batch._at
        arrays = streams, self._table, wanted, choices
        at = [array.ctypes.data for array in arrays]
        self._choose(boards, self._context.address, notes, *at, len(batch))
        batch.step(choices, where=choices >= 0)
        return choices
