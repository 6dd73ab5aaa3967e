"""The fourth step: hundreds of random games, and what they show about a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.evaluation import DepartureReason, FunnelStep
from cardwright.evolution.funnel.leaving import LeftError, left_by_error, left_by_fault
from cardwright.game.errors import EngineError
from cardwright.game.native.random_games import play_random, singly
from cardwright.game.seeds import game_seeds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.funnel.limits import CostLimits
    from cardwright.evolution.funnel.trial_game import TrialGame
    from cardwright.game.game import Game
    from cardwright.game.native.random_games import RandomGames
    from cardwright.game.seeds import GameSeeds

WORK_OF_A_FORM = 60
"""The work of compiling a form of the rules: machine code is not worth it for fewer rounds."""

ALWAYS = 0.98
"""Share of the games that counts as always. With all games it would depend on their number: what
happens in one game of a hundred shows in a few hundred games, or does not."""

LEAST_GAMES = 20
"""Games from which it can be said that one seat always wins, or nobody: with two equal seats, 20
games have the same winner once in 500,000 times."""


def random_games(
    game: Game, trials: Sequence[TrialGame], seed: int, count: int, limits: CostLimits
) -> RandomGames:
    """Return the random games of a job's seed; raises LeftError unless all of them end.

    The interpreter plays them if that costs less than to compile the game, by the work of its
    trials, or if the rules are too large for the compiler. Both give the same games.
    """
    seeds = game_seeds(seed, count)
    if _by_interpreter(game, trials, count):
        return _interpreted(game, seeds, limits)
    try:
        games = play_random(game, seeds, threads=1)
    except EngineError:
        return _interpreted(game, seeds, limits)
    if games.broken.any():
        _, fault = next(games.faults())
        raise left_by_fault(FunnelStep.PLAY, fault, game.program)
    return _within(games, limits)


def _by_interpreter(game: Game, trials: Sequence[TrialGame], count: int) -> bool:
    if not trials:
        return False
    work = sum(trial.work for trial in trials) / len(trials)
    return count * work < WORK_OF_A_FORM * len(game.program.nodes())


def _interpreted(game: Game, seeds: GameSeeds, limits: CostLimits) -> RandomGames:
    games = singly(game.with_engine("interpreter"), list(seeds))
    for error in games.errors():
        raise left_by_error(FunnelStep.PLAY, error)
    return _within(games, limits)


def _within(games: RandomGames, limits: CostLimits) -> RandomGames:
    """Return games that had no more options than allowed; raises LeftError for others."""
    most = int(games.option_most.max(initial=0))
    if most > limits.options:
        detail = f"a decision has {most:,} options, more than {limits.options:,}"
        raise LeftError(FunnelStep.PLAY, DepartureReason.TOO_LARGE, detail)
    return games


def check_winners(games: RandomGames) -> None:
    """Raise LeftError if one seat always wins, or nobody, as far as enough games show that.

    To share the win with all others is not to win. A game of one player is not judged.
    """
    count = len(games)
    if count < LEAST_GAMES or games.game.players == 1:
        return
    best = games.best()
    drawn = np.asarray(best.all(axis=1))
    if drawn.sum() >= ALWAYS * count:
        detail = f"{drawn.sum()} of {count} games were drawn"
        raise LeftError(FunnelStep.PLAY, DepartureReason.DRAWN, detail)
    won = (best & ~drawn[:, None]).sum(axis=0)
    seat = int(won.argmax())
    if won[seat] >= ALWAYS * count:
        detail = f"seat {seat + 1} won {won[seat]} of {count} games"
        raise LeftError(FunnelStep.PLAY, DepartureReason.ONE_SEAT, detail)
