"""Estimates: how long a game takes with some players, measured by playing part of one."""

from __future__ import annotations

import time
from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING

from cardwright.arena.referee import referee_game
from cardwright.players.player import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.game import Game
    from cardwright.players.player import Answer, Decision, Player

QUICK = frozenset({"random", "first", "lowest", "corin-random", "rule", "hierarchy"})
"""The kinds of players that need less than a millisecond for a decision."""

TRIAL_SECONDS = 2.0
"""Seconds after which a trial ends, at the next decision."""


_COLD = 4
"""How many times as long it may take with the first decision of each seat."""

_LONGEST = 120.0
"""Seconds after which a trial ends even if slow seats have decided once only."""

_SLOW = 0.1
"""The part of a trial's time from which a first decision is slow: a second one has to be seen."""


class _EnoughError(Exception):
    """A trial has taken as long as it may."""


class _Watched:
    """A player whose decisions are timed, until a trial is over."""

    def __init__(self, player: Player, watch: _Watch) -> None:
        self._player = player
        self._watch = watch

    def choose(self, decision: Decision) -> Answer:
        self._watch.check()
        begun = time.perf_counter()
        answer = self._player.choose(decision)
        self._watch.note(decision.seat, time.perf_counter() - begun)
        return answer


class _Watch:
    """What the decisions of a trial have taken so far.

    The first one of each seat is kept apart: most of it may be a one-off cost, such as compiling
    machine code, however long that takes.
    """

    def __init__(self, most: float, seats: int) -> None:
        self._most = most
        self._seats = seats
        self._first: dict[int, float] = {}
        self._later: dict[int, float] = {}
        self._counts: Counter[int] = Counter()

    def check(self) -> None:
        """Raise _EnoughError if no more decisions are to be made."""
        later = sum(self._later.values())
        spent = sum(self._first.values()) + later
        known = not any(
            seconds > _SLOW * self._most and seat not in self._later
            for seat, seconds in self._first.items()
        )
        if known and (later > self._most or spent > _COLD * self._most):
            raise _EnoughError
        if spent > _LONGEST and len(self._first) >= min(2, self._seats):
            raise _EnoughError

    def note(self, seat: int, seconds: float) -> None:
        """Count a decision of a seat."""
        if seat in self._first:
            self._later[seat] = self._later.get(seat, 0.0) + seconds
            self._counts[seat] += 1
        else:
            self._first[seat] = seconds

    def rate(self, seat: int) -> float:
        """Return the seconds for a decision of a seat that has decided before.

        Of one that has not done so twice it is the shortest first decision of all these seats: if
        one of them had to compile machine code, others took it over.
        """
        if seat in self._later:
            return self._later[seat] / self._counts[seat]
        return min(seconds for table, seconds in self._first.items() if table not in self._later)

    @property
    def once(self) -> float:
        """By how many seconds the first decisions took longer than later ones would have."""
        return sum(max(0.0, seconds - self.rate(seat)) for seat, seconds in self._first.items())

    def seconds(self, seats: Iterable[int]) -> float:
        """Return how long decisions of these seats take."""
        asked = [self.rate(seat) for seat in self._first]
        return sum(self.rate(seat) if seat in self._first else fmean(asked) for seat in seats)


def is_quick(text: str) -> bool:
    """Say whether the player with this spec is of a kind that needs next to no time."""
    return text.partition(":")[0] in QUICK


def game_seconds(
    game: Game, makers: Sequence[Callable[[], Player]], seed: int, most: float = TRIAL_SECONDS
) -> float | None:
    """Return about how long a game takes with a new player for each seat.

    A game is played from the seed; if it is not over after `most` seconds, its decisions are those
    of a random game. One-off costs, such as compiling machine code at a first decision, do not
    count, and the trial goes on until it has seen what slow seats take without them. None if a
    player or the game fails: the games that count will report it.
    """
    game.prepare()
    watch = _Watch(most, game.players)
    try:
        players = [_Watched(make(), watch) for make in makers]
        begun = time.perf_counter()
        try:
            referee_game(game, seed, players)
            return time.perf_counter() - begun - watch.once
        except _EnoughError:
            random = referee_game(game, seed, [RandomPlayer() for _ in makers])
            return watch.seconds(seat for seat, *_ in random.decisions)
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
