"""The player that picks any option."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.players.player import Decision


class RandomPlayer:
    """Picks every option with the same chance, by one draw a decision, even from a single one."""

    def choose(self, decision: Decision) -> int:
        """Return the index drawn."""
        return decision.stream.below(decision.option_count)
