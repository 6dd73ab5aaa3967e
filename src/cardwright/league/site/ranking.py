"""Rankings: the final table of a season, with intervals and significant differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.site.facts import SHOWN, TWELFTHS, Highlight
from cardwright.statistics.intervals import (
    LEVEL,
    Estimate,
    Sample,
    mean_interval,
    share_interval,
    t_quantile,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.league.block import Column
    from cardwright.league.plan import BotText
    from cardwright.league.site.facts import Duels, SeasonFacts

_FEW = (0, 6)
"""Pseudo-counts of a first and a last place added to the variance: few equal games prove
nothing."""


def rank_ranges(facts: SeasonFacts, entries: Sequence[int]) -> list[tuple[int, int]]:
    """Return, for each of some bots, the best first, the range of its possible ranks.

    It ranks below all bots that are significantly better, and above all that are significantly
    worse; its range is right with 95 % confidence, with a Bonferroni correction over its
    comparisons.
    """
    surely = {(entry, other): surely_better(facts, entry, other, len(entries) - 1)
              for entry in entries for other in entries if entry != other}  # fmt: skip
    return [
        (
            1 + sum(surely[other, entry] for other in entries if other != entry),
            len(entries) - sum(surely[entry, other] for other in entries if other != entry),
        )
        for entry in entries
    ]


def surely_better(facts: SeasonFacts, one: int, other: int, comparisons: int) -> bool:
    """Say whether a bot's mean place is significantly better than another's.

    The places of bots that played in the same games are not independent: when one comes first, the
    others do not. So the test includes the covariance of both.
    """
    games = [int(facts.scores.games[entry]) for entry in (one, other)]
    if min(games) < 2:
        return False
    means, spreads = zip(*(_moments(facts, entry) for entry in (one, other)), strict=True)
    duels, common = facts.duels, int(facts.duels.games[one, other])
    together = (
        int(duels.products[one, other])
        - means[1] * int(duels.places[one, other])
        - means[0] * int(duels.places[other, one])
        + means[0] * means[1] * common
    )
    variance = sum(spread / count for spread, count in zip(spreads, games, strict=True))
    variance -= 2 * together / (games[0] * games[1])
    level = 1 - (1 - LEVEL) / max(1, comparisons)
    margin = t_quantile(min(games) - 1, level) * sqrt(max(variance, 0))
    return bool(means[1] - means[0] > margin)


def _moments(facts: SeasonFacts, entry: int) -> tuple[float, float]:
    """Return the mean and the variance of a bot's places, in the units of `scores.halves`."""
    counts = facts.scores.standing[entry]
    places = np.arange(len(counts))
    games = int(counts.sum())
    mean = float((counts * places).sum() / games)
    squares = float((counts * (places - mean) ** 2).sum())
    squares += sum((place - mean) ** 2 for place in _FEW)
    return mean, squares / (games + 1)


def mean_of(counts: Column) -> Estimate:
    """Return the mean of the values 0, 1, 2, ... with these counts."""
    return mean_interval(np.repeat(np.arange(len(counts), dtype=float), counts))


def share_of(counts: Column) -> Estimate:
    """Return the mean of shares in twelfths with these counts."""
    return share_interval(np.repeat(np.arange(len(counts)) / TWELFTHS, counts))


@dataclass(frozen=True)
class Duel:
    """A bot's results against an opponent in their common games.

    `share` is the share of games in which it had fewer points, equal points counting half;
    `difference` its mean points per game minus the opponent's: below 0 is better.
    """

    opponent: int
    games: int
    share: Estimate
    difference: Estimate


def duel_of(duels: Duels, entry: int, opponent: int) -> Duel:
    """Return one bot's results against another; without common games the means are NaN."""
    games = int(duels.games[entry, opponent])
    won, level = int(duels.before[entry, opponent]), int(duels.level[entry, opponent])
    values = np.repeat([1.0, 0.5, 0.0], [won, level, games - won - level])
    total = int(duels.difference[entry, opponent])
    squares = int(duels.squares[entry, opponent])
    return Duel(opponent, games, share_interval(values), _mean(games, total, squares))


def _mean(count: int, total: int, squares: int) -> Estimate:
    """Return a mean with Student's t interval from sums of integers and of their squares."""
    mean = total / count if count else float("nan")
    spread = (squares * count - total**2) / (count * (count - 1)) if count > 1 else float("nan")
    return mean_interval(Sample(count, mean, spread))


