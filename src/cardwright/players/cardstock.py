"""CardStock's flat Monte Carlo players, exactly as they decide.

CardStock (Mark Goadrich, https://github.com/mgoadric/cardstock) is where RECYCLE comes from. Its
players are weaker than they could be, but published figures were made with them. Both know what is
visible now (`KnowledgeMode.BASIC`), search even a single option, and report what CardStock records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from cardwright.game.errors import GameError
from cardwright.game.search import Horizon
from cardwright.players.flat import FlatReward, first_best, means, note_of
from cardwright.players.player import Note

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.game import State
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision

CUT = 200
"""Choices after which CardStock's second player cuts a rollout off and scores it as it stands."""


@dataclass(frozen=True)
class CardStockPipmc:
    """CardStock's `PIPMC`: the smallest mean rank over `tests` random games of each option.

    Each test of each option starts from its own determinisation. A rank is the number of players
    with a strictly better score; the first of equally good options is chosen.
    """

    tests: int = 10
    reward: ClassVar[FlatReward] = FlatReward.RANK

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the smallest mean rank."""
        halves = decision.flat_halves(self.tests, shared=False, horizon=Horizon.MATCH)
        table = halves[0] + halves[1]
        decision.report(note_of(table, decision.seat, halves))
        return first_best(means(table, decision, self.reward))


@dataclass(frozen=True)
class CardStockPipmcNew:
    """CardStock's `PIPMCNEW`: the best mean score over `deals` worlds with `tests` games in each.

    All options are tried in the same worlds, and a game is cut off after `CUT` choices. The report
    uses mean ranks all the same, so the best option there may differ from the one played.
    """

    deals: int = 10
    tests: int = 2
    reward: ClassVar[FlatReward] = FlatReward.SCORE

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean score."""
        halves = decision.flat_halves(self.deals, self.tests, limit=CUT, horizon=Horizon.MATCH)
        table = halves[0] + halves[1]
        decision.report(note_of(table, decision.seat, halves))
        return first_best(means(table, decision, self.reward))


if TYPE_CHECKING:
    Reached: TypeAlias = "tuple[int, int]"
    """The number of a position, and the seat whose move led to it."""


@dataclass(slots=True)
class _Spot:
    """A state reachable from a decision, the number of its position, and its successors.

    All paths start in the same state with the same randomness, so successors can be cached.
    """

    state: State
    position: int
    after: list[_Spot | None]


@dataclass(slots=True)
class _Plays:
    """How often a position was reached by a player's move, and that player's rewards after it."""

    count: int = 0
    rewards: float = 0.0


@dataclass
class CardStockMcts:
    """CardStock's `MCTS`: `tests` times as many iterations as there are options, in one world.

    In the tree a random option is taken while any of them is untried, even if the random one is
    not; after that, the one with the largest mean + sqrt(2 ln N / n). The first new position is
    played out at random. The player in place p, from 0, has the reward 1/(p+1); ties are broken by
    seat, for the lower one if the lowest score wins, and for the higher one otherwise. The option
    with the best mean is played, the first of equal ones.
    """

    tests: int = 100
    _positions: dict[Hashable, int] = field(default_factory=dict, init=False, repr=False)
    _plays: dict[Reached, _Plays] = field(default_factory=dict, init=False, repr=False)
    _children: dict[int, list[Reached | None]] = field(default_factory=dict, init=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean reward."""
        try:
            root = self._spot(decision.imagine(decision.stream))
        except GameError:
            return 0  # an impossible world: there is nothing to learn in it
        iterations = self.tests * decision.option_count
        for _ in range(iterations):
            try:
                self._iterate(root, decision.stream)
            except GameError:
                continue  # a game that breaks a rule has no outcome
        decision.report(Note(iterations=iterations))
        return first_best([self._mean(child) for child in self._known(root)])

    def _spot(self, state: State) -> _Spot:
        number = self._positions.setdefault(state.position(), len(self._positions))
        return _Spot(state, number, [None] * state.option_count)

    def _after(self, spot: _Spot, index: int) -> _Spot:
        successor = spot.after[index]
        if successor is None:
            state = spot.state.copy()
            state.play(index)
            spot.after[index] = successor = self._spot(state)
        return successor

    def _known(self, spot: _Spot) -> list[Reached | None]:
        """Return the successor of each option of a position; None where it is untried."""
        return self._children.setdefault(spot.position, [None] * len(spot.after))

    def _iterate(self, spot: _Spot, stream: Stream) -> None:
        """Go down the tree to a new position, play on at random, and note the rewards."""
        path: list[Reached] = []
        while (mover := spot.state.player) is not None:
            children = self._known(spot)
            index = self._next(children, stream)
            spot = self._after(spot, index)
            children[index] = reached = (spot.position, int(mover))
            path.append(reached)
            if reached not in self._plays:
                break
        end = spot.state.rollouts(1, stream)
        if end.failed:
            return
        rewards = _rewards(end.scores, highest_wins=spot.state.game.highest_wins)
        for reached in path:
            plays = self._plays.setdefault(reached, _Plays())
            plays.count += 1
            plays.rewards += rewards[reached[1]]

    def _next(self, children: Sequence[Reached | None], stream: Stream) -> int:
        plays = [None if child is None else self._plays.get(child) for child in children]
        known = [play for play in plays if play is not None]
        if len(known) < len(plays):
            return stream.below(len(plays))
        total = 2 * math.log(sum(play.count for play in known))
        return first_best(
            [play.rewards / play.count + math.sqrt(total / play.count) for play in known]
        )

    def _mean(self, child: Reached | None) -> float:
        plays = None if child is None else self._plays.get(child)
        return plays.rewards / plays.count if plays is not None else 0.0


def _rewards(scores: Sequence[int], *, highest_wins: bool) -> list[float]:
    order = sorted(range(len(scores)), key=lambda seat: (scores[seat], seat), reverse=highest_wins)
    rewards = [0.0] * len(scores)
    for place, seat in enumerate(order):
        rewards[seat] = 1 / (place + 1)
    return rewards
