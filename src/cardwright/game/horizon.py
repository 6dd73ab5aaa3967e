"""Horizons: how far searches play on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.program import Program


class Horizon(StrEnum):
    """Where the games end that a search plays out, and what counts there.

    deal: at the end of the deal that is being played, where the game has deals
    (`cardwright.program.program`); what counts is by how much the scores have changed since the
    decision. Games without deals are played to their end. match: always at the end of the game,
    where the scores count.
    """

    DEAL = "deal"
    MATCH = "match"

    def one_deal(self, program: Program) -> bool:
        """Return whether games of a program are played only to the end of a deal."""
        return self is Horizon.DEAL and program.has_deals
