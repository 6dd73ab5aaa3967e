"""Balanced schedules: all bots play in all seats, and meet all others, equally often.

In a *round* of such a schedule every bot plays four games, one in each seat: a round has as many
games as bots. They are generated from one game as in a cyclic design: the bots stand in a circle,
and those of the first game, its block, each move on by one place for the next game, once around. So
seats are exactly balanced after each round, and how often two bots meet depends only on their
distance in the circle: a block has six such distances. For each round a search finds the block that
makes the meetings of all pairs most equal, and the order of its seats that does the same for who
sits next to whom, and opposite whom.

(R. C. Bose, "On the construction of balanced incomplete block designs", 1939, introduced designs
made from differences; here a search finds the blocks, so that there is a schedule for any number of
bots and rounds.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.league.block import SEATS

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from cardwright.league.roster import Schedule

    Numbers: TypeAlias = NDArray[np.int64]

MOST_BOTS = 10_000
MOST_GAMES = 10_000_000
"""The most bots and games of a schedule: more are probably a mistake."""

_MOST_BLOCKS = 2048
"""Blocks tried for a round; with few bots, all possible ones."""

_PAIRS = tuple(combinations(range(SEATS), 2))
_ORDERS = np.array([(0, *rest) for rest in permutations(range(1, SEATS))])


class BalanceError(CardwrightError):
    """A number of bots or rounds for which no schedule exists."""

    wrong_call = True


@dataclass(frozen=True, eq=False)
class Balance:
    """The balance of a schedule.

    `games` counts the games of each bot; `seats`, shape (bots, 4), those in each seat; `meetings`,
    shape (bots, bots), those in which two bots both play; and `next`, those in which the second
    plays in the seat after the first. For a bot in two seats of a game, both seats count, but the
    game counts once.
    """

    games: Numbers
    seats: Numbers
    meetings: Numbers
    next: Numbers

    def between_two(self, counts: Numbers) -> tuple[int, int]:
        """Return the least and the greatest of the `meetings` or `next` of any two bots."""
        pairs = counts[~np.eye(len(counts), dtype=bool)]
        return (int(pairs.min()), int(pairs.max())) if len(pairs) else (0, 0)


def balanced(bots: int, rounds: int, seed: int = 0) -> Schedule:
    """Return a schedule of `rounds` rounds, shape (bots * rounds, 4), int32.

    In each round every bot sits in every seat once. After any number of rounds, the numbers of
    meetings of any two pairs of bots differ by 1 in most cases, and by at most 2 in all cases
    tried, with 4 to 1000 bots; 4, 5, 7 and 13 bots meet equally often. So do, in all cases tried
    with 4 to 60 bots, the numbers of games in which one sits right after another, or opposite it,
    by at most 4. Five bots have these equally often after every round, four after every sixth: six
    rounds are all 24 orders. `seed` selects one of many such schedules. Raises BalanceError for
    fewer than four bots, for no rounds, or for too many bots or games.
    """
    if bots > MOST_BOTS:
        raise BalanceError(f"{bots:,} bots are too many; the limit is {MOST_BOTS:,}")
    if bots < SEATS:
        raise BalanceError(f"a game needs four bots, and there are only {bots}: add some")
    if rounds < 1:
        raise BalanceError(f"a schedule needs at least one round, not {rounds}")
    if bots * rounds > MOST_GAMES:
        raise BalanceError(
            f"{rounds} rounds of {bots} bots are {bots * rounds:,} games; "
            f"the limit is {MOST_GAMES:,}: ask for fewer rounds"
        )
    random = np.random.default_rng(seed)
    search = _BalanceSearch(bots, random)
    turns = np.arange(bots)[:, None]
    games = [random.permutation((search.next_block() + turns) % bots) for _ in range(rounds)]
    schedule: Schedule = np.concatenate(games).astype(np.int32)
    return schedule


def balance_report(schedule: Schedule, bots: int) -> Balance:
    """Return the balance of a schedule for `bots` bots."""
    games = np.arange(len(schedule))
    seats = np.zeros((bots, SEATS), np.int64)
    after = np.zeros((bots, bots), np.int64)
    met = [np.zeros((0, 3), np.int64)]
    for seat in range(SEATS):
        who, other = schedule[:, seat], schedule[:, (seat + 1) % SEATS]
        seats[:, seat] = np.bincount(who, minlength=bots)
        np.add.at(after, (who, other), 1)
        met += [np.stack([games, who, schedule[:, one]], 1) for one in range(SEATS)]
    # A game counts once for two bots, however many seats they have in it.
    _, who, other = np.unique(np.concatenate(met), axis=0).T
    meetings = np.zeros((bots, bots), np.int64)
    np.add.at(meetings, (who, other), 1)
    return Balance(np.diag(meetings).copy(), seats, meetings, after)


class _BalanceSearch:
    """Finds blocks in sequence: the places in the circle of the bots of a round's first game."""

    def __init__(self, bots: int, random: np.random.Generator) -> None:
        self.bots = bots
        self.random = random
        self.distances = bots // 2 + 1
        self.pairs = np.full(self.distances, 2)
        self.gain = np.ones(self.distances, np.int64)
        self.pairs[0] = 0
        if bots % 2 == 0:
            # There are half as many pairs half a circle apart, and they meet twice in a full turn.
            self.pairs[-1], self.gain[-1] = 1, 2
        self.meetings = np.zeros(self.distances, np.int64)
        self.around = np.zeros((2, bots), np.int64)
        """By distance in the circle, how often one bot sat right after another, and opposite it."""
        self.used: Counter[tuple[int, ...]] = Counter()

    def next_block(self) -> Numbers:
        """Return the block of the next round: four places in the order of seats."""
        block, self.meetings = self._best(self._candidates())
        return self._in_order(block)

    def _candidates(self) -> Numbers:
        """Return candidate blocks: all possible ones, if these are not too many."""
        if comb(self.bots - 1, SEATS - 1) <= _MOST_BLOCKS:
            rest = list(combinations(range(1, self.bots), SEATS - 1))
            return np.array([(0, *pair) for pair in rest])[self.random.permutation(len(rest))]
        blocks = self.random.integers(0, self.bots, (_MOST_BLOCKS, SEATS))
        blocks[:, 0] = 0
        four: Numbers = blocks[(np.diff(np.sort(blocks, 1), axis=1) > 0).all(1)]
        return four

    def _best(self, blocks: Numbers) -> tuple[Numbers, Numbers]:
        """Return the first of the best blocks, and the meetings that result.

        The best block has the least sum of the squares of the meetings of all pairs: as their total
        is the same for every block, it is least where they are spread most evenly.
        """
        apart = np.stack([(blocks[:, b] - blocks[:, a]) % self.bots for a, b in _PAIRS], 1)
        apart = np.minimum(apart, self.bots - apart)
        meetings = np.tile(self.meetings, (len(blocks), 1))
        np.add.at(meetings, (np.arange(len(blocks))[:, None], apart), self.gain[apart])
        best = int((meetings**2 @ self.pairs).argmin())
        return blocks[best], meetings[best]

    def _in_order(self, block: Numbers) -> Numbers:
        """Return a block in the order of seats that best balances who sits where around a bot.

        That is the one with the least sum of squares of how often each sat after, before and
        opposite each other; of several, one that was used least often.
        """
        orders = block[_ORDERS]
        around = [
            self.around
            + [
                np.bincount((np.roll(order, -seats) - order) % self.bots, minlength=self.bots)
                for seats in (1, 2)
            ]
            for order in orders
        ]
        best = min(
            self.random.permutation(len(orders)).tolist(),
            key=lambda one: (
                int((around[one] ** 2).sum(1) @ (2, 1)),
                self.used[tuple(orders[one])],
            ),
        )
        self.used[tuple(orders[best])] += 1
        self.around = around[best]
        chosen: Numbers = orders[best]
        return chosen
