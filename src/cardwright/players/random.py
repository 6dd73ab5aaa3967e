"""The player that chooses at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.players.player import Decision


class RandomPlayer:
    """Picks an option uniformly, with one draw per decision even if there is only one option."""

    def choose(self, decision: Decision) -> int:
        """Return the index drawn."""
        return decision.stream.below(decision.option_count)
