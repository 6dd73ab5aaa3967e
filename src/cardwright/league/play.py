"""Games of the league: four controllers play a match to 100 points, run by a dealer.

A controller is a bot under the rules, so that it always answers with a legal card:

- A bot makes a *fault* if it raises an exception, answers with something that is not an integer, is
  late, or dies. Then a random legal card is drawn for it, from a stream of the referee that no bot
  uses. An index outside `legalMoves`, a number like infinity, or the index of a card that is not
  legal is also replaced by a random card, and noted, but does not count: the league has always
  allowed it.
- With more faults in a game than `BotLimits` allows, with too many restarts, or if it cannot be
  started, a bot *forfeits* the game: it is no longer asked, and all its cards are drawn. In the
  next game it plays again, unless it has forfeited three games in a row: then it is *suspended*
  until the end of the block of games, so that a bot that hangs costs a season little. Blocks do not
  depend on the number of workers.
- A bot in this process cannot be interrupted, only judged: a late answer stands.
- Time is processor time, not wall-clock time: a busy machine makes no bot late. A process that
  sleeps while it is asked has a limit of its own for that.
- A process that is lost while it plays several games, for a reason that comes back in none of them,
  is one fault, in the last of these games.

A match is a coroutine. Where bots in processes of their own have to answer, it yields these bots;
it goes on once they have answered: see `finished`, and `tables` for many matches at once.
"""

from __future__ import annotations

import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.interpreter.stream import Stream
from cardwright.league.block import CARD_BITS, ROUND, SEATS, SLUFFS, BotFault
from cardwright.league.bot import LATE, SUSPENDED, LostError
from cardwright.league.bot_runtime import (
    DRAWN,
    INDEX,
    MASKS,
    BotMistake,
    PublicTable,
    short,
    take_up,
)
from cardwright.league.dealer import HAND
from cardwright.league.plan import SUSPENDED_AFTER

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator, Sequence
    from typing import TypeAlias

    from cardwright.league.bot import Bot
    from cardwright.league.bot_process import SandboxedBot
    from cardwright.league.dealer import Dealer
    from cardwright.league.settings import BotLimits

    Waits: TypeAlias = Coroutine[Sequence[SandboxedBot], None, Any]

Answer = TypeVar("Answer")

DIRECTIONS = (1, 3, 2)
"""Where cards are passed to, as an offset of seats: the next, the previous, across, and again."""

_REFEREE = 0x5851F42D4C957F2D
"""Turns the seed of the seats' streams into one for the referee's own draws."""

_NANO = 1_000_000_000
MOST_NOTED = 20
"""The most faults of a seat in a game that are recorded."""


@dataclass
class BotPenalties:
    """What is remembered about a roster entry throughout a block of games."""

    forfeits: int = 0
    times: list[int] = field(default_factory=list)
    """The time of each move, in nanoseconds."""

    @property
    def suspended(self) -> bool:
        """Whether the bot is no longer started."""
        return self.forfeits >= SUSPENDED_AFTER


