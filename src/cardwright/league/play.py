"""Games of the league: four referee seats play a match to 100 points, run by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS
from cardwright.league.dealer import HAND
from cardwright.league.seen import MASKS, PublicTable, take_up

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import TypeAlias

    from cardwright.league.dealer import Dealer
    from cardwright.league.referee_seat import RefereeSeat

    Match: TypeAlias = Generator[Sequence[RefereeSeat], None, bytes]

DIRECTIONS = (1, 3, 2)
"""Where cards are passed to, as an offset of seats: the next, the previous, across, and again."""


def play_match(
    dealer: Dealer,
    referee_seats: Sequence[RefereeSeat],
    game: int,
    seed: int,
    chances: int,
    *,
    state: bool,
) -> bytes:
    """Play a single game, and return all choices, like `match`."""
    playing = match(dealer, referee_seats, game, seed, chances, state=state)
    while True:
        try:
            for referee_seat in next(playing):
                referee_seat.bot.attend()
        except StopIteration as over:
            record: bytes = over.value
            break
    for referee_seat in referee_seats:
        referee_seat.end()
    return record


def match(
    dealer: Dealer,
    referee_seats: Sequence[RefereeSeat],
    game: int,
    seed: int,
    chances: int,
    *,
    state: bool,
) -> Match:
    """Play game number `game` of a season, and return all choices, `block.ROUND` bytes a round.

    `seed` is that of the cards, `chances` that of all draws of bots and referee; `state` says that
    there are library players among the bots. It yields the bots that have to be waited for; they
    must be attended to before the next step.
    """
    dealer.start(seed, state=state)
    table = PublicTable()
    waited = [
        one for seat, one in enumerate(referee_seats) if one.begin(game, seat, chances, table)
    ]
    if waited:
        yield waited
    for referee_seat in waited:
        referee_seat.begun()
    record = bytearray()
    number = 0
    while dealer.due:
        totals = dealer.totals()
        hands = _hands(dealer)
        direction = DIRECTIONS[number % len(DIRECTIONS)]
        for referee_seat, hand in zip(referee_seats, hands, strict=True):
            referee_seat.deal(direction, totals, hand)
        table.deal()
        record += yield from _pass(dealer, referee_seats, hands, direction)
        table.begin()
        yield from _play(dealer, referee_seats, hands, table.plays)
        record += table.plays
        number += 1
    return bytes(record)


def _hands(dealer: Dealer) -> list[list[int]]:
    cards = dealer.hands()
    return [list(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(SEATS)]


def _pass(
    dealer: Dealer, referee_seats: Sequence[RefereeSeat], hands: list[list[int]], direction: int
) -> Generator[Sequence[RefereeSeat], None, bytearray]:
    """Let all seats pass three cards, and return the cards passed by each.

    No seat sees what others pass, so bots that have to be waited for are asked at the same time.
    """
    passed = bytearray()
    given: list[list[int]] = [[] for _ in range(SEATS)]
    for turn in range(0, SLUFFS, SEATS):
        whole = (1 << len(hands[0])) - 1
        chosen = yield from _asked(referee_seats, whole, turn)
        for seat, referee_seat in enumerate(referee_seats):
            assert dealer.due == whole << 2 | seat, "any card of the hand may be passed, in turn"
            index = chosen.get(seat)
            if index is None:
                index = referee_seat.choose(whole, turn + seat, play=False)
                assert index is not None
            card = hands[seat].pop(index)
            dealer.play(index)
            referee_seat.gave(card)
            given[seat].append(card)
            passed.append(seat << CARD_BITS | card)
    for seat, cards in enumerate(given):
        to = seat + direction & 3
        take_up(hands[to], cards)
        referee_seats[to].got(cards[:])
    return passed


def _asked(
    referee_seats: Sequence[RefereeSeat], whole: int, turn: int
) -> Generator[list[RefereeSeat], None, dict[int, int]]:
    """Return what bots that have to be waited for pass; `whole` is a full hand, as bits."""
    chosen: dict[int, int] = {}
    open_: dict[int, RefereeSeat] = {}
    for seat, referee_seat in enumerate(referee_seats):
        if not referee_seat.bot.waits:
            continue
        index = referee_seat.choose(whole, turn + seat, play=False)
        if index is None:
            open_[seat] = referee_seat
        else:
            chosen[seat] = index
    while open_:
        yield list(open_.values())
        for seat, referee_seat in list(open_.items()):
            index = referee_seat.decided()
            if index is not None:
                chosen[seat] = index
                del open_[seat]
    return chosen


def _play(
    dealer: Dealer, referee_seats: Sequence[RefereeSeat], hands: list[list[int]], plays: bytearray
) -> Generator[Sequence[RefereeSeat], None, None]:
    """Play the thirteen tricks of a round, and append all cards to `plays`."""
    for turn in range(SLUFFS, ROUND):
        due = dealer.due
        seat, legal = due & 3, due >> 2
        referee_seat = referee_seats[seat]
        index = referee_seat.choose(legal, turn, play=True)
        while index is None:
            yield (referee_seat,)
            index = referee_seat.decided()
        card = hands[seat].pop(MASKS[legal][index])
        dealer.play(index)
        plays.append(seat << CARD_BITS | card)
