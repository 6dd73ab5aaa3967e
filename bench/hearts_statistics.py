"""Figures of random Hearts against those of an independent program that played 200,000 deals.

Prints each figure, the value to reproduce, and whether it is within tolerance; exits with 1 if any
is not. Takes a minute or two: 20,000 deals for four players, 5,000 each for three and five.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from multiprocessing import Pool

import numpy as np
from script import carry_out

from cardwright import Game, Stream
from cardwright.game.native.random_games import play_random

LEADER = (9.75, 8.81, 7.96, 7.21, 6.58, 6.07, 5.68, 5.29, 4.78, 3.98, 3.00, 2.00, 1.00)
OTHERS = (3.29, 3.34, 3.41, 3.48, 3.53, 3.54, 3.47, 3.32, 3.07, 2.73, 2.29, 1.74, 1.00)
BROKEN = (1.7, 4.2, 7.6, 11.6, 15.2, 18.3, 18.6, 14.6, 7.2, 1.1)
"""Options of the leader and of the others by trick, and percent of deals in which the first heart
falls in trick 1 to 10."""

DECISIONS_A_ROUND = 64
"""Twelve cards passed and 52 played."""

SHARES = {0: 0.228, 1: 0.093, 4: 0.114, 13: 0.047, 17: 0.032, -26: 0.003}
"""Shares of some scores."""


@dataclass(frozen=True)
class Sample:
    """Random deals: option counts (by deal and decision), scores, and when hearts were broken."""

    counts: np.ndarray
    scores: np.ndarray
    broken: np.ndarray

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.scores.shape[1])

    def leader(self) -> np.ndarray:
        """Options of who leads, by deal and trick."""
        return self.counts[:, :: self.players]

    def others(self) -> np.ndarray:
        """Mean options of the others, by deal and trick."""
        tricks = self.counts.reshape(len(self.counts), -1, self.players)
        return tricks[:, :, 1:].mean(axis=2)

    def convergence(self) -> np.ndarray:
        """For each deal 1 - (slope / 2 + 1 / 2), of the slope of the counts over the decisions."""
        times = np.arange(self.counts.shape[1])
        centred = times - times.mean()
        slopes = self.counts @ centred / (centred @ centred)
        return 0.5 - slopes / 2

    def moons(self) -> np.ndarray:
        """For each deal whether somebody took every point."""
        return (self.scores == -26).any(axis=1)

    def first_wins(self) -> tuple[np.ndarray, np.ndarray]:
        """Wins of the first seat by deal: a tie as a full win, and a tie as a share."""
        best = self.scores == self.scores.min(axis=1, keepdims=True)
        return best[:, 0].astype(float), best[:, 0] / best.sum(axis=1)


def sample(players: int, seeds: range) -> Sample:
    """Play a deal for each seed, with every seat choosing uniformly."""
    game = Game.load("hearts", PLAYERS=players)
    counts, scores, broken = [], [], []
    for seed in seeds:
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(players)]
        deal: list[int] = []
        first = 0
        while state.player is not None:
            if not first and len(deal) % players == 0 and state.integer(None, "BROKEN"):
                first = len(deal) // players
            deal.append(state.option_count)
            state.play(streams[state.player].below(state.option_count))
        counts.append(deal)
        scores.append(state.scores)
        broken.append(first)
    return Sample(np.array(counts, dtype=float), np.array(scores), np.array(broken))


def merged(parts: list[Sample]) -> Sample:
    """Join samples into one."""
    return Sample(
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.broken for part in parts]),
    )


@dataclass(frozen=True)
class Figure:
    """One measured figure, its standard error, the value to reproduce and the tolerance."""

    name: str
    value: float
    error: float
    expected: float
    tolerance: float

    @property
    def good(self) -> bool:
        """Whether the value is within the tolerance."""
        return abs(self.value - self.expected) <= self.tolerance + 1e-9

    def __str__(self) -> str:
        return (
            f"{self.name:34} {self.value:9.4f} ± {self.error:.4f}   expected {self.expected:8.3f}"
            f" ± {self.tolerance:.3f}   {'ok' if self.good else 'OUT'}"
        )


def mean(name: str, values: np.ndarray, expected: float, tolerance: float) -> Figure:
    """Return the mean over deals as a figure."""
    error = float(values.std(ddof=1) / math.sqrt(len(values)))
    return Figure(name, float(values.mean()), error, expected, tolerance)


def deviation(name: str, scores: np.ndarray, expected: float, tolerance: float) -> Figure:
    """Return the standard deviation of scores, by deal and seat, as a figure."""
    variances = ((scores - scores.mean()) ** 2).mean(axis=1)
    spread = math.sqrt(variances.mean())
    error = float(variances.std(ddof=1) / math.sqrt(len(variances)) / (2 * spread))
    return Figure(name, spread, error, expected, tolerance)


def four_players(deals: Sample) -> list[Figure]:
    """All figures for four players, with the tolerances that 20,000 deals allow."""
    leader, others = deals.leader(), deals.others()
    found = [
        mean(f"leader's options, trick {trick}", leader[:, trick - 1], LEADER[trick - 1], 0.05)
        for trick in range(1, 14)
    ]
    found += [
        mean(f"others' options, trick {trick}", others[:, trick - 1], OTHERS[trick - 1], 0.05)
        for trick in range(1, 14)
    ]
    found += [
        mean(f"hearts broken in trick {trick}, %", 100.0 * (deals.broken == trick), share, 1.0)
        for trick, share in enumerate(BROKEN, start=1)
    ]
    found.append(mean("mean options", deals.counts.mean(axis=1), 3.592, 0.01))
    found.append(mean("forced decisions, %", 100 * (deals.counts == 1).mean(axis=1), 22.5, 0.3))
    found.append(mean("convergence", deals.convergence(), 0.538, 0.003))
    found.append(mean("moon, %", 100.0 * deals.moons(), 1.09, 0.2))
    for seat in range(4):
        expected = 6.40 if seat == 0 else 6.345
        found.append(mean(f"score of seat {seat + 1}", deals.scores[:, seat], expected, 0.2))
    found.append(deviation("standard deviation of scores", deals.scores, 6.93, 0.15))
    for score, share in SHARES.items():
        values = (deals.scores == score).mean(axis=1)
        found.append(mean(f"share of score {score}", values, share, 0.005))
    ties, shares = deals.first_wins()
    found.append(mean("first seat wins, ties as wins", ties, 0.310, 0.015))
    found.append(mean("first seat wins, ties shared", shares, 0.248, 0.015))
    return found


def other_players(deals: Sample) -> list[Figure]:
    """The figures known for three and five players."""
    options, convergence, moon, ties, shares = {
        3: (4.57, 0.554, 1.4, 0.354, 0.332),
        5: (2.95, 0.530, 1.05, 0.349, 0.196),
    }[deals.players]
    n = f"{deals.players} players: "
    first, part = deals.first_wins()
    return [
        mean(f"{n}mean options", deals.counts.mean(axis=1), options, 0.02),
        mean(f"{n}convergence", deals.convergence(), convergence, 0.004),
        mean(f"{n}moon, %", 100.0 * deals.moons(), moon, 0.6),
        mean(f"{n}first wins, ties as wins", first, ties, 0.03),
        mean(f"{n}first wins, ties shared", part, shares, 0.03),
    ]


def other_rules(seeds: range) -> list[Figure]:
    """The figures known for 2C leading, without points in the first trick, and for the League.

    The first are of any penalty card breaking hearts, which the row does not say: with hearts alone
    there are 3.41 options.
    """
    lead = {"OPENING": "LOWCLUB", "FIRSTTRICK": "FORCE", "BREAKS": "PENALTY", "MOON": "PLUS"}
    games = play_random(Game.variant("hearts", lead), seeds)
    deal = {"PASS": 0, "ROUNDS": 1, "END": 0}
    league = play_random(Game.variant("hearts", deal, "hearts_league"), seeds)
    return [
        mean("2C leads: mean options", games.option_sums / games.decisions, 3.473, 0.01),
        mean("2C leads: mean score", games.scores.mean(axis=1), 6.64, 0.05),
        deviation("2C leads: deviation of scores", games.scores, 6.92, 0.15),
        mean("League: mean options", league.option_sums / league.decisions, 3.480, 0.01),
    ]


def league_games(seeds: range) -> list[Figure]:
    """The figures known for whole games of the League, to 100 points: rounds and final scores."""
    games = play_random(Game.load("hearts", preset="hearts_league"), seeds)
    rounds = games.decisions / DECISIONS_A_ROUND
    deviations = (rounds - rounds.mean()) ** 2
    spread = float(rounds.std(ddof=1))
    error = float(deviations.std(ddof=1) / math.sqrt(len(rounds)) / (2 * spread))
    lowest, highest = games.scores.min(axis=1), games.scores.max(axis=1)
    ties = (games.scores == lowest[:, None]).sum(axis=1) > 1
    return [
        mean("League: rounds of a game", rounds, 11.47, 0.08),
        Figure("League: deviation of rounds", spread, error, 1.77, 0.06),
        mean("League: winner's score", lowest, 49.6, 0.6),
        mean("League: loser's score", highest, 106.4, 0.3),
        mean("League: ties for first, %", 100.0 * ties, 2.1, 0.6),
    ]


def gather(players: int, games: int, processes: int) -> Sample:
    """Play the deals of the seeds from 0 on, in several processes."""
    step = 250
    jobs = [(players, range(i, min(i + step, games))) for i in range(0, games, step)]
    with Pool(processes) as pool:
        return merged(pool.starmap(sample, jobs))


def main() -> None:
    """Play, print all figures, and say whether they agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    figures = four_players(gather(4, arguments.games, arguments.processes))
    for players in (3, 5):
        figures += other_players(gather(players, arguments.games // 4, arguments.processes))
    figures += other_rules(range(arguments.games))
    figures += league_games(range(arguments.games // 3))
    for figure in figures:
        sys.stdout.write(f"{figure}\n")
    out = [figure.name for figure in figures if not figure.good]
    sys.stdout.write(f"{len(figures)} figures, {len(out)} out of tolerance\n")
    sys.exit(bool(out))


if __name__ == "__main__":
    carry_out(main)
