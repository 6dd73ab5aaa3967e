"""Reasons: why a card of the hand cannot be chosen now.

In games of the Hearts family the reason is the rule. In other games it is only what can be
observed: the suit or the rank that all cards of the hand have that can be chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.english import listed_in_part
from cardwright.game.wording.naming import plain_word, telling_keys
from cardwright.hearts.cards import HEARTS, SUIT_NAMES, format_card
from cardwright.hearts.table import DecisionKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.hearts.table import HeartsView
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card

_LISTED = 8


def general_reason(
    namer: PeopleNamer, card: Card, hand: Sequence[Card], choices: Sequence[DescribedOption]
) -> str:
    """Return what the selectable cards of the hand have in common, and this one lacks.

    Options may also name cards elsewhere, which are not the ones to play.
    """
    chosen = {other for choice in choices for other in choice.cards}
    if not chosen:
        return "no card can be chosen now: choose one of the options"
    legal = [other for other in hand if other in chosen]
    if not legal:
        return "no card of your hand can be chosen now: choose one of the options"
    for key in sorted(telling_keys(namer.program.cards), key=lambda key: key != "SUIT"):
        values = {other.attributes.get(key) for other in legal}
        if len(values) == 1 and None not in values and card.attributes.get(key) not in values:
            value = namer.cards.value(str(values.pop()))
            what = f"{value}" if key == "SUIT" else f"cards of {plain_word(key)} {value}"
            return f"of your hand only {what} can be chosen now"
    names = [namer.card(other) for other in legal]
    return f"of your hand the rules allow only {listed_in_part(names, _LISTED)} now"


def hearts_reason(game: Game, table: HeartsView, world: World, card: int) -> str | None:
    """Return the rule of Hearts that forbids a card (by number); None if it is not known."""
    if table.kind is not DecisionKind.PLAY:
        return None
    holds = any(other >> 4 == table.led for other in table.hand)
    if table.led is not None and card >> 4 != table.led and holds:
        return f"you hold {SUIT_NAMES[table.led]}: follow suit"
    if table.family.name != "hearts":
        return None
    declared = game.declared
    first = world.integers.get((game.program.table, "TRICK"), 0) == 0
    if first and table.led is None and declared["OPENING"] in {"LOWCLUB", "CLUB"}:
        which = "the lowest club leads" if declared["OPENING"] == "LOWCLUB" else "a club leads"
        return f"{which} to the first trick"
    if first and _barred(str(declared["FIRSTTRICK"]), table, card):
        return "no penalty cards in the first trick"
    if table.led is None and card >> 4 == HEARTS and not table.broken:
        return "hearts are not broken"
    if table.family.queen is not None and set(table.legal) == {table.family.queen}:
        return f"{format_card(table.family.queen, symbols=True)} must be played now"
    return None


def _barred(rule: str, table: HeartsView, card: int) -> bool:
    """Say whether a card may not be played to the first trick if there is another."""
    costs = table.family.costs[card] > 0
    match rule:
        case "NOQUEEN":
            return card == table.family.queen
        case "NOHEARTS":
            return card >> 4 == HEARTS
        case "FORCE" | "NEVER":
            return costs
    return False
