from __future__ import annotations

import json
from dataclasses import replace
from math import ceil, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from simulated import MEASURED, SLOTS, outcomes, plan, slot

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.design import cells
from cardwright.lab.effects import effects
from cardwright.lab.factor import LabError
from cardwright.lab.findings import Statistic, family, holm, samples, statistic
from cardwright.lab.outcomes import Outcomes
from cardwright.lab.plan import Design, Seating
from cardwright.statistics.intervals import (
    Sample,
    bounded_interval,
    mean_interval,
    share_interval,
    two_sided,
)
from deep import usually

POINTS, WINS, PLACE = 0, 2, 3


def of_points(made, table):
    """Return outcomes in which only points differ: shape (deals, cells), sums of 4 seatings."""
    sums = np.zeros((*np.shape(table), len(MEASURED)), dtype=np.int32)
    sums[:, :, PLACE] = 4 * MEASURED[PLACE].scale
    sums[:, :, POINTS] = table
    return Outcomes(cells(made), MEASURED, 4, 1, (sums,) * len(made.opponents))


def test_effects_by_hand():
    made = plan(slot("pass"), slot("fourth"))
    # Cells are (0, 0), (0, 1), (1, 0), (1, 1).
    table = [[40, 36, 20, 16], [60, 60, 52, 44], [32, 24, 28, 28]]
    found = effects(made, of_points(made, table))
    one = found.effects_of(0, POINTS, ContrastReading.MAIN)[0].found
    values = np.array([-20, -12, 0]) / 4
    expected = mean_interval(values)
    assert one.value == expected.mean == pytest.approx(-8 / 3)
    assert (one.low, one.high) == pytest.approx((expected.low, expected.high))
    assert one.spread == pytest.approx(values.std(ddof=1))
    assert one.error == pytest.approx(values.std(ddof=1) / sqrt(3))
    assert one.p == pytest.approx(two_sided(expected.mean / one.error, 2))
    mean = found.cell_means(0, POINTS)[2]
    assert mean.estimate.mean == pytest.approx(100 / 12)
    assert mean.difference.value == pytest.approx((-20 - 8 - 4) / 12)
    assert found.cell_means(0, POINTS)[0].difference is None
    assert found.games == 3 * 4 * 4
    assert found.games_a_deal == 16


def test_means_of_two_tested_seats_and_six_seatings():
    made = plan(slot("pass"), seating=Seating.PAIRS)
    given_ = outcomes(made, [(-3.0,)])
    found = effects(made, given_)
    values = given_.values(0, POINTS)
    assert found.cell_means(0, POINTS)[0].estimate.mean == pytest.approx(values[:, 0].mean())
    assert found.effects[0].found.value == pytest.approx((values[:, 1] - values[:, 0]).mean())
    shares = found.cell_means(0, WINS)[0].estimate
    expected = share_interval(given_.values(0, WINS)[:, 0])
    assert (shares.low, shares.high) == pytest.approx((expected.low, expected.high))


def test_null_effects_lie_within_their_intervals_as_often_as_said():
    made = plan(slot("pass"), slot("fourth"), deals=60)
    inside, together, low_p = 0, 0, 0
    for seed in range(200):
        found = effects(made, outcomes(made, seed=seed)).effects_of(0, POINTS, ContrastReading.MAIN)
        inside += sum(one.found.low <= 0 <= one.found.high for one in found)
        together += all(one.found.joint_low <= 0 <= one.found.joint_high for one in found)
        low_p += any(one.found.clear(0.95) for one in found)
    # 400 intervals and 200 families: these are about three standard errors around 95 %.
    assert 0.915 <= inside / 400 <= 0.98
    assert 0.90 <= together / 200 <= 0.99
    assert 0.01 <= low_p / 200 <= 0.10


def test_effects_are_unbiased():
    made = plan(*map(slot, SLOTS), deals=40)
    truth = (-2.35, -0.33, -0.65, 0.0, 1.05)
    found = [
        [one.found for one in effects(made, outcomes(made, [truth], seed=seed, noise=2.0))
         .effects_of(0, POINTS, ContrastReading.MAIN)]
        for seed in range(25)
    ]  # fmt: skip
    for at, expected in enumerate(truth):
        values = [run[at].value for run in found]
        error = sqrt(sum(run[at].error ** 2 for run in found)) / len(found)
        assert abs(np.mean(values) - expected) < 3.5 * error
        assert error < 0.05