@dataclass(frozen=True)
class RankingRow:
    """A bot in the table.

    `rank` counts from 1; equal bots share it, and bots without games have None; `chance` is the
    range of ranks that these games do not rule out. `entry` is the bot's number in the roster, from
    0. `rating` is the mean and standard deviation of its last rating. `places` are its shares of
    first to fourth places. `hearts`, `queens` and `tricks` are what it took, `shot` and `suffered`
    its own moons and those of others, all in the whole season; `faults` are those that count, made
    or forfeited in `faulty` games, and `notes` those that are only noted.
    """

    rank: int | None
    chance: tuple[int, int] | None
    entry: int
    bot: BotText
    games: int
    mean_place: float
    rating: tuple[float, float]
    places: tuple[Estimate, ...]
    points: Estimate
    hearts: int
    queens: int
    tricks: int
    shot: int
    suffered: int
    faults: int
    faulty: int
    notes: int
    forfeits: int

    @property
    def page(self) -> str:
        """The file of the bot's page."""
        return f"bot-{self.entry + 1}.html"


def ranking(facts: SeasonFacts) -> list[RankingRow]:
    """Return the table, by mean place, then by points per game.

    Bots without games come last, in the order of the roster.
    """
    games = facts.scores.games.tolist()
    ratings = facts.course.last
    entries = [_row(facts, entry, games[entry], ratings[entry]) for entry in range(len(games))]
    played = sorted((row for row in entries if row.games), key=_merit)
    ranks: list[int] = []
    for place, row in enumerate(played):
        same = place > 0 and _merit(row) == _merit(played[place - 1])
        ranks.append(ranks[-1] if same else place + 1)
    chances = rank_ranges(facts, [row.entry for row in played])
    ranked = [
        replace(row, rank=rank, chance=chance)
        for row, rank, chance in zip(played, ranks, chances, strict=True)
    ]
    return ranked + [row for row in entries if not row.games]


def _merit(row: RankingRow) -> tuple[float, float]:
    return row.mean_place, row.points.mean


def _row(facts: SeasonFacts, entry: int, games: int, rating: tuple[float, float]) -> RankingRow:
    scores, faults = facts.scores, facts.trouble.all_of(entry)
    places = tuple(share_of(scores.places[entry, place]) for place in range(SEATS))
    return RankingRow(
        rank=None,
        chance=None,
        entry=entry,
        bot=facts.plan.bots[entry],
        games=games,
        mean_place=sum(place * share.mean for place, share in enumerate(places, 1)),
        rating=rating,
        places=places,
        points=mean_of(scores.points[entry].sum(axis=0)),
        hearts=int(scores.hearts[entry]),
        queens=int(scores.queens[entry]),
        tricks=int(scores.tricks[entry]),
        shot=int(scores.shot[entry]),
        suffered=int(scores.suffered[entry]),
        faults=faults.faults,
        faulty=facts.trouble.games[entry],
        notes=faults.notes,
        forfeits=faults.forfeits,
    )


def upsets(facts: SeasonFacts, rows: Sequence[RankingRow]) -> list[Highlight]:
    """Return games that a bot won alone against three that are better over the season.

    They are sorted by how much better these are, in places, and then by the margin in points.
    """
    merit = np.full(1 + max((row.entry for row in rows), default=0), np.nan)
    for row in rows:
        merit[row.entry] = row.mean_place
    found: list[tuple[float, float, Highlight]] = []
    for first, seats, totals in facts.highlights.games:
        winner = totals.argmin(axis=1)
        at = np.arange(len(seats))
        others = np.ones(seats.shape, bool)
        others[at, winner] = False
        places = merit[seats]
        gaps = places[at, winner] - np.where(others, places, 0).sum(axis=1) / (SEATS - 1)
        worst = (places < places[at, winner][:, None])[others].reshape(-1, SEATS - 1).all(axis=1)
        alone = (totals == totals[at, winner][:, None]).sum(axis=1) == 1
        margin = np.sort(totals, axis=1)[:, 1].astype(int) - totals[at, winner]
        good = np.flatnonzero(worst & alone)
        order = good[np.lexsort((-margin[good], -gaps[good]))][:SHOWN]
        for game in order.tolist():
            gap, seat = float(gaps[game]), int(winner[game])
            seated = tuple(seats[game].tolist()), tuple(totals[game].tolist())
            highlight = Highlight(first + game, 1, seat, gap, *seated)
            found.append((-gap, -float(margin[game]), highlight))
    found.sort(key=lambda one: (*one[:2], one[2].game))
    return [highlight for _, _, highlight in found[:SHOWN]]
