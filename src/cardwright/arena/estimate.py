"""Estimates: how long a game takes with some players, measured by playing part of one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardwright.arena.referee import referee_game
from cardwright.players.random import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.game import Game
    from cardwright.players.player import Decision, Player

QUICK = frozenset({"random", "first", "lowest", "corin-random", "rule", "hierarchy"})
"""The kinds of players that need less than a millisecond for a decision."""

TRIAL_SECONDS = 2.0
"""Seconds after which a trial ends, at the next decision."""


_COLD = 4
"""How many times as long it may take with the first decision of each seat."""


class _EnoughError(Exception):
    """A trial has taken as long as it may."""


class _Watched:
    """A player whose decisions are timed, until a trial is over."""

    def __init__(self, player: Player, watch: _Watch) -> None:
        self._player = player
        self._watch = watch
        self._warm = False

    def choose(self, decision: Decision) -> int:
        self._watch.check()
        begun = time.perf_counter()
        index = self._player.choose(decision)
        self._watch.note(time.perf_counter() - begun, warm=self._warm)
        self._warm = True
        return index


class _Watch:
    """What the decisions of a trial have taken so far.

    The first one of each seat is kept apart: most of it may be a one-off cost, such as compiling
    machine code.
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._spent = [0.0, 0.0]
        self._made = [0, 0]

    def check(self) -> None:
        """Raise _EnoughError if no more decisions are to be made."""
        if self._spent[True] > self._most or sum(self._spent) > _COLD * self._most:
            raise _EnoughError

    def note(self, seconds: float, *, warm: bool) -> None:
        """Count a decision."""
        self._spent[warm] += seconds
        self._made[warm] += 1

    @property
    def rate(self) -> float:
        """Seconds per decision once players are warm; None if none is."""
        warm = bool(self._made[True])
        return self._spent[warm] / max(1, self._made[warm])

    @property
    def once(self) -> float:
        """By how many seconds the first decisions took longer than later ones would have."""
        return max(0.0, self._spent[False] - self.rate * self._made[False])


def is_quick(text: str) -> bool:
    """Say whether the player with this spec is of a kind that needs next to no time."""
    return text.partition(":")[0] in QUICK


def game_seconds(
    game: Game, makers: Sequence[Callable[[], Player]], seed: int, most: float = TRIAL_SECONDS
) -> float | None:
    """Return about how long a game takes with a new player for each seat.

    A game is played from the seed; if it is not over after `most` seconds, its number of decisions
    is estimated from a random game. None if a player or the game fails: the games that count will
    report it.
    """
    game.prepare()
    watch = _Watch(most)
    try:
        players = [_Watched(make(), watch) for make in makers]
        begun = time.perf_counter()
        try:
            referee_game(game, seed, players)
            return time.perf_counter() - begun - watch.once
        except _EnoughError:
            random = referee_game(game, seed, [RandomPlayer() for _ in makers])
            return watch.rate * len(random.decisions)
    except Exception:  # a third-party player may raise anything
        return None


def showing_all(tables: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """Return the first tables that together seat every entrant."""
    seen: set[int] = set()
    chosen = []
    for table in tables:
        if not seen.issuperset(table):
            seen.update(table)
            chosen.append(table)
    return chosen