def test_the_luck_of_a_deal_cancels_in_every_contrast():
    made = plan(slot("pass"), slot("fourth", 3), deals=30)
    one = outcomes(made, luck=2.0)
    luck = np.random.default_rng(5).integers(-50, 50, (30, 1, 1), dtype=np.int32)
    luck = luck * np.array([response.bounds is None for response in MEASURED], dtype=np.int32)
    other = replace(one, sums=(one.sums[0] + luck,))
    before, after = effects(made, one), effects(made, other)
    assert [each.found for each in before.effects] == [each.found for each in after.effects]


def test_gain_and_noise_are_those_of_the_simulation():
    made = plan(slot("pass"), slot("fourth"), deals=4_000)
    found = effects(made, outcomes(made, luck=8.0, noise=6.0))
    noise = found.noises[POINTS]
    assert noise.within == pytest.approx(10.0, rel=0.05)
    assert noise.residual == pytest.approx(6.0, rel=0.05)
    for effect in found.effects_of(0, POINTS, ContrastReading.MAIN):
        assert effect.gain == pytest.approx(100 / 36, rel=0.1)


def test_costs_of_better_intervals():
    made = plan(slot("pass"), deals=500)
    effect = effects(made, outcomes(made)).effects[0]
    assert effect.halved == 2_000
    assert effect.fine == pytest.approx(ceil((1.96 * effect.found.spread / 0.1) ** 2), rel=0.01)


def test_differences_between_classes_are_paired_by_deal():
    made = plan(slot("pass"), slot("fourth"), deals=100, opponents=("random", "rule", "third"))
    given_ = outcomes(made, [(-2, 0), (0, -1), (0, 0)])
    found = effects(made, given_)
    points = [shift for shift in found.shifts if shift.response == POINTS]
    assert [(shift.first, shift.second) for shift in points] == [
        (0, 1), (0, 1), (0, 2), (0, 2), (1, 2), (1, 2),
    ]  # fmt: skip
    values = [given_.values(who, POINTS) for who in range(2)]
    by_deal = [(one[:, 2] + one[:, 3] - one[:, 0] - one[:, 1]) / 2 for one in values]
    expected = mean_interval(by_deal[1] - by_deal[0])
    assert points[0].found.value == pytest.approx(expected.mean)
    assert points[0].found.low == pytest.approx(expected.low)


def test_no_difference_is_exactly_none():
    """But without bounds it says nothing of other deals."""
    made = plan(slot("pass"), slot("fourth", 3), deals=20)
    table = np.random.default_rng(0).integers(0, 104, (20, 1)) * np.ones((1, 6), dtype=int)
    found = effects(made, of_points(made, table))
    for effect in found.effects:
        one = effect.found
        assert (one.value, one.error, one.spread) == (0, 0, 0)
        assert effect.gain is effect.halved is effect.fine is None
        if found.responses[effect.response].bounds is None:
            assert one.low is one.high is one.joint_low is one.joint_high is None
            assert one.p is one.adjusted is None
        else:
            assert one.joint_low < one.low < 0 < one.high < one.joint_high
            assert (one.p, one.adjusted) == (1, 1)
    json.dumps(found.record(), allow_nan=False)


def constant(of, value, *, bounds, deals=8):
    """Return the main effect of a slot that changes points by so much in every deal."""
    made = plan(slot("pass"), deals=deals)
    luck = np.random.default_rng(0).integers(0, of, (deals, 1))
    table = luck + np.array([[0, 4 * value]])
    points = replace(MEASURED[POINTS], bounds=bounds)
    played = replace(of_points(made, table), responses=(points, *MEASURED[1:]))
    return effects(made, played).effects_of(0, POINTS, ContrastReading.MAIN)[0].found


def test_a_constant_difference_is_as_sure_as_its_bounds_let_it_be():
    """By hand: other deals may be at the bound, -26, as often as nobody would notice in eight."""
    found = constant(50, 1, bounds=(0.0, 26.0))
    noticed = 0.025 ** (1 / 8)
    assert (found.value, found.spread) == (1, 0)
    assert found.low == pytest.approx(noticed * 1 + (1 - noticed) * -26)
    assert found.high == pytest.approx(noticed * 1 + (1 - noticed) * 26)
    assert found.p == 1  # 2 (26 / 27)^8 is more
    surer = constant(1, 25, bounds=(0.0, 26.0), deals=12)
    assert surer.p == pytest.approx(2 * (26 / 51) ** 12)
    assert surer.low > 0


def test_a_constant_difference_without_bounds_has_no_interval():
    found = constant(50, 1, bounds=None)
    assert (found.value, found.error) == (1, 0)
    assert found.low is found.high is found.p is found.adjusted is None
    assert not found.clear(0.95)


