"""Games of the league: four sitters play a match to 100 points, dealt by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS
from cardwright.league.dealer import HAND
from cardwright.league.guest import MASKS, Table

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import TypeAlias

    from cardwright.league.dealer import Dealer
    from cardwright.league.sitter import Sitter

    Match: TypeAlias = Generator[Sitter, None, bytes]

DIRECTIONS = (1, 3, 2)
"""Where cards are passed to, as seats further on: the next, the previous, across, and again."""


def play_match(
    dealer: Dealer, sitters: Sequence[Sitter], game: int, seed: int, chances: int, *, state: bool
) -> bytes:
    """Play a game by itself, and return all choices, as `match` does."""
    playing = match(dealer, sitters, game, seed, chances, state=state)
    while True:
        try:
            next(playing).bot.attend()
        except StopIteration as over:
            record: bytes = over.value
            break
    for sitter in sitters:
        sitter.end()
    return record


def match(
    dealer: Dealer, sitters: Sequence[Sitter], game: int, seed: int, chances: int, *, state: bool
) -> Match:
    """Play game number `game` of a season, and return all choices, `block.ROUND` bytes a round.

    `seed` is that of the cards, `chances` that of all draws of bots and referee; `state` says that
    library players sit among the bots. Whoever has to be waited for is given; it is to be attended
    to before the next step.
    """
    dealer.start(seed, state=state)
    table = Table()
    for seat, sitter in enumerate(sitters):
        if sitter.begin(game, seat, chances, table):
            yield sitter
            sitter.begun()
    record = bytearray()
    number = 0
    while dealer.due:
        totals = dealer.totals()
        hands = _hands(dealer)
        direction = DIRECTIONS[number % len(DIRECTIONS)]
        for sitter, hand in zip(sitters, hands, strict=True):
            sitter.deal(direction, totals, hand)
        table.deal()
        record += yield from _pass(dealer, sitters, hands, direction)
        table.begin()
        yield from _play(dealer, sitters, hands, table.plays)
        record += table.plays
        number += 1
    return bytes(record)


def _hands(dealer: Dealer) -> list[list[int]]:
    cards = dealer.hands()
    return [list(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(SEATS)]


def _pass(
    dealer: Dealer, sitters: Sequence[Sitter], hands: list[list[int]], direction: int
) -> Generator[Sitter, None, bytearray]:
    """Let everybody pass three cards, and return who passed which."""
    passed = bytearray()
    given: list[list[int]] = [[] for _ in range(SEATS)]
    for turn in range(SLUFFS):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        sitter = sitters[seat]
        index = sitter.choose(legal, turn, play=False)
        while index is None:
            yield sitter
            index = sitter.decided()
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        sitter.gave(card)
        given[seat].append(card)
        passed.append(seat << CARD_BITS | card)
    for seat, cards in enumerate(given):
        to = seat + direction & 3
        hands[to] += cards
        sitters[to].got(cards[:])
    return passed


def _play(
    dealer: Dealer, sitters: Sequence[Sitter], hands: list[list[int]], plays: bytearray
) -> Generator[Sitter, None, None]:
    """Play the thirteen tricks of a round, and write all cards down in `plays`."""
    for turn in range(SLUFFS, ROUND):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        sitter = sitters[seat]
        index = sitter.choose(legal, turn, play=True)
        while index is None:
            yield sitter
            index = sitter.decided()
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        plays.append(seat << CARD_BITS | card)
