"""Limits of the language, which every engine keeps."""

from __future__ import annotations

from typing import Final

OPTION_WORDS: Final = 1 << 23
"""Most memory of a decision's options, in words; each counts as the choice's largest."""

TOO_MANY: Final = "there are too many options"
NO_ROOM: Final = "there is no room left for the lists that this makes"

FEW_ROUNDS: Final = 10_000
"""Loops that cannot make more rounds than this, in any state, are not counted."""

FEW_WITHIN: Final = 64
"""Within a counted loop, inner loops that cannot make more rounds than this are not counted."""

ROUNDS_A_STEP: Final = 1_000
"""This many counted rounds make a step."""

MOST_ITEMS: Final = 1_000_000
"""Longest collection; a longer one is an error, not an endless wait."""

MOST_REPEATS: Final = 1_000_000
"""Most rounds of one `repeat`; more is an error, not an endless wait."""

MOST_CARDS: Final = 1 << 16
"""Most cards of a group made from several locations."""

MOST_BITS: Final = 62
"""Most cards for subsets of a given size: one for each bit of a positive integer."""

MOST_COMPUTED: Final = 64
"""Most locations with computed names or indices: with cards, and emptied but remembered."""

COMPUTED_KEPT: Final = 32
"""Beyond this many of them, the empty ones are forgotten after each block and decision."""

MOST_UNORDERED: Final = 1_024
"""Most locations without an order; in a program with more of them, all have one."""

MOST_PICKS: Final = 256
"""Most picks in one option."""
