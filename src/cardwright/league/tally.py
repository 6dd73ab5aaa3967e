"""Tallies: the results of a block's games, counted from their plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.league.block import CARD_BITS, CARDS, SEATS, SLUFFS, TRICKS, BlockError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.league.block import Column, SeasonBlock

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
        _check(cards, seats, winners, block.first + game)
        heart_counts = (played >= HEARTS).sum(1, dtype=np.uint8)
        queen_there = (played == QUEEN).any(1)
        taken = [winners == seat for seat in range(SEATS)]
        hearts = np.stack([(heart_counts * one).sum(0, dtype=np.int64) for one in taken], 1)
        queens = np.stack([(queen_there & one).any(0) for one in taken], 1).astype(np.int64)
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
            by_game(np.stack([one.sum(0, dtype=np.int64) for one in taken], 1)),
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


def _check(cards: Column, seats: Column, winners: Column, games: Column) -> None:
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
