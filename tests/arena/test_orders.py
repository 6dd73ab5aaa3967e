"""Balanced orders: everybody in every seat, and next to everybody else, equally often."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.arena.contest import Contest, ladder, play_match
from cardwright.arena.plan import PlanError, RunPlan
from cardwright.arena.schedule import (
    Orders,
    Tables,
    balanced,
    balanced_orders,
    in_orders,
    is_balanced,
    ladder_tables,
    match_tables,
    neighbour_words,
    one_against_rest,
    order_count,
    rotations,
    tournament_tables,
)
from cardwright.game.game import Game
from cardwright.statistics.intervals import mean_interval
from cardwright.statistics.resampling import variance_reduction
from deep import usually

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.statistics.intervals import Values

DEALS = usually(500, 1000)
KNOWN = [*range(2, 15), 16]

GIFTS = """(game
  (setup (create players {players})
    (create deck (game iloc STOCK) (deck (RANK (ONE)))))
  (stage player (end (== (game sto TURNS) {players}))
    (do ((inc (game sto TURNS))))
    (choice ((inc ((next player) sto GIFTS)) (set (game sto KEPT) 1))))
  (scoring max ((current player) sto GIFTS)))
"""
"""Everybody may give a point to the left neighbour: `first` always does, `random` half the time."""


@pytest.mark.parametrize("players", KNOWN)
def test_every_two_players_have_every_two_seats_equally_often(players: int) -> None:
    """So each is in every seat, and at every distance from every other, equally often."""
    orders = balanced_orders(players)
    assert orders is not None
    assert len(set(orders)) == len(orders) == order_count(players)
    assert all(sorted(order) == list(range(players)) for order in orders)
    pairs = Counter(
        (seats, order[seats[0]], order[seats[1]])
        for order in orders
        for seats in permutations(range(players), 2)
    )
    assert len(pairs) == (players * (players - 1)) ** 2
    assert len(set(pairs.values())) == 1


def test_there_are_as_few_as_can_be() -> None:
    """Each ordered pair of players has one turn in two given seats; for six players, two."""
    for players in (2, 3, 4, 5, 7, 8, 9, 11, 13):
        assert order_count(players) == players * (players - 1)
    assert [order_count(6), order_count(10), order_count(12)] == [60, 360, 660]
    assert set(balanced_orders(3) or ()) == set(permutations(range(3)))
    assert [order_count(players) for players in (0, 1, 15, 21, 22)] == [None] * 5
    assert balanced_orders(15) is None


@given(st.integers(2, 7), st.integers(0, 3), st.data())
def test_all_defaults_are_balanced(seats: int, more: int, data: st.DataObject) -> None:
    """Whoever sits at a table: in matches, tournaments and ladders, all have equal neighbours."""
    tables: Tables = data.draw(
        st.sampled_from(
            [
                match_tables(seats, seats),
                match_tables(2, seats),
                match_tables(2, seats, mix=True),
                tournament_tables(2 + more, seats),
                tournament_tables(seats + more % 2, seats, together=True),
                ladder_tables(1 + more, 1, seats),
                ladder_tables(1 + more, seats - 1, seats),
            ]
        )
    )
    assert is_balanced(tables)


def test_rotations_are_not_balanced() -> None:
    assert is_balanced(rotations((0, 1)))
    for seats in (3, 4, 5):
        assert not is_balanced(rotations(range(seats)))
        assert not is_balanced(match_tables(seats, seats, orders="rotations"))
        assert not is_balanced(ladder_tables(2, seats - 1, seats, "rotations"))
        assert not is_balanced(tournament_tables(seats, seats, together=True, orders="rotations"))
        assert is_balanced(match_tables(seats, seats, orders="all"))
    assert not is_balanced(in_orders(range(4))[:-1])
    assert neighbour_words(one_against_rest(4)) is None
    assert neighbour_words(balanced(4)) is None
    assert (neighbour_words(match_tables(4, 4)) or "").startswith("A deal has everybody in every")
    assert (neighbour_words(rotations(range(3))) or "").startswith("Rotations only")


def test_all_orders_are_all_permutations() -> None:
    assert in_orders((4, 5, 6), "all") == tuple(permutations((4, 5, 6)))
    assert len(match_tables(5, 5, orders="all")) == factorial(5)


def test_who_has_which_place_is_drawn_for_each_deal() -> None:
    """So any two players of a deal are alike to all others, in all places, but for chance."""
    game = Game.from_text(GIFTS.format(players=4))
    terms = {"seed": 1}
    plan = Contest.match(game, ["first", "random", "random", "random"], terms).plan
    found = Counter(plan.seated(deal)[1] for deal in range(480))
    assert set(found) == set(permutations(range(4)))
    assert min(found.values()) >= 8
    assert all(is_balanced(plan.seated(deal)) for deal in range(5))
    assert plan.seated(7) == replace(plan, deals=9).seated(7) != plan.tables
    assert RunPlan.of_data(plan.data()) == plan
    with pytest.raises(PlanError, match="0 to 4 exchanged entrants, not 5"):
        replace(plan, exchanged=5)
    field = Contest.ladder(game, ["first", "random"], ["random", "first", "random"], terms).plan
    tables = np.array([field.seated(deal) for deal in range(120)])
    assert (np.minimum(tables, 2) == np.minimum(field.tables, 2)).all()
    assert len(np.unique(tables[:, 0], axis=0)) == 6
    groups = Contest.tournament(
        game, "first,random,random,random,first", {**terms, "together": True}
    ).plan
    assert groups.exchanged == 5
    for orders, many in (("rotations", 0), ("all", 0), ("balanced", 4)):
        chosen = Contest.match(game, "random,first,first,first", {**terms, "orders": orders}).plan
        assert chosen.exchanged == many
    for players in ("random,first", "random,first,random"):
        small = Game.from_text(GIFTS.format(players=3))
        assert Contest.match(small, players, terms).plan.exchanged == 0
    for usual in ("random,first", "random"):
        assert Contest.tournament(game, "random,first", terms).plan.exchanged == 0
        assert Contest.ladder(game, usual, "random", terms).plan.exchanged == 0


def test_records_tell_who_sat_where_however_they_were_played(tmp_path: Path) -> None:
    game = Game.load("nothanks")
    players = "first,random,random,lowest"
    alone = play_match(game, players, deals=4, seed=1, records=tmp_path / "run")
    again = play_match(game, players, deals=4, seed=1, executor="threads", workers=2)
    assert alone.results.same(again.results)
    read = play_match(game, players, deals=4, records=tmp_path / "run", resume=True)
    assert alone.results.same(read.results)
    sat = alone.results.entrant.reshape(4, 12, 4).tolist()
    assert sat == [[list(table) for table in alone.plan.seated(deal)] for deal in range(4)]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["neighbours_balanced"] is True
    assert manifest["plan"]["exchanged"] == 4


@pytest.mark.parametrize("orders", ["balanced", "all"])
def test_gains_compare_games_with_the_two_in_equal_seats(orders: Orders) -> None:
    """Also where the two change places from deal to deal."""
    game = Game.from_text(GIFTS.format(players=4))
    report = play_match(game, "first,random,random,first", deals=40, seed=1, orders=orders)
    deals = report.deals
    for one, other in ((0, 1), (3, 2)):
        seats = [(deals.seating == who).argmax(axis=1) for who in (one, other)]
        order = np.lexsort((deals.table, *seats, deals.at))
        score = deals.score[np.arange(len(deals.at)), seats[0]]
        score -= deals.score[np.arange(len(deals.at)), seats[1]]
        expected = variance_reduction(score[order].reshape(len(deals), -1))
        found = deals.duplicate_gain("score", one, other)
        assert found is not None
        assert expected is not None
        assert found.mean == pytest.approx(expected.mean)
        assert found.low == pytest.approx(expected.low)


def missed(values: Values) -> int:
    """Return how many matches of five deals have an interval that leaves 0 out."""
    estimates = [mean_interval(match) for match in values.reshape(-1, 5)]
    return sum(
        one.low is not None and one.high is not None and not one.low <= 0 <= one.high
        for one in estimates
    )


@pytest.mark.slow
def test_identical_players_differ_by_chance_alone() -> None:
    """Two who play at random, and one of them might always have got its neighbour's gift."""
    players = ["first", "random", "random", "random"]
    game = Game.from_text(GIFTS.format(players=4))
    report = play_match(game, players, deals=DEALS, seed=1)
    assert report.neighbours_balanced
    kept = play_match(game, players, deals=200, seed=1, orders="rotations")
    assert not kept.neighbours_balanced
    for one, other in ((1, 2), (1, 3), (2, 3)):
        values = report.deals.difference("score", one, other)
        assert missed(values) <= DEALS / 50
        assert abs(values.mean()) < 3.5 * values.std() / len(values) ** 0.5
    assert mean_interval(kept.deals.difference("score", 1, 2)).low == pytest.approx(0.45, abs=0.1)


@pytest.mark.slow
def test_in_a_ladder_the_field_treats_all_alike() -> None:
    """A random player is worth as much as one of the field, whoever of the field comes before."""
    game = Game.from_text(GIFTS.format(players=3))
    for orders, most in (("balanced", 0.05), ("rotations", 1.0)):
        report = ladder(game, ["random"], ["random", "first"], deals=600, seed=2, orders=orders)
        difference = report.deals.difference("score", 0, 1)
        assert abs(difference.mean()) < most
    assert abs(difference.mean()) == pytest.approx(0.5, abs=0.06)
