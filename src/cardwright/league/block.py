"""Blocks: consecutive games of a season as they were played, and their results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardwright.game.errors import CardwrightError

Column: TypeAlias = NDArray[Any]
Integers: TypeAlias = NDArray[np.int64]

SEATS = 4
TRICKS = 13
SLUFFS = 12
"""Cards passed in a round, three by each seat: the first columns of its choices."""

ROUND = SLUFFS + SEATS * TRICKS
"""Choices of a round."""

CARD_BITS = 6
"""A choice is one byte, `seat << CARD_BITS | card`."""

CARDS = 52

TIMES = 40
"""Columns of a histogram of times."""


class BlockError(CardwrightError):
    """Bytes or columns that are not a block of games."""


@dataclass(frozen=True)
class BotFault:
    """Something that a bot did wrong.

    `game` is the number of the game in the season, from 0; `seat` is 0 to 3; `round` counts from 1.
    `turn` is the column of the choice in its round, 0 to 63, or -1 before the game began. `kind` is
    one word, `message` a sentence for the bot's author. `counts` says whether the fault counts
    towards forfeiting, `forfeit` whether the bot forfeited the game with it.
    """

    game: int
    seat: int
    round: int
    turn: int
    kind: str
    message: str
    counts: bool = True
    forfeit: bool = False


@dataclass(frozen=True, eq=False)
class Timings:
    """Thinking times of bots, in nanoseconds: a row for each roster entry that was timed.

    `entries` are the rows of the roster, ascending; `moves`, `total` and `longest` have one number
    for each. `counts` is a histogram of the moves' times with `TIMES` columns, see `time_columns`.
    Times depend on the machine: they are not reproducible.
    """

    entries: Integers
    moves: Integers
    total: Integers
    longest: Integers
    counts: Integers

    @classmethod
    def none(cls) -> Timings:
        """Return empty timings."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, nothing, nothing, np.zeros((0, TIMES), np.int64))

    def __post_init__(self) -> None:
        rows = len(self.entries)
        for name in ("entries", "moves", "total", "longest", "counts"):
            shape = (rows, TIMES) if name == "counts" else (rows,)
            _check_column(name, getattr(self, name), np.int64, shape)
        if (np.diff(self.entries, prepend=-1) <= 0).any():
            raise BlockError("entries of timings must be ascending rows of the roster")

    def __add__(self, other: Timings) -> Timings:
        """Return the sum of both."""
        entries = np.union1d(self.entries, other.entries)
        sums = [np.zeros((len(entries), *shape), np.int64) for shape in ((), (), (), (TIMES,))]
        for one in (self, other):
            rows = np.searchsorted(entries, one.entries)
            sums[0][rows] += one.moves
            sums[1][rows] += one.total
            sums[2][rows] = np.maximum(sums[2][rows], one.longest)
            sums[3][rows] += one.counts
        return Timings(entries, *sums)


def time_columns(nanoseconds: Column) -> Column:
    """Return the columns of a histogram for times: k for 2**k to 2**(k+1) - 1 nanoseconds.

    The first column includes 0 nanoseconds; the last one, from nine minutes on, has no upper bound.
    """
    _, exponents = np.frexp(np.maximum(nanoseconds, 1).astype(np.float64))
    columns: Column = np.minimum(exponents - 1, TIMES - 1)
    return columns


@dataclass(frozen=True, eq=False)
class SeasonBlock:
    """Consecutive games of a season, as they were played.

    `first` is the number of the first game in the season, from 0. `rounds` has the number of rounds
    of each game (uint16). `plays` (uint8) has a row of `ROUND` choices for each of these rounds,
    each `seat << 6 | card`: columns 0 to 11 are the cards passed, the first card of seats 0 to 3,
    then the second and the third ones; columns 12 to 63 the cards played, in order. Cards are
    numbered 13 * suit + rank, suits clubs, diamonds, spades, hearts, ranks from the two up. Faults
    are in the order in which they happened.

    Raises BlockError for arrays of other types or shapes.
    """

    first: int
    rounds: NDArray[np.uint16]
    plays: NDArray[np.uint8]
    faults: tuple[BotFault, ...] = ()
    timings: Timings = field(default_factory=Timings.none)

    def __post_init__(self) -> None:
        _check_column("rounds", self.rounds, np.uint16, (len(self.rounds),))
        rows = int(self.rounds.sum(dtype=np.int64))
        _check_column("plays", self.plays, np.uint8, (rows, ROUND))
        if self.plays.size and (self.plays & (2**CARD_BITS - 1)).max() >= CARDS:
            raise BlockError(f"there is a card in it above {CARDS - 1}")

    def __len__(self) -> int:
        """The number of games."""
        return len(self.rounds)

    @property
    def after(self) -> int:
        """The number of the first game after these."""
        return self.first + len(self)

    def untimed(self) -> SeasonBlock:
        """Return the reproducible part of this block, without times."""
        return replace(self, timings=Timings.none())


def _check_column(name: str, column: Column, kind: type, shape: tuple[int, ...]) -> None:
    if column.dtype != kind or column.shape != shape:
        raise BlockError(
            f"{name} of a block is {column.dtype} {column.shape}, not {np.dtype(kind)} {shape}"
        )


QUEEN = 36
"""The card that is the queen of spades."""

HEARTS = 39
"""The first card that is a heart."""

MOON = 26
"""All points of a round: a seat that takes them scores 0 instead, and the others score them."""

TWELFTHS = np.zeros((SEATS, SEATS, SEATS), np.int64)
"""Twelfths of first to fourth places, by the number of seats strictly better and strictly worse."""

_EVERY_CARD = np.uint64(2**CARDS - 1)


