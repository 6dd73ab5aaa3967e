"""Trials: what random play makes of the options of some decisions, and whether it differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwright.evolution.measures.estimates import clipped, side_wins, sides_of
from cardwright.game.errors import GameError
from cardwright.game.native.bulk import random_decisions
from cardwright.game.search import FlatPlan
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream
from cardwright.statistics.intervals import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.game.game import Game, State
    from cardwright.statistics.intervals import Estimate

DECISIONS = 8
"""Decisions of a game that are tried."""

WORLDS = 40
"""Imagined worlds in which all options of a decision are tried, once in each."""

LEAST_WORLDS, MOST_TRIALS = 8, 1_000
"""There are fewer worlds, down to these, where options are so many that all in all more would be
tried."""

SHUFFLES = 59
"""Rearrangements of the results with which those of a decision are compared."""


class OptionTrials(NamedTuple):
    """For each game how many decisions were tried, and the sum of their marks.

    A decision has mark 0 if it has one option, or if in every world all options have one result.
    Another has 1 if the results of its options differ more than in half of the rearrangements, and
    else -1.
    """

    counts: NDArray[np.float64]
    marks: NDArray[np.float64]

    @property
    def share(self) -> Estimate | None:
        """The share of the decisions whose options differ in expected result.

        Of those that do not differ, half are expected to have mark 1 and half -1: so they add up to
        nothing, and the mean mark is the share of those that do, less what WORLDS results cannot
        tell (the estimate of the share of true hypotheses by Storey 2002, "A direct approach to
        false discovery rates", with lambda 1/2). None if no decision was tried.
        """
        tried = self.counts > 0
        counts, marks = self.counts[tried], self.marks[tried]
        if not len(counts):
            return None
        share = float(marks.sum() / counts.sum())
        by_deal = share + (marks - share * counts) / counts.mean()
        return clipped(Sample(len(counts), share, Sample.of(by_deal).variance), 0.0, 1.0)


def tried(game: Game, deals: int, seed: int) -> OptionTrials:
    """Try decisions of a random game for each of some deals: the first of `game_seeds(seed)`.

    The decisions are DECISIONS of each game, or all if there are fewer, drawn without replacement.
    A result is the share of the win of the side that decides. Games that break a rule are left out.
    """
    found = []
    for number, one in enumerate(game_seeds(seed, deals)):
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 1)))
        try:
            found.append(_of_game(game, one, random))
        except GameError:
            continue
    counts, marks = np.array(found, np.float64).reshape(-1, 2).T
    return OptionTrials(counts, marks)


def _of_game(game: Game, seed: int, random: np.random.Generator) -> tuple[int, int]:
    """Return how many decisions of a random game were tried, and the sum of their marks."""
    state = game.start(seed)
    for _ in random_decisions(state, seed):
        pass
    choices = tuple(state.choices)
    plies = random.permutation(len(choices))[:DECISIONS]
    wanted = {int(ply): int(random.integers(2**63)) for ply in np.sort(plies)}
    state, marks = game.start(seed), 0
    for ply, choice in enumerate(choices):
        if ply in wanted and state.option_count > 1:
            marks += _mark(state, Stream(wanted[ply]), random)
        state.play(choice)
    return len(wanted), marks


def _mark(state: State, stream: Stream, random: np.random.Generator) -> int:
    results = option_results(state, stream)
    if not np.ptp(results, axis=1).any():
        return 0
    return 1 if differs(results, random) else -1


def option_results(state: State, stream: Stream) -> NDArray[np.float64]:
    """Return the results of the options in imagined worlds: shape (worlds, options).

    Every option is tried in the same worlds; one in which an option is missing or breaks a rule
    is left out.
    """
    assert state.player is not None
    seat = state.player
    side = next(at for at, side_seats in enumerate(sides_of(state.game)) if seat in side_seats)
    trials = state.trials(seat, stream)
    worlds = min(WORLDS, max(LEAST_WORLDS, MOST_TRIALS // state.option_count))
    rows = []
    for _ in range(worlds):
        table = trials.run(FlatPlan(1)).options
        if all(cell.count for cell in table):
            rows += [cell.ranks for cell in table]
    return side_wins(state.game, np.array(rows) == 0)[:, side].reshape(-1, state.option_count)


def differs(results: NDArray[np.float64], random: np.random.Generator) -> bool:
    """Return whether options differ more than in half of SHUFFLES rearrangements within worlds.

    What is compared is the variance of the options' means. If options do not matter, the results of
    a world could as well have come in any other order (Pitman 1937): so this is true with
    probability 1/2 exactly, equal variances in random order.
    """
    shuffled = np.repeat(results[None], SHUFFLES, axis=0)
    spread = random.permuted(shuffled, axis=2).mean(axis=1).var(axis=1)
    own = results.mean(axis=0).var()
    tolerance = 1e-12
    above = int((spread > own + tolerance).sum())
    equal = int((abs(spread - own) <= tolerance).sum())
    return bool(above + random.integers(equal + 1) <= SHUFFLES // 2)
