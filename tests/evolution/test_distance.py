"""The distance of rules."""

from __future__ import annotations

from functools import cache

from hypothesis import given, strategies as st

from cardwright.evolution.variation.rule_text import distance, levenshtein

WORDS = st.lists(st.sampled_from("ab("), max_size=9).map(tuple)


def defined(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return the distance as it is defined: the cheapest of all ways to begin."""

    @cache
    def rest(i: int, j: int) -> int:
        if i == len(one) or j == len(other):
            return len(one) - i + len(other) - j
        return min(
            rest(i + 1, j) + 1, rest(i, j + 1) + 1, rest(i + 1, j + 1) + (one[i] != other[j])
        )

    return rest(0, 0)


@given(WORDS, WORDS)
def test_it_is_the_fewest_changes(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """No way to put in, take out and exchange items is shorter, and one is as short."""
    assert levenshtein(one, other) == defined(one, other)


@given(WORDS, WORDS, WORDS)
def test_it_is_a_metric(
    one: tuple[str, ...], other: tuple[str, ...], third: tuple[str, ...]
) -> None:
    """It is 0 for the same alone, the same both ways, and no detour is shorter."""
    there = levenshtein(one, other)
    assert (there == 0) == (one == other)
    assert there == levenshtein(other, one)
    assert there <= levenshtein(one, third) + levenshtein(third, other)


@given(WORDS, WORDS, st.integers(0, 9))
def test_a_limit_only_says_more_than_that(
    one: tuple[str, ...], other: tuple[str, ...], most: int
) -> None:
    """Up to the limit it is exact; beyond, it is one more than the limit."""
    assert levenshtein(one, other, most) == min(defined(one, other), most + 1)


def test_it_counts_tokens() -> None:
    """Layout and comments do not count; a number is one token, a negation three."""
    text = "(game (do ((inc (game sto N) 3))))"
    assert distance(text, "(game ;; one\n  (do (\n(inc (game sto N) 3))))") == 0
    assert distance(text, text.replace("3", "400")) == 1
    assert distance(text, text.replace("3", "(not 3)")) == 3
    assert distance(text, text.replace(" (do ((inc (game sto N) 3)))", "")) == 14
