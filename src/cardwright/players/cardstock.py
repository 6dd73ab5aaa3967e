"""CardStock's flat Monte Carlo players, exactly as they decide.

CardStock (Mark Goadrich, https://github.com/mgoadric/cardstock) is where RECYCLE comes from. Its
players are weaker than they could be, but published figures were made with them. Both know what is
visible now (`KnowledgeMode.BASIC`), search even a single option, and report what CardStock records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cardwright.game.horizon import Horizon
from cardwright.players.flat import FlatReward, first_best, means, note_of

if TYPE_CHECKING:
    from cardwright.players.player import Decision

CUT = 200
"""Choices after which CardStock's second player cuts a rollout off and scores it as it stands."""


@dataclass(frozen=True)
class CardStockPipmc:
    """CardStock's `PIPMC`: the smallest mean rank over `tests` random games of each option.

    Each test of each option starts from its own determinisation. A rank is the number of players
    with a strictly better score; the first of equally good options is chosen.
    """

    tests: int = 10
    reward: ClassVar[FlatReward] = FlatReward.RANK

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the smallest mean rank."""
        halves = decision.flat_halves(self.tests, shared=False, horizon=Horizon.MATCH)
        table = halves[0] + halves[1]
        decision.report(note_of(table, decision.seat, halves))
        return first_best(means(table, decision, self.reward))


@dataclass(frozen=True)
class CardStockPipmcNew:
    """CardStock's `PIPMCNEW`: the best mean score over `deals` worlds with `tests` games in each.

    All options are tried in the same worlds, and a game is cut off after `CUT` choices. The report
    uses mean ranks all the same, so the best option there may differ from the one played.
    """

    deals: int = 10
    tests: int = 2
    reward: ClassVar[FlatReward] = FlatReward.SCORE

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean score."""
        halves = decision.flat_halves(self.deals, self.tests, limit=CUT, horizon=Horizon.MATCH)
        table = halves[0] + halves[1]
        decision.report(note_of(table, decision.seat, halves))
        return first_best(means(table, decision, self.reward))
