from __future__ import annotations

import numpy as np
import pytest
from contests import noisy, results_of

from cardwright.arena.deals import DealArrays
from cardwright.arena.findings import alone_matrix, difference_matrix
from cardwright.arena.schedule import tournament_tables


def test_a_cell_is_what_one_gets_alone_against_copies_of_another() -> None:
    tables = tournament_tables(3, 4)
    pay = np.array([[1.0, 5.0, 2.0], [7.0, 3.0, 8.0], [4.0, 9.0, 6.0]])

    def play(deal: int, table) -> list[float]:
        seats = []
        for who in table:
            others = [other for other in table if other != who]
            alone = len(others) != 1
            seats.append(pay[who, others[0] if others else who] + deal if alone else -1000)
        return seats

    matrix = alone_matrix(DealArrays.of(results_of(tables, 3, play), tables, 3), "score")
    assert np.array(matrix.means()) == pytest.approx(pay + 1)
    cell = matrix.cells[1][2]
    assert cell is not None
    assert (cell.count, cell.mean) == (3, 9.0)
    assert cell.low == pytest.approx(9 - 4.302653 / np.sqrt(3), abs=1e-5)  # t of 2 degrees


def test_at_two_seats_both_sides_of_a_game_are_alone() -> None:
    tables = tournament_tables(2, 2)
    results = results_of(tables, 4, lambda _deal, table: [3 * who + 1 for who in table])
    deals = DealArrays.of(results, tables, 2)
    assert alone_matrix(deals, "score").means() == [[1, 1], [4, 4]]
    assert alone_matrix(deals, "win").means() == [[0.5, 0], [1, 0.5]]


def test_differences_are_of_games_in_which_both_sit_and_turn_their_sign() -> None:
    tables = tournament_tables(4, 3, together=True)
    skill = [0.0, 2.0, 3.0, 7.0]
    scores = noisy(skill, luck=0.0, noise=0.0)
    matrix = difference_matrix(DealArrays.of(results_of(tables, 2, scores), tables, 4), "score")
    for row in range(4):
        assert matrix.cells[row][row] is None
        for column in range(4):
            if row != column:
                assert matrix.means()[row][column] == pytest.approx(
                    100 * (skill[row] - skill[column])
                )


def test_those_who_never_meet_have_no_cell() -> None:
    tables = ((0, 1), (1, 2))
    deals = DealArrays.of(results_of(tables, 3, noisy([0, 0, 0])), tables, 3)
    assert difference_matrix(deals, "score").cells[0][2] is None
    assert alone_matrix(deals, "score").cells[0][2] is None
    assert alone_matrix(deals, "score").record()["cells"][0][2] is None


@pytest.mark.parametrize("seats", [2, 4])
def test_shares_among_copies_of_oneself_have_no_interval_unless_ties_count_in_full(
    seats: int,
) -> None:
    """Parts of one win are the same share in every game; full wins come and go with ties."""
    tables = tournament_tables(2, seats)
    generator = np.random.default_rng(1)
    results = results_of(tables, 30, lambda _deal, table: list(generator.integers(2, size=seats)))
    shared = alone_matrix(DealArrays.of(results, tables, 2), "win")
    for who in (0, 1):
        cell = shared.cells[who][who]
        assert cell is not None
        assert (cell.mean, cell.low, cell.high) == (pytest.approx(1 / seats), None, None)
        beside = shared.cells[who][1 - who]
        assert beside is not None
        assert beside.margin is not None
    full = alone_matrix(DealArrays.of(results.counting("full"), tables, 2), "win").cells[1][1]
    assert full is not None
    assert full.low is not None
    assert full.high is not None
    assert 1 / seats < full.low < full.mean < full.high < 1


def test_differences_of_wins_have_an_interval_that_is_possible() -> None:
    tables = tournament_tables(3, 3, together=True)
    results = results_of(tables, 3, noisy([0.0, 9.0, 1.0]))
    cell = difference_matrix(DealArrays.of(results, tables, 3), "win").cells[1][0]
    assert cell is not None
    assert cell.low is not None
    assert cell.low < cell.mean <= cell.high == 1