def _share_places() -> None:
    """Share the places of seats with equal scores equally."""
    for better in range(SEATS):
        for worse in range(SEATS - better):
            same = SEATS - better - worse
            TWELFTHS[better, worse, better : better + same] = 12 // same


_share_places()


@dataclass(frozen=True, eq=False)
class BlockTally:
    """The results of consecutive games of a season; columns have a row per round, or per game.

    `first` is the number of the first game, from 0. By round: `game` (counted in the block, from 0)
    and `number` in its game (from 1); `cards`, shape (rounds, 16, 4), the card that each seat
    passed in three steps and played in 13 tricks; `leads` and `winners` of these tricks, shape
    (rounds, 13); `scores` after the moon adjustment, shape (rounds, 4); `queens`, the seat that
    took the queen of spades. By game, shape (games, 4): `totals` of scores, and the numbers of
    `hearts`, `queens_taken` and `tricks` that each seat took; `rounds` is the number of rounds.
    """

    first: int
    rounds: Column
    game: Column
    number: Column
    cards: Column
    leads: Column
    winners: Column
    scores: Column
    queens: Column
    totals: Column
    hearts: Column
    queens_taken: Column
    tricks: Column

    @classmethod
    def of(cls, block: SeasonBlock) -> BlockTally:
        """Count a block; raises BlockError if its choices are not rounds of the game."""
        if not block.rounds.all():
            raise BlockError("there is a game without any round in this block")
        rounds = block.rounds.astype(np.int64)
        starts = np.cumsum(rounds) - rounds
        game = np.repeat(np.arange(len(rounds)), rounds)
        turned = np.ascontiguousarray(
            block.plays.T
        )  # rounds last: everything below runs along them
        cards, seats = turned & (2**CARD_BITS - 1), turned >> CARD_BITS
        played = cards[SLUFFS:].reshape(TRICKS, SEATS, len(game))
        leads = np.ascontiguousarray(seats[SLUFFS::SEATS])
        winners = (leads + _offsets(played)) % SEATS
        _check_rounds(cards, seats, winners, block.first + game)
        heart_counts = (played >= HEARTS).sum(1, dtype=np.uint8)
        queen_there = (played == QUEEN).any(1)
        taken = [winners == seat for seat in range(SEATS)]
        hearts = np.stack([(heart_counts * mine).sum(0, dtype=np.int64) for mine in taken], 1)
        queens = np.stack([(queen_there & mine).any(0) for mine in taken], 1).astype(np.int64)
        points = hearts + 13 * queens
        moon = (points == MOON).any(1, keepdims=True)
        scores = np.where(moon, MOON - points, points)

        def by_game(column: NDArray[Any]) -> NDArray[Any]:
            return np.add.reduceat(column, starts) if len(starts) else column[:0]

        return cls(
            block.first,
            rounds,
            game,
            np.arange(len(game)) - starts[game] + 1,
            _by_seat(block.plays, leads),
            leads.T,
            winners.T,
            scores,
            queens.argmax(1),
            by_game(scores),
            by_game(hearts),
            by_game(queens),
            by_game(np.stack([mine.sum(0, dtype=np.int64) for mine in taken], 1)),
        )

    def places(self) -> Column:
        """Return the twelfths of places of all seats of all games, shape (games, 4, 4)."""
        mine, others = self.totals[:, :, None], self.totals[:, None, :]
        twelfths: Column = TWELFTHS[(others < mine).sum(2), (others > mine).sum(2)]
        return twelfths


def _offsets(played: Column) -> Column:
    """Return the offset of each trick's winner from its leader, in seats."""
    suits = played // 13
    best: Column = played[:, 0]
    offset: Column = np.zeros_like(played[:, 0])
    for after in range(1, SEATS):
        # Within a suit higher ranks have higher numbers.
        higher = (suits[:, after] == suits[:, 0]) & (played[:, after] > best)
        best = np.where(higher, played[:, after], best)
        offset = np.where(higher, np.uint8(after), offset)
    return offset


def _by_seat(plays: Column, leads: Column) -> Column:
    """Return the cards of all steps and tricks by seat, shape (rounds, 16, 4).

    The four cards of a trick are one word of 32 bits, rotated by as many bytes as the leader's
    number.
    """
    words = (plays & (2**CARD_BITS - 1)).view("<u4")
    by = leads.T.astype(np.uint32) * 8
    tricks = words[:, SLUFFS // SEATS :]
    turned = np.where(by > 0, tricks << by | tricks >> (32 - by) % 32, tricks)
    words[:, SLUFFS // SEATS :] = turned
    cards: Column = words.view(np.uint8)
    return cards.reshape(len(plays), SLUFFS // SEATS + TRICKS, SEATS)


def _check_rounds(cards: Column, seats: Column, winners: Column, games: Column) -> None:
    """Raise BlockError if not every card is played once, or seats do not play in turn."""
    rounds = cards.shape[1]
    every = np.zeros(rounds, np.uint64)
    for column in cards[SLUFFS:]:
        every |= np.uint64(1) << column
    tricks = seats[SLUFFS:].reshape(TRICKS, SEATS, rounds)
    turns = np.arange(SEATS, dtype=np.uint8)[:, None]
    bad = every != _EVERY_CARD
    bad |= (tricks != (tricks[:, :1] + turns) % SEATS).any((0, 1))
    bad |= (tricks[1:, 0] != winners[:-1]).any(0)
    bad |= (seats[:SLUFFS].reshape(SLUFFS // SEATS, SEATS, rounds) != turns).any((0, 1))
    bad |= (cards[:SLUFFS] >= CARDS).any(0)
    if bad.any():
        raise BlockError(f"the choices of game {games[bad][0] + 1} are not rounds of the league")
