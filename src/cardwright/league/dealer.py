"""Dealers: they run a game of the league by the library's rules, with the league's card numbers.

The rules are only in the library's game of Hearts; see `kernels.deals`.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.backend import Words
from cardwright.compiler.kernel_sets import KernelSet
from cardwright.game.actions.fast_view import FastViewSpec
from cardwright.game.engines import native_engine
from cardwright.game.game import Game
from cardwright.game.native.engine import NativeBoard, NativeEngine
from cardwright.league.block import SEATS
from cardwright.league.bot_runtime import PLACES
from cardwright.league.kernels import deals as kernel
from cardwright.program.cards import Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from typing import Any

    from cardwright.game.game import State
    from cardwright.league.settings import LeagueRules

LEAGUE = KernelSet(
    "the Hearts League",
    (kernel.__name__,),
    ("cw_league_due", "cw_league_step", "cw_league_hands", "cw_league_random"),
)
"""The functions of the league."""

HAND = 13
MOST_ROUNDS = 16
"""The most rounds of a game: before the last one nobody has 100 points, and each brings 26."""

_SUITS = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")
_RANKS = (
    *("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"),
    *("J", "Q", "K", "A"),
)


@cache
def league_game(rules: LeagueRules) -> Game:
    """Return the game of the league, loaded once per process."""
    return Game.variant("hearts", {}, rules.preset)


class Dealer:
    """Runs games, one at a time; for one thread.

    `due` is the pending decision as packed by `kernels.deals`: the seat in the lower two bits, and
    above them a bit for each card of its hand that may be chosen, the first card lowest; 0 when the
    game is over.
    """

    def __init__(self, rules: LeagueRules) -> None:
        self.game = league_game(rules)
        self._engine = native_engine(self.game, "the league needs")
        functions = self._engine.extended(LEAGUE).functions
        self._step, self._due = functions["cw_league_step"], functions["cw_league_due"]
        self._hands, self._random = functions["cw_league_hands"], functions["cw_league_random"]
        self._context = self._engine.new_context()
        self._extra = Words(self._engine.native.machine, _extra(self._engine))
        self._context.set("extra", self._extra.address)
        self._cards = ctypes.create_string_buffer(SEATS * HAND)
        seats = [OwnerId(seat) for seat in range(SEATS)]
        self._look = FastViewSpec(
            self.game.program, Seat(0), (), [(seat, "SCORE") for seat in seats]
        )
        self._board: NativeBoard | None = None
        self._addresses: tuple[Any, int] = 0, 0
        self._state: State | None = None
        self.due = 0

    def start(self, seed: int, *, state: bool) -> None:
        """Begin a game; with a `state` library players can play, more slowly."""
        if state:
            self._state = self.game.start(seed)
            board = self._state._board
            assert isinstance(board, NativeBoard)
            self._board = board
        else:
            self._state = None
            self._board = self._engine.start(seed)
        self._addresses = self._board.address, self._context.address
        self._arrive(self._due(*self._addresses))

    @property
    def state(self) -> State:
        """The game as a state, if it was started with one."""
        assert self._state is not None
        return self._state

    def hands(self) -> bytes:
        """Return the numbers of all cards in hands, seat by seat."""
        count = self._hands(*self._addresses, self._engine.lend(self._cards))
        return self._cards.raw[:count]

    def totals(self) -> list[int]:
        """Return the points of all seats in the match, without those of the current round."""
        assert self._board is not None
        return list(self._look.at(self._board).integers)

    def play(self, index: int) -> None:
        """Carry out a choice of the pending decision, and run to the next one."""
        if self._state is None:
            due = self._step(*self._addresses, index)
            if due < 0:
                raise self._broken(due)
            self.due = due
            return
        self._state.play(index)
        if self._state.finished:
            self.due = 0
        else:
            self._arrive(self._due(*self._addresses))

    def _arrive(self, due: int) -> None:
        if due < 0:
            raise self._broken(due)
        self.due = due

    def _broken(self, due: int) -> Exception:
        if due == kernel.DISORDER:
            return AssertionError("options of Hearts are not the cards of the hand in its order")
        return AssertionError(str(self._engine.fault(self._context)))

    def random_games(self, seeds: np.ndarray[Any, Any]) -> tuple[Any, Any]:
        """Play a game for each row of seeds, by random players in all seats.

        A row has the seed of the cards and that of all other draws. Returns the choices as bytes, a
        row per round, and the number of rounds of each game.
        """
        count = len(seeds)
        plays = np.empty(count * MOST_ROUNDS * kernel.ROUND, np.uint8)
        rounds = np.empty(count, np.int64)
        given = np.ascontiguousarray(seeds, np.uint64)
        board = NativeBoard(self._engine, self._engine.native.new_board())
        streams = np.empty((SEATS, 4), np.uint64)
        lend = self._engine.lend
        done = self._random(
            board.address,
            self._context.address,
            lend(streams),
            lend(given),
            count,
            lend(plays),
            len(plays),
            lend(rounds),
        )
        if done < 0:
            raise self._broken(done)
        return plays[:done].reshape(-1, kernel.ROUND), rounds


def _extra(engine: NativeEngine) -> list[int]:
    """Return the kernels' data, in their layout."""
    native = engine.native
    words = {options.shape.words for options in native.options.values()}
    assert words == {kernel.OPTION_BYTES // 8}, "every option of Hearts picks one card"
    slots = {location: slot for slot, location in enumerate(native.layout.places.locations)}
    hands = [
        slots[Location(OwnerId(seat), LocationKind.INVISIBLE, "HAND")] for seat in range(SEATS)
    ]
    attributes = [card.attributes for card in native.program.cards]
    numbers = [
        HAND * _SUITS.index(card["SUIT"]) + _RANKS.index(card["RANK"]) for card in attributes
    ]
    assert numbers == sorted(numbers, key=PLACES.__getitem__), "hands lie as bots sort them"
    return [*hands, *numbers]
