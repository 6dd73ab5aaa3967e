"""Sentences made of two clauses of which one takes the place of the other."""

from __future__ import annotations

import re

_MOST_WORDS = 14
"""Most words of what is named after `instead of`, rather than the whole clause."""

_NEAR = 6
"""Most words between a number and `instead of`."""

_VERBS = frozenset({"becomes", "become", "goes", "go", "is", "are", "has", "have"})

_ARTICLES = frozenset({"the", "a", "an"})
_SIGNS = frozenset({"+", "−", "×", "÷", "modulo", "power"})
"""Words beside a number with which it is one value."""

_NUMBER = re.compile(r"-?\d+")


def capital(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def instead(old: str, new: str) -> str:
    """Return a sentence that says the new clause, and what of the old one is different.

    `each player is dealt 7 cards` after `each player is dealt 5 cards` gives `Each player is dealt
    7 cards instead of 5.` Nothing is returned if that cannot be said so shortly.
    """
    if ";" in old or ";" in new:
        return ""
    before, after = old.split(" "), new.split(" ")
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    words = before[first : len(before) - last], after[first : len(after) - last]
    if first and before[first - 1] in _ARTICLES:
        first -= 1
    gone = before[first : len(before) - last]
    come = after[first : len(after) - last]
    if not gone or not come or len(gone) > _MOST_WORDS:
        return ""
    beside = {*after[max(0, first - 1) : first], *after[len(after) - last :][:1]}
    single = len(words[0]) == 1 == len(words[1])
    number = single and _NUMBER.fullmatch(words[0][0]) is not None
    if number and last <= _NEAR and not beside & _SIGNS:
        return f"{capital(new)} instead of {words[0][0]}."
    if first > 1 and not last and not beside & _SIGNS and gone[0] not in _VERBS:
        return f"{capital(new)} instead of {' '.join(gone)}."
    if single and words[0][0].isalpha() and words[1][0].isalpha():
        return f"{capital(new)} (“{words[1][0]}”, not “{words[0][0]}”)."
    return ""


def _common(one: list[str], other: list[str]) -> int:
    """Return how many words two texts have in common at their beginning."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count


def brief(text: str, limit: int) -> str:
    """Return a text, or its beginning with an ellipsis if it is too long."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;:") + " …"
