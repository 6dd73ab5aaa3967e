"""Estimates: how long a game takes with some players, found out by playing a part of one."""

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
"""Seconds after which a trial is broken off, at the next decision."""


_COLD = 4
"""So many times as long may it take with the first decision of each seat."""


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

    The first one of each seat is told apart: what a player needs once, such as machine code of its
    own, may be most of it.
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
        """Seconds of a decision, once a player is warm, if any is."""
        warm = bool(self._made[True])
        return self._spent[warm] / max(1, self._made[warm])

    @property
    def once(self) -> float:
        """Seconds that first decisions took longer than others would have."""
        return max(0.0, self._spent[False] - self.rate * self._made[False])


def is_quick(text: str) -> bool:
    """Say whether the player of this text is of a kind that needs next to no time."""
    return text.partition(":")[0] in QUICK


def game_seconds(
    game: Game, makers: Sequence[Callable[[], Player]], seed: int, most: float = TRIAL_SECONDS
) -> float | None:
    """Return about how long a game takes with a new player for each seat.

    A game is played from the seed; if that is not over after `most` seconds, how many decisions it
    has is guessed by a random one. None if a player or the game goes wrong: the games that count
    will tell.
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
    except Exception:  # a stranger's player may raise anything
        return None


def showing_all(tables: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """Return the first tables at which everybody sits who sits anywhere."""
    seen: set[int] = set()
    chosen = []
    for table in tables:
        if not seen.issuperset(table):
            seen.update(table)
            chosen.append(table)
    return chosen
