from __future__ import annotations

from math import log

import numpy as np
import pytest

from cardwright.statistics.sequential import Sprt


def verdict(test: Sprt, values: np.ndarray):
    return test.judge(values, np.arange(len(values)), len(values))


RUNS = 1500


def errors(test: Sprt, mean: float, wrong: str) -> float:
    """Return how often a test of noise around a mean accepts the wrong hypothesis."""
    generator = np.random.default_rng(8)
    found = [verdict(test, generator.normal(mean, 2.0, 4000)).accepted for _ in range(RUNS)]
    assert "undecided" not in found
    return found.count(wrong) / RUNS


def within(chance: float) -> float:
    """Return what a share of many runs does not exceed if this is the chance (3 sigma)."""
    return chance + 3 * (chance * (1 - chance) / RUNS) ** 0.5


def test_the_chances_of_errors_are_kept() -> None:
    test = Sprt(0.0, 0.3)
    assert errors(test, 0.0, "H1") <= within(0.05)
    assert errors(test, 0.3, "H0") <= within(0.05)


def test_each_error_has_its_own_chance() -> None:
    test = Sprt(0.0, 0.3, alpha=0.01, beta=0.2)
    assert errors(test, 0.0, "H1") <= within(0.01)
    assert 0.08 < errors(test, 0.3, "H0") <= within(0.2)


def test_bounds_are_walds() -> None:
    test = Sprt(0.0, 1.0, alpha=0.05, beta=0.1)
    assert test.low == pytest.approx(log(0.1 / 0.95))
    assert test.high == pytest.approx(log(0.9 / 0.05))


def test_the_ratio_is_that_of_normal_values_with_this_mean() -> None:
    values = np.array([0.5, 1.5, -0.25, 2.0, 0.0, 1.0])
    m, var = values.mean(), values.var(ddof=1)
    by_hand = -((values - 0.8) ** 2 - (values - 0.1) ** 2).sum() / (2 * var)
    got = Sprt(0.1, 0.8).llrs(values, np.array([len(values)]))[0]
    assert got == pytest.approx(by_hand)
    assert got == pytest.approx(6 * 0.7 * (2 * m - 0.9) / (2 * var))


def test_a_verdict_does_not_depend_on_what_is_played_after_it() -> None:
    generator = np.random.default_rng(2)
    values = generator.normal(0.4, 1.5, 3000)
    test = Sprt(0.0, 0.3, least=40, every=25)
    whole = verdict(test, values)
    assert whole.accepted == "H1"
    assert whole.deals % 25 == 0
    assert whole.deals >= 50  # 40 is no multiple of 25
    prefix = verdict(test, values[: whole.deals])
    assert (prefix.accepted, prefix.deals, prefix.llr) == (whole.accepted, whole.deals, whole.llr)
    before = verdict(test, values[: whole.deals - 25])
    assert before.accepted == "undecided"


def test_values_far_to_one_side_keep_the_chances_too() -> None:
    generator = np.random.default_rng(3)
    few, chances = [-1.5, -0.5, 0.0, 0.5, 4.0], [0.25, 0.3, 0.2, 0.2, 0.05]
    mean = float(np.dot(few, chances))
    for truth, wrong in ((0.0, "H1"), (0.3, "H0")):
        values = generator.choice(few, p=chances, size=(RUNS, 3000)) - mean + truth
        found = [verdict(Sprt(0.0, 0.3), row).accepted for row in values]
        assert found.count(wrong) / RUNS <= within(0.05)


def test_too_few_deals_decide_nothing() -> None:
    values = np.linspace(9, 11, 30)
    assert verdict(Sprt(0.0, 0.3, least=31), values).accepted == "undecided"
    assert verdict(Sprt(0.0, 0.3, least=30), values).accepted == "H1"


def test_deals_that_are_left_out_count_as_played_but_not_as_known() -> None:
    values = np.linspace(9, 11, 30)
    test = Sprt(0.0, 0.3, least=30, every=1)
    found = test.judge(values, np.arange(0, 60, 2), 60)
    assert (found.accepted, found.deals) == ("H1", 59)


def test_values_without_spread_decide_nothing() -> None:
    for values in (np.zeros(100), np.full(100, 0.1), np.full(100, 1e9 + 0.1), np.empty(0)):
        found = verdict(Sprt(0.0, 0.3), values)
        assert (found.accepted, found.llr, found.deals) == ("undecided", None, len(values))


@pytest.mark.parametrize(
    "wrong",
    [
        {"h0": 0.3, "h1": 0.3}, {"h0": 0.0, "h1": 1.0, "alpha": 0.0},
        {"h0": 0.0, "h1": 1.0, "beta": 0.5}, {"h0": 0.0, "h1": 1.0, "least": 1},
        {"h0": 0.0, "h1": 1.0, "every": 0}, {"h0": float("nan"), "h1": 1.0},
    ],
)  # fmt: skip
def test_numbers_that_make_no_test_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"H0|alpha|beta|looks"):
        Sprt(**wrong)
