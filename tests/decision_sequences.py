"""Counting decision sequences: a fingerprint of a game's rules, much like perft in chess."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.game.game import State


def count_sequences(state: State, depth: int) -> int:
    """Return how many sequences of choices of a given length are possible from a state.

    The state's own random stream decides what is shuffled or drawn, so that a choice has one
    outcome. A sequence that ends the game sooner counts as one. The state is left unchanged. Raises
    GameError if any sequence breaks a rule, and ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"the length of a sequence cannot be {depth}")
    if depth == 0 or state.finished:
        return 1
    if depth == 1:
        return state.option_count
    total = 0
    for index in range(state.option_count):
        after = state.copy()
        after.play(index)
        total += count_sequences(after, depth - 1)
    return total
