"""The cards and players that picks name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from cardwright.interpreter.effects import BuiltOption, Pick


def picked_cards(pick: Pick) -> tuple[CardId, ...]:
    """Return the cards that a pick names: one, those of a group, or none."""
    match ITEM_KINDS[pick.node.collection.kind], pick.item:
        case ValueKind.CARD, int(card):
            return (CardId(card),)
        case ValueKind.LOCATION, tuple(cards) if not isinstance(cards, Location):
            return cards
    return ()


def picked_players(option: BuiltOption) -> tuple[int, ...]:
    """Return the seats of the players that an option picks."""
    return tuple(
        pick.item
        for pick in option.picks
        if isinstance(pick.item, int) and ITEM_KINDS[pick.node.collection.kind] is ValueKind.PLAYER
    )
