"""The second step: a few games by the interpreter, under limits, at which bad rules leave early."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, FunnelStep
from cardwright.evolution.funnel.leaving import LeftError, left_by_fault
from cardwright.evolution.funnel.limits import idle_share
from cardwright.evolution.funnel.trial_game import WorkError
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.evolution.funnel.trial_game import TrialGame, TrialTable


def tried(table: TrialTable, seeds: Iterable[int]) -> tuple[TrialGame, ...]:
    """Return a game of each seed; raises LeftError for rules that are not worth more games.

    They leave if a game breaks a rule, does not end, costs too much, if there was nothing to choose
    in any of the games, or if more decisions than the original's offer to do nothing.
    """
    table.limits.check_size(table.program)
    games = tuple(_trial(table, seed) for seed in seeds)
    if games and not any(game.choices for game in games):
        detail = f"in {len(games)} games no decision had more than one option"
        raise LeftError(FunnelStep.TRY, DepartureReason.NO_CHOICES, detail)
    if idle_share(games) > table.limits.idle:
        share = f"{100 * idle_share(games):.0f} %"
        detail = f"at {share} of the decisions an option does nothing"
        raise LeftError(FunnelStep.TRY, DepartureReason.IDLE, detail)
    return games


def _trial(table: TrialTable, seed: int) -> TrialGame:
    """Return a trial game; raises LeftError if it breaks a rule or costs too much."""
    try:
        return table.play(seed, seed)
    except Fault as fault:
        raise left_by_fault(FunnelStep.TRY, fault, table.program) from None
    except WorkError:
        detail = f"the trial games take more than {table.limits.work:,} rounds of loops"
        raise LeftError(FunnelStep.TRY, DepartureReason.TOO_LARGE, detail) from None


def fingerprint(games: Sequence[TrialGame]) -> str:
    """Return what is the same for candidates whose games were played alike; empty for no games."""
    if not games:
        return ""
    return hashlib.blake2b(b"".join(game.digest for game in games), digest_size=16).hexdigest()
