"""Candidates made from others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.errors import KeepError
from cardwright.evolution.variation.parsed_rules import MaterialError, parsed_rules
from cardwright.evolution.variation.rule_text import distance
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.library.catalogue import names
from cardwright.syntax.source import Source, Span
from deep import mostly_deep, usually
from evolution.varying import SMALL, assert_sound, library_game, values_of

VARIED = {"coup", "leduc", "schwimmen"}
DEAL = "(repeat 13 (move (top (game iloc STOCK)) (top ('P iloc HAND))))"


@pytest.mark.parametrize("name", mostly_deep(names(), VARIED.__contains__))
def test_every_game_of_the_library_varies_in_each_family(name: str) -> None:
    """There is a candidate of each family, and it is sound."""
    original = library_game(name)
    random = np.random.default_rng(5)
    for family in ChangeFamily:
        variation = Variation(frozenset({family}), constants=values_of(name))
        found = varied(original, [original], variation, random)
        assert found is not None
        assert {change.family for change in found.changes} == {family}
        assert_sound(found, original, original, variation)


@settings(max_examples=usually(4, 15))
@given(
    st.sampled_from(SMALL),
    st.integers(0, 2**32),
    st.sets(st.sampled_from(list(ChangeFamily)), min_size=1).map(frozenset),
    st.sampled_from([None, 1, 3, 30]),
    st.floats(1, 4),
)
def test_candidates_are_sound(
    name: str, seed: int, families: frozenset[ChangeFamily], most: int | None, changes: float
) -> None:
    """A child of a child is sound, whatever may vary, and the same from the same generator."""
    original = library_game(name)
    variation = Variation(families, most=most, changes=changes, constants=values_of(name), tries=8)
    random = np.random.default_rng(seed)
    child = varied(original, [original], variation, random)
    if child is None:
        assert most == 1 or changes > 1
        return
    assert_sound(child, original, original, variation)
    assert varied(original, [original], variation, np.random.default_rng(seed)) == child
    free = replace(variation, most=None)
    second = varied(original, [child], free, random)
    if second is not None:
        assert_sound(second, original, child, free)


@settings(max_examples=usually(2, 10))
@example(330)  # a part of another place becomes what it replaces, once its names fit
@given(st.integers(0, 2**32))
def test_what_is_kept_stays(seed: int) -> None:
    """The form stands in every candidate, and others change."""
    original = library_game("spades")
    variation = Variation(keep=(DEAL, "(create players 4)", "(declare 100 'NIL)"))
    found = varied(original, [original], variation, np.random.default_rng(seed))
    if found is not None:
        assert_sound(found, original, original, variation)


def test_all_that_is_kept_leaves_nothing() -> None:
    """Where everything that may vary is kept, there is no candidate."""
    original = library_game("polignac")
    material = parsed_rules(original.text)
    declared = [material.source.at(item.span) for item in material.form.items[1:]]
    keep = tuple(text for text in declared if text.startswith("(declare"))
    variation = Variation(frozenset({ChangeFamily.CONSTANTS}), keep=keep)
    assert varied(original, [original], variation, np.random.default_rng(1)) is None


def test_two_changes_of_one_candidate_are_apart() -> None:
    """Their places in the parent do not overlap, and they stand in order."""
    original = library_game("polignac")
    variation = Variation(changes=4)
    random = np.random.default_rng(3)
    found = [varied(original, [original], variation, random) for _ in range(usually(8, 20))]
    several = [one.changes for one in found if one is not None and len(one.changes) > 1]
    assert several
    for changes in several:
        assert [change.line for change in changes] == sorted(change.line for change in changes)


def test_most_candidates_have_as_many_changes_as_wished() -> None:
    """The mean number of changes is that of the variation, within what chance explains."""
    original = library_game("leduc")
    for mean in (1.0, 3.0):
        random = np.random.default_rng(8)
        variation = Variation(frozenset({ChangeFamily.SCORING, ChangeFamily.STEPS}), changes=mean)
        found = [varied(original, [original], variation, random) for _ in range(usually(12, 40))]
        counts = [len(one.changes) for one in found if one is not None]
        assert abs(float(np.mean(counts)) - mean) < (0.01 if mean == 1 else 1.0)


def test_what_is_wrong_is_said() -> None:
    """A form to keep that is not there, and rules that are none, are refused."""
    original = library_game("leduc")
    random = np.random.default_rng(1)
    with pytest.raises(KeepError):
        varied(original, [original], Variation(keep=("(turn around)",)), random)
    with pytest.raises(MaterialError, match="a program starts with the word game"):
        varied(original, [Candidate("(play)")], Variation(), random)


def test_a_candidate_says_where_it_changed() -> None:
    """The line is that of the parent, and the text before stands there."""
    original = library_game("spades")
    random = np.random.default_rng(2)
    variation = Variation(
        frozenset({ChangeFamily.CONSTANTS}), changes=1, constants=values_of("spades")
    )
    found = varied(original, [original], variation, random)
    assert found is not None
    (change,) = found.changes
    source = Source("spades", original.text)
    start = source.start_of(change.line)
    line = source.at(Span(start, source.start_of(change.line + 1)))
    assert line.replace(change.before, change.after, 1) in found.text


def test_earlier_changes_are_undone() -> None:
    """Of a version with two changes, candidates come up in which the original's text is back."""
    original = library_game("lama")
    changed = original.text.replace("10 'LLAMACOST", "40 'LLAMACOST")
    changed = changed.replace("6 'HANDSIZE", "7 'HANDSIZE")
    variation = Variation(changes=1, constants=values_of("lama"))
    found = [
        varied(original, [Candidate(changed)], variation, np.random.default_rng(seed))
        for seed in range(usually(24, 60))
    ]
    undone = [one for one in found if one and [two.operator for two in one.changes] == ["undo"]]
    assert usually(1, 3) <= len(undone) <= 20
    for one in undone:
        assert distance(original.text, one.text) == 1
        (change,) = one.changes
        assert change.after in ("(declare 10 'LLAMACOST)", "(declare 6 'HANDSIZE)")
        assert not change.source


def test_what_is_kept_out_is_not_undone() -> None:
    """Changes of a family that may not vary stay, and so does the last change of a version."""
    original = library_game("lama")
    changed = original.text.replace("10 'LLAMACOST", "40 'LLAMACOST")
    both = changed.replace("6 'HANDSIZE", "7 'HANDSIZE")
    deck = Variation(frozenset({ChangeFamily.DECK}), constants=values_of("lama"))
    free = Variation(constants=values_of("lama"))
    for seed in range(usually(6, 40)):
        kept = varied(original, [Candidate(both)], deck, np.random.default_rng(seed))
        assert kept is None or "40 'LLAMACOST" in kept.text
        one = varied(original, [Candidate(changed)], free, np.random.default_rng(seed))
        assert one is None or one.text != original.text
