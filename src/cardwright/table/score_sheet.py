"""Score sheets: the score of every deal so far, and the table in games like Hearts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.cards import Card


@dataclass(frozen=True)
class Trick:
    """Cards of a trick by seat, in the order of play; `winner` wins (so far), None for nobody."""

    leader: int
    cards: tuple[tuple[int, Card], ...]
    winner: int | None


@dataclass(frozen=True)
class DealEnd:
    """The end of a deal: its number from 1, what each seat got in it, and the totals after it.

    `moon` is the seat that has shot the moon, in games where that counts.
    """

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    moon: int | None = None


@dataclass(frozen=True)
class HeartsSheet:
    """What matters to a Hearts player in the current deal; all of it is public.

    `last` is the last completed trick, possibly that of the previous deal. `taken` has the cards
    that count among those that each seat has won, `points` their cost. `moon` is the seat that has
    all points so far, if these are enough for a warning, and its points. `passing` is where cards
    are passed to, as the game calls it (empty: no passing); `to_pass` is how many the person still
    has to choose.
    """

    trick: Trick | None
    last: Trick | None
    taken: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    moon: tuple[int, int] | None
    broken: bool
    passing: str
    to_pass: int


@dataclass(frozen=True)
class ScoreSheet:
    """The score of a game: each seat's score for each finished deal, and the totals by seat.

    `totals` is None for games that store no scores until they are over. `hearts` is for games of
    the Hearts family only.
    """

    deals: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...] | None
    hearts: HeartsSheet | None = None
