"""Games of the league: four sitters play a match to 100 points, dealt by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS
from cardwright.league.dealer import HAND
from cardwright.league.seen import MASKS, Table

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import TypeAlias

    from cardwright.league.dealer import Dealer
    from cardwright.league.sitter import Sitter

    Match: TypeAlias = Generator[Sequence[Sitter], None, bytes]

DIRECTIONS = (1, 3, 2)
"""Where cards are passed to, as seats further on: the next, the previous, across, and again."""


def play_match(
    dealer: Dealer, sitters: Sequence[Sitter], game: int, seed: int, chances: int, *, state: bool
) -> bytes:
    """Play a game by itself, and return all choices, as `match` does."""
    playing = match(dealer, sitters, game, seed, chances, state=state)
    while True:
        try:
            for sitter in next(playing):
                sitter.bot.attend()
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
    library players sit among the bots. Those who have to be waited for are given; they are to be
    attended to before the next step.
    """
    dealer.start(seed, state=state)
    table = Table()
    waited = [one for seat, one in enumerate(sitters) if one.begin(game, seat, chances, table)]
    if waited:
        yield waited
    for sitter in waited:
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
) -> Generator[Sequence[Sitter], None, bytearray]:
    """Let everybody pass three cards, and return who passed which.

    Nobody sees what others pass, so those who have to be waited for are asked at the same time.
    """
    passed = bytearray()
    given: list[list[int]] = [[] for _ in range(SEATS)]
    for turn in range(0, SLUFFS, SEATS):
        whole = (1 << len(hands[0])) - 1
        chosen = yield from _asked(sitters, whole, turn)
        for seat, sitter in enumerate(sitters):
            assert dealer.due == whole << 2 | seat, "any card of the hand may be passed, in turn"
            index = chosen.get(seat)
            if index is None:
                index = sitter.choose(whole, turn + seat, play=False)
                assert index is not None
            card = hands[seat].pop(index)
            dealer.play(index)
            sitter.gave(card)
            given[seat].append(card)
            passed.append(seat << CARD_BITS | card)
    for seat, cards in enumerate(given):
        to = seat + direction & 3
        hands[to] += cards
        sitters[to].got(cards[:])
    return passed


def _asked(
    sitters: Sequence[Sitter], whole: int, turn: int
) -> Generator[list[Sitter], None, dict[int, int]]:
    """Return what is passed by those who have to be waited for; `whole` is a hand, as bits."""
    chosen: dict[int, int] = {}
    open_: dict[int, Sitter] = {}
    for seat, sitter in enumerate(sitters):
        if not sitter.bot.waits:
            continue
        index = sitter.choose(whole, turn + seat, play=False)
        if index is None:
            open_[seat] = sitter
        else:
            chosen[seat] = index
    while open_:
        yield list(open_.values())
        for seat, sitter in list(open_.items()):
            index = sitter.decided()
            if index is not None:
                chosen[seat] = index
                del open_[seat]
    return chosen


def _play(
    dealer: Dealer, sitters: Sequence[Sitter], hands: list[list[int]], plays: bytearray
) -> Generator[Sequence[Sitter], None, None]:
    """Play the thirteen tricks of a round, and write all cards down in `plays`."""
    for turn in range(SLUFFS, ROUND):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        sitter = sitters[seat]
        index = sitter.choose(legal, turn, play=True)
        while index is None:
            yield (sitter,)
            index = sitter.decided()
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        plays.append(seat << CARD_BITS | card)
