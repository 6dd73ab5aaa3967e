"""Games of the league: four seats play a match, and the referee judges their bots."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream
from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS, BotFault
from cardwright.league.bot import LostError
from cardwright.league.bot_runtime import DRAWN, INDEX, BotMistake, short
from cardwright.league.dealer import HAND
from cardwright.league.plan import SUSPENDED_AFTER, BotLimits
from cardwright.league.seen import MASKS, PublicTable, take_up

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import TypeAlias

    from cardwright.league.bot import Bot
    from cardwright.league.dealer import Dealer

    Match: TypeAlias = "Generator[Sequence[RefereeSeat], None, bytes]"

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


_REFEREE = 0x5851F42D4C957F2D
"""Turns the seed of the seats' streams into one for the referee's own draws."""

_NANO = 1_000_000_000
MOST_NOTED = 20
"""The most faults of a seat in a game that are recorded."""

LATE, SLEPT, DIED, SUSPENDED = "late", "slept", "died", "suspended"


@dataclass
class BotConduct:
    """What is remembered about a roster entry throughout a block of games."""

    forfeits: int = 0
    times: list[int] = field(default_factory=list)
    """The time of each move, in nanoseconds."""

    @property
    def suspended(self) -> bool:
        """Whether the bot is no longer started."""
        return self.forfeits >= SUSPENDED_AFTER


class RefereeSeat:
    """A bot in a seat of one game."""

    def __init__(
        self, bot: Bot, conduct: BotConduct, limits: BotLimits, *, timed: bool = True
    ) -> None:
        """Seat a bot; if not `timed`, it may take any time."""
        self.bot = bot
        self.faults: list[BotFault] = []
        self.forfeited = False
        self._conduct = conduct
        self._limits = limits
        self._timed = timed
        self._move_ns = int((limits.move + limits.grace) * _NANO)
        self._bank = int(limits.bank * _NANO)
        self._seconds = (self._move_ns + self._bank) / _NANO
        self._counted = 0
        self._lost = 0
        self._down = False
        self._game = 0
        self._seat = 0
        self.round = 0
        self._referee = Stream(0)
        self._legal = 0
        self._turn = 0
        self._play = False
        self._starting = False
        self.suspended = conduct.suspended
        """Whether this game is played without the bot, because of earlier games."""
        self.times: list[int] = []
        """The times of its moves, in nanoseconds."""

    def begin(self, game: int, seat: int, chances: int, table: PublicTable) -> bool:
        """Start the bot for a game at a table, with the seed of all seats' chances.

        Return whether it has to be waited for; then `begun` handles the result.
        """
        self._game, self._seat = game, seat
        self._referee = Stream.of_seat(chances ^ _REFEREE, seat)
        if self.suspended:
            self._note(-1, SUSPENDED, f"forfeited {SUSPENDED_AFTER} games in a row", forfeit=True)
            self.forfeited = True
            return False
        try:
            self.bot.begin(seat, Stream.of_seat(chances, seat), table)
        except (BotMistake, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)
            return False
        return self.bot.waits

    def begun(self) -> None:
        """Handle the result of a start that was waited for."""
        try:
            self.bot.answer()
        except (BotMistake, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)

    def blame(self, kind: str, message: str) -> None:
        """Count a fault of the bot that belongs to no choice, at the end of the game."""
        self._counted += 1
        self._note(self._turn, kind, message)

    def end(self) -> None:
        """Record the outcome of this game for the following ones."""
        self._conduct.times += self.times
        if not self.forfeited:
            self._conduct.forfeits = 0
        elif not self._conduct.suspended:
            self._conduct.forfeits += 1

    @property
    def outdated(self) -> bool:
        """Whether earlier games, finished in the meantime, have changed whether the bot plays."""
        return self.suspended != self._conduct.suspended

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Show the bot its hand of the next round."""
        self.round += 1
        if not self.forfeited:
            self.bot.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Tell the bot which card was passed for it."""
        if not self.forfeited:
            self.bot.gave(card)

    def got(self, cards: list[int]) -> None:
        """Tell the bot which cards it has received."""
        if not self.forfeited:
            self.bot.got(cards)

    def choose(self, legal: int, turn: int, *, play: bool) -> int | None:
        """Return the index of a legal card: the bot's choice, or the referee's instead.

        None means that the bot has to be waited for: then `decided` returns it.
        """
        if self.forfeited:
            return self._referee.below(legal.bit_count())
        self._legal, self._turn, self._play = legal, turn, play
        if self._down:
            return self._revived()
        bot = self.bot
        if bot.waits:
            bot.choose(legal, self._seconds, play=play)
            return None
        return self._prompted()

    def decided(self) -> int | None:
        """Return the index from `choose` for a bot that was waited for; None to wait again."""
        failed: BotMistake | LostError | None = None
        answer = -1
        bot = self.bot
        try:
            answer = bot.answer()
        except (BotMistake, LostError) as fault:
            failed = fault
        if self._starting:
            self._starting = False
            return self._up(failed)
        took = bot.took_ns
        if failed is None and 0 <= answer < self._legal.bit_count() and took <= self._move_ns:
            self.times.append(took)
            return answer
        return self._settled(answer, failed, took)

    def _prompted(self) -> int:
        """Ask a bot that answers at once."""
        answer = -1
        failed: BotMistake | LostError | None = None
        begun = time.thread_time_ns() if self._timed else 0
        try:
            answer = self.bot.choose(self._legal, self._seconds, play=self._play)
        except (BotMistake, LostError) as fault:
            failed = fault
        return self._settled(answer, failed, time.thread_time_ns() - begun if self._timed else 0)

    def _settled(self, answer: int, failed: BotMistake | LostError | None, took: int) -> int:
        """Return the index of a legal card, after an answer or an error."""
        count = self._legal.bit_count()
        self.times.append(took)
        wrong = ""
        if failed is not None and failed.kind == INDEX:
            wrong, failed = failed.message, None
        if failed is not None or (took > self._move_ns and self._timed):
            self._judge(self._turn, took, failed)
        if failed is None and 0 <= answer < count:
            return answer
        if failed is None:
            wrong = wrong or f"chose {short(answer)} of {count} legal cards; {DRAWN}"
            self._note(self._turn, INDEX, wrong, counts=False)
        return self._referee.below(count)

    def _revived(self) -> int | None:
        """Restart a lost bot, and ask it."""
        failed: BotMistake | LostError | None = None
        try:
            self.bot.revive()
        except (BotMistake, LostError) as fault:
            failed = fault
        if failed is None and self.bot.waits:
            self._starting = True
            return None
        return self._up(failed)

    def _up(self, failed: BotMistake | LostError | None) -> int | None:
        """Ask a restarted bot, unless the restart has failed."""
        if failed is not None:
            self._judge(self._turn, 0, failed)
            return self._referee.below(self._legal.bit_count())
        self._down = False
        return self.choose(self._legal, self._turn, play=self._play)

    def _judge(self, turn: int, took: int, failed: BotMistake | LostError | None) -> None:
        """Count a fault, or a move that took longer than it should."""
        if took > self._move_ns and self._timed:
            self._bank -= took - self._move_ns
            if self._bank < 0 and failed is None:
                self._bank = 0
                failed = BotMistake(LATE, self._late(took))
            self._bank = max(self._bank, 0)
            self._seconds = (self._move_ns + self._bank) / _NANO
        if failed is None:
            return
        self._counted += 1
        if isinstance(failed, LostError):
            self._lost += 1
            self._down = True
        limits = self._limits
        if self._counted > limits.faults or self._lost > limits.restarts:
            self._forfeit(turn, failed.kind, failed.message)
        else:
            self._note(turn, failed.kind, failed.message)

    def _late(self, took: int) -> str:
        move, bank = self._limits.move * 1000, self._limits.bank
        return (
            f"took {took / 1e6:.0f} ms of processor time for a move that may take {move:.0f}, and "
            f"had used up the bank of {bank:g} s per game"
        )

    def _forfeit(self, turn: int, kind: str, message: str) -> None:
        self.forfeited = True
        self._note(turn, kind, message, forfeit=True)

    def _note(
        self, turn: int, kind: str, message: str, *, counts: bool = True, forfeit: bool = False
    ) -> None:
        if forfeit or len(self.faults) < MOST_NOTED:
            at = (self._game, self._seat, self.round, turn)
            self.faults.append(BotFault(*at, kind, message, counts, forfeit))
