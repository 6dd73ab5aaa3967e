"""Local best response: a lower bound of what a player can lose, in any game.

In each deal the player sits in all seats, and then a response takes each seat in turn. What it
gains there over the player, in the same deal and with the same draws of all others, is on average
no more than a best response would gain. So whatever the response, its gain is a lower bound.

The response of V. Lisý and M. Bowling, "Equilibrium approximation quality of current no-limit poker
bots" (2017), looks one choice ahead: it takes the option that is best if everything goes on by a
simple rule. Here it imagines worlds that agree with all that its seat knows, tries every option in
each, and lets the game go on at random, or by the player itself. Worlds are drawn uniformly, not
by how likely the player's choices are in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.interpreter.stream import Stream
from cardwright.players.monte_carlo import FlatMonteCarlo, FlatReward
from cardwright.players.player import Decision
from cardwright.solve.utility import Utility, utilities

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game, State
    from cardwright.players.player import Player


@dataclass(frozen=True)
class LocalResponse:
    """Takes the option with the best mean over imagined worlds in which `make`'s players go on.

    They play on in all seats, its own included. Ties go to the first.
    """

    make: Callable[[], Player]
    worlds: int
    utility: Utility = Utility.SCORE

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        count = decision.option_count
        if count == 1:
            return 0
        totals = [0.0] * count
        for _ in range(self.worlds):
            try:
                world = decision.imagine(decision.stream, KnowledgeMode.CONSISTENT)
            except GameError:
                continue  # a deal in which a choice would have no options cannot be the true one
            chances = decision.stream.next()
            options = {content: at for at, content in enumerate(world.contents())}
            for index, content in enumerate(decision.contents):
                if content in options:
                    totals[index] += self._tried(world, options[content], chances, decision.seat)
        return max(range(count), key=totals.__getitem__)

    def _tried(self, world: State, option: int, chances: int, seat: int) -> float:
        """Return what an option of a world is worth when the players go on."""
        trial = world.copy()
        try:
            trial.play(option)
            play_on(trial, [self.make() for _ in range(trial.game.players)], chances)
        except GameError:
            return 0.0
        return utilities(trial, self.utility)[seat]


def random_response(worlds: int, utility: Utility = Utility.SCORE) -> Player:
    """Return a local best response whose rollouts are random, by machine code."""
    reward = FlatReward.WIN if utility is Utility.WIN else FlatReward.SCORE
    return FlatMonteCarlo(worlds, KnowledgeMode.CONSISTENT, reward)


def play_on(state: State, players: Sequence[Player], chances: int) -> None:
    """Play a state to its end; every decision of a seat has a stream of its own.

    So in two games that differ in what one seat does, all others make the same draws.
    """
    ordinals = [0] * len(players)
    while (seat := state.player) is not None:
        stream = Stream.of_decision(chances, seat, ordinals[seat])
        ordinals[seat] += 1
        count = state.option_count
        chosen = players[seat].choose(Decision(seat, count, stream, state, len(state.choices)))
        if not 0 <= chosen < count:
            raise IllegalOptionError(
                f"the player of p{seat + 1} chose option {chosen}; they are numbered 0 to "
                f"{count - 1}"
            )
        state.play(chosen)


@dataclass(frozen=True)
class GainsByDeal:
    """Plays deals: what the player gets in each seat, and what the response gains there.

    A row has these two numbers for each seat, all of the first before all of the second.
    """

    game: Game
    player: Callable[[], Player]
    response: Callable[[], Player]
    seeds: tuple[int, ...]
    utility: Utility

    def __call__(self, deals: range) -> list[list[float]]:
        """Return a row for each deal."""
        return [self._row(self.seeds[deal]) for deal in deals]

    def _row(self, seed: int) -> list[float]:
        seats = range(self.game.players)
        own = self._played(seed, [self.player() for _ in seats])
        gains = []
        for responding in seats:
            makes = [self.response if seat == responding else self.player for seat in seats]
            got = self._played(seed, [make() for make in makes])
            gains.append(got[responding] - own[responding])
        return [*own, *gains]

    def _played(self, seed: int, players: Sequence[Player]) -> tuple[float, ...]:
        state = self.game.start(seed)
        play_on(state, players, seed)
        return utilities(state, self.utility)
