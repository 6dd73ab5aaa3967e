"""Differences line by line, scales of plots, and TOML that is written."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from hypothesis import example, given, strategies as st

from cardwright.evolution.report.page import difference
from cardwright.evolution.report.tables import place_on, scale_of
from cardwright.jobs.toml_text import toml_key, toml_paragraphs, toml_value

if TYPE_CHECKING:
    from cardwright.jobs.toml_text import Toml

LINES = st.lists(st.sampled_from(["(do (", "  (set X 1)", "  (set X 12)", "", ";; a b", ")"]))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))
FINITE = st.floats(-1e6, 1e6)


@given(LINES, LINES)
def test_both_texts_can_be_read_from_their_difference(old: list[str], new: list[str]) -> None:
    """With all lines around them, what is left out and kept is the one, the rest the other."""
    before, after = "\n".join(old), "\n".join(new)
    lines = [line for hunk in difference(before, after, around=1000) for line in hunk]
    if before.splitlines() == after.splitlines():
        assert not lines
        return
    texts = [(line, "".join(part.text for part in line.parts)) for line in lines]
    assert [text for line, text in texts if line.kind != "in"] == before.splitlines()
    assert [text for line, text in texts if line.kind != "out"] == after.splitlines()
    numbers = [line.old for line in lines if line.old is not None]
    assert numbers == list(range(1, len(numbers) + 1))


def test_what_differs_within_a_line_is_marked() -> None:
    """Two versions of a line have only the number marked; lines with nothing in common are not."""
    ((out, into),) = difference("(set X 1)", "(set X 12)")
    assert [part.text for part in out.parts if part.marked] == ["1"]
    assert [part.text for part in into.parts if part.marked] == ["12"]
    ((out, into),) = difference("(set X 1)", ";; nothing at all here")
    assert not any(part.marked for part in (*out.parts, *into.parts))


@given(st.lists(FINITE, min_size=1))
def test_scales_have_a_place_for_every_value(values: list[float]) -> None:
    """No value is at an end, and what is larger does not lie further left."""
    scale = scale_of(values)
    assert scale[0] < min(values) <= max(values) < scale[1]
    places = [place_on(scale, value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


PLAIN = st.one_of(
    TEXTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(allow_nan=False)
)


@given(
    st.recursive(
        PLAIN, lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=3)
    ),
    TEXTS,
)
@example({"a b": ["\x7f", '"""', "\\n"]}, "\x00")
def test_values_are_read_back_as_they_were(value: Toml, key: str) -> None:
    """Whatever stands in texts, the TOML reader gives it again."""
    assert tomllib.loads(f"{toml_key(key)} = {toml_value(value)}\n") == {key: value}


@given(TEXTS)
@example('"""\n\\\n  x')
def test_paragraphs_are_read_back_as_they_were(text: str) -> None:
    """Lines end where they ended."""
    assert tomllib.loads(f"a = {toml_paragraphs(text)}\n") == {"a": text}
