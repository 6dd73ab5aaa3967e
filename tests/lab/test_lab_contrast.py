from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from simulated import SLOTS, plan, slot

from cardwright.lab.contrast import ContrastReading, contrasts
from cardwright.lab.design import cells
from cardwright.lab.factor import LabError
from cardwright.lab.plan import Design


def found(made, reading):
    return [one for one in contrasts(made, cells(made)) if one.reading is reading]


def value(contrast, means):
    return np.dot(contrast.weights, means) / contrast.divisor


def test_two_by_two_by_hand():
    made = plan(slot("pass"), slot("fourth"))
    means = {(0, 0): 10.0, (1, 0): 4.0, (0, 1): 7.0, (1, 1): 3.0}
    by_cell = [means[cell] for cell in cells(made)]
    got = {(one.name, one.reading): value(one, by_cell) for one in contrasts(made, cells(made))}
    assert got == {
        ("pass", ContrastReading.MAIN): -5.0,  # the mean of 4 - 10 and 3 - 7
        ("fourth", ContrastReading.MAIN): -2.0,  # the mean of 7 - 10 and 3 - 4
        ("pass × fourth", ContrastReading.INTERACTION): 1.0,  # half of -4 less -6
        ("pass", ContrastReading.ALONE): -6.0,
        ("fourth", ContrastReading.ALONE): -3.0,
        ("pass", ContrastReading.REMOVED): -4.0,
        ("fourth", ContrastReading.REMOVED): -1.0,
    }


def test_a_contrast_has_the_bounds_of_its_extremes():
    """Those of all cells with a weight above 0 at one bound, the others at the other."""
    for made in (plan(slot("pass"), slot("fourth", 3)), plan(slot("pass"), design=Design.ONE)):
        for one in contrasts(made, cells(made)):
            up = value(one, [4.0 if weight > 0 else 1.0 for weight in one.weights])
            assert one.bounds((1.0, 4.0)) == (pytest.approx(-up), pytest.approx(up))
            assert up == pytest.approx(3)
            assert one.bounds(None) is None


def test_factorial_effects_are_those_of_a_least_squares_fit():
    made = plan(*map(slot, SLOTS))
    played = cells(made)
    means = np.random.default_rng(1).normal(size=len(played))
    signs = 2 * np.array(played) - 1
    columns = [signs[:, at] for at in range(5)]
    columns += [signs[:, one] * signs[:, other] for one, other in combinations(range(5), 2)]
    matrix = np.column_stack([np.ones(len(played)), *columns])
    fitted = 2 * np.linalg.lstsq(matrix, means, rcond=None)[0][1:]
    got = [*found(made, ContrastReading.MAIN), *found(made, ContrastReading.INTERACTION)]
    assert [value(one, means) for one in got] == pytest.approx(fitted.tolist())


def test_many_levels_are_compared_with_the_base_as_a_fit_does():
    made = plan(slot("pass", 4), slot("fourth", 3))
    played = cells(made)
    means = np.random.default_rng(2).normal(size=len(played))
    dummies = [[cell[0] == level for cell in played] for level in (1, 2, 3)]
    dummies += [[cell[1] == level for cell in played] for level in (1, 2)]
    matrix = np.column_stack([np.ones(len(played)), *dummies]).astype(float)
    fitted = np.linalg.lstsq(matrix, means, rcond=None)[0][1:]
    mains = found(made, ContrastReading.MAIN)
    assert [value(one, means) for one in mains] == pytest.approx(fitted.tolist())
    assert [one.name for one in mains] == [
        "pass: rule", "pass: rule2", "pass: rule3", "fourth: rule", "fourth: rule2",
    ]  # fmt: skip
    assert len(found(made, ContrastReading.INTERACTION)) == 6
    assert not found(made, ContrastReading.REMOVED)


def test_interaction_of_many_levels_by_hand():
    made = plan(slot("pass", 3), slot("fourth"))
    means = dict(zip(cells(made), np.arange(6.0) ** 2, strict=True))
    for one in found(made, ContrastReading.INTERACTION):
        level = one.terms[0][1]
        first = means[level, 1] - means[0, 1]
        second = means[level, 0] - means[0, 0]
        assert value(one, list(means.values())) == (first - second) / 2


