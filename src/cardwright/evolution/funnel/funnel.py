"""The funnel: a candidate passes steps of rising cost, and leaves at the first that it fails."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.funnel.checking import checked_game, game_of, warned
from cardwright.evolution.funnel.leaving import LeftError, left_by_error
from cardwright.evolution.funnel.limits import CostLimits
from cardwright.evolution.funnel.luck_test import DEALS, check_choices
from cardwright.evolution.funnel.plan import FunnelPlan
from cardwright.evolution.funnel.playing import check_winners, random_games
from cardwright.evolution.funnel.trial_game import TrialTable, WorkError
from cardwright.evolution.funnel.trying import fingerprint, tried
from cardwright.evolution.measures.evidence import Evidence
from cardwright.evolution.measures.table import MEASURES, measured
from cardwright.game.errors import EngineError, GameError
from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import TypeAlias

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.funnel.trial_game import TrialGame
    from cardwright.statistics.sample import Estimate
    from cardwright.syntax.diagnostic import Code

    Tell: TypeAlias = Callable[[FunnelStep, float], object]

__all__ = ["Funnel", "FunnelPlan"]

SCALE_GAMES = 10
"""Games of the original from which the limits of its variants follow."""


@dataclass(frozen=True)
class Funnel:
    """Evaluates candidates; it can be sent to other processes.

    `original` is compared with: warnings that it has are no reason to leave, and a candidate may
    be a few times as large, as long and as costly.
    """

    original: Candidate
    plan: FunnelPlan

    def evaluate(
        self,
        candidate: Candidate,
        known: Collection[str] = (),
        tell: Tell | None = None,
    ) -> Evaluated:
        """Return what became of a candidate; never raises for rules that pass the check.

        It leaves if its fingerprint is among those `known`. `tell` is given the seconds of
        processor time that each step took.
        """
        passage = _Passage(self, known, tell)
        try:
            measures = passage.of(candidate)
        except LeftError as left:
            return Evaluated(candidate, left.departure, passage.fingerprint)
        return Evaluated(candidate, None, passage.fingerprint, measures)

    @cached_property
    def allowed(self) -> frozenset[Code]:
        """The warnings that the original has."""
        return warned(game_of(self.original))

    @cached_property
    def limits(self) -> CostLimits:
        """The limits of candidates, from some games of the original: those that it can end."""
        program = game_of(self.original).program
        return CostLimits.near(program, self.scale, self.plan.trials)

    @cached_property
    def scale(self) -> tuple[TrialGame, ...]:
        """Games of the original, with which those of candidates are compared.

        They are fewer for a game that takes long.
        """
        table = TrialTable(game_of(self.original).program, CostLimits.of_originals())
        games: list[TrialGame] = []
        for seed in game_seeds(self.plan.seed, SCALE_GAMES):
            try:
                games.append(table.play(seed, seed))
            except Fault:
                continue
            except WorkError:
                break
        return tuple(games)

    @cached_property
    def competitive(self) -> bool:
        """Whether the original has winners: in games for one, or all together, there are none."""
        return any(any(game.ranks) for game in self.scale) or not self.scale


@dataclass
class _Passage:
    """The way of one candidate through the funnel; each step raises LeftError where it leaves."""

    funnel: Funnel
    known: Collection[str]
    tell: Tell | None
    fingerprint: str = ""

    def of(self, candidate: Candidate) -> dict[str, Estimate]:
        """Return what was measured, in the order of the table of measures."""
        funnel, plan = self.funnel, self.funnel.plan
        with self._timed(FunnelStep.CHECK):
            game = checked_game(candidate, funnel.allowed)
        with self._timed(FunnelStep.TRY):
            table = TrialTable(game.program, funnel.limits)
            trials = tried(table, game_seeds(plan.seed, plan.trials))
        with self._timed(FunnelStep.COMPARE):
            self._compare(trials)
        with self._timed(FunnelStep.PLAY):
            evidence = self._evidence(game, table, trials)
            measures = self._measured(FunnelStep.PLAY, evidence)
        if self._names(FunnelStep.SEARCH):
            with self._timed(FunnelStep.SEARCH):
                measures |= self._measured(FunnelStep.SEARCH, evidence)
        return measures

    def _compare(self, trials: tuple[TrialGame, ...]) -> None:
        self.fingerprint = fingerprint(trials)
        if self.fingerprint in self.known:
            raise LeftError(FunnelStep.COMPARE, DepartureReason.KNOWN)

    def _evidence(self, game: Game, table: TrialTable, trials: tuple[TrialGame, ...]) -> Evidence:
        """Return what measures are taken from, once the random games are played."""
        plan, limits = self.funnel.plan, self.funnel.limits
        brief = Game(game.program, game.name, game.diagnostics, limits.of_games).brief()
        competitive = self.funnel.competitive
        more = game_seeds(plan.seed, DEALS, first=len(trials))
        check_choices(table, trials, more, by_ranks=competitive)
        games = random_games(brief, trials, plan.seed, plan.games, limits)
        if competitive:
            check_winners(games)
        return Evidence(brief, plan.seed, plan.games, plan.deals, plan.players, games, plan.trust)

    def _names(self, step: FunnelStep) -> list[str]:
        """Return the wanted measures that are taken at a step, and for which there are players."""
        plan = self.funnel.plan
        return [
            name
            for name in plan.measures
            if MEASURES[name].step is step and len(plan.players) >= MEASURES[name].players
        ]

    def _measured(self, step: FunnelStep, evidence: Evidence) -> dict[str, Estimate]:
        """Return the measures of a step; raises LeftError if a game that it plays breaks a rule."""
        try:
            return measured(evidence, self._names(step))
        except GameError as error:
            raise left_by_error(step, error) from None
        except EngineError as error:
            raise LeftError(step, DepartureReason.TOO_LARGE, str(error)) from None

    @contextmanager
    def _timed(self, step: FunnelStep) -> Iterator[None]:
        """Tell how much processor time a step took, also where the candidate leaves."""
        begun = time.process_time()
        try:
            yield
        finally:
            if self.tell is not None:
                self.tell(step, time.process_time() - begun)