class BotController:
    """A bot in a seat of one game, under the rules; if not `timed`, it may take any time."""

    def __init__(
        self, bot: Bot, penalties: BotPenalties, limits: BotLimits, *, timed: bool = True
    ) -> None:
        self.bot = bot
        self.faults: list[BotFault] = []
        self.forfeited = False
        self.suspended = penalties.suspended
        """Whether this game is played without the bot, because of earlier games."""
        self.times: list[int] = []
        """The times of its moves, in nanoseconds."""
        self._penalties = penalties
        self._limits = limits
        self._timed = timed
        self._move_ns = int((limits.move + limits.grace) * _NANO)
        self._bank = int(limits.bank * _NANO)
        self._seconds = (self._move_ns + self._bank) / _NANO
        self._counted = self._lost = 0
        self._down = False
        self._game = self._seat = self._round = self._turn = 0
        self._referee = Stream(0)

    async def begin(self, game: int, seat: int, chances: int, table: PublicTable) -> None:
        """Start the bot for a game at a table, with the seed of all seats' chances."""
        self._game, self._seat = game, seat
        self._referee = Stream.of_seat(chances ^ _REFEREE, seat)
        if self.suspended:
            self._forfeit(-1, SUSPENDED, f"forfeited {SUSPENDED_AFTER} games in a row")
            return
        try:
            await self.bot.begin(seat, Stream.of_seat(chances, seat), table)
        except (BotMistake, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)

    def blame(self, kind: str, message: str) -> None:
        """Count a fault of the bot that belongs to no choice, at the end of the game."""
        self._counted += 1
        self._note(self._turn, kind, message)

    def end(self) -> None:
        """Record the outcome of this game for the following ones."""
        self._penalties.times += self.times
        if not self.forfeited:
            self._penalties.forfeits = 0
        elif not self._penalties.suspended:
            self._penalties.forfeits += 1

    @property
    def outdated(self) -> bool:
        """Whether earlier games, finished in the meantime, have changed whether the bot plays."""
        return self.suspended != self._penalties.suspended

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Show the bot its hand of the next round."""
        self._round += 1
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

    async def choose(self, legal: int, turn: int, *, play: bool) -> int:
        """Return the index of a legal card: the bot's choice, or the referee's instead."""
        if self.forfeited:
            return self._referee.below(legal.bit_count())
        self._turn = turn
        bot = self.bot
        failed: BotMistake | LostError | None = None
        answer = -1
        try:
            if self._down:
                await bot.revive()
                self._down = False
        except (BotMistake, LostError) as fault:
            self._judge(0, fault)
            return self._referee.below(legal.bit_count())
        try:
            answered = bot.ask(legal, self._seconds, play=play)
            answer = answered if isinstance(answered, int) else await answered
        except (BotMistake, LostError) as fault:
            failed = fault
        took = bot.took_ns if self._timed else 0
        self.times.append(took)
        if failed is None and 0 <= answer < legal.bit_count() and took <= self._move_ns:
            return answer
        return self._settled(answer, failed, took, legal.bit_count())

    def _settled(
        self, answer: int, failed: BotMistake | LostError | None, took: int, count: int
    ) -> int:
        """Return the index of a legal card after an answer or an error, and judge it."""
        wrong = ""
        if failed is not None and failed.kind == INDEX:
            wrong, failed = failed.message, None
        self._judge(took, failed)
        if failed is None and 0 <= answer < count:
            return answer
        if failed is None:
            wrong = wrong or f"chose {short(answer)} of {count} legal cards; {DRAWN}"
            self._note(self._turn, INDEX, wrong, counts=False)
        return self._referee.below(count)

    def _judge(self, took: int, failed: BotMistake | LostError | None) -> None:
        """Count a fault, or a move that took longer than it should."""
        limits = self._limits
        if took > self._move_ns:
            self._bank -= took - self._move_ns
            if self._bank < 0 and failed is None:
                message = (
                    f"took {took / 1e6:.0f} ms of processor time for a move that may take "
                    f"{limits.move * 1000:.0f}, and had used up the bank of {limits.bank:g} s "
                    "per game"
                )
                failed = BotMistake(LATE, message)
            self._bank = max(self._bank, 0)
            self._seconds = (self._move_ns + self._bank) / _NANO
        if failed is None:
            return
        self._counted += 1
        if isinstance(failed, LostError):
            self._lost += 1
            self._down = True
        if self._counted > limits.faults or self._lost > limits.restarts:
            self._forfeit(self._turn, failed.kind, failed.message)
        else:
            self._note(self._turn, failed.kind, failed.message)

    def _forfeit(self, turn: int, kind: str, message: str) -> None:
        self.forfeited = True
        self._note(turn, kind, message, forfeit=True)

    def _note(
        self, turn: int, kind: str, message: str, *, counts: bool = True, forfeit: bool = False
    ) -> None:
        if forfeit or len(self.faults) < MOST_NOTED:
            at = (self._game, self._seat, self._round, turn)
            self.faults.append(BotFault(*at, kind, message, counts, forfeit))


def play_match(
    dealer: Dealer,
    controllers: Sequence[BotController],
    game: int,
    seed: int,
    chances: int,
    *,
    state: bool,
) -> bytes:
    """Play a single game, and return all choices, like `match`."""
    record = finished(match(dealer, controllers, game, seed, chances, state=state))
    for controller in controllers:
        controller.end()
    return record


def finished(waits: Coroutine[Sequence[SandboxedBot], None, Answer]) -> Answer:
    """Return what a coroutine does, after letting the bots answer that it waits for."""
    while True:
        try:
            bots = waits.send(None)
        except StopIteration as over:
            answer: Answer = over.value
            return answer
        for bot in bots:
            bot.answer_alone()


async def match(
    dealer: Dealer,
    controllers: Sequence[BotController],
    game: int,
    seed: int,
    chances: int,
    *,
    state: bool,
) -> bytes:
    """Play game number `game` of a season, and return all choices, `block.ROUND` bytes a round.

    `seed` is that of the cards, `chances` that of all draws of bots and referee; `state` says that
    there are library players among the bots.
    """
    dealer.start(seed, state=state)
    table = PublicTable()
    await _together({
        seat: one.begin(game, seat, chances, table) for seat, one in enumerate(controllers)
    })  # fmt: skip
    record = bytearray()
    number = 0
    while dealer.due:
        totals = dealer.totals()
        cards = dealer.hands()
        hands = [list(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(SEATS)]
        direction = DIRECTIONS[number % len(DIRECTIONS)]
        for controller, hand in zip(controllers, hands, strict=True):
            controller.deal(direction, totals, hand)
        table.deal()
        record += await _pass(dealer, controllers, hands, direction)
        table.begin()
        plays = table.plays
        for turn in range(SLUFFS, ROUND):
            due = dealer.due
            seat, legal = due & 3, due >> 2
            index = await controllers[seat].choose(legal, turn, play=True)
            card = hands[seat].pop(MASKS[legal][index])
            dealer.play(index)
            plays.append(seat << CARD_BITS | card)
        record += plays
        number += 1
    return bytes(record)


async def _pass(
    dealer: Dealer, controllers: Sequence[BotController], hands: list[list[int]], direction: int
) -> bytearray:
    """Let all seats pass three cards, and return the cards passed by each.

    No seat sees what others pass, so bots in processes of their own are asked at the same time.
    """
    passed = bytearray()
    given: list[list[int]] = [[] for _ in range(SEATS)]
    for turn in range(0, SLUFFS, SEATS):
        whole = (1 << len(hands[0])) - 1
        chosen = await _together({
            seat: one.choose(whole, turn + seat, play=False)
            for seat, one in enumerate(controllers)
            if one.bot.apart
        })  # fmt: skip
        for seat, controller in enumerate(controllers):
            assert dealer.due == whole << 2 | seat, "any card of the hand may be passed, in turn"
            index = chosen.get(seat)
            if index is None:  # a player of the library chooses when it is its turn
                index = await controller.choose(whole, turn + seat, play=False)
            card = hands[seat].pop(index)
            dealer.play(index)
            controller.gave(card)
            given[seat].append(card)
            passed.append(seat << CARD_BITS | card)
    for seat, cards in enumerate(given):
        to = seat + direction & 3
        take_up(hands[to], cards)
        controllers[to].got(cards[:])
    return passed


@types.coroutine
def _together(
    waits: dict[int, Waits],
) -> Generator[list[SandboxedBot], None, dict[int, Any]]:
    """Return what coroutines return, by their keys; they wait for their bots at the same time."""
    results: dict[int, Any] = {}
    while waits:
        bots: list[SandboxedBot] = []
        for key, one in list(waits.items()):
            try:
                bots += one.send(None)
            except StopIteration as over:
                results[key] = over.value
                del waits[key]
        if waits:
            yield bots
    return results
