"""The sequential test keeps its error probabilities, for normal values and for rare large ones."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from cardwright.statistics.sequential import SequentialTest, Verdict
from deep import usually

RUNS = usually(200, 600)


def verdict(test: SequentialTest, values: np.ndarray) -> Verdict:
    return test.judge(values, test.looks(len(values)))


def moons(generator: np.random.Generator, count: int, chance: float, mean: float) -> np.ndarray:
    """Return values around a mean, of which some are 26 lower than the others."""
    rare = -26.0 * (generator.random(count) < chance)
    return generator.normal(0, 1, count) + rare + 26 * chance + mean


def share(found: list[str], answer: str) -> float:
    return found.count(answer) / len(found)


def within(chance: float) -> float:
    """Return what a share of many runs does not exceed if this is the chance (3 sigma)."""
    return chance + 3 * (chance * (1 - chance) / RUNS) ** 0.5


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (0.3, "H0")])
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.2)])
def test_the_chances_of_errors_are_kept(truth, wrong, alpha, beta) -> None:
    generator = np.random.default_rng(8)
    test = SequentialTest(0.0, 0.3, alpha, beta, bound=12.0)
    found = [verdict(test, generator.normal(truth, 2.0, 6000)).accepted for _ in range(RUNS)]
    assert "undecided" not in found
    assert share(found, wrong) <= within(alpha if wrong == "H1" else beta)


@pytest.mark.sweep
@pytest.mark.parametrize("chance", [0.01, 0.02, 0.05])
@pytest.mark.parametrize("h1", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_rare_large_values_do_not_spoil_it(chance, h1, side) -> None:
    """A test that takes the spread from what it has seen errs here in up to 32 % of runs."""
    generator = np.random.default_rng(3)
    test = SequentialTest(0.0, h1, bound=32.0)
    if side < 0:
        runs = [moons(generator, 1500, chance, 0.0) for _ in range(RUNS)]
        assert share([verdict(test, one).accepted for one in runs], "H1") <= within(0.05)
    else:
        runs = [h1 - moons(generator, 1500, chance, 0.0) for _ in range(RUNS)]
        assert share([verdict(test, one).accepted for one in runs], "H0") <= within(0.05)


@pytest.mark.parametrize("bound", [99.0, 250.0])
@pytest.mark.parametrize("h1", [0.5, 1.0])
def test_a_rare_loss_that_makes_a_game_fair_does_not_spoil_it(h1, bound) -> None:
    """With a bound taken from what was seen, a third of such matches would accept H1."""
    generator = np.random.default_rng(5)
    test = SequentialTest(0.0, h1, bound=bound)
    runs = [np.where(generator.random(2000) < 0.99, 1.0, -99.0) for _ in range(RUNS)]
    assert share([verdict(test, one).accepted for one in runs], "H1") <= within(0.05)


def test_it_takes_about_as_many_deals_as_the_best_test_of_normal_values() -> None:
    """Wald's test of normal values with a known spread takes (1 - 2a) 2 log(19) / d² deals."""
    generator = np.random.default_rng(9)
    test = SequentialTest(0.0, 0.2, least=2, bound=4.5)
    best = 0.9 * 2 * log(19) / 0.2**2
    runs = np.clip(generator.normal(0.2, 1, (300, 3000)), -4.1, 4.5)
    taken = [verdict(test, one).deals for one in runs]
    assert np.mean(taken) < 1.4 * best


def test_capitals_are_bets_that_are_fair_at_the_hypothesis() -> None:
    """Reckoned one value after the other: stakes depend on the values before alone."""
    values = np.array([0.5, 1.5, -0.25, 2.0, 0.0, 1.0])
    test = SequentialTest(0.1, 0.8, bound=3.0)
    capital = [1.0, 1.0]
    squares = 1.5**2
    logs = [[0.0], [0.0]]
    for at, value in enumerate(values):
        wish = 0.7 / (squares / (at + 1))
        for who, (centre, sign) in enumerate(((0.1, 1), (0.8, -1))):
            stake = min(wish, 0.75 / (3.0 + sign * centre))
            capital[who] *= 1 + stake * sign * (value - centre)
            logs[who].append(log(capital[who]))
        squares += (value - 0.45) ** 2
    for got, expected in zip(test.capital(values), logs, strict=True):
        assert got == pytest.approx(expected)


