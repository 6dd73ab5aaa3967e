"""Estimates, rankings, charts and grids of a season's site."""

from __future__ import annotations

from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st
from seasons import blocks_of, game
from site_browser import plan_of
from test_site_facts import facts_of, season

from cardwright.league.block import TIMES, BlockTally, Timings
from cardwright.league.outputs import LeagueStandings
from cardwright.league.site.build import interval, narrow_percent, percents, short
from cardwright.league.site.data import shown
from cardwright.league.site.facts import Duels
from cardwright.league.site.profile import (
    COLOURS,
    NARROW,
    WIDE,
    bar_chart,
    grid,
    in_words,
    line_chart,
    profile,
    thinking,
    ticks,
)
from cardwright.league.site.ranking import duel_of, mean_of, ranking, share_of
from cardwright.statistics.intervals import Estimate, mean_interval, share_interval

if TYPE_CHECKING:
    from plain_league import Round

    from cardwright.league.block import Column
    from cardwright.league.plan import SeasonPlan

FINITE = st.floats(-1e6, 1e6)


def test_estimates_are_those_of_the_values() -> None:
    """Counts of values give the same means and intervals as the values."""
    values = np.array([0, 3, 3, 6, 12, 12, 12, 0])
    counts = np.bincount(values, minlength=13)
    assert mean_of(counts) == mean_interval(np.sort(values).astype(float))
    assert share_of(counts) == share_interval(np.sort(values) / 12)
    assert isnan(mean_of(np.zeros(5, np.int64)).mean)


@given(st.lists(st.integers(-125, 125), min_size=2, max_size=30))
def test_duels_are_estimated_from_sums(gaps: list[int]) -> None:
    """Sums of differences and squares give the mean and interval of the differences."""
    duels = Duels(2)
    at = (0, 1)
    duels.games[at], duels.difference[at] = len(gaps), sum(gaps)
    duels.squares[at] = sum(gap**2 for gap in gaps)
    duels.before[at], duels.level[at] = sum(gap < 0 for gap in gaps), gaps.count(0)
    duel = duel_of(duels, 0, 1)
    expected = mean_interval(np.array(gaps, float))
    assert duel.difference.mean == pytest.approx(expected.mean)
    assert duel.difference.low == pytest.approx(expected.low, abs=1e-9)
    assert duel.difference.high == pytest.approx(expected.high, abs=1e-9)
    halves = sum((gap < 0) + 0.5 * (gap == 0) for gap in gaps)
    assert duel.share.mean == pytest.approx(halves / len(gaps))
    assert duel.games == len(gaps)


@pytest.mark.parametrize("seed", range(8, 14))
def test_the_ranking_is_that_of_the_league(seed: int) -> None:
    """Mean place, then points a game; a bot that did not play is last and has no rank."""
    plan, games = season(seed)
    bots = (*plan.bots, plan.bots[0])
    plan = type(plan)(plan.name, plan.rules, plan.seed, bots, plan.schedule)
    rows = ranking(facts_of(plan, blocks_of(games)))
    counts = _counts(plan, games)
    standings = LeagueStandings(plan.roster, counts).ranked()
    assert [row.points.mean for row in rows[:-1]] == [one.points_a_game for one in standings[:-1]]
    assert [row.mean_place for row in rows[:-1]] == pytest.approx(
        [one.mean_place for one in standings[:-1]]
    )
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, None]
    assert rows[-1].entry == len(bots) - 1
    assert isnan(rows[-1].points.mean)


def _counts(plan: SeasonPlan, games: list[list[Round]]) -> Column:
    """Return the final counts of the league's own standings."""
    tally = BlockTally.of(blocks_of(games)[0])
    counts: Column = LeagueStandings.none(plan.roster).running(tally, plan.schedule)[-1]
    return counts


def test_places_go_before_points_in_these_tests() -> None:
    """Some bot has a better mean place with more points, so that the order can be wrong."""
    orders = []
    for seed in range(8, 14):
        plan, games = season(seed)
        points = [
            one.points_a_game for one in LeagueStandings(plan.roster, _counts(plan, games)).ranked()
        ]
        orders.append(points == sorted(points))
    assert not all(orders)


def test_equal_bots_share_a_rank() -> None:
    """Two bots with the same games in the same seats cannot be told apart."""
    plan = plan_of("ABCDE", 4, [[0, 1, 2, 3], [4, 1, 2, 3]])
    rows = ranking(facts_of(plan, blocks_of([game(1), game(1)])))
    ranks = {row.bot.name: row.rank for row in rows}
    assert ranks["A"] == ranks["E"]
    assert sorted(one for one in ranks.values() if one is not None).count(ranks["A"]) == 2


def test_a_profile_has_all_of_a_bot() -> None:
    """Seats add up to the games, charts to the whole, and only opponents are there."""
    plan, games = season(9)
    facts = facts_of(plan, blocks_of(games))
    rows = ranking(facts)
    shown_one = profile(facts, rows[0], [row.entry for row in rows])
    assert sum(seat.games for seat in shown_one.seats) == rows[0].games
    assert rows[0].entry not in {duel.opponent for duel in shown_one.duels}
    queens = {cell.name: cell for row in shown_one.passing[0].rows for cell in row.cells}["Q♠"]
    habits = facts.habits
    assert queens.count == habits.passed[rows[0].entry, :, 36].sum()
    assert queens.chances == habits.dealt[rows[0].entry, :, 36].sum()
    assert queens.count == sum(
        cell.count
        for one in shown_one.passing[1:]
        for row in one.rows
        for cell in row.cells
        if cell.name == "Q♠"
    )