@pytest.mark.parametrize("generators", [(), ("E=ABCD",), ("E=-ABCD",)])
def test_effects_of_a_factorial_are_orthogonal(generators):
    made = plan(*map(slot, SLOTS), generators=generators)
    got = [*found(made, ContrastReading.MAIN), *found(made, ContrastReading.INTERACTION)]
    table = np.array([one.weights for one in got])
    product_table = table @ table.T
    assert len(got) == 15
    assert (product_table == np.diag(np.diag(product_table))).all()
    assert not any(one.aliases for one in got)


def test_aliases_of_a_fraction_are_named_once():
    made = plan(*map(slot, ("pass", "first", "second", "third")), generators=("D=ABC",))
    names = {one.name: one.aliases for one in found(made, ContrastReading.INTERACTION)}
    assert names == {
        "pass × first": ("second × third",),
        "pass × second": ("first × third",),
        "pass × third": ("first × second",),
    }


@pytest.mark.parametrize("generator", ["C=AB", "C=-AB"])
def test_main_effects_that_are_interactions_too_say_so_with_the_sign(generator):
    made = plan(*map(slot, ("pass", "first", "second")), generators=(generator,))
    played = cells(made)
    signs = 2 * np.array(played) - 1
    for one in found(made, ContrastReading.MAIN):
        others = [at for at in range(3) if at != one.terms[0][0]]
        same = (signs[:, others[0]] * signs[:, others[1]] == signs[:, one.terms[0][0]]).all()
        (alias,) = one.aliases
        assert alias.startswith("−") != same
    assert not found(made, ContrastReading.INTERACTION)


def test_one_at_a_time_compares_with_the_base_and_has_nothing_else():
    made = plan(slot("pass", 3), slot("fourth"), design=Design.ONE)
    got = contrasts(made, cells(made))
    assert {one.reading for one in got} == {ContrastReading.MAIN}
    base = cells(made).index((0, 0))
    for one in got:
        cell = [0, 0]
        cell[one.terms[0][0]] = one.terms[0][1]
        expected = [0] * len(cells(made))
        expected[base], expected[cells(made).index(tuple(cell))] = -1, 1
        assert list(one.weights) == expected
        assert one.divisor == 1


def test_a_screen_has_main_effects_that_are_orthogonal():
    made = plan(*(slot(f"s{number}") for number in range(11)), design=Design.SCREEN)
    got = contrasts(made, cells(made))
    table = np.array([one.weights for one in got])
    assert len(got) == 11
    assert {one.reading for one in got} == {ContrastReading.MAIN}
    assert (table @ table.T == 12 * np.eye(11)).all()


def test_one_factor_has_no_other_reading():
    got = contrasts(plan(slot("pass")), cells(plan(slot("pass"))))
    assert [one.reading for one in got] == [ContrastReading.MAIN]


def test_means_of_unequal_numbers_of_cells():
    made = plan(slot("pass"), slot("fourth"))
    one, other = contrasts(made, [(0, 0), (1, 0), (1, 1)])[:2]
    assert (one.weights, one.divisor) == ((-2, 1, 1), 2)
    assert (other.weights, other.divisor) == ((-1, -1, 2), 2)


def test_cells_without_a_level_are_refused():
    made = plan(slot("pass"), slot("fourth"))
    with pytest.raises(LabError, match="nothing to compare pass with"):
        contrasts(made, [(0, 0), (0, 1)])


@given(st.lists(st.integers(2, 4), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_contrasts_do_not_see_a_constant_and_are_means_of_cells(counts, random):
    made = plan(*(slot(f"s{at}", many) for at, many in enumerate(counts)))
    played = cells(made)
    means = [random.uniform(-5, 5) for _ in played]
    for one in contrasts(made, played):
        assert sum(one.weights) == 0
        positive = sum(weight for weight in one.weights if weight > 0)
        assert positive == one.divisor
        if one.reading is ContrastReading.MAIN:
            (factor, level) = one.terms[0]
            rest = list(product(*(range(m) for at, m in enumerate(counts) if at != factor)))
            by_cell = dict(zip(played, means, strict=True))
            differences = [
                by_cell[(*other[:factor], level, *other[factor:])]
                - by_cell[(*other[:factor], 0, *other[factor:])]
                for other in rest
            ]
            assert value(one, means) == pytest.approx(np.mean(differences), abs=1e-12)
