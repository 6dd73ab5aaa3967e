"""Limits of the language, which every engine keeps."""

from __future__ import annotations

from typing import Final

OPTION_WORDS: Final = 1 << 23
"""What the options of a decision take at most: each as many words as any of the choice may need."""

TOO_MANY: Final = "there are too many options"
NO_ROOM: Final = "there is no room left for the lists that this makes"

FEW_ROUNDS: Final = 10_000
"""Rounds are not counted of what cannot make more than these, however the game stands."""

FEW_WITHIN: Final = 64
"""Nor are they, within a loop whose rounds are counted, of what cannot make more than these."""

ROUNDS_A_STEP: Final = 1_000
"""So many rounds that are counted are worth a step."""

MOST_ITEMS: Final = 1_000_000
"""Longest collection that is made; a longer one is an error, not an endless wait."""

MOST_REPEATS: Final = 1_000_000
"""Most rounds of one `repeat`; more is an error, not an endless wait."""

MOST_CARDS: Final = 1 << 16
"""Most cards of a group that is made of several locations."""

MOST_BITS: Final = 62
"""Most cards of which the subsets of a size are made: one for each bit of a positive integer."""

MOST_COMPUTED: Final = 64
"""Most locations at once whose names or indices are known only in play, of those with cards, and of
those that were emptied and are remembered."""

COMPUTED_KEPT: Final = 32
"""Beyond so many of them, those that are empty are forgotten after each block and decision."""

MOST_PICKS: Final = 256
"""Most picks of one option."""
