"""What random games of the library come to, for the pages of the gallery: measured once and kept.

`numbers.json` has a line for each game. Its games are those of `cardwright simulate` with the same
seed, so the same numbers come out on every machine. A value with its 95 % interval is a list of
three; a value that never varied has the ends of its interval at itself.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwright import Game, __version__, play_random
from cardwright.analysis.statistics import Statistics
from cardwright.game import game_seeds
from cardwright.statistics.intervals import mean_interval, share_interval

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from cardwright.game.native.random_games import RandomGames
    from cardwright.statistics.intervals import Estimate

FILE = Path(__file__).with_name("numbers.json")
SEED = 1
GAMES = 2_000
COURSE = 200
"""The seed of the job, its games, and how many of them are followed decision by decision."""
POINTS = 40
"""Most points of the course of options along a game."""

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


class Ranged(NamedTuple):
    """A value and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class GameNumbers:
    """The numbers of a game's page.

    `length` is in decisions a game, `options` in options a decision, `forced` the share of
    decisions with one option. `wins` has for each seat the share of games that it wins, where k
    winners have 1/k each; it is empty for one player. `scores` has the mean score of each seat.
    `course` are the mean options at equal portions of a game, from its first decision to its last.
    `lengths`, `made` and `ranks` count games by decisions, seats by score, and seats by final rank.
    """

    players: int
    highest_wins: bool
    version: str
    seed: int
    games: int
    length: Ranged
    shortest: int
    longest: int
    options: Ranged
    widest: int
    forced: Ranged
    tied: Ranged
    wins: tuple[Ranged, ...]
    scores: tuple[Ranged, ...]
    course: tuple[float, ...]
    lengths: dict[int, int]
    made: dict[int, int]
    ranks: tuple[tuple[int, ...], ...]

    @property
    def followed(self) -> int:
        """How many games the course is of: the first of all."""
        return min(self.games, COURSE)

    def statistics(self) -> Statistics:
        """Return the counts as the figures of the analysis read them."""
        ranks = np.array(self.ranks)
        one = Counter(self.made)
        return Statistics(
            games=self.games,
            lengths=Counter(self.lengths),
            scores=(one, *(Counter[int]() for _ in range(self.players - 1))),
            with_score=Counter(),
            ranks=ranks,
            wins=ranks[:, 0],
            shared=ranks[:, 0].astype(np.float64),
            tied=round(self.tied.value * self.games),
        )


def measure(name: str, games: int = GAMES, seed: int = SEED) -> GameNumbers:
    """Play random games of a library game as it stands; raises GameError if one breaks a rule."""
    game = Game.load(name)
    played = play_random(game, game_seeds(seed, games))
    for error in played.errors():
        raise error
    best = played.best()
    shared = best / best.sum(axis=1, keepdims=True)
    several = game.players > 1
    return GameNumbers(
        players=game.players,
        highest_wins=game.highest_wins,
        version=__version__,
        seed=seed,
        games=games,
        length=_mean(played.decisions),
        shortest=int(played.decisions.min()),
        longest=int(played.decisions.max()),
        options=_quotient(played.option_sums, played.decisions),
        widest=int(played.option_most.max()),
        forced=_quotient(played.single_sums, played.decisions),
        tied=_share(_sides(game, best) > 1),
        wins=tuple(_share(seat) for seat in shared.T) if several else (),
        scores=tuple(_mean(seat) for seat in played.scores.T),
        course=_course(game, min(games, COURSE), seed),
        lengths=dict(sorted(Counter(played.decisions.tolist()).items())),
        made=dict(sorted(Counter(played.scores.ravel().tolist()).items())),
        ranks=_ranks(played),
    )


def load(file: Path = FILE) -> dict[str, GameNumbers]:
    """Return the numbers on record by the names of games."""
    data: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return {name: _of_record(record) for name, record in data.items()}


def write(found: dict[str, GameNumbers], file: Path = FILE) -> None:
    """Write numbers, a game a line."""
    lines = [f"{json.dumps(name)}: {_record(one)}" for name, one in sorted(found.items())]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _record(numbers: GameNumbers) -> str:
    return json.dumps(_rounded(asdict(numbers)), separators=(",", ":"))


def _rounded(value: Any) -> Any:
    """Return a value with six digits in its fractions, which all machines agree on."""
    match value:
        case float():
            return float(f"{value:.6g}")
        case dict():
            return {key: _rounded(one) for key, one in value.items()}
        case list() | tuple():
            return [_rounded(one) for one in value]
    return value


def _of_record(record: dict[str, Any]) -> GameNumbers:
    ranged = {key: Ranged(*record[key]) for key in ("length", "options", "forced", "tied")}
    lists = {key: tuple(Ranged(*one) for one in record[key]) for key in ("wins", "scores")}
    counts = {
        key: {int(at): count for at, count in record[key].items()} for key in ("lengths", "made")
    }
    ranks = tuple(tuple(row) for row in record["ranks"])
    course = tuple(record["course"])
    return GameNumbers(**{**record, **ranged, **lists, **counts, "ranks": ranks, "course": course})


def _sides(game: Game, best: Numbers) -> Numbers:
    """Return how many sides won each game: teams, or players without one."""
    won = [best[:, list(team)].any(axis=1) for team in game.program.teams]
    sides: Numbers = np.sum(won, axis=0)
    return sides


def _ranks(played: RandomGames) -> tuple[tuple[int, ...], ...]:
    """Count for each seat how often it had each rank; those who tie have the better one."""
    good = played.scores if played.game.highest_wins else -played.scores
    ranks = (good[:, None, :] > good[:, :, None]).sum(axis=2)
    seats = ranks.shape[1]
    return tuple(tuple(np.bincount(seat, minlength=seats).tolist()) for seat in ranks.T)


def _course(game: Game, games: int, seed: int) -> tuple[float, ...]:
    """Return mean options at equal portions of a game; each game's decisions are spread over all.

    Where a game has fewer decisions than there are portions, its options are interpolated.
    """
    seeds = game_seeds(seed, games)
    batch = game.batch(games, seeds)
    streams = batch.seat_streams(seeds)
    steps = []
    while not batch.finished.all():
        steps.append(batch.option_counts)
        batch.random_step(streams)
    options = np.array(steps, np.float64).T
    longest = int((options > 0).sum(axis=1).max(initial=0))
    portions = np.linspace(0, 1, max(2, min(POINTS, longest)))
    curves = [
        np.interp(portions, np.linspace(0, 1, len(one)), one)
        for row in options
        if len(one := row[row > 0]) > 0
    ]
    return tuple(np.mean(curves, axis=0).tolist())


def _mean(values: Numbers) -> Ranged:
    return _ranged(mean_interval(np.asarray(values, np.float64)))


def _share(values: Numbers) -> Ranged:
    return _ranged(share_interval(np.asarray(values, np.float64)))


def _quotient(sums: Numbers, counts: Numbers) -> Ranged:
    """Return the quotient of sums over games, with the interval of its linear approximation."""
    value = float(sums.sum() / counts.sum())
    spread = _mean((sums - value * counts) / counts.mean())
    return Ranged(value, value + spread.low - spread.value, value + spread.high - spread.value)


def _ranged(estimate: Estimate) -> Ranged:
    """Return an estimate; one that never varied is its own interval."""
    ends = (estimate.low, estimate.high)
    low, high = (estimate.mean if end is None or math.isnan(end) else end for end in ends)
    return Ranged(estimate.mean, low, high)
