"""Games of the league: four sitters play a match to 100 points, dealt by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS
from cardwright.league.dealer import HAND
from cardwright.league.guest import MASKS, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.league.dealer import Dealer
    from cardwright.league.sitter import Sitter

DIRECTIONS = (1, 3, 2)
"""Where cards are passed to, as seats further on: the next, the previous, across, and again."""


def play_match(
    dealer: Dealer, sitters: Sequence[Sitter], game: int, seed: int, chances: int, *, state: bool
) -> bytes:
    """Play game number `game` of a season, and return all choices, `block.ROUND` bytes a round.

    `seed` is that of the cards, `chances` that of all draws of bots and referee; `state` says that
    library players sit among the bots.
    """
    dealer.start(seed, state=state)
    table = Table()
    for seat, sitter in enumerate(sitters):
        sitter.begin(game, seat, chances, table)
    record = bytearray()
    number = 0
    while dealer.due:
        totals = dealer.totals()
        hands = _hands(dealer)
        direction = DIRECTIONS[number % len(DIRECTIONS)]
        for sitter, hand in zip(sitters, hands, strict=True):
            sitter.deal(direction, totals, hand)
        table.deal()
        record += _pass(dealer, sitters, hands, direction)
        table.begin()
        _play(dealer, sitters, hands, table.plays)
        record += table.plays
        number += 1
    for sitter in sitters:
        sitter.end()
    return bytes(record)


def _hands(dealer: Dealer) -> list[list[int]]:
    cards = dealer.hands()
    return [list(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(SEATS)]


def _pass(
    dealer: Dealer, sitters: Sequence[Sitter], hands: list[list[int]], direction: int
) -> bytearray:
    """Let everybody pass three cards, and return who passed which."""
    passed = bytearray()
    given: list[list[int]] = [[] for _ in range(SEATS)]
    for turn in range(SLUFFS):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        index = sitters[seat].choose(legal, turn, play=False)
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        sitters[seat].gave(card)
        given[seat].append(card)
        passed.append(seat << CARD_BITS | card)
    for seat, cards in enumerate(given):
        to = seat + direction & 3
        hands[to] += cards
        sitters[to].got(cards[:])
    return passed


def _play(
    dealer: Dealer, sitters: Sequence[Sitter], hands: list[list[int]], plays: bytearray
) -> None:
    """Play the thirteen tricks of a round, and write all cards down in `plays`."""
    for turn in range(SLUFFS, ROUND):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        index = sitters[seat].choose(legal, turn, play=True)
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        plays.append(seat << CARD_BITS | card)