def test_what_is_needed_is_the_inverse_of_the_chance() -> None:
    test = SequentialTest(0.0, 1.0, alpha=0.05, beta=0.1)
    assert (test.need_h0, test.need_h1) == pytest.approx((log(20), log(10)))


def test_a_verdict_does_not_depend_on_what_is_played_after_it() -> None:
    generator = np.random.default_rng(2)
    values = generator.normal(0.4, 1.5, 3000)
    test = SequentialTest(0.0, 0.3, least=40, every=25, bound=10.0)
    whole = verdict(test, values)
    assert whole.accepted == "H1"
    assert whole.deals % 25 == 0
    assert whole.deals >= 50  # 40 is no multiple of 25
    assert verdict(test, values[: whole.deals]) == whole
    before = verdict(test, values[: whole.deals - 25])
    assert before.accepted == "undecided"


def test_a_value_beyond_the_bound_ends_the_test() -> None:
    """Whichever side it is on, decided by it or not; one after the decision does not count."""
    values = np.full(41, 0.25)
    test = SequentialTest(0.0, 0.5, 1e-6, 1e-6, least=2, bound=1.0)
    assert verdict(test, values).accepted == "undecided"
    for value in (-1.5, 1.5, -500.0, 500.0):
        values[20] = value
        assert verdict(test, values[:20]).accepted == "undecided"
        with pytest.raises(ValueError, match=f"worth {abs(value):g} .* beyond its bound of 1"):
            verdict(test, values)
        with pytest.raises(ValueError, match="beyond its bound"):  # before the first look, too
            verdict(SequentialTest(0.0, 0.5, least=100, bound=1.0), values)
    decided = np.concatenate([np.full(200, 1.0), [7.0]])
    assert verdict(test, decided).accepted == "H1"


def test_without_a_bound_nothing_is_judged() -> None:
    with pytest.raises(ValueError, match="needs a bound"):
        verdict(SequentialTest(0.0, 0.5), np.zeros(10))


def test_too_few_deals_decide_nothing() -> None:
    values = np.linspace(0.9, 1.1, 30)
    assert verdict(SequentialTest(0.0, 0.3, least=31, bound=2.0), values).accepted == "undecided"
    assert verdict(SequentialTest(0.0, 0.3, least=30, bound=2.0), values).accepted == "H1"


def test_deals_that_are_left_out_count_as_played_but_not_as_known() -> None:
    values = np.linspace(0.9, 1.1, 30)
    test = SequentialTest(0.0, 0.3, least=30, every=1, bound=2.0)
    looks = test.looks(60)
    counts = np.searchsorted(np.arange(0, 60, 2), looks)
    found = test.judge(values, looks, counts)
    assert (found.accepted, found.deals) == ("H1", 59)


def test_equal_values_between_known_bounds_decide() -> None:
    """Nobody has to see a spread to know that a mean of 0.3 would have shown by now."""
    assert verdict(SequentialTest(0.0, 0.3, bound=1.0), np.zeros(100)).accepted == "H0"
    assert verdict(SequentialTest(0.0, 0.3, bound=1.0), np.full(100, 0.3)).accepted == "H1"
    none = verdict(SequentialTest(0.0, 0.3, bound=1.0), np.empty(0))
    assert (none.accepted, none.deals, none.bound) == ("undecided", 0, 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"h0": 0.3, "h1": 0.3}, {"h0": 0.0, "h1": 1.0, "alpha": 0.0},
        {"h0": 0.0, "h1": 1.0, "beta": 0.5}, {"h0": 0.0, "h1": 1.0, "least": 1},
        {"h0": 0.0, "h1": 1.0, "every": 0}, {"h0": float("nan"), "h1": 1.0},
        {"h0": 0.0, "h1": 1.0, "bound": 0.5}, {"h0": 0.0, "h1": 1.0, "bound": float("nan")},
    ],
)  # fmt: skip
def test_numbers_that_make_no_test_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"H0|alpha|beta|looks|bound"):
        SequentialTest(**wrong)
