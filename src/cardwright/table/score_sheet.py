"""Score sheets and the book behind them: the score of every deal so far."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interpreter import machine
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.known_values import conceals

if TYPE_CHECKING:
    from cardwright.interpreter.effects import Shuffled
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card
    from cardwright.program.program import Program


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


class ScoreRule:
    """Whether a game's score is known during play, and from which stored numbers.

    It is if it depends on stored numbers and visible cards, which are public. A score that depends
    on other cards, or on a random draw, is not known before the end.
    """

    def __init__(self, program: Program) -> None:
        nodes = list(n.walk(program.score))
        stores = [node for node in nodes if isinstance(node, n.Storage)]
        self.readable = not any(map(_hides, nodes))
        self.names = frozenset(
            store.name.value for store in stores if isinstance(store.name, n.Text)
        )

    def totals(self, world: World) -> tuple[int, ...] | None:
        """Return every seat's current score; None if it is not known yet."""
        if not self.readable:
            return None
        try:
            return tuple(machine.scores(world.copy()))
        except Fault:  # such as a division by a number that is still 0
            return None


class ScoreBook:
    """The finished deals, and the totals at the end of the last one.

    As a heuristic for any game, a new deal begins when more than half of all cards are shuffled
    together while no player has any, after at least one decision.
    """

    def __init__(self, rule: ScoreRule, program: Program) -> None:
        self._rule = rule
        self._cards = len(program.cards)
        self._played = False
        self._before = (0,) * program.players
        self.deals: list[tuple[int, ...]] = []

    def copy(self) -> ScoreBook:
        """Return an independent book with the same entries."""
        book = copy(self)
        book.deals = self.deals.copy()
        return book

    def decided(self) -> None:
        """Note that a decision was made in the deal."""
        self._played = True

    def shuffled(self, effect: Shuffled, world: World) -> None:
        """Note a shuffle, with which a new deal may begin."""
        if not self._played or 2 * len(effect.after) <= self._cards or _held(world):
            return
        self._played = False
        totals = self._rule.totals(world)
        if totals is not None:
            self._end(totals)

    def finish(self, scores: tuple[int, ...]) -> None:
        """Note the final scores; the last deal is the remainder."""
        if self._played or not self.deals or scores != self._before:
            self._end(scores)

    @property
    def last(self) -> DealEnd:
        """The end of the last finished deal; there has to be one."""
        return DealEnd(len(self.deals), self.deals[-1], self._before)

    def _end(self, totals: tuple[int, ...]) -> None:
        self.deals.append(tuple(now - was for now, was in zip(totals, self._before, strict=True)))
        self._before = totals


def _held(world: World) -> bool:
    """Say whether any player or team has a card."""
    table = world.rules.program.table
    return any(place.owner != table for place in world.where)


def _hides(node: n.Node) -> bool:
    """Say whether a form yields what players do not know: concealed cards, or a random draw."""
    return node.traits.draws or conceals(node)
