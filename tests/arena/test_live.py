from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from contests import noisy, results_of
from openskill.models import PlackettLuce
from runs import Small

from cardwright.arena.live import RATED_A_SECOND, RATED_FIRST, LiveStanding, LiveStandings
from cardwright.arena.run import run
from cardwright.arena.schedule import match_tables, tournament_tables
from cardwright.extras import MissingExtraError

if TYPE_CHECKING:
    from cardwright.arena.results import Results

PAIR = ((0, 1), (1, 0))


def standings_of(results: Results, entrants: int, seats: int) -> list[LiveStanding]:
    """Return the standings after some results, in order of entrants."""
    live = LiveStandings(entrants, seats)
    live.add(results)
    return sorted(live.best_first(), key=lambda row: row.entrant)


def rated_by_hand(games: list[tuple[int, ...]], *, entrants: int) -> list[tuple[float, float]]:
    """Return ratings after games between two, each given as (winner, loser)."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(entrants)]
    for winner, loser in games:
        ((ratings[winner],), (ratings[loser],)) = model.rate([[ratings[winner]], [ratings[loser]]])
    return [(one.mu, one.sigma) for one in ratings]


def test_counts_and_means_are_those_of_the_results() -> None:
    results = run(Small(40).plan("random", "pimc:rollouts=3"))
    for row in standings_of(results, 2, 2):
        mine = results.entrant == row.entrant
        assert row.games == 80
        assert row.score == pytest.approx(results.score[mine].mean())
        assert row.win == pytest.approx(results.win[mine].mean())


def test_a_game_counts_once_for_who_sits_at_several_seats_and_each_seat_in_the_means() -> None:
    tables = match_tables(2, 4)
    results = results_of(tables, 5, lambda _, table: [10 * who + 1 for who in table])
    one, rest = standings_of(results, 2, 4)
    assert (one.games, rest.games) == (20, 20)
    assert (one.score, rest.score) == (1, 11)
    assert (one.win, rest.win) == (0, pytest.approx(1 / 3))


def test_between_two_a_rating_is_openskills() -> None:
    points = np.random.default_rng(1).permutation(30)
    results = results_of(
        PAIR, 15, lambda deal, table: [points[2 * deal + who] for who in table], highest=False
    )
    games = []
    for deal in range(15):
        first = points[2 * deal] < points[2 * deal + 1]  # the lowest score wins
        games += [(0, 1) if first else (1, 0)] * 2
    for row, expected in zip(standings_of(results, 2, 2), rated_by_hand(games, entrants=2),
                             strict=True):  # fmt: skip
        assert (row.mu, row.sigma) == pytest.approx(expected)


def test_seats_that_tie_have_equal_ranks() -> None:
    one, other = standings_of(results_of(PAIR, 3, lambda *_: [7, 7]), 2, 2)
    assert one.mu == pytest.approx(other.mu) == pytest.approx(25)
    assert one.sigma == pytest.approx(other.sigma)
    assert one.sigma < 25 / 3


def test_an_entrant_at_several_seats_moves_by_the_mean_of_its_seats() -> None:
    results = results_of(((0, 1, 1),), 1, lambda *_: [2, 3, 1])
    one, rest = standings_of(results, 2, 3)
    model = PlackettLuce()
    ((alone,), (first,), (last,)) = model.rate(
        [[model.rating()] for _ in range(3)], ranks=[1, 0, 2]
    )
    assert (one.mu, one.sigma) == pytest.approx((alone.mu, alone.sigma))
    assert rest.mu == pytest.approx((first.mu + last.mu) / 2)
    assert rest.sigma == pytest.approx((first.sigma + last.sigma) / 2)


def test_a_game_against_itself_counts_for_nothing() -> None:
    results = results_of(((0, 0), (1, 1)), 4, lambda deal, _: [deal, 2])
    for row in standings_of(results, 2, 2):
        assert (row.games, row.score, row.win, row.mu, row.sigma) == (0, None, None, 25, 25 / 3)


def test_a_lone_entrants_games_against_itself_count() -> None:
    (row,) = standings_of(results_of(((0, 0),), 4, lambda deal, _: [deal, 2]), 1, 2)
    assert (row.games, row.win, row.mu) == (4, 0.5, 25)


def test_games_that_stopped_are_left_out() -> None:
    scores = lambda deal, table: [deal + 3 * who for who in table]  # noqa: E731
    broken = standings_of(results_of(PAIR, 3, scores, failed=[(2, 0), (2, 1)]), 2, 2)
    assert broken == standings_of(results_of(PAIR, 2, scores), 2, 2)
    assert broken[0].games == 4


def test_before_the_first_game_there_is_no_mean() -> None:
    (row,) = LiveStandings(1, 2).best_first()
    assert row == LiveStanding(0, 0, None, None, 25, 25 / 3)


def test_the_stronger_comes_to_stand_above() -> None:
    tables = tournament_tables(3, 4)
    results = results_of(tables, 40, noisy([0.0, 2.0, -2.0]))
    live = LiveStandings(3, 4)
    for deals in (range(20, 40), range(20)):
        live.add(results.where(np.isin(results.deal, deals)))
    rows = live.best_first()
    assert [row.entrant for row in rows] == [1, 0, 2]
    assert rows[0].mu - 2 * rows[0].sigma > rows[2].mu + 2 * rows[2].sigma


def test_no_more_games_are_rated_than_there_is_time_for() -> None:
    now = [100.0]
    live = LiveStandings(2, 2, clock=lambda: now[0])
    many = RATED_FIRST + 100
    results = results_of(PAIR[:1], many, lambda deal, _: [deal, 5])
    live.add(results)
    assert live.rated == RATED_FIRST
    assert {row.games for row in live.best_first()} == {many}
    before = {row.entrant: row.mu for row in live.best_first()}
    live.add(results)
    assert live.rated == RATED_FIRST
    assert {row.entrant: row.mu for row in live.best_first()} == before
    now[0] += 1 / 8
    live.add(results)
    assert live.rated == RATED_FIRST + RATED_A_SECOND // 8
    assert {row.games for row in live.best_first()} == {3 * many}


def test_games_are_picked_from_all_tables() -> None:
    """Not every second one, say, which with two tables would always be the same."""
    live = LiveStandings(4, 2, clock=lambda: 0.0)
    deals = RATED_FIRST
    live.add(results_of(((0, 1), (2, 3)), deals, lambda *_: [1, 0]))
    assert live.rated == RATED_FIRST
    mus = [row.mu for row in sorted(live.best_first(), key=lambda row: row.entrant)]
    assert mus[0] == pytest.approx(mus[2], abs=2)
    assert mus[0] > mus[1] + 5
    assert mus[2] > mus[3] + 5


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(MissingExtraError, match=r"needs openskill.*install it with.*arena"):
        LiveStandings(2, 2)
