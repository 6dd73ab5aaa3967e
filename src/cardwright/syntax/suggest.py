"""Suggestions for an unknown word."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from cardwright.english import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


NEAR = 0.6
"""How similar a word must be to be suggested, from 0 to 1."""


def near(word: str, known: Iterable[str], enough: float = NEAR) -> str | None:
    """Return the known word that is nearest to this one, if any is near enough."""
    if len(word) > 60:
        return None
    candidates = list(known)
    by_fold = {candidate.casefold(): candidate for candidate in candidates}
    if word.casefold() in by_fold:
        return by_fold[word.casefold()]
    matches = get_close_matches(word, candidates, n=1, cutoff=enough)
    return matches[0] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question with the nearest known word, or nothing."""
    match = near(word, known)
    return f"did you mean {match}?" if match else ""


def advice_on(word: str, known: Iterable[str]) -> str:
    """Return a question with the nearest known word, or a list of all."""
    words = list(known)
    return did_you_mean(word, words) or f"choose from {listed(words)}"
