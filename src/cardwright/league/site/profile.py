"""Profiles of bots: what a bot's page shows besides its row of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.league.block import SEATS
from cardwright.league.site.drawing import BarChart, bar_chart, in_percent
from cardwright.league.site.estimates import Duel, duel_of, mean_of, share_of
from cardwright.league.site.grid import CardGrid, grid
from cardwright.league.site.times import Thinking, thinking

if TYPE_CHECKING:
    from cardwright.league.site.facts import SeasonFacts
    from cardwright.league.site.ranking import RankingRow
    from cardwright.league.site.trouble import FaultCount
    from cardwright.statistics.sample import Estimate

WAYS = ("Passing to the next seat", "Passing to the previous seat", "Passing across")
"""The names of the directions in `play.DIRECTIONS`."""

_TENS = 10


@dataclass(frozen=True)
class SeatRecord:
    """A bot's results in one seat, counted from 1; `wins` is its share of first places there."""

    seat: int
    games: int
    points: Estimate
    wins: Estimate


@dataclass(frozen=True)
class Profile:
    """What a bot's page shows."""

    row: RankingRow
    rounds: int
    round_chart: BarChart
    game_chart: BarChart
    seats: tuple[SeatRecord, ...]
    duels: tuple[Duel, ...]
    passing: tuple[CardGrid, ...]
    leading: CardGrid
    kinds: tuple[tuple[str, FaultCount], ...]
    thinking: Thinking | None

    @property
    def fewest(self) -> int:
        """The fewest games behind an interval on its page; 0 without any."""
        counts = [self.row.games, *(seat.games for seat in self.seats),
                  *(duel.games for duel in self.duels)]  # fmt: skip
        return min((count for count in counts if count > 1), default=0)


def profile(facts: SeasonFacts, row: RankingRow, order: list[int]) -> Profile:
    """Return the profile of a bot; `order` has all roster entries as they are ranked."""
    entry, scores, habits = row.entry, facts.scores, facts.habits
    rounds = scores.rounds[entry]
    kinds = sorted(facts.trouble.kinds[entry].items(), key=lambda one: -one[1].count)
    all_ways = grid(
        "All directions", habits.passed[entry].sum(axis=0), habits.dealt[entry].sum(axis=0)
    )
    ways = (
        grid(title, habits.passed[entry, way], habits.dealt[entry, way])
        for way, title in enumerate(WAYS)
    )
    return Profile(
        row=row,
        rounds=int(rounds.sum()),
        round_chart=_shares(rounds.tolist(), "{} points: {:,} rounds ({:.1%})", 2),
        game_chart=_game_chart(scores.points[entry].sum(axis=0).tolist()),
        seats=tuple(_seat(facts, entry, seat) for seat in range(SEATS)),
        duels=tuple(
            duel_of(facts.duels, entry, other)
            for other in order
            if facts.duels.games[entry, other]
        ),
        passing=(all_ways, *ways),
        leading=grid("Led, of all times held after passing", habits.led[entry],
                     habits.played[entry]),
        kinds=tuple(kinds),
        thinking=thinking(facts.timings, entry),
    )  # fmt: skip


def _seat(facts: SeasonFacts, entry: int, seat: int) -> SeatRecord:
    points = facts.scores.points[entry, seat]
    return SeatRecord(
        seat + 1, int(points.sum()), mean_of(points), share_of(facts.scores.wins[entry, seat])
    )


def _game_chart(points: list[int]) -> BarChart:
    """Return a chart of the points of games, in tens."""
    tens = [sum(points[low : low + _TENS]) for low in range(0, len(points), _TENS)]
    total = max(sum(tens), 1)
    titles = [
        f"{_TENS * at} to {_TENS * at + _TENS - 1} points: {count:,} games ({count / total:.1%})"
        for at, count in enumerate(tens)
    ]
    labels = [str(_TENS * at) for at in range(len(tens))]
    return bar_chart([count / total for count in tens], titles, labels, in_percent)


def _shares(counts: list[int], title: str, every: int) -> BarChart:
    total = max(sum(counts), 1)
    titles = [title.format(at, count, count / total) for at, count in enumerate(counts)]
    labels = ["" if at % every else str(at) for at in range(len(counts))]
    return bar_chart([count / total for count in counts], titles, labels, in_percent)
