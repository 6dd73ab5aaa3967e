"""Games of an experiment played by machine code, where it knows the players and the game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.entrants import parse_spec
from cardwright.arena.plan import loaded
from cardwright.hearts.native import ManyGames, native_player_of, unsuited
from cardwright.lab.measured import GameOutcomes
from cardwright.lab.tables import layout_of
from cardwright.lab.tested import maker
from cardwright.players.kind import NO_TRUST, Loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.hearts.native import NativePlayer
    from cardwright.lab.factor import LabPlayer
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.tables import ExperimentTable


class NativeGame:
    """Machine code for one game of an experiment, and those of its players that it knows.

    It is thread-safe.
    """

    def __init__(self, games: ManyGames, numbers: Mapping[int, int]) -> None:
        """Take the native player's number for the number of each player that has one."""
        self._games = games
        self._numbers = numbers

    def knows(self, table: ExperimentTable) -> bool:
        """Say whether it can play a table of this game."""
        return all(player in self._numbers for player in table.seats)

    def play(self, seeds: Sequence[int], tables: Sequence[ExperimentTable]) -> GameOutcomes:
        """Play a game from each seed at each table: the tables of a seed are consecutive.

        Raises GameError if a game breaks a rule of the language.
        """
        placed = [[self._numbers[player] for player in table.seats] for table in tables]
        outcome = self._games.play(np.array(seeds, np.uint64), placed)
        return GameOutcomes(*(np.asarray(column, np.int64) for column in outcome))


def native_player(who: LabPlayer) -> NativePlayer | None:
    """Return how machine code plays a player; None for one that it does not know.

    One that loads a file or a program is none of those.
    """
    if who.spec is not None and parse_spec(who.spec, NO_TRUST).loads is not Loads.NOTHING:
        return None
    return native_player_of(maker(who, NO_TRUST)())


@lru_cache(maxsize=8)
def machines_of(plan: LabPlan) -> tuple[NativeGame | None, ...]:
    """Return machine code for each game of a plan's layout; None for games it cannot play."""
    layout = layout_of(plan)
    players: dict[int, NativePlayer] = {}
    for number, who in enumerate(layout.players):
        player = native_player(who)
        if player is not None:
            players[number] = player
    numbers = {player: at for at, player in enumerate(players)}
    games = [loaded(ref) for ref in layout.games]
    return tuple(
        NativeGame(ManyGames(game, tuple(players.values())), numbers)
        if players and unsuited(game) is None
        else None
        for game in games
    )


def all_native(plan: LabPlan) -> bool:
    """Say whether machine code plays all games of a plan."""
    machines = machines_of(plan)
    tables = {table for kind in layout_of(plan).kinds for table in kind.distinct}
    return all((one := machines[table.game]) is not None and one.knows(table) for table in tables)
