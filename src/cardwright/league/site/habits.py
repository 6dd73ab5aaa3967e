"""Habits: which of the cards that they hold bots pass and lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import CARDS, SEATS, SLUFFS
from cardwright.league.play import DIRECTIONS
from cardwright.league.site.part import count_into

if TYPE_CHECKING:
    from cardwright.league.block import Column
    from cardwright.league.site.part import SeasonPart

PASSED = SLUFFS // SEATS
"""Cards that a seat passes in a round."""


class Habits:
    """Counts of cards, added up part by part; the first axis has a row per roster entry.

    - `dealt[entry, direction, card]`: rounds of this direction (as in `play.DIRECTIONS`) in which
      the bot was dealt the card;
    - `passed[entry, direction, card]`: those in which it passed this card;
    - `played[entry, card]`: rounds in which it held the card after passing;
    - `led[entry, card]`: those in which it led this card, except for the first trick's forced lead.
    """

    def __init__(self, entries: int) -> None:
        self.dealt = np.zeros((entries, len(DIRECTIONS), CARDS), np.int64)
        self.passed = np.zeros((entries, len(DIRECTIONS), CARDS), np.int64)
        self.played = np.zeros((entries, CARDS), np.int64)
        self.led = np.zeros((entries, CARDS), np.int64)

    def add(self, part: SeasonPart) -> None:
        """Count the cards of some more games."""
        tally = part.tally
        direction = (tally.number - 1) % len(DIRECTIONS)
        passed, played = tally.cards[:, :PASSED], tally.cards[:, PASSED:]
        received = np.empty_like(passed)
        for number, shift in enumerate(DIRECTIONS):
            rows = direction == number
            received[rows] = np.roll(passed[rows], shift, axis=2)
        row, seat = np.nonzero(part.credited_by_round)
        entry = part.by_round[row, seat][:, None]
        way = direction[row][:, None]
        gave, got, had = (cards[row, :, seat] for cards in (passed, received, played))
        count_into(self.passed, entry, way, gave)
        count_into(self.played, entry, had)
        # A bot was dealt the cards it played that it had not received.
        count_into(self.dealt, entry, way, gave)
        count_into(self.dealt, entry, way, had)
        back = np.zeros_like(self.dealt)
        count_into(back, entry, way, got)
        self.dealt -= back
        self._add_leads(part, played)

    def _add_leads(self, part: SeasonPart, played: Column) -> None:
        leads = part.tally.leads.astype(np.int64)[:, 1:]
        row, trick = np.indices(leads.shape)
        credited = part.credited_by_round[row, leads]
        entry, card = part.by_round[row, leads], played[row, trick + 1, leads]
        count_into(self.led, entry[credited], card[credited])
