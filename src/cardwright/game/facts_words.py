"""Stored values as they stand, in words: what people at the table know besides the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.card_words import plain_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.people import PeopleNamer, StoredValues
    from cardwright.game.phrase import Blank


def told_facts(
    stored: StoredValues, owner: int, namer: PeopleNamer, you: int | None
) -> tuple[str, ...]:
    """Return what is told of an owner, in the order in which the author has words for it.

    A value without words is not told. Words without a place for a value are told while it is
    neither 0 nor empty.
    """
    order = {key: at for at, key in enumerate(namer.words.phrases("facts"))}
    told: list[tuple[int, str]] = []
    for name, value in _values(stored, owner):
        keys = namer.value_keys(owner, name, value)
        key = next((key for key in keys if key in order), None)
        if key is None:
            continue
        phrase = namer.words.phrases("facts")[key]

        def filled(blank: Blank, value: int | str = value) -> str | None:
            if not blank.name:
                return namer.value(value, blank.how, you)
            return namer.blank(blank, owner, stored, you)

        of_value = key in keys[:2]
        if (phrase.blanks or value or of_value) and (text := phrase.sentence(filled)):
            told.append((order[key], text))
    return tuple(text for _, text in sorted(told))


def stored_facts(stored: StoredValues, owner: int) -> tuple[str, ...]:
    """Return all that is stored of an owner, for authors of games without words: `bid: 3`."""
    return tuple(
        f"{plain_word(name)}: {plain_word(value) if isinstance(value, str) else value}"
        for name, value in _values(stored, owner)
    )


def _values(stored: StoredValues, owner: int) -> Iterator[tuple[str, int | str]]:
    """Yield the names and values of an owner."""
    return ((name, value) for (whose, name), value in stored.items() if whose == owner)
