"""Flat Monte Carlo over determinised states ("perfect information Monte Carlo").

For each option the mean outcome of random playouts is estimated in imagined worlds, and the option
with the best mean is chosen. All options are tried in the same worlds, which makes their
differences far less noisy than worlds of their own would. Its known weaknesses, strategy fusion and
non-locality, are described by Frank and Basin, "Search in games with incomplete information"
(Artificial Intelligence 100, 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.determinise import Mode
from cardwright.game.errors import GameError

if TYPE_CHECKING:
    from cardwright.game.option import Content
    from cardwright.game.state import State
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision

MOST_ROLLOUTS = 1_000_000


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Chooses the option with the best mean score over random playouts.

    `rollouts` is the number of imagined worlds a decision, with one playout of each option in each;
    `mode` says what the seat is taken to know. The first of equally good options is chosen. A
    single option is played without thought.
    """

    rollouts: int = 10
    mode: Mode = Mode.BASIC

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        if decision.option_count == 1:
            return 0
        contents = decision.contents
        totals: dict[Content, list[int]] = {content: [] for content in contents}
        for _ in range(self.rollouts):
            self._try_all(decision, totals)
        return _best([_mean(totals[content]) for content in contents])

    def _try_all(self, decision: Decision, totals: dict[Content, list[int]]) -> None:
        """Imagine a world and play every option out in it once."""
        try:
            world = decision.imagine(decision.stream, self.mode)
        except GameError:
            return  # a deal that the true one cannot be: nothing is learnt from it
        for index, content in enumerate(world.contents()):
            if content in totals:
                outcome = _playout(world.copy(), index, decision.stream)
                if outcome is not None:
                    better = 1 if world.game.highest_wins else -1
                    totals[content].append(better * outcome[decision.seat])


def _playout(state: State, index: int, stream: Stream) -> tuple[int, ...] | None:
    """Return the scores after an option and random play; None if the game breaks a rule."""
    try:
        state.play(index)
        while not state.finished:
            state.play(stream.below(state.option_count))
    except GameError:
        return None
    return state.scores


def _mean(outcomes: list[int]) -> float | None:
    return sum(outcomes) / len(outcomes) if outcomes else None


def _best(means: list[float | None]) -> int:
    """Return the first index of the largest mean; options never tried are worst."""
    best = 0
    for index, mean in enumerate(means):
        top = means[best]
        if mean is not None and (top is None or mean > top):
            best = index
    return best
