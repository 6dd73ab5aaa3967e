"""Point maps: what cards are worth."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program.integers import LARGEST, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.cards import CardId
    from cardwright.program.program import Program

Awards: TypeAlias = tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...]
"""Evaluated awards: keys, values, points."""


class PointMap:
    """The points of every card: the sum of the awards whose values it has.

    Awards with the same keys and values add up; a missing attribute counts as the empty string.
    `fits` says whether every card's points fit in 64 bits; a map where they do not is never stored.
    """

    __slots__ = ("_attributes", "_groups", "_scores", "awards", "fits")

    def __init__(self, awards: Awards, program: Program) -> None:
        self.awards = awards
        self._attributes: list[Mapping[str, str]] = [card.attributes for card in program.cards]
        self._groups: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
        for keys, values, points in awards:
            group = self._groups.setdefault(keys, defaultdict(int))
            group[values] += points
        self._scores: dict[CardId, int] = {}
        small = sum(abs(points) for _, _, points in awards) <= LARGEST
        self.fits = small or all(SMALLEST <= self.of(card.id) <= LARGEST for card in program.cards)

    def of(self, card: CardId) -> int:
        """Return the points of a card."""
        try:
            return self._scores[card]
        except KeyError:
            attributes = self._attributes[card]
            score = 0
            for keys, group in self._groups.items():
                score += group.get(tuple(attributes.get(key, "") for key in keys), 0)
            self._scores[card] = score
            return score

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointMap) and self.awards == other.awards

    def __hash__(self) -> int:
        return hash(self.awards)
