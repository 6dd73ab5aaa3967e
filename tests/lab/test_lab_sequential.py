from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulated import outcomes, plan, slot

from cardwright.lab.design import cells
from cardwright.lab.factor import LabError
from cardwright.lab.plan import Precision, Sequential
from cardwright.lab.stopping import decided, looks, verdicts
from cardwright.statistics.sequential import SequentialTest

TEST = Sequential("points", 0.0, 1.0, least=50, every=50, bound=40.0)


def test_looks():
    assert list(looks(plan(deals=1_000))) == []
    rule = Precision("points", 0.1, least=400, every=200)
    assert list(looks(plan(deals=1_000, stop=rule))) == [400, 600, 800]
    assert list(looks(plan(deals=1_001, stop=rule))) == [400, 600, 800, 1_000]
    assert list(looks(plan(deals=400, stop=rule))) == []


def test_a_plan_without_a_rule_is_never_decided():
    made = plan(slot("pass"))
    assert not decided(made, outcomes(made))


def test_precision_stops_when_the_widest_interval_is_narrow_enough():
    made = plan(slot("pass"), slot("fourth"), deals=5_000, opponents=("random", "rule"))
    played = outcomes(made, noise=6.0)
    # The effect of a 2 x 2 factorial has a spread of 6: ±0.5 needs about 553 deals.
    made = replace(made, stop=Precision("points", 0.5, least=100, every=100))
    first = next(look for look in looks(made) if decided(made, played.before(look)))
    assert 500 <= first <= 700
    assert not decided(made, played.before(first - 100))
    assert not decided(made, played.before(1))


def test_precision_waits_for_every_class():
    made = plan(slot("pass"), deals=300, opponents=("random", "rule"))
    quiet, loud = outcomes(made, noise=0.5), outcomes(made, noise=20.0)
    rule = Precision("points", 0.5)
    for sums in ((quiet.sums[0], loud.sums[1]), (loud.sums[0], quiet.sums[1])):
        assert not decided(replace(made, stop=rule), replace(quiet, sums=sums))
    assert decided(replace(made, stop=rule), quiet)


def run(made, truth, seed):
    """Return the verdict of a run that stops as soon as it is decided, and after how many deals."""
    played = outcomes(made, [(truth,)], seed=seed, noise=4.0)
    for look in looks(made):
        if decided(made, played.before(look)):
            played = played.before(look)
            break
    (test,) = verdicts(made, played)
    return test.verdict.accepted, played.deals


def test_errors_are_as_rare_as_said_and_stopping_saves_deals():
    made = plan(slot("pass"), deals=2_000, stop=TEST)
    # Points are better if lower: an effect of -1 is a gain of 1.
    null = [run(made, 0.0, seed) for seed in range(120)]
    true = [run(made, -1.0, seed) for seed in range(120, 240)]
    wrong = [answer for answer, _ in null].count("H1"), [answer for answer, _ in true].count("H0")
    assert max(wrong) <= 13  # 5 % of 120 are 6; 13 or more have a chance below 1 %
    assert sum(wrong) >= 1
    assert [answer for answer, _ in null].count("H0") >= 100
    assert [answer for answer, _ in true].count("H1") >= 100
    # var = 2 * 16 and 5.3 var / 1: about 170 deals, to the next look.
    assert 100 <= np.mean([deals for _, deals in null + true]) <= 350


def test_the_chances_of_error_are_shared():
    made = plan(slot("pass"), slot("fourth"), opponents=("random", "rule"), stop=TEST)
    found = list(verdicts(made, outcomes(made)))
    assert len(found) == 4
    shared = SequentialTest(0, 1, 0.05 / 4, 0.05 / 4)
    assert found[0].verdict.need_h0 == pytest.approx(shared.need_h0)
    assert found[0].verdict.need_h1 == pytest.approx(shared.need_h1)


def test_a_verdict_is_that_of_the_arenas_test():
    made = plan(slot("pass"), deals=1_000, stop=TEST)
    played = outcomes(made, [(-0.7,)], seed=3)
    (found,) = verdicts(made, played)
    values = played.values(0, 0)
    gains = values[:, 0] - values[:, 1]
    test = SequentialTest(0, 1, least=50, every=50, bound=40.0)
    expected = test.judge(gains, test.looks(1_000))
    assert found.verdict.accepted == expected.accepted != "undecided"
    assert found.verdict == expected
    assert expected.bound == 40.0


