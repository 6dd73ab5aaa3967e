"""Designs: the right cells, balanced and at right angles, and honest about what they mix."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.arena.plan import GameRef
from cardwright.lab.contrast import aliases as named_aliases
from cardwright.lab.design import (
    LETTERS,
    cells,
    fraction,
    hadamard,
    resolution,
    signed_words,
    words_of,
)
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabError, LabPlayer
from cardwright.lab.plan import MOST_CELLS, Design, LabPlan

GAME = GameRef("hearts", 4, "0" * 64)


def plan(design, counts, generators=()):
    factors = tuple(
        Factor(
            f"f{at}",
            FactorKind.OPTION,
            f"X{at}",
            tuple(FactorLevel(str(n), str(n)) for n in range(count)),
        )
        for at, count in enumerate(counts)
    )
    rule = LabPlayer("rule", "rule")
    return LabPlan("p", GAME, rule, factors, design, (rule,), 1, 0, generators=generators)


def aliases(made):
    """Return groups of effects, by the numbers of their factors: `f0 × f2` is (0, 2)."""
    return tuple(
        tuple(tuple(int(factor[1:]) for factor in name.split(" × ")) for name in group)
        for group in named_aliases(made, cells(made))
    )


def signs(made):
    return np.array(cells(made)) * 2 - 1


@given(st.lists(st.integers(2, 4), min_size=1, max_size=6))
def test_one_at_a_time_is_the_base_and_every_single_deviation(counts):
    found = cells(plan(Design.ONE, counts))
    assert found[0] == (0,) * len(counts)
    assert len(set(found)) == len(found) == 1 + sum(count - 1 for count in counts)
    assert all(sum(level > 0 for level in cell) <= 1 for cell in found)
    places = [next((at for at, level in enumerate(cell) if level), -1) for cell in found]
    assert places == sorted(places)


@given(st.lists(st.integers(2, 4), min_size=1, max_size=5))
def test_a_factorial_is_all_combinations_in_order(counts):
    assert cells(plan(Design.FACTORIAL, counts)) == tuple(product(*map(range, counts)))


def test_the_half_of_five_factors_has_clear_interactions():
    made = plan(Design.FACTORIAL, [2] * 5, fraction("1/2", 5))
    assert made.generators == ("E=ABCD",)
    found = signs(made)
    assert len(found) == 16
    assert (found[:, :4].prod(axis=1) == found[:, 4]).all()
    assert resolution(made) == 5
    assert aliases(made) == ()


def test_a_sign_takes_the_other_half():
    whole = set(product((0, 1), repeat=5))
    plus = set(cells(plan(Design.FACTORIAL, [2] * 5, ("E=ABCD",))))
    minus = cells(plan(Design.FACTORIAL, [2] * 5, ("E=-ABCD",)))
    assert minus[0] == (0,) * 5
    assert plus.isdisjoint(minus)
    assert plus | set(minus) == whole


def test_a_quarter_tells_what_it_mixes():
    made = plan(Design.FACTORIAL, [2] * 5, ("D=AB", "E=AC"))
    assert resolution(made) == 3
    groups = {frozenset(group) for group in aliases(made)}
    assert frozenset({(3,), (0, 1)}) in groups
    assert frozenset({(0,), (1, 3), (2, 4)}) in groups
    assert frozenset({(1, 2), (3, 4)}) in groups


RESOLUTIONS = [
    # factors, parts, resolution: the tables of Box, Hunter and Hunter, Statistics for Experimenters
    (3, 2, 3), (4, 2, 4), (5, 2, 5), (5, 4, 3), (6, 2, 6), (6, 4, 4), (6, 8, 3), (7, 2, 7),
    (7, 4, 4), (7, 8, 4), (7, 16, 3), (8, 4, 5), (8, 8, 4), (8, 16, 4), (9, 4, 6), (9, 8, 4),
    (9, 16, 4), (9, 32, 3), (15, 2048, 3),
]  # fmt: skip


@pytest.mark.sweep
@pytest.mark.parametrize(("factors", "parts", "expected"), RESOLUTIONS)
def test_usual_fractions_have_the_highest_resolution(factors, parts, expected):
    generators = fraction(f"1/{parts}", factors)
    made = plan(Design.FACTORIAL, [2] * factors, generators)
    assert resolution(made) == expected
    found = signs(made)
    assert found.shape == (2**factors // parts, factors)
    assert len({tuple(row) for row in found}) == len(found)
    # Main effects are balanced and at right angles to each other.
    assert not found.sum(axis=0).any()
    assert (found.T @ found == len(found) * np.eye(factors)).all()


def test_of_equal_resolution_the_fraction_with_fewer_short_words_is_taken():
    # 2^(7-2): one word of length 4 and two of length 5, where other choices have three of length 4.
    words = words_of(signed_words(fraction("1/4", 7), 7))
    assert sorted(map(len, words)) == [4, 5, 5]


@given(st.integers(3, 7), st.data())
def test_aliases_are_columns_that_are_equal_or_opposite(factors, data):
    free = data.draw(st.integers(2, factors - 1))
    long = [word for size in range(2, free + 1) for word in combinations(range(free), size)]
    count = factors - free
    if len(long) < count:
        return
    chosen = data.draw(st.permutations(long))[:count]
    sign = data.draw(st.sampled_from(["", "-"]))
    made = plan(
        Design.FACTORIAL,
        [2] * factors,
        tuple(
            f"{LETTERS[free + at]}={sign}{''.join(LETTERS[one] for one in word)}"
            for at, word in enumerate(chosen)
        ),
    )
    rows = signs(made)
    together = {frozenset(pair) for group in aliases(made) for pair in combinations(group, 2)}
    effects = [(at,) for at in range(factors)] + list(combinations(range(factors), 2))
    columns = {effect: rows[:, list(effect)].prod(axis=1) for effect in effects}
    for one, other in combinations(effects, 2):
        same = abs(int(columns[one] @ columns[other])) == len(rows)
        assert same is (frozenset({one, other}) in together)
    # Resolution as the sum of the sizes of the smallest effects that are mixed, up to two each.
    least = min((len(a) + len(b) for a, b in map(tuple, together)), default=5)
    assert min(resolution(made), 5) == least


@pytest.mark.parametrize("order", range(4, 101, 4))
def test_hadamard_matrices_are(order):
    found = np.array(hadamard(order))
    assert found.shape == (order, order)
    assert (abs(found) == 1).all()
    assert (found @ found.T == order * np.eye(order)).all()
    assert (found[0] == 1).all()
    assert (found[:, 0] == 1).all()


@pytest.mark.parametrize("order", [0, 2, 6, 104, -4])
def test_other_orders_are_refused(order):
    with pytest.raises(ValueError, match="order"):
        hadamard(order)


@pytest.mark.parametrize("factors", [1, 2, 3, 4, 7, 8, 11, 12, 23, 50, 91, 99])
def test_screens_are_balanced_and_at_right_angles(factors):
    found = signs(plan(Design.SCREEN, [2] * factors))
    assert len(found) == max(4, next(n for n in range(4, 104, 4) if n > factors))
    assert tuple(found[0]) == (-1,) * factors
    assert not found.sum(axis=0).any()
    assert (found.T @ found == len(found) * np.eye(factors)).all()


def test_a_screen_of_twelve_mixes_no_two_effects_wholly_but_one_of_eight_does():
    assert not [group for group in aliases(plan(Design.SCREEN, [2] * 11)) if len(group[0]) == 1]
    assert len(aliases(plan(Design.SCREEN, [2] * 7))) == 7


@pytest.mark.parametrize(
    ("design", "counts", "generators", "said"),
    [
        (Design.FACTORIAL, [2] * 13, (), "8,192 cells"),
        (Design.FACTORIAL, [16] * 4, (), "65,536 cells"),
        (Design.ONE, [MOST_CELLS + 1], (), "4,097 cells"),
        (Design.SCREEN, [2] * 100, (), "99 factors"),
        (Design.SCREEN, [2, 3], (), "f1 (B) has 3"),
        (Design.FACTORIAL, [2, 2, 3], ("C=AB",), "f2 (C) has 3"),
        (Design.FACTORIAL, [2] * 4, ("E=ABC",), "names E; the factors are A, B, C, D"),
        (Design.FACTORIAL, [2] * 9, ("I=ABC",), "names I"),
        (Design.FACTORIAL, [2] * 4, ("D=ABD",), "of itself"),
        (Design.FACTORIAL, [2] * 4, ("D=AAB",), "twice"),
        (Design.FACTORIAL, [2] * 4, ("D=AB", "D=BC"), "generated twice"),
        (Design.FACTORIAL, [2] * 5, ("D=AB", "E=AD"), "D, which is generated"),
        (Design.FACTORIAL, [2] * 5, ("D=AB", "E=AB"), "D and E cannot be told apart"),
        (Design.FACTORIAL, [2] * 4, ("D=A",), "A and D cannot be told apart"),
        (Design.FACTORIAL, [2] * 4, ("ABCD",), "not a generator; write for example"),
    ],
)
def test_designs_that_make_no_sense_are_refused(design, counts, generators, said):
    with pytest.raises(LabError) as caught:
        cells(plan(design, counts, generators))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "factors", "said"),
    [
        ("1/3", 5, "write 1/2"),
        ("half", 5, "write 1/2"),
        ("0", 5, "write 1/2"),
        ("1/8", 5, "possible are 1/2, 1/4"),
        ("1/2", 2, "only the full factorial"),
        ("1/2", 26, "25 factors at most"),
        ("1/8", 12, "write the generators"),
    ],
)
def test_fractions_that_there_are_not(text, factors, said):
    with pytest.raises(LabError) as caught:
        fraction(text, factors)
    assert said in str(caught.value)


def test_the_whole_is_no_fraction():
    assert fraction("1", 5) == fraction("1/1", 5) == ()
    assert resolution(plan(Design.FACTORIAL, [2] * 5)) is None
    assert aliases(plan(Design.FACTORIAL, [2, 3])) == aliases(plan(Design.ONE, [2, 3])) == ()
