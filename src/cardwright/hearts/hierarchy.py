"""Hierarchies: Hearts players described by ordered lists of selectors, one for each situation.

The idea comes from a student project on the factors of the game, whose player follows lists given
by its user for passing and for playing first, second, third and fourth to a trick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cardwright.hearts.step import HierarchyError, HierarchyStep, parse_step
from cardwright.hearts.table import DecisionKind, HeartsView, table_of
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.hearts.cards import Cards
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision


class OrderMode(StrEnum):
    """How a list of selectors chooses: the first that picks any cards, or all of them in sequence.

    With `filter` every selector picks from the cards left by those before it; one that picks
    nothing is skipped.
    """

    FIRST_MATCH = "first-match"
    FILTER = "filter"


class Tie(StrEnum):
    """How ties are broken: by the lowest rank, the highest rank, or at random.

    For equal ranks `low` takes the first suit of clubs, diamonds, spades, hearts; `high` the last.
    """

    LOW = "low"
    HIGH = "high"
    RANDOM = "random"


@dataclass(frozen=True)
class Order:
    """An ordered list of selectors, and how it chooses.

    Every list ends in an implicit `any`: where no selector picks a card, the tie rule chooses among
    all candidates.
    """

    steps: tuple[HierarchyStep, ...]
    mode: OrderMode = OrderMode.FIRST_MATCH
    tie: Tie = Tie.LOW

    def card(self, table: HeartsView, cards: Cards, stream: Stream) -> int:
        """Return the card chosen from the candidates; only random ties draw from the stream."""
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
    """Return a list of selectors from their texts; raises HierarchyError for unknown ones."""
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

    Where a list is left out, a legal card is chosen at random. The last player to a trick uses
    `fourth` whatever the number of players; the player after the leader uses `second`, the others
    `third`. A player that cannot follow suit uses the discard list of its position, or else the one
    for all positions, or else the list of the position. Make lists with `order`.
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

    @classmethod
    def load(cls, name: str | Path) -> Hierarchy:
        """Return the hierarchy of a TOML file, or one that comes with Cardwright.

        Those are `default`, `rule` and `plain`, the rule player as it is published.

        Raises HierarchyError, which names the file and what is wrong in it.
        """
        from cardwright.hearts.hierarchy_file import load_hierarchy

        return load_hierarchy(name)

    @classmethod
    def from_text(cls, text: str) -> Hierarchy:
        """Return the hierarchy of a TOML text; raises HierarchyError with what is wrong in it."""
        from cardwright.hearts.hierarchy_file import parse_hierarchy

        return parse_hierarchy(text)

    def to_text(self) -> str:
        """Return the TOML text of this, from which `from_text` makes an equal hierarchy.

        Raises HierarchyError if it has no lists.
        """
        from cardwright.hearts.hierarchy_file import format_hierarchy

        return format_hierarchy(self)

    def order_at(self, table: HeartsView) -> Order | None:
        """Return the list for a decision; None where the choice is random."""
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
        """Return the cards chosen at a table; several are chosen one at a time."""
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
    """Plays by a hierarchy; takes the first option where options name no cards."""

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