def test_an_effect_beyond_the_bound_ends_the_experiment():
    made = plan(slot("pass"), deals=1_000, stop=replace(TEST, bound=10.0))
    with pytest.raises(LabError, match=r"the test of pass cannot go on: .* beyond its bound of 10"):
        list(verdicts(made, outcomes(made, [(-0.7,)], seed=3)))


def test_what_comes_after_a_decision_does_not_change_it():
    made = plan(slot("pass"), deals=600, stop=TEST)
    good, bad = (outcomes(made, [(truth,)], seed=1, noise=2.0) for truth in (-1.5, 1.5))
    sums = good.sums[0].copy()
    sums[200:] = bad.sums[0][200:]
    (found,) = verdicts(made, replace(good, sums=(sums,)))
    assert found.verdict.accepted == "H1"
    assert found.verdict.deals <= 200


def test_the_other_sign_for_what_is_better_if_higher():
    made = plan(slot("pass"), deals=600, stop=replace(TEST, response="margin"))
    (found,) = verdicts(made, outcomes(made, [(-1.5,)], noise=2.0))
    assert found.verdict.accepted == "H1"
    made = replace(made, stop=TEST)
    (found,) = verdicts(made, outcomes(made, [(1.5,)], noise=2.0))
    assert found.verdict.accepted == "H0"


def test_the_end_is_a_look():
    made = plan(slot("pass"), deals=120, stop=replace(TEST, least=100, every=500))
    played = outcomes(made, [(-3.0,)], noise=1.0)
    (found,) = verdicts(replace(made, stop=replace(TEST, least=120)), played)
    assert found.verdict.accepted == "H1"
    assert found.verdict.deals == 120


def test_between_looks_nothing_is_decided():
    made = plan(slot("pass"), deals=1_000, stop=replace(TEST, least=500, every=500))
    played = outcomes(made, [(-3.0,)], noise=1.0)
    (found,) = verdicts(made, played.before(499))
    assert found.verdict.accepted == "undecided"
    assert found.verdict.bound == 40.0
    assert decided(made, played.before(500))


def test_a_response_with_bounds_needs_none_stated():
    """An effect on the share of wins is no larger than 1, whatever was seen."""
    made = plan(slot("pass"), deals=300, stop=replace(TEST, response="wins", h1=0.2, bound=None))
    (found,) = verdicts(made, outcomes(made))
    assert found.verdict.bound == 1.0
    made = replace(made, stop=replace(TEST, response="wins", h1=1.5, bound=None))
    with pytest.raises(LabError, match=r"1.5 or more .*, not 1"):
        list(verdicts(made, outcomes(made)))


def test_what_does_not_vary_is_decided_by_its_bound():
    """An effect that is 0 in every deal, where one of 1 would have shown long ago."""
    made = plan(slot("pass"), deals=200, stop=TEST)
    played = outcomes(made)
    sums = np.repeat(played.sums[0][:, :1], len(cells(made)), axis=1)
    same = replace(played, sums=(sums,))
    (found,) = verdicts(made, same)
    assert found.verdict.accepted == "H0"


def test_what_does_not_vary_is_only_known_by_its_bounds():
    """Of points nothing is known here; of shares of wins the more, the more deals agree."""
    made = plan(slot("pass"), deals=200)
    played = outcomes(made)
    sums = np.repeat(played.sums[0][:, :1], len(cells(made)), axis=1)
    same = replace(played, sums=(sums,))
    assert not decided(replace(made, stop=Precision("points", 1_000.0)), same)
    wins = replace(made, stop=Precision("wins", 0.02))
    # Clopper and Pearson: a gain of ±1 in 1 - .025^(1/200) = 1.8 % of deals would not be noticed.
    assert decided(wins, same)
    assert not decided(wins, same.before(180))


def test_rules_that_make_no_sense():
    made = plan(slot("pass"), stop=replace(TEST, response="beauty"))
    with pytest.raises(LabError, match="no response is called 'beauty'; choose from points"):
        decided(made, outcomes(made))
    made = plan(slot("pass"), stop=replace(TEST, h0=2.0))
    with pytest.raises(LabError, match="H0 must be less than H1"):
        decided(made, outcomes(made))
