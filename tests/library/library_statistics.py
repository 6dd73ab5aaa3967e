"""What random games of the library come to: exact sums of ten thousand games of each kind.

Seeds are those of a job (`game_seeds`), so the sums are the same on every machine; from whole
numbers alone come all the figures that the page of the library shows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright import Game, play_random
from cardwright.game import game_seeds
from cardwright.library.catalogue import facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.native.random_games import RandomGames

SEED = 1
GAMES = 10_000
HUNDRED = 100
"""The seed of the job, the games of each kind, and the games of a batch whose largest is noted."""

LONGEST = 200
"""Games of a fixed length with more decisions than that have no `options_at`."""

Settings: TypeAlias = "tuple[tuple[str, Any], ...]"
"""Constants with the values that they are given."""


@dataclass(frozen=True)
class Kind:
    """What kind of a game is played: the number of players, a preset if any, and constants."""

    players: int
    preset: str = ""
    declared: Settings = ()

    def load(self, name: str) -> Game:
        """Load a game of the library; raises ValueError if it is for another number of players."""
        constants: dict[str, Any] = dict(self.declared)
        if not self.preset and "PLAYERS" in facts(name).declared:
            constants["PLAYERS"] = self.players
        game = Game.variant(name, constants, self.preset or None)
        if game.players != self.players:
            raise ValueError(f"{name} is for {game.players} players, not for {self.players}")
        return game


Range: TypeAlias = tuple[int, int, int]
"""The least, the middle and the most of something that varies from batch to batch."""


@dataclass(frozen=True)
class Sums:
    """The sum of whole numbers, the sum of their squares, the least and the most of them."""

    count: int
    total: int
    squares: int
    least: int
    most: int

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.count

    @property
    def sd(self) -> float:
        """The standard deviation of the numbers themselves (not of a sample)."""
        return math.sqrt(self.count * self.squares - self.total**2) / self.count

    @classmethod
    def of(cls, values: np.ndarray[Any, np.dtype[np.int64]]) -> Sums:
        """Sum an array up."""
        numbers = values.tolist()
        squares = sum(number * number for number in numbers)
        return cls(len(numbers), sum(numbers), squares, min(numbers), max(numbers))


@dataclass(frozen=True)
class Statistics:
    """Sums over random games of one kind.

    `decisions`, `scores` (by seat), and the `best` and `worst` score are sums over games. `options`
    adds up the options of all decisions, `forced` counts those with one option, `widest` is the
    most that one had. A side is a team, or a player without one: `winning[w - 1]` games had w
    winning sides, and in `first[w - 1]` of these the side of the first seat was one of them.
    `longest_of_hundred` and
    `widest_of_hundred` say how the longest game, and the widest decision, of a hundred games vary.
    `options_at` adds up the options of the first decision, of the second..., over all games; it is
    there only if all games have one length.
    """

    kind: Kind
    decisions: Sums
    options: int
    forced: int
    widest: int
    scores: tuple[Sums, ...]
    best: Sums
    worst: Sums
    winning: tuple[int, ...]
    first: tuple[int, ...]
    longest_of_hundred: Range
    widest_of_hundred: Range
    options_at: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.decisions.count

    @property
    def options_mean(self) -> float:
        """Options a decision, over all decisions of all games."""
        return self.options / self.decisions.total

    @property
    def forced_share(self) -> float:
        """The share of decisions with one option."""
        return self.forced / self.decisions.total

    @property
    def tied(self) -> float:
        """The share of games that more than one side won."""
        return sum(self.winning[1:]) / self.games

    @property
    def first_share(self) -> tuple[float, float]:
        """The mean share of the win of the first seat's side, and the standard error of it."""
        shares = [(times, 1 / sides) for sides, times in enumerate(self.first, start=1)]
        mean = math.fsum(times * share for times, share in shares) / self.games
        square = math.fsum(times * share**2 for times, share in shares) / self.games
        return mean, math.sqrt(max(0.0, square - mean**2) / self.games)

    @property
    def first_best(self) -> float:
        """The share of games in which no side was better than the first seat's: ties are wins."""
        return sum(self.first) / self.games

    @property
    def all_scores(self) -> Sums:
        """The scores of all seats together."""
        return Sums(
            sum(seat.count for seat in self.scores),
            sum(seat.total for seat in self.scores),
            sum(seat.squares for seat in self.scores),
            min(seat.least for seat in self.scores),
            max(seat.most for seat in self.scores),
        )


@cache
def measure(name: str, kind: Kind, games: int = GAMES, seed: int = SEED) -> Statistics:
    """Play random games by machine code and sum them up; raises GameError if one breaks a rule."""
    game = kind.load(name)
    played = play_random(game, game_seeds(seed, games))
    for error in played.errors():
        raise error
    decisions = Sums.of(played.decisions)
    fixed = decisions.least == decisions.most <= LONGEST
    winning, first = _wins(game, played)
    low, high = played.scores.min(axis=1), played.scores.max(axis=1)
    return Statistics(
        kind=kind,
        decisions=decisions,
        options=int(played.option_sums.sum()),
        forced=int(played.single_sums.sum()),
        widest=int(played.option_most.max()),
        scores=tuple(Sums.of(played.scores[:, seat]) for seat in range(kind.players)),
        best=Sums.of(high if game.highest_wins else low),
        worst=Sums.of(low if game.highest_wins else high),
        winning=winning,
        first=first,
        longest_of_hundred=_range_of_most(played.decisions),
        widest_of_hundred=_range_of_most(played.option_most),
        options_at=_options_at(game, games, seed) if fixed else (),
    )


def _wins(game: Game, played: RandomGames) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how many games had 1, 2... winning sides, and the first seat's among them."""
    best = played.best()
    sides = [best[:, list(team)].any(axis=1) for team in game.program.teams]
    mine = next(won for won, team in zip(sides, game.program.teams, strict=True) if 0 in team)
    count = np.sum(sides, axis=0)
    room = len(sides) + 1
    every = np.bincount(count, minlength=room)[1:]
    first = np.bincount(count[mine], minlength=room)[1:]
    return tuple(every.tolist()), tuple(first.tolist())


def _range_of_most(values: np.ndarray[Any, np.dtype[np.int64]]) -> Range:
    """Return the least, the middle and the most of the largest values of every hundred games."""
    size = min(HUNDRED, len(values))
    whole = len(values) // size * size
    most: Sequence[int] = sorted(values[:whole].reshape(-1, size).max(axis=1).tolist())
    return most[0], most[len(most) // 2], most[-1]


def _options_at(game: Game, games: int, seed: int) -> tuple[int, ...]:
    """Return the sum of options of each decision in its turn; all games have one length."""
    seeds = game_seeds(seed, games)
    batch = game.batch(games, seeds)
    streams = batch.seat_streams(seeds)
    sums = []
    while not batch.finished.all():
        sums.append(int(batch.option_counts.sum()))
        batch.random_step(streams)
    return tuple(sums)