@pytest.mark.parametrize(("gain", "loss", "rare"), [(1, -9, 0.1), (1, -1, 0.5), (2, -26, 1 / 14)])
def test_no_effect_is_seldom_found_in_what_is_nearly_always_the_same(gain, loss, rare):
    """Rare losses that few deals have shown make up for what all of them have shown."""
    chance, alarms, runs = np.random.default_rng(1), 0, 400
    for values in np.where(chance.random((runs, 6)) < rare, loss, gain):
        (one,) = samples(values[:, None].astype(float), [1], [(-26.0, 26.0)])
        if not values.std():
            alarms += statistic(one, 0.95).p <= 0.05
    assert alarms / runs <= 0.05


def test_intervals_of_what_has_bounds_keep_to_them():
    values = np.array([1.0, 1.0, 0.0])
    (one,) = samples(values[:, None], [1], [(-1.0, 1.0)])
    found = family([one, one], 0.95)[0]
    alone = bounded_interval(values, -1, 1)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert -1 <= found.joint_low < found.low
    assert found.high <= found.joint_high <= 1


def test_a_family_counts_those_without_a_p_value():
    """An interval for each of three, though one of them has none."""
    (known,) = samples(np.array([[3.0], [1.0], [2.0]]), [1], [None])
    (same,) = samples(np.array([[2.0], [2.0], [2.0]]), [1], [None])
    found = family([same, known, known], 0.95)
    assert found[0].adjusted is found[0].joint_low is None
    assert found[1].adjusted == pytest.approx(3 * found[1].p)
    alone = mean_interval(np.array([3.0, 1.0, 2.0]), 0.95 ** (1 / 3))
    assert (found[1].joint_low, found[1].joint_high) == pytest.approx((alone.low, alone.high))


def test_one_deal_has_no_interval():
    made = plan(slot("pass"), slot("fourth"), deals=1, opponents=("random", "rule"))
    found = effects(made, outcomes(made))
    for effect in found.effects:
        assert effect.found.low is effect.found.p is effect.found.adjusted is None
        assert effect.halved is effect.fine is effect.gain is None
    json.dumps(found.record(), allow_nan=False)


def test_nothing_played_is_said():
    made = plan(slot("pass"))
    with pytest.raises(LabError, match="no deal"):
        effects(made, outcomes(made, deals=0))


def test_without_a_base_cells_have_no_difference():
    made = plan(*map(slot, ("pass", "first", "second")), generators=("C=AB",))
    if (0, 0, 0) not in cells(made):
        found = effects(made, outcomes(made))
        assert all(mean.difference is None for mean in found.means)


def test_one_at_a_time():
    made = plan(slot("pass"), slot("fourth"), design=Design.ONE, deals=400)
    found = effects(made, outcomes(made, [(-2, 1)], noise=1.0))
    assert [
        one.found.value for one in found.effects_of(0, POINTS, ContrastReading.MAIN)
    ] == pytest.approx([-2, 1], abs=0.3)
    assert not found.effects_of(0, POINTS, ContrastReading.INTERACTION)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_p_values_have_two_sides():
    # Student's distribution with one degree of freedom is Cauchy's, and half of it is beyond 1.
    assert two_sided(1.0, 1) == pytest.approx(0.5)
    assert two_sided(-1.9599640, 10**9) == pytest.approx(0.05)


def test_clear_is_what_is_clear_after_adjustment():
    one = Statistic(1.0, 0.5, 5.0, 0.02, 1.98, p=0.04, adjusted=0.08)
    assert not one.clear(0.95)
    assert one.clear(0.9)
    assert not replace(one, adjusted=None).clear(0.9)


def test_joint_intervals_are_sidaks():
    sample = Sample.of_sums(100_001, 0, 100_000)
    one = statistic(sample, 0.95)
    together = family([sample] * 5, 0.95)
    assert one.high == pytest.approx(1.960 * one.error, rel=1e-3)
    assert together[0].joint_high == pytest.approx(2.569 * one.error, rel=1e-3)
    assert family([sample], 0.95)[0].joint_high == pytest.approx(one.high)


@settings(max_examples=usually(15, 50))
@given(st.lists(st.integers(-300, 300), min_size=2, max_size=40), st.integers(1, 12))
def test_samples_are_those_of_numpy(values, divisor):
    (got,) = samples(np.array(values, dtype=float)[:, None], [divisor], [None])
    scaled = np.array(values) / divisor
    assert got.mean == pytest.approx(scaled.mean(), abs=1e-12)
    assert got.variance == pytest.approx(scaled.var(ddof=1), abs=1e-9)
    found, expected = statistic(got, 0.9), mean_interval(scaled, 0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
