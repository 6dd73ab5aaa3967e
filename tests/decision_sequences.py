"""Counting decision sequences: a fingerprint of a game's rules, much like perft in chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.game.game import State


def count_sequences(state: State, longest: int) -> list[int]:
    """Return how many sequences of 1, 2, 3... choices, up to the longest, begin at a state.

    The state's own random stream decides what is shuffled or drawn, so that a choice has one
    outcome. A sequence that ends the game counts as a longer one too. The state is left unchanged.
    Raises GameError if any sequence breaks a rule, and ValueError for a negative length.
    """
    if longest < 0:
        raise ValueError(f"the length of a sequence cannot be {longest}")
    if state.finished:
        return [1] * longest
    counts = [state.option_count] + [0] * (longest - 1)
    for index in range(state.option_count if longest > 1 else 0):
        after = state.copy()
        after.play(index)
        for length, count in enumerate(count_sequences(after, longest - 1), 1):
            counts[length] += count
    return counts[:longest]