def test_a_grid_has_every_card_at_its_place() -> None:
    """Spades, hearts, diamonds, clubs; from the ace down."""
    made = grid("all", np.arange(52), np.full(52, 100))
    names = [cell.name for row in made.rows for cell in row.cells]
    assert (names[0], names[12], names[13], names[-1]) == ("A♠", "2♠", "A♥", "2♣")
    assert {cell.name: cell.count for cell in made.rows[0].cells}["Q♠"] == 36
    assert len(set(names)) == 52
    assert made.rows[0].cells[0].share == pytest.approx(0.38)
    assert grid("none", np.zeros(52), np.zeros(52)).rows[0].cells[0].share is None


@given(FINITE, st.floats(1e-3, 1e6), st.integers(2, 9))
def test_ticks_are_few_and_even(low: float, width: float, most: int) -> None:
    """Ticks lie in the range, at most so many, in equal steps of 1, 2 or 5 times a power of 10."""
    high = low + width
    made = ticks(low, high, most)
    assert 1 <= len(made) <= most
    slack = 1e-6 * max(abs(low), abs(high), 1)
    assert low - slack <= made[0]
    assert made[-1] <= high + slack
    steps = np.diff(made)
    assert np.allclose(steps, steps[:1], atol=slack)


@given(
    st.lists(
        st.lists(st.one_of(FINITE, st.just(float("nan"))), min_size=4, max_size=4),
        min_size=1, max_size=COLOURS + 4,
    )
)  # fmt: skip
def test_line_charts_stay_in_their_frame(series: list[list[float]]) -> None:
    """Labels do not meet, colours repeat with other dashes only, and values are in the frame."""
    named = [(f"bot {at}", values) for at, values in enumerate(series)]
    for size in (WIDE, NARROW):
        chart = line_chart([100, 200, 300, 400], named, size)
        ends = sorted(line.end for line in chart.lines)
        assert all(other - one >= 14 - 1e-6 for one, other in pairwise(ends))
        assert chart.top <= ends[0]
        assert ends[-1] <= chart.bottom
        assert chart.right < chart.width
        assert len({(line.colour, line.dashes) for line in chart.lines}) == len(series)
        for line in chart.lines:
            points = [one.split(" ") for one in line.path[1:].split("L")] if line.path else []
            for x, y in points:
                assert chart.left <= float(x) <= chart.right
                assert chart.top - 0.1 <= float(y) <= chart.bottom + 0.1


def test_bars_stand_on_the_ground() -> None:
    """Heights are in proportion to values."""
    chart = bar_chart([1, 2, 0], ["a", "b", "c"], "games", ["0", "", "2"])
    one, two, none = chart.bars
    assert two.height == pytest.approx(2 * one.height)
    assert none.height == 0
    assert one.y + one.height == pytest.approx(chart.ground)
    assert two.title == "b: 2 games (66.7%)"
    assert [tick.text for tick in chart.across] == ["0", "2"]
    assert bar_chart([0, 0], ["", ""], "", ["", ""]).bars[0].height == 0


def test_times_are_in_words() -> None:
    """Units suit the size; the histogram has the columns that are used."""
    assert [in_words(n) for n in (5, 1500, 65_536, 2_500_000, 3e9)] == [
        "5.0 ns", "1.5 µs", "66 µs", "2.5 ms", "3.0 s",
    ]  # fmt: skip
    counts = np.zeros((1, TIMES), np.int64)
    counts[0, 10], counts[0, 12] = 3, 1
    one = np.array([1], np.int64)
    times = Timings(one, one * 4, one * 8000, one * 5000, counts)
    shown_one = thinking(times, 1)
    assert shown_one is not None
    assert (shown_one.moves, shown_one.mean, shown_one.longest) == (4, "2.0 µs", "5.0 µs")
    assert [bar.height > 0 for bar in shown_one.chart.bars] == [True, False, True]
    assert "3 moves" in shown_one.chart.bars[0].title
    assert thinking(times, 0) is None
    assert thinking(Timings.none(), 0) is None


def test_numbers_are_written_for_people() -> None:
    """A dash stands for what is not known, and minus is a minus."""
    assert (narrow_percent(None), narrow_percent(float("nan"))) == ("–",) * 2
    assert narrow_percent(0.125) == "12.5\u202f%"
    estimate = Estimate(0.2, 0.1, 0.35, 9)
    assert percents(estimate) == "10.0–35.0\u202f%"
    assert interval(Estimate(0, -1, 1, 9)) == "−1.00 to 1.00"
    alone = Estimate(0.2, None, None, 1)
    assert (interval(alone), percents(alone)) == ("–", "–")
    assert (short("abcdef", 4), short("abcd", 4)) == ("abc…", "abcd")


@given(st.text())
def test_shown_texts_turn_nothing_around(text: str) -> None:
    """No control, no character that turns the direction of others; all else stays as it is."""
    clean = shown(text)
    assert len(clean) == len(text)
    assert not set(clean) & {"\x00", "\x1b", "\u202e", "\u2066", "\u2028"}
    assert shown(clean) == clean
    clean.encode()


def test_letters_of_all_languages_are_shown() -> None:
    """What turns the direction of others is replaced, letters that run to the left are not."""
    assert shown("Zoë שלום 你好 🂡") == "Zoë שלום 你好 🂡"
    assert shown("a\u202eb\u2066c\u200fd\x00e\ud800\u2028") == "a�b�c�d�e��"
