from __future__ import annotations

from itertools import pairwise, permutations
from math import exp, log

import choix
import numpy as np
import pytest
from contests import noisy, results_of
from scipy.optimize import minimize

from cardwright.arena import ratings
from cardwright.arena.deals import DealArrays
from cardwright.arena.ratings import ELO, rate
from cardwright.arena.schedule import match_tables, rotations, tournament_tables


def contest(tables, deals, scores, entrants, **more) -> DealArrays:
    return DealArrays.of(results_of(tables, deals, scores, **more), tables, entrants)


def likelihood(logs: np.ndarray, deals: DealArrays) -> float:
    """Return the log-likelihood with the prior, by going through all orders of those who tie."""
    total = 0.0
    for seating, ranks in zip(deals.seating, deals.rank, strict=True):
        orders = [
            order
            for order in permutations(range(len(seating)))
            if all(ranks[a] <= ranks[b] for a, b in pairwise(order))
        ]
        for order in orders:
            left = [exp(logs[seating[seat]]) for seat in order]
            total += sum(log(left[at] / sum(left[at:])) for at in range(len(left))) / len(orders)
    lent = sum(value - 2 * log(1 + exp(value)) for value in logs)
    return total + ratings.PRIOR * lent


@pytest.mark.parametrize(
    ("tables", "entrants"),
    [
        (((0, 1), (1, 2), (2, 0)), 3),
        (((0, 1, 2), (2, 1, 0)), 3),
        (((0, 1, 1, 1), (2, 0, 1, 1), (2, 2, 2, 0)), 3),
    ],
)
def test_the_fit_has_the_greatest_likelihood_ties_included(tables, entrants) -> None:
    generator = np.random.default_rng(4)
    deals = contest(
        tables, 12, lambda _deal, table: [generator.integers(4) + who for who in table], entrants
    )
    assert (np.diff(np.sort(deals.rank, axis=1), axis=1) == 0).any()
    best = minimize(lambda logs: -likelihood(logs, deals), np.zeros(entrants), tol=1e-9).x
    fitted = [estimate.mean for estimate in rate(deals, count=2).entrants]
    assert fitted == pytest.approx(list(ELO * (best - best.mean())), abs=0.05)


def test_without_the_prior_it_is_choixs_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "PRIOR", 1e-9)
    tables = ((0, 1, 2, 3),)
    deals = contest(tables, 60, noisy([0.0, 0.7, 1.1, 0.3], luck=1.0), 4)
    orders = [list(np.argsort(ranks)) for ranks in deals.rank]
    logs = choix.opt_rankings(4, orders)
    fitted = [estimate.mean for estimate in rate(deals, count=2).entrants]
    assert fitted == pytest.approx(list(ELO * (logs - logs.mean())), abs=0.05)


def test_three_wins_to_one_are_191_points() -> None:
    tables = ((0, 1),)
    deals = contest(tables, 4000, lambda deal, _table: [deal % 4 != 0, deal % 4 == 0], 2)
    one, other = rate(deals, count=20).entrants
    assert one.mean - other.mean == pytest.approx(400 * np.log10(3), abs=0.5)
    assert one.mean == -other.mean


def test_intervals_cover_the_true_distance_at_their_rate() -> None:
    truth = np.array([0.0, 0.6])
    hits = 0
    generator = np.random.default_rng(5)
    for seed in range(120):
        logs = truth + generator.gumbel(size=(60, 2))  # the first of these is a choice of Luce's
        deals = contest(((0, 1),), 60, lambda deal, _table, logs=logs: logs[deal] * 1e6, 2)
        one = rate(deals, count=200, seed=seed).entrants[1]
        assert one.low is not None
        assert one.high is not None
        hits += one.low <= ELO * 0.3 <= one.high
    assert 0.88 < hits / 120 <= 0.99


def drawn(generator, tables, deals, truth, alike=0.0) -> DealArrays:
    """Return games by Luce's choice; a share `alike` of deals has one luck at all tables."""
    luck = generator.gumbel(size=(deals, len(tables), len(tables[0])))
    luck = np.where(generator.random((deals, 1, 1)) < alike, luck[:, :1], luck)

    def play(deal, table) -> np.ndarray:
        return 1e6 * (truth[list(table)] + luck[deal, tables.index(tuple(table))])

    return contest(tables, deals, play, len(truth))


LADDER = np.array([-1.5, -0.5, 0.5, 1.5])


@pytest.mark.parametrize(
    ("tables", "truth"),
    [
        (tuple(table for table in tournament_tables(4, 2) if len(set(table)) > 1), LADDER),
        (rotations((0, 1, 2, 3)), LADDER),
        (match_tables(2, 4), np.array([-0.4, 0.4])),
    ],
)
def test_few_deals_are_enough_for_intervals_and_nearly_unbiased(tables, truth) -> None:
    """Five deals, in half of which the cards decide at all tables alike."""
    generator = np.random.default_rng(6)
    hits, found = [], []
    for seed in range(80):
        fitted = rate(drawn(generator, tables, 5, truth, 0.5), count=60, seed=seed)
        found.append([one.mean for one in fitted.entrants])
        if fitted.bounded:
            hits += [
                one.low <= ELO * value <= one.high
                for one, value in zip(fitted.entrants, truth, strict=True)
            ]
    assert len(hits) > 50 * len(truth)
    assert 0.93 < np.mean(hits) < 0.995
    assert np.mean(found, axis=0) == pytest.approx(ELO * truth, abs=30)


def test_the_prior_pulls_a_great_distance_by_less_than_a_tenth() -> None:
    """Two who are 522 points apart, 5 deals of two games: 480 on average."""
    truth, generator = np.array([-1.5, 1.5]), np.random.default_rng(7)
    found = [
        rate(drawn(generator, ((0, 1), (1, 0)), 5, truth), count=2).entrants[1].mean
        for _ in range(300)
    ]
    assert 2 * np.mean(found) == pytest.approx(480, abs=15)


def test_deals_that_are_all_alike_show_no_spread_of_ratings() -> None:
    found = rate(contest(((0, 1), (1, 0)), 8, lambda _deal, _table: [1, 0], 2))
    assert found.bounded
    assert [(one.mean, one.low, one.high) for one in found.entrants] == [(0.0, None, None)] * 2


def test_the_same_seed_gives_the_same_intervals() -> None:
    tables = tournament_tables(3, 2)
    deals = contest(tables, 40, noisy([0, 0.2, 0.4]), 3)
    assert rate(deals, count=50, seed=1) == rate(deals, count=50, seed=1)
    assert rate(deals, count=50, seed=1) != rate(deals, count=50, seed=2)


def test_whoever_wins_every_game_has_a_finite_rating_without_interval() -> None:
    tables = tournament_tables(3, 2)
    deals = contest(
        tables, 20, lambda deal, table: [99 * (w == 2) + (deal + w) % 2 for w in table], 3
    )
    found = rate(deals)
    assert not found.bounded
    assert all(np.isfinite(one.mean) for one in found.entrants)
    assert found.entrants[2].mean > max(found.entrants[0].mean, found.entrants[1].mean) + 400
    assert all(one.low is None and one.high is None for one in found.entrants)


def test_a_single_deal_has_ratings_without_intervals() -> None:
    found = rate(contest(((0, 1), (0, 1)), 1, lambda _deal, _table: [1, 1], 2))
    assert found.bounded
    assert [one.mean for one in found.entrants] == [0.0, 0.0]
    assert found.entrants[0].low is None
    assert found.record()["entrants"][0]["low"] is None
