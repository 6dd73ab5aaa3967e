"""The pipeline: a candidate passes stages of rising cost, and leaves at the first it fails."""

from __future__ import annotations

import hashlib
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.candidate import ONLY_STYLE, DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.measures.evidence import Evidence
from cardwright.evolution.measures.table import MEASURES, measured
from cardwright.evolution.trial_games import (
    CostLimits,
    LeftError,
    TrialTable,
    WorkError,
    idle_share,
    left_by_error,
    left_by_fault,
)
from cardwright.game.errors import EngineError, GameError, GameFileError
from cardwright.game.game import Game
from cardwright.game.native.random_games import play_random, singly
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.world import Fault
from cardwright.players.kind import NO_TRUST
from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.trial_games import TrialGame
    from cardwright.game.native.random_games import RandomGames
    from cardwright.game.seeds import GameSeeds
    from cardwright.players.kind import Trust
    from cardwright.statistics.intervals import Estimate

    Tell: TypeAlias = Callable[[FunnelStep, float], object]


@dataclass(frozen=True)
class FunnelPlan:
    """How far candidates are measured, and what they must pass.

    `trials` games are played by the interpreter, `games` at random by machine code, and `deals`
    deals by each of the `players`, specs of searching players from weak to strong; without any of
    these there is no step of search. `measures` are the names of the measures that are wanted:
    what none of them needs is not played. All games follow from `seed`.
    `trust` says what the players may load, and is no part of what is kept.
    """

    seed: int = 0
    trials: int = 5
    games: int = 200
    deals: int = 20
    players: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    trust: Trust = field(default=NO_TRUST, compare=False, repr=False)


def game_of(candidate: Candidate) -> Game:
    """Return the game of a candidate; a text that was checked a moment ago is not checked again.

    Raises GameFileError for rules that do not pass the check.
    """
    source = Source(f"{candidate.name}.rcy", candidate.text)
    return Game.from_source(source, candidate.name)


def warned(game: Game) -> frozenset[Code]:
    """Return the warnings of a game's rules that say more than how they are written."""
    return frozenset(_warnings(game))


def checked_game(candidate: Candidate, allowed: Collection[Code]) -> Game:
    """Return the game of a candidate; raises LeftError if it has a warning that is not allowed."""
    try:
        game = game_of(candidate)
    except GameFileError as error:
        first = error.checked.diagnostics.errors[0]
        raise LeftError(FunnelStep.CHECK, DepartureReason.NO_CHANGE, first.message) from None
    for code, message in _warnings(game).items():
        if code not in allowed:
            raise LeftError(FunnelStep.CHECK, DepartureReason.WARNED, message)
    return game


def _warnings(game: Game) -> dict[Code, str]:
    """Return the first message of each warning about the design, in the order of the text."""
    found: dict[Code, str] = {}
    for one in game.diagnostics:
        if one.severity is Severity.WARNING and one.code not in ONLY_STYLE:
            line = game.program.source.position(one.span.start).line
            found.setdefault(one.code, f"line {line}: {one.message} ({one.code.code})")
    return found


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


DEALS = 30
"""Deals that are played a second time with other choices. If choices changed who wins in one deal
of ten, all 30 would end alike for 4 % of such games; most games show a difference in the first two.
"""


def check_choices(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int], *, by_ranks: bool
) -> None:
    """Raise LeftError if no deal ended otherwise when it was played again with other choices.

    If even all deals ended alike, one seat always wins, or nobody.

    `played` are games of some of the deals; `seeds` are those of more. A game ends otherwise with
    other ranks, or if these say nothing, as in a game of one player, with other scores. Games that
    cost so much that they may not be played so often are not judged.
    """
    table.left = table.limits.work
    outcomes = []
    try:
        for first in _deals(table, played, seeds):
            again = table.play(first.seed, _others(first.seed))
            outcome = first.ranks if by_ranks else first.scores
            if outcome != (again.ranks if by_ranks else again.scores):
                return
            outcomes.append(outcome)
    except WorkError:
        return
    except Fault as fault:
        raise left_by_fault(FunnelStep.PLAY, fault, table.program) from None
    if outcomes:
        raise _left(outcomes, by_ranks=by_ranks)


def _deals(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int]
) -> Iterator[TrialGame]:
    """Yield games that were played, then more, each played when it is asked for."""
    yield from played[:DEALS]
    for seed in islice(seeds, max(0, DEALS - len(played))):
        yield table.play(seed, seed)


def _left(outcomes: Sequence[tuple[int, ...]], *, by_ranks: bool) -> LeftError:
    """Return how a candidate leaves whose deals had these outcomes whatever was chosen."""
    count, first = len(outcomes), outcomes[0]
    if len(set(outcomes)) > 1 or not by_ranks:
        detail = f"{count} deals ended alike with other choices"
        return LeftError(FunnelStep.PLAY, DepartureReason.DEALT, detail)
    detail = f"{2 * count} games had the same winners"
    reason = DepartureReason.ONE_SEAT if any(first) else DepartureReason.DRAWN
    return LeftError(FunnelStep.PLAY, reason, detail)


def _others(seed: int) -> int:
    """Return another seed, for the choices."""
    return seed ^ 0x5851F42D4C957F2D


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


SCALE_GAMES = 10
"""Games of the original from which the limits of its variants follow."""


@dataclass(frozen=True)
class EvaluationPipeline:
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

    funnel: EvaluationPipeline
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
