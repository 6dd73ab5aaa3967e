"""Game trees: an extensive-form game as arrays, with chance, decisions and outcomes.

Nodes are numbered so that all of a depth follow one another, the root first. A node knows its
parent, and the edge of it that leads here: the number of an outcome of chance, or of an option.
Options are numbered alike in all nodes of an information set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, TypeVar, overload

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.game.option import Unseen
from cardwright.program.cards import Card
from cardwright.statistics.measures import win_shares

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray

    from cardwright.game.game import State
    from cardwright.game.option import SeenDecision, View
    from cardwright.game.wording.naming import Namer

    Integers: TypeAlias = NDArray[np.int64]
    Reals: TypeAlias = NDArray[np.float64]


class SolveError(CardwrightError):
    """A game or a file that cannot be solved or used as asked; the message says why."""


class TreeTooLargeError(SolveError):
    """A game whose tree has more nodes than were allowed; `reached` says where building stopped."""

    def __init__(self, message: str, reached: int) -> None:
        super().__init__(message)
        self.reached = reached


CHANCE = -1
TERMINAL = -2
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decisions that a seat cannot tell apart: its `key`, and its options by name, in order.

    `sees` says in words what the seat sees there, and `contents` what its options mean; both are
    empty where the tree is not of a game in play.
    """

    seat: int
    key: Hashable
    options: tuple[str, ...]
    sees: str = ""
    contents: tuple[str, ...] = ()


def different_options(known: InformationSet) -> SolveError:
    """Return the error for an information set in which not all nodes have the same options."""
    return SolveError(
        f"p{known.seat + 1} has different options in states that it cannot tell apart, where it "
        f"sees {known.sees}"
    )


@dataclass(frozen=True, eq=False)
class GameTree:
    """An extensive-form game of N nodes and n seats.

    `parents` and `edges` are of N (both -1 at the root), `actors` says of each node which seat
    decides (CHANCE and TERMINAL are no seats), `information` the number of its information set (-1
    where no seat decides), and `chances` the probability of the edge that leads to it (1 where its
    parent is no chance node). `utilities` is N x n, and zero but at terminal nodes. `depths` has
    the first node of each depth, and N at its end. `options` has how many options each information
    set has; what they are is in `sets`, which may be put into words only when they are looked at.
    """

    parents: Integers
    edges: Integers
    actors: Integers
    information: Integers
    chances: Reals
    utilities: Reals
    depths: tuple[int, ...]
    options: Integers
    sets: Sequence[InformationSet]

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.parents)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.utilities.shape[1])

    @cached_property
    def terminals(self) -> Integers:
        """The numbers of the terminal nodes, in order."""
        return np.flatnonzero(self.actors == TERMINAL)

    @cached_property
    def constant_sum(self) -> float | None:
        """The sum of the utilities of all seats, if it is the same in every terminal node."""
        sums = self.utilities[self.terminals].sum(axis=1)
        return float(sums[0]) if np.ptp(sums) <= _CLOSE * max(1.0, np.abs(sums).max()) else None


class Utility(StrEnum):
    """What seats want: a good score, the margin over the mean of the others, or the win.

    Scores count as losses in games that the lowest score wins. Margins and shares of wins (less
    the share that each seat has on average) add up to zero in every game.
    """

    SCORE = "score"
    MARGIN = "margin"
    WIN = "win"

    @property
    def words(self) -> str:
        """What the number is, for tables and sentences."""
        return _WORDS[self]


_WORDS = {
    Utility.SCORE: "score",
    Utility.MARGIN: "margin, a seat's score less the mean of the others'",
    Utility.WIN: "share of the win less an even one",
}


def of_scores(scores: Reals, utility: Utility) -> Reals:
    """Return the utilities for scores of which more is better: both of shape (games, seats)."""
    seats = scores.shape[1]
    if utility is Utility.WIN:
        best = scores == scores.max(axis=1, keepdims=True)
        shares: Reals = win_shares(best) - 1 / seats
        return shares
    if utility is Utility.SCORE or seats == 1:
        return scores
    total = scores.sum(axis=1, keepdims=True)
    margins: Reals = scores - (total - scores) / (seats - 1)
    return margins


def utilities(state: State, utility: Utility) -> tuple[float, ...]:
    """Return what a finished game is worth to each seat."""
    return tuple(of_scores(np.array([state.returns]), utility)[0].tolist())


Item = TypeVar("Item")


class MadeWhenSeen(Sequence[Item]):
    """A sequence of a known length; `make` gives the item at a place, and is asked once for each.

    It equals a tuple of its items, and is pickled as one.
    """

    def __init__(self, length: int, make: Callable[[int], Item]) -> None:
        self._length = length
        self._make = make
        self._made: dict[int, Item] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        """Return an item, or several."""
        if isinstance(at, slice):
            return tuple(self[one] for one in range(self._length)[at])
        place = range(self._length)[at]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __eq__(self, other: object) -> bool:
        """Compare all items with those of a sequence of this kind or a tuple."""
        return tuple(self) == tuple(other) if isinstance(other, MadeWhenSeen | tuple) else False

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{self._length:,} items, {len(self._made):,} of them made>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all items."""
        return tuple, (tuple(self),)


def seen_in_words(
    view: View, namer: Namer, record: Iterable[SeenDecision], chosen: Iterable[str]
) -> str:
    """Return in words what a seat knows: `your HAND: K; BOARD: J | p1 CHECK, p2 BET`.

    That is which cards it sees, place by place, and what was chosen so far. `chosen` are the
    descriptions of the options; those with cards that the seat has not seen are left out.
    """
    places, choices = [], []
    for place, cards in view.locations.items():
        seen = [namer.card(card) for card in cards if isinstance(card, Card)]
        if seen:
            places.append(f"{namer.place(place, view.seat)}: {', '.join(seen)}")
    for decision, text in zip(record, chosen, strict=True):
        hidden = any(isinstance(picked, Unseen) for _, picked in decision.content.picks)
        choices.append(f"p{decision.seat + 1} {'something hidden' if hidden else text}")
    return " | ".join(filter(None, ("; ".join(places), ", ".join(choices))))
