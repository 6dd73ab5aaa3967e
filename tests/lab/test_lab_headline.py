"""The first sentence and chart of a report: its words agree with the numbers, in every case."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from simulated import MEASURED, outcomes, plan, slot

from cardwright.analysis.figures.theme import styled
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.effects import effects
from cardwright.lab.report.phrases import NumberFormat
from cardwright.lab.report.pictures import draw_headline
from cardwright.lab.report.words import headline
from cardwright.lab.response import Better
from cardwright.publication.points import plotted
from deep import usually

NUMBERS = st.floats(-9, 9).map(lambda value: round(value, 2))


def form(better):
    return NumberFormat(replace(MEASURED[0], better=better), 2)


@given(NUMBERS, st.sampled_from(list(Better)))
def test_words_agree_with_signs(value, better):
    """Fewer penalty points are better, more of a score are; of what is neither there is more."""
    said = form(better).judged(value)
    word = {
        Better.LOWER: "better" if value < 0 else "worse",
        Better.HIGHER: "better" if value > 0 else "worse",
        Better.NEITHER: "more" if value > 0 else "less",
    }[better]
    assert said == (f"{word} by {abs(value):.2f}" if value else "no different")
    assert form(better).judged(value, "points") == (f"{said} points" if value else said)


@given(NUMBERS, NUMBERS, st.sampled_from(list(Better)))
def test_intervals_agree_with_signs(one, other, better):
    """Both ends have the right word; an interval with 0 in it has both words."""
    low, high = sorted((one, other))
    said = form(better).judged_range(low, high)
    assert not set(said) & set("−-+")
    numbers = sorted(map(float, re.findall(r"[\d.]+", said)))
    assert numbers == sorted((abs(low), abs(high)))
    for end in (low, high):
        if end:
            assert form(better).judged(end).split()[0] in said
    if low < 0 < high:
        assert re.search("worse to .* better|less to .* more", said)


@settings(max_examples=usually(10, 25))
@given(
    st.lists(
        st.tuples(st.sampled_from([-4, -1, 0, 1, 4]), st.sampled_from([-3, 0, 3])),
        min_size=1,
        max_size=2,
    ),
    st.integers(0, 50),
    st.sampled_from([0.3, 30.0]),
)
def test_the_sentence_says_what_was_found(truth, seed, noise):
    """Of every class, its direction, or that it cannot be told."""
    made = plan(opponents=tuple("AB"[: len(truth)]), deals=40)
    findings = effects(made, outcomes(made, truth, seed=seed, noise=noise))
    text, leading = headline(made, findings), findings.leading
    assert text.count(". ") == 0
    assert text.endswith(".")
    assert text.startswith("In Hearts, ")
    if leading is None:
        assert "cannot be told from 40 deals" in text
        assert "better" not in text
        return
    for opponents, name in enumerate(findings.opponents):
        (one,) = (effect for effect in findings.effects_of(opponents, 0, ContrastReading.MAIN)
                  if effect.contrast == leading)  # fmt: skip
        if one.found.clear(findings.level):
            assert f"against {name} it is {'better' if one.found.value < 0 else 'worse'} by" in text
        else:
            assert f"against {name} its effect cannot be told" in text


def test_nothing_found_is_said():
    made = plan(slot("pass"), deals=1)
    assert "whether pass matters cannot be told from 1 deal" in headline(
        made, effects(made, outcomes(made, [(3,)]))
    )


def test_the_chart_has_a_panel_for_each_class_with_better_ones_to_the_right():
    made = plan(opponents=("random", "rule"), deals=60)
    findings = effects(made, outcomes(made, [(-4, 0), (3, 0)], noise=0.5))
    with styled("cardwright") as look:
        figure = draw_headline(look, made, findings)
    assert figure.get_suptitle() == "What decides Hearts?"
    assert [axes.get_title("left") for axes in figure.axes] == ["against random", "against rule"]
    dots = {(row.panel, row.y): row.x for row in plotted(figure) if row.kind == "point"}
    assert dots["against random", 0.0] == pytest.approx(-4, abs=0.5)
    assert figure.axes[0].xaxis_inverted()
    assert dots["against rule", 0.0] == pytest.approx(3, abs=0.5)
    said = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert said[0].startswith("better by 4")
    assert any(one.startswith("worse by") for one in said)
