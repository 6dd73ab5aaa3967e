"""What is recalled of the latest choices: who made them, and what of them each seat saw."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.layout import BoardLayout

_WORD = 2**64 - 1
_BITS = 64


class Recalled(NamedTuple):
    """A choice that is recalled: the seat that made it, and what of the option each seat saw.

    `branch` is its branch, as they are numbered over all choices, and `picks` what it picked
    besides cards: words for each of `chains.public_picks`, as kernels have them. `cards` are sets
    of cards as integers, bit by bit: one for each seat, and last one for a spectator. They have
    those that the option picked and it saw, before it was chosen or once it was carried out.
    """

    seat: int
    branch: int
    picks: tuple[int, ...]
    cards: tuple[int, ...]

    def imagined(self, seat: int | None) -> Recalled:
        """Return this as it is in a state made for a seat; the others know what all have seen."""
        all_saw = self.cards[-1]
        cards = (own if at == seat else all_saw for at, own in enumerate(self.cards))
        return self._replace(cards=tuple(cards))


class SeenSoFar(NamedTuple):
    """What all seats have seen: their chains and last a spectator's, two words each, and entries.

    The entries are for the latest choices, the last one first.
    """

    words: tuple[int, ...]
    recalled: tuple[Recalled, ...] = ()


def entry_words(layout: BoardLayout, entries: Sequence[Recalled], room: int) -> array[int]:
    """Return entries as the words of `cardwright.compiler.kernels.recall`, with zeros after."""
    words = array("q", bytes(8 * layout.entry_words * max(room, 1)))
    for at, entry in enumerate(entries[:room]):
        first = layout.entry_words * at
        words[first : first + layout.entry_cards] = array(
            "q", (1 + entry.seat, 1 + entry.branch, *entry.picks)
        )
        for number, cards in enumerate(entry.cards):
            for part in range(layout.card_words):
                word = cards >> _BITS * part & _WORD
                place = first + layout.entry_cards + layout.card_words * number + part
                words[place] = word - 2**_BITS if word >> (_BITS - 1) else word
    return words


def entries_of(layout: BoardLayout, words: Sequence[int]) -> tuple[Recalled, ...]:
    """Return the entries that some words have."""
    found: list[Recalled] = []
    for first in range(0, len(words), layout.entry_words):
        if words[first] == 0:
            break
        sets = [0] * (layout.players + 1)
        for number in range(len(sets)):
            for part in range(layout.card_words):
                word = words[first + layout.entry_cards + layout.card_words * number + part]
                sets[number] |= (word & _WORD) << _BITS * part
        picks = tuple(words[first + 2 : first + layout.entry_cards])
        found.append(Recalled(words[first] - 1, words[first + 1] - 1, picks, tuple(sets)))
    return tuple(found)
