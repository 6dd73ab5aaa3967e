"""Hierarchies: players of Hearts described by ordered lists of selectors, one for each situation.

The idea is that of a student project on the factors of the game, whose player follows the lists
that its user gives for passing and for playing as first, second, third and fourth to a trick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cardwright.hearts.step import HierarchyError, HierarchyStep, parse_step
from cardwright.hearts.table import DecisionKind, HeartsView, table_of
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from cardwright.hearts.cards import Cards
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision


class OrderMode(StrEnum):
    """How a list of selectors chooses: the first that picks any cards, or one after the other.

    With `filter` every selector picks from what those before it left; one that picks nothing is
    passed over.
    """

    FIRST_MATCH = "first-match"
    FILTER = "filter"


class Tie(StrEnum):
    """What is taken of several cards left: the lowest rank, the highest, or any, by a draw.

    Of equal ranks `low` takes the first suit of clubs, diamonds, spades, hearts, `high` the last.
    """

    LOW = "low"
    HIGH = "high"
    RANDOM = "random"


@dataclass(frozen=True)
class Order:
    """An ordered list of selectors, and how it chooses.

    It is as if its last one were `any`: where no selector picks a card, the tie rule takes one of
    all candidates.
    """

    steps: tuple[HierarchyStep, ...]
    mode: OrderMode = OrderMode.FIRST_MATCH
    tie: Tie = Tie.LOW

    def card(self, table: HeartsView, cards: Cards, stream: Stream) -> int:
        """Return the card chosen of the candidates; only a random tie draws from the stream."""
        left = cards
        for step in self.steps:
            found = step.select(table, left)
            if found:
                left = found
                if self.mode is OrderMode.FIRST_MATCH:
                    break
        match self.tie:
            case Tie.LOW:
                return min(left, key=_by_rank)
            case Tie.HIGH:
                return max(left, key=_by_rank)
            case Tie.RANDOM:
                return left[stream.below(len(left))]


def order(
    *steps: str, mode: OrderMode | str = OrderMode.FIRST_MATCH, tie: Tie | str = Tie.LOW
) -> Order:
    """Return a list of selectors from their texts; raises HierarchyError for what there is not."""
    return Order(
        tuple(map(parse_step, steps)), _member(OrderMode, mode, "mode"), _member(Tie, tie, "tie")
    )


def _member(kind: type[OrderMode] | type[Tie], text: str, what: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        advice = did_you_mean(text, list(kind)) or f"it is one of {', '.join(kind)}"
        raise HierarchyError(f"{what} cannot be {text!r}; {advice}") from None


@dataclass(frozen=True)
class Hierarchy:
    """A player's lists: for passing, for each position in a trick, and for discarding.

    Where a list is left out, any card is taken that may be. Who plays last to a trick uses `fourth`
    whatever the number of players, the others `second` after the leader, and `third` from then on.
    Who cannot follow suit uses the discards of the position, or else those of all positions, or
    else the list of the position.
    """

    pass_: Order | None = None
    first: Order | None = None
    second: Order | None = None
    third: Order | None = None
    fourth: Order | None = None
    discard: Order | None = None
    discard_second: Order | None = None
    discard_third: Order | None = None
    discard_fourth: Order | None = None

    def order_at(self, table: HeartsView) -> Order | None:
        """Return the list for a decision; None where it is left to chance."""
        if table.kind is not DecisionKind.PLAY:
            return self.pass_
        if not table.trick:
            return self.first
        if table.last:
            at, own = self.fourth, self.discard_fourth
        elif table.position == 1:
            at, own = self.second, self.discard_second
        else:
            at, own = self.third, self.discard_third
        if any(card >> 4 == table.led for card in table.hand):
            return at
        return own or self.discard or at

    def cards(self, table: HeartsView, stream: Stream) -> Cards:
        """Return the cards chosen at a table, one after the other if they are several."""
        chosen: list[int] = []
        for _ in range(table.count):
            listed = self.order_at(table)
            if listed is None:
                card = table.legal[stream.below(len(table.legal))]
            else:
                card = listed.card(table, table.legal, stream)
            chosen.append(card)
            if len(chosen) < table.count:
                hand = _without(table.hand, card)
                table = replace(table, hand=hand, legal=hand, to_go=table.to_go - 1)
        return tuple(chosen)


@dataclass(frozen=True)
class HierarchyPlayer:
    """Plays by a hierarchy; options without cards are taken in order, the first."""

    hierarchy: Hierarchy

    def choose(self, decision: Decision) -> int:
        """Return the index of the option.

        Raises NotHeartsError in a game that is not of the Hearts family.
        """
        table = table_of(decision)
        if table.kind is DecisionKind.CALL:
            return 0
        return table.option(self.hierarchy.cards(table, decision.stream))


def _by_rank(card: int) -> tuple[int, int]:
    return card & 15, card


def _without(cards: Cards, card: int) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
