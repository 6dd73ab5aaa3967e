"""Aims are read from texts, give scores, and are taken from measures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from cardwright.evolution.aim import Aim, scores
from cardwright.evolution.errors import AimError
from cardwright.evolution.measures.table import MEASURES
from cardwright.statistics.intervals import Estimate

FINITE = st.floats(allow_nan=False, allow_infinity=False)
WEIGHTS = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


@st.composite
def aims(draw: st.DrawFn) -> Aim:
    """Any aim that a text can give."""
    name = draw(st.sampled_from(sorted(MEASURES)))
    measure = MEASURES[name]
    kind = draw(st.sampled_from(["range", "max", "min"]))
    weight = draw(WEIGHTS)
    if kind == "max":
        return Aim(name, "max", 0.0, measure.most or 0.0, weight, measure.scale)
    if kind == "min":
        return Aim(name, "min", measure.least or 0.0, 0.0, weight, measure.scale)
    inside = st.floats(measure.least, measure.most, allow_nan=False, allow_infinity=False)
    near = draw(inside) + 0.0
    low = draw(st.sampled_from([near, -math.inf, near - 1]))
    high = draw(st.sampled_from([near, math.inf, near + 1]))
    if math.isinf(low) and math.isinf(high):
        high = near
    return Aim(name, "range", low, high, weight, measure.scale)


@given(aims())
def test_the_text_of_an_aim_gives_it_again(aim: Aim) -> None:
    assert Aim.parse(str(aim)) == aim
    assert str(aim) == aim.text


TINY = 1e-300
"""Distances so small that a score may be 0 for them."""


@given(aims(), FINITE | st.just(math.inf) | st.just(math.nan))
def test_no_score_is_nan(aim: Aim, value: float) -> None:
    """Nor does a range give more than 0, and a value out of it less."""
    score = aim.score(value)
    assert not math.isnan(score)
    if aim.kind == "range":
        assert score <= 0
        away = max(aim.low - value, value - aim.high)
        assert (score == 0) == (away <= 0) or abs(score) == math.inf or away < TINY


@given(aims(), FINITE, FINITE)
def test_scores_rise_towards_what_is_wanted(aim: Aim, one: float, other: float) -> None:
    """They never fall on the way: hill climbing finds a slope."""
    low, high = sorted((one, other))
    if aim.kind == "max" or (aim.kind == "range" and high <= aim.low):
        assert aim.score(low) <= aim.score(high)
    if aim.kind == "min" or (aim.kind == "range" and low >= aim.high):
        assert aim.score(low) >= aim.score(high)


@pytest.mark.parametrize(
    ("text", "value", "score"),
    [
        ("length 40..60", 50, 0.0),
        ("length 40..60", 70, -1.0),
        ("length 40..60", 20, -2.0),
        ("length ..60", 1, 0.0),
        ("length 40..", 30, -1.0),
        ("length 50", 55, -0.5),
        ("fairness max", 1.0, 0.0),
        ("fairness max", 0.75, -2.5),
        ("length max", 52, 5.2),
        ("length min", 52, -5.2),
        ("luck min", 0.3, -3.0),
        ("skill min", -1.0, 0.0),
        ("branching min", 3, -2.0),
    ],
)
def test_scores_count_in_scales(text: str, value: float, score: float) -> None:
    assert Aim.parse(text).score(value) == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("  length   40..60 x2 ", "length 40..60 x2"),
        ("length 40 .. 60", "length 40..60"),
        ("skill 0.20.. x0.5", "skill 0.2.. x0.5"),
        ("luck min x1", "luck min"),
        ("length +40.0", "length 40"),
        ("skill -0.1..0.1", "skill -0.1..0.1"),
    ],
)
def test_there_are_several_ways_to_write_an_aim(text: str, normal: str) -> None:
    assert Aim.parse(text).text == normal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an aim is a measure and what is wanted of it: `length 40..60`"),
        ("lenght 40..60", "there is no measure 'lenght'; did you mean length"),
        ("zzz max", "there is no measure 'zzz'; there are: length, "),
        ("length", "what is wanted of length? Write one of `length 40..60`"),
        ("luck 40-60", "luck cannot be '40-60'; write one of `luck 40..60`"),
        ("length ..", "length cannot be '..'"),
        ("length nan", "length cannot be 'nan'"),
        ("length 60..40", "ends before it begins; did you mean length 40..60?"),
        ("fairness 3..5", "fairness is from 0 to 1, so it is never in 3..5"),
        ("length ..-1", "length is 0 or more, so it is never in ..-1"),
        ("luck min x0", "the weight at the end of 'luck min x0' is a number above 0"),
        ("luck min xx", "the weight at the end of 'luck min xx' is a number above 0"),
        ("length 1e999", "1e999 is too large a number"),
    ],
)
def test_what_is_no_aim_is_told_with_what_could_stand_there(text: str, message: str) -> None:
    with pytest.raises(AimError) as raised:
        Aim.parse(text)
    assert message in str(raised.value)
    assert raised.value.wrong_call


def test_what_was_not_measured_scores_minus_infinity() -> None:
    wanted = [Aim.parse("length 40..50 x3"), Aim.parse("luck min")]
    assert scores(wanted, {"length": Estimate(30.0, None, None, 5)}) == (-3.0, -math.inf)
