"""Choices between single cards: a card of the deck is enough to name an option.

Every branch picks one card of one location without an order, which the seat that decides sees, and
no two branches ever have options at once. So the options come in the order of the cards' numbers,
and no card makes two of them. The actions have an effect and break no rule, whatever the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.exclusive import exclusive
from cardwright.program.known_values import is_own_hand
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from cardwright.program.chains import Chain, ChoiceOptions
    from cardwright.program.effects import EffectAnalysis
    from cardwright.program.places import Places

MOST_CARDS = 64
"""A set of cards is one word."""


def between_cards(analysis: EffectAnalysis, where: Places, plan: ChoiceOptions) -> bool:
    """Return whether a choice is one between single cards."""
    chains = [chain for chain in plan.chains if chain is not None]
    return (
        len(analysis.program.cards) <= MOST_CARDS
        and len(chains) == len(plan.chains)
        and all(_picks_a_card(analysis, where, chain) for chain in chains)
        and exclusive(chains)
    )


def _picks_a_card(analysis: EffectAnalysis, where: Places, chain: Chain) -> bool:
    if len(chain.picks) != 1 or not analysis.sure(chain.leaf):
        return False
    location = n.unfiltered(chain.picks[0].collection)
    if not isinstance(location, n.Place) or not _by_number(analysis, where, location):
        return False
    return location.place is LocationKind.VISIBLE or is_own_hand(location)


def _by_number(analysis: EffectAnalysis, where: Places, place: n.Place) -> bool:
    """Return whether the cards of a location always lie by number."""
    families = families_of(place, analysis)
    return families is not None and all(
        where.bases.get(family, where.unordered) < where.unordered for family in families
    )
