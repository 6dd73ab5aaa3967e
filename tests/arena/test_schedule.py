from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardwright.arena.schedule import (
    ScheduleError,
    Tables,
    balanced,
    in_orders,
    ladder_tables,
    match_tables,
    one_against_rest,
    rotations,
    tournament_tables,
)


def seats_of(tables: Tables, entrant: int) -> Counter[int]:
    """Count in which seats an entrant sits."""
    return Counter(seat for table in tables for seat, who in enumerate(table) if who == entrant)


@given(st.integers(2, 8))
def test_one_sits_once_in_every_seat_against_the_rest(seats: int) -> None:
    tables = one_against_rest(seats, 4, 7)
    assert len(tables) == seats
    assert seats_of(tables, 4) == Counter(range(seats))
    assert all(Counter(table) == {4: 1, 7: seats - 1} for table in tables)


@given(st.integers(2, 7))
def test_balanced_seatings_are_all_and_give_both_the_same_seats(seats: int) -> None:
    tables = balanced(seats)
    wanted = {
        table
        for table in {tuple(seat >> at & 1 for at in range(seats)) for seat in range(2**seats)}
        if abs(table.count(0) - table.count(1)) <= 1
    }
    assert set(tables) == wanted
    assert len(tables) == len(wanted)
    assert seats_of(tables, 0) == seats_of(tables, 1)


def test_two_against_two_has_six_seatings() -> None:
    assert len(balanced(4)) == 6


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_rotations_are_the_different_turns_of_a_seating(seating: list[int]) -> None:
    turns = {tuple(seating[by:] + seating[:by]) for by in range(len(seating))}
    assert set(rotations(seating)) == turns
    assert len(rotations(seating)) == len(turns)


def test_tables_of_matches() -> None:
    assert match_tables(2, 2) == ((0, 1), (1, 0))
    assert match_tables(2, 4) == one_against_rest(4)
    assert match_tables(2, 4, mix=True) == balanced(4)
    assert match_tables(3, 3, orders="rotations") == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    assert len(match_tables(3, 3)) == 6
    assert [len(match_tables(seats, seats)) for seats in (4, 5, 6)] == [12, 20, 60]
    assert len(match_tables(4, 4, orders="all")) == 24


@pytest.mark.parametrize(
    ("entrants", "seats", "options", "said"),
    [
        (3, 4, {}, "3 entrants cannot share 4 seats fairly; give two of them, or 4"),
        (3, 2, {}, "a tournament plays all pairs"),
        (1, 4, {}, "needs two entrants"),
        (2, 1, {}, "two players or more"),
        (4, 4, {"mix": True}, "for two entrants, not for 4"),
        (2, 4, {"orders": "all"}, "a different player for each seat; two entrants play all"),
        (2, 2, {"mix": True, "orders": "all"}, "two entrants play all seatings"),
        (8, 8, {"orders": "all"}, "40,320 tables"),
        (15, 15, {}, "no balanced orders of 15 players are known here; ask for rotations"),
        (
            4,
            4,
            {"orders": "every"},
            "orders are one of 'balanced', 'rotations', 'all', not 'every'",
        ),
    ],
)
def test_what_cannot_be_seated_is_said(
    entrants: int, seats: int, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ScheduleError, match=said):
        match_tables(entrants, seats, **options)


@given(st.integers(2, 5), st.integers(2, 5))
def test_in_a_tournament_all_meet_all_in_every_seat(entrants: int, seats: int) -> None:
    tables = tournament_tables(entrants, seats)
    assert len(set(tables)) == len(tables)
    for one in range(entrants):
        assert (one,) * seats in tables
        for rest in range(entrants):
            if one != rest:
                assert set(one_against_rest(seats, one, rest)) <= set(tables)
        assert len(set(seats_of(tables, one).values())) == 1


def test_a_tournament_together_seats_every_group() -> None:
    tables = tournament_tables(5, 4, together=True)
    groups = Counter(tuple(sorted(table)) for table in tables)
    assert len(groups) == 5
    assert set(groups.values()) == {12}
    for entrant in range(5):
        assert set(seats_of(tables, entrant).values()) == {12}
    turned = tournament_tables(5, 4, together=True, orders="rotations")
    assert turned == tuple(
        table for group in combinations(range(5), 4) for table in rotations(group)
    )


def test_a_ladder_seats_each_entrant_against_the_same_field() -> None:
    tables = ladder_tables(2, 1, 4)
    assert tables == (*one_against_rest(4, 0, 2), *one_against_rest(4, 1, 2))
    mixed = ladder_tables(2, 2, 3)
    assert mixed == (*in_orders((0, 2, 3)), *in_orders((1, 2, 3)))
    turned = ladder_tables(2, 2, 3, "rotations")
    assert turned == (*rotations((0, 2, 3)), *rotations((1, 2, 3)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ladder_tables(2, 2, 4), "the field has 2 players for 3 seats"),
        (lambda: ladder_tables(0, 1, 4), "needs an entrant"),
        (lambda: ladder_tables(1, 1, 1), "two players or more"),
        (lambda: tournament_tables(1, 4), "two entrants"),
        (lambda: tournament_tables(3, 1), "two players or more"),
        (lambda: tournament_tables(3, 4, together=True), "3 entrants do not fill the 4 seats"),
        (lambda: tournament_tables(60, 4), "14,160 tables"),
        (lambda: tournament_tables(20, 4, together=True), "58,140 tables"),
        (lambda: tournament_tables(3, 4, orders="all"), "pairs play all seatings"),
        (lambda: ladder_tables(3, 1, 4, "rotations"), "a field of one kind play all seatings"),
    ],
)
def test_contests_that_cannot_be_are_refused(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(ScheduleError, match=said):
        make()
