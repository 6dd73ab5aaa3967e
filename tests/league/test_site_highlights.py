"""What is worth seeing in a season, and which ranks chance may have made."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from seasons import blocks_of, game
from site_browser import plan_of
from test_site_facts import facts_of, totals

from cardwright.league.site.facts import SHOWN
from cardwright.league.site.ranking import rank_ranges, ranking, surely_better, upsets

NAMES = "ABCD"


@pytest.mark.parametrize("cuts", [(), (3, 11, 12), tuple(range(1, 40))])
def test_highlights_do_not_depend_on_blocks(cuts):
    plan, games = plan_of(NAMES, 40), [game(number) for number in range(40)]
    whole, cut = (facts_of(plan, blocks_of(games, some)) for some in ((), cuts))
    assert cut.highlights.moons == whole.highlights.moons
    assert cut.highlights.losses == whole.highlights.losses
    assert cut.highlights.shot == whole.highlights.shot > 0
    assert upsets(cut, ranking(cut)) == upsets(whole, ranking(whole))


def test_losses_are_the_largest_gaps():
    plan, games = plan_of(NAMES, 40), [game(number) for number in range(40)]
    facts = facts_of(plan, blocks_of(games))
    gaps = sorted((max(points) - min(points) for points in map(totals, games)), reverse=True)
    assert [one.amount for one in facts.highlights.losses] == gaps[:SHOWN]
    for one in facts.highlights.losses:
        assert one.totals == tuple(totals(games[one.game]))
        assert one.totals[one.seat] == max(one.totals)


def test_moons_that_won_come_first_then_those_from_furthest_behind():
    plan, games = plan_of(NAMES, 60), [game(number) for number in range(60)]
    facts = facts_of(plan, blocks_of(games))
    moons = facts.highlights.moons
    keys = [(not one.won, -one.amount, one.game) for one in moons]
    assert keys == sorted(keys)
    for one in moons:
        before = np.array(totals(games[one.game][: one.round - 1]) or [0] * 4)
        after = np.array(totals(games[one.game][: one.round]))
        assert (after - before)[one.seat] == 0
        assert (after - before).sum() == 78
        assert one.amount == before[one.seat] - before.min()


def test_an_upset_is_won_by_the_worst_at_the_table():
    plan, games = plan_of(NAMES, 40), [game(number) for number in range(40)]
    facts = facts_of(plan, blocks_of(games))
    rows = ranking(facts)
    place = {row.entry: row.mean_place for row in rows}
    found = upsets(facts, rows)
    worst = max(place, key=place.__getitem__)
    won = [at for at, points in enumerate(map(totals, games))
           if points.count(min(points)) == 1
           and plan.schedule[at, points.index(min(points))] == worst]  # fmt: skip
    assert won
    assert {one.game for one in found} <= set(won)
    assert len(found) == min(len(won), SHOWN)
    for one in found:
        assert one.entries[one.seat] == worst
        others = [place[entry] for entry in one.entries if entry != worst]
        assert one.amount == pytest.approx(place[worst] - sum(others) / 3)


def test_the_same_order_again_and_again_is_no_chance():
    plan, games = plan_of(NAMES, 30, [[0, 1, 2, 3]] * 30), [game(5)] * 30
    facts = facts_of(plan, blocks_of(games))
    order = [row.entry for row in ranking(facts)]
    assert len(set(totals(games[0]))) == 4
    assert rank_ranges(facts, order) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_few_games_settle_nothing():
    for count in (1, 2):
        plan, games = plan_of(NAMES, count, [[0, 1, 2, 3]] * count), [game(5)] * count
        facts = facts_of(plan, blocks_of(games))
        order = [row.entry for row in ranking(facts)]
        assert set(rank_ranges(facts, order)) == {(1, 4)}


def counted(places: np.ndarray) -> Any:
    """Return the counts of games of all bots with these places, shape (games, bots), doubled."""
    games, bots = places.shape
    standing = np.stack([np.bincount(column, minlength=7) for column in places.T])
    duels = SimpleNamespace(
        games=np.full((bots, bots), games),
        places=np.repeat(places.sum(axis=0)[:, None], bots, axis=1),
        products=places.T @ places,
    )
    scores = SimpleNamespace(games=np.full(bots, games), standing=standing)
    return SimpleNamespace(scores=scores, duels=duels)


def test_equal_bots_are_told_apart_as_seldom_as_is_said() -> None:
    """In one season of twenty at most; it is one of eight if places are taken to be independent."""
    draw = np.random.default_rng(1)
    seasons, wrong = 400, 0
    for _ in range(seasons):
        facts = counted(2 * draw.permuted(np.tile(np.arange(4), (60, 1)), axis=1))
        wrong += any(surely_better(facts, *pair, 6) for pair in permutations(range(4), 2))
    assert 0.01 * seasons < wrong < 0.07 * seasons
