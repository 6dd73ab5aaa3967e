"""The pipeline: a candidate passes stages of rising cost, and leaves at the first it fails."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from cardwright.english import percent
from cardwright.evolution.candidate import (
    ONLY_STYLE,
    Departure,
    DepartureReason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.measures.evidence import Evidence
from cardwright.evolution.measures.table import MEASURES, measured
from cardwright.evolution.trial_games import CostLimits, TrialTable, WorkError, idle_share
from cardwright.game.errors import EngineError, GameError, GameFileError
from cardwright.game.game import Game
from cardwright.game.native.random_games import play_random, singly
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.world import Fault
from cardwright.players.kind import NO_TRUST
from cardwright.syntax.diagnostic import Severity
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.trial_games import TrialGame
    from cardwright.game.native.random_games import RandomGames
    from cardwright.players.kind import Trust
    from cardwright.statistics.intervals import Estimate
    from cardwright.syntax.diagnostic import Code

    Tell: TypeAlias = Callable[[FunnelStep, float], object]

SCALE_GAMES = 10
"""Games of the original from which the limits of its variants follow."""

DEALS = 30
"""Deals that are played a second time with other choices. If choices changed who wins in one deal
of ten, all 30 would end alike for 4 % of such games; most games show a difference in the first two.
"""

WORK_OF_A_FORM = 60
"""The work of compiling a form of the rules: machine code is not worth it for fewer rounds."""

ALWAYS = 0.98
"""Share of the games that counts as always. With all games it would depend on their number: what
happens in one game of a hundred shows in a few hundred games, or does not."""

LEAST_GAMES = 20
"""Games from which it can be said that one seat always wins, or nobody: with two equal seats, 20
games have the same winner once in 500,000 times."""

_BROKEN_RULES = {
    "steps": DepartureReason.ENDLESS,
    "decisions": DepartureReason.ENDLESS,
    "capacity": DepartureReason.TOO_LARGE,
    "depth": DepartureReason.TOO_LARGE,
}
"""Why a candidate leaves, by the rule that a game broke; it is broken by all others."""


@dataclass(frozen=True)
class FunnelPlan:
    """How far candidates are measured, and what they must pass.

    `trials` games are played by the interpreter, `games` at random by machine code, and `deals`
    deals by each of the `players`, specs of searching players from weak to strong; without any of
    these there is no step of search. `measures` are the names of the measures that are wanted:
    what none of them needs is not played. All games follow from `seed`.
    """

    seed: int = 0
    trials: int = 5
    games: int = 200
    deals: int = 20
    players: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


class RejectedError(Exception):
    """A candidate does not pass a stage; the reason is counted, and the detail shown."""

    def __init__(self, reason: DepartureReason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class EvaluationPipeline:
    """Evaluates candidates; it can be sent to other processes.

    `original` is compared with: warnings that it has are no reason to leave, and a candidate may
    be a few times as large, as long and as costly. `trust` says what the players may load.
    """

    original: Candidate
    plan: FunnelPlan
    trust: Trust = NO_TRUST

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
        passage = Passage(self, candidate, known)
        for step, stage in STAGES.items():
            begun = time.process_time()
            try:
                stage(passage)
            except (RejectedError, Fault, GameError, EngineError, WorkError) as error:
                left = Departure(step, *passage.why(error))
                return Evaluated(candidate, left, passage.fingerprint)
            finally:
                if tell is not None:
                    tell(step, time.process_time() - begun)
        return Evaluated(candidate, None, passage.fingerprint, passage.measures)

    @cached_property
    def allowed(self) -> frozenset[Code]:
        """The warnings that the original has, but for those about style."""
        return frozenset(_warnings(game_of(self.original)))

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
class Passage:
    """The way of one candidate through the pipeline, and what its stages have found so far."""

    pipeline: EvaluationPipeline
    candidate: Candidate
    known: Collection[str]
    fingerprint: str = ""
    measures: dict[str, Estimate] = field(default_factory=dict)
    game: Game = field(init=False)
    table: TrialTable = field(init=False)
    trials: tuple[TrialGame, ...] = field(init=False)
    evidence: Evidence = field(init=False)

    def why(self, error: Exception) -> tuple[DepartureReason, str]:
        """Return the reason and the detail with which the candidate leaves for an error."""
        match error:
            case RejectedError():
                return error.reason, str(error)
            case Fault():
                line = self.game.program.source.position(error.span.start).line
                rule, message = error.rule, error.message
            case GameError():
                line, rule, message = error.place.line, error.rule, error.reason
            case WorkError():
                most = f"{self.pipeline.limits.work:,}"
                said = f"the trial games take more than {most} rounds of loops"
                return DepartureReason.TOO_LARGE, said
            case _:
                return DepartureReason.TOO_LARGE, str(error)
        reason = _BROKEN_RULES.get(rule, DepartureReason.BROKEN)
        return reason, f"line {line}: {message} ({rule})"

    def measure(self, step: FunnelStep) -> None:
        """Take the wanted measures of a step for which there are players."""
        names = [name for name in self.pipeline.plan.measures if MEASURES[name].step is step]
        self.measures |= measured(self.evidence, names)


# Stages: each returns if the candidate passes, and raises an error if not ----------------------


def check(passage: Passage) -> None:
    """Check the rules: they have no warning that the original does not have."""
    try:
        passage.game = game_of(passage.candidate)
    except GameFileError as error:
        first = error.checked.diagnostics.errors[0]
        raise RejectedError(DepartureReason.NO_CHANGE, first.message) from None
    for code, message in _warnings(passage.game).items():
        if code not in passage.pipeline.allowed:
            raise RejectedError(DepartureReason.WARNED, message)


def game_of(candidate: Candidate) -> Game:
    """Return the game of a candidate; a text that was checked a moment ago is not checked again.

    Raises GameFileError for rules that do not pass the check.
    """
    source = Source(f"{candidate.name}.rcy", candidate.text)
    return Game.from_source(source, candidate.name)


def _warnings(game: Game) -> dict[Code, str]:
    """Return the first message of each warning about the design, in the order of the text."""
    warnings: dict[Code, str] = {}
    for diagnostic in game.diagnostics:
        if diagnostic.severity is Severity.WARNING and diagnostic.code not in ONLY_STYLE:
            line = game.program.source.position(diagnostic.span.start).line
            warnings.setdefault(
                diagnostic.code, f"line {line}: {diagnostic.message} ({diagnostic.code.code})"
            )
    return warnings


def try_out(passage: Passage) -> None:
    """Play a few games by the interpreter, under limits, at which bad rules leave early.

    They leave if a game breaks a rule, does not end, costs too much, if there was nothing to choose
    in any of the games, or if more decisions than the original's offer to do nothing.
    """
    program, limits, plan = passage.game.program, passage.pipeline.limits, passage.pipeline.plan
    for what, size, most in (
        ("cards", len(program.cards), limits.cards),
        ("forms", len(program.nodes()), limits.forms),
    ):
        if size > most:
            raise RejectedError(DepartureReason.TOO_LARGE, f"{size:,} {what}, more than {most:,}")
    table = passage.table = TrialTable(program, limits)
    games = tuple(table.play(seed, seed) for seed in game_seeds(plan.seed, plan.trials))
    if games and not any(game.choices for game in games):
        detail = f"in {len(games)} games no decision had more than one option"
        raise RejectedError(DepartureReason.NO_CHOICES, detail)
    if idle_share(games) > limits.idle:
        detail = f"at {percent(idle_share(games), 0)} of the decisions an option does nothing"
        raise RejectedError(DepartureReason.IDLE, detail)
    passage.trials = games


def compare(passage: Passage) -> None:
    """Compare how the games were played with candidates that are known."""
    if passage.trials:
        digests = b"".join(game.digest for game in passage.trials)
        passage.fingerprint = hashlib.blake2b(digests, digest_size=16).hexdigest()
    if passage.fingerprint in passage.known:
        raise RejectedError(DepartureReason.KNOWN)


def play(passage: Passage) -> None:
    """Play hundreds of random games: choices must matter, and not always one seat may win."""
    pipeline, game, trials = passage.pipeline, passage.game, passage.trials
    plan, limits = pipeline.plan, pipeline.limits
    brief = Game(game.program, game.name, game.diagnostics, limits.of_games).brief()
    more = game_seeds(plan.seed, DEALS, first=len(trials))
    check_choices(passage.table, trials, more, by_ranks=pipeline.competitive)
    games = random_games(brief, trials, plan.seed, plan.games, limits)
    if pipeline.competitive:
        check_winners(games)
    passage.evidence = Evidence(
        brief, plan.seed, plan.games, plan.deals, plan.players, games, pipeline.trust
    )
    passage.measure(FunnelStep.PLAY)


def search(passage: Passage) -> None:
    """Let searching players play, as far as measures need them."""
    passage.measure(FunnelStep.SEARCH)


STAGES: dict[FunnelStep, Callable[[Passage], None]] = {
    FunnelStep.CHECK: check,
    FunnelStep.TRY: try_out,
    FunnelStep.COMPARE: compare,
    FunnelStep.PLAY: play,
    FunnelStep.SEARCH: search,
}
"""The stages in order; each costs more than those before it."""


# What random games show -----------------------------------------------------------------------


def check_choices(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int], *, by_ranks: bool
) -> None:
    """Raise RejectedError if no deal ended otherwise when played again with other choices.

    If even all deals ended alike, one seat always wins, or nobody.

    `played` are games of some of the deals; `seeds` are those of more. A game ends otherwise with
    other ranks, or if these say nothing, as in a game of one player, with other scores. Games that
    cost so much that they may not be played so often are not judged.
    """
    table.left = table.limits.work
    outcomes = []
    try:
        for first in _deals(table, played, seeds):
            again = table.play(first.seed, first.seed ^ 0x5851F42D4C957F2D)
            outcome = first.ranks if by_ranks else first.scores
            if outcome != (again.ranks if by_ranks else again.scores):
                return
            outcomes.append(outcome)
    except WorkError:
        return
    if not outcomes:
        return
    if len(set(outcomes)) > 1 or not by_ranks:
        detail = f"{len(outcomes)} deals ended alike with other choices"
        raise RejectedError(DepartureReason.DEALT, detail)
    reason = DepartureReason.ONE_SEAT if any(outcomes[0]) else DepartureReason.DRAWN
    raise RejectedError(reason, f"{2 * len(outcomes)} games had the same winners")


def _deals(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int]
) -> Iterator[TrialGame]:
    """Yield games that were played, then more, each played when it is asked for."""
    yield from played[:DEALS]
    for seed in islice(seeds, max(0, DEALS - len(played))):
        yield table.play(seed, seed)


def random_games(
    game: Game, trials: Sequence[TrialGame], seed: int, count: int, limits: CostLimits
) -> RandomGames:
    """Return the random games of a job's seed; raises an error unless all of them end.

    The interpreter plays them if that costs less than to compile the game, by the work of its
    trials, or if the rules are too large for the compiler. Both give the same games.
    """
    seeds = game_seeds(seed, count)
    work = count * sum(trial.work for trial in trials)
    cheap = bool(trials) and work < len(trials) * WORK_OF_A_FORM * len(game.program.nodes())
    try:
        games = None if cheap else play_random(game, seeds, threads=1)
    except EngineError:
        games = None
    if games is None:
        games = singly(game.with_engine("interpreter"), list(seeds))
        for error in games.errors():
            raise error
    elif games.broken.any():
        raise next(games.faults())[1]
    most = int(games.option_most.max(initial=0))
    if most > limits.options:
        detail = f"a decision has {most:,} options, more than {limits.options:,}"
        raise RejectedError(DepartureReason.TOO_LARGE, detail)
    return games


def check_winners(games: RandomGames) -> None:
    """Raise RejectedError if one seat always wins, or nobody, as far as enough games show that.

    To share the win with all others is not to win. A game of one player is not judged.
    """
    count = len(games)
    if count < LEAST_GAMES or games.game.players == 1:
        return
    best = games.best()
    drawn = np.asarray(best.all(axis=1))
    if drawn.sum() >= ALWAYS * count:
        detail = f"{drawn.sum()} of {count} games were drawn"
        raise RejectedError(DepartureReason.DRAWN, detail)
    won = (best & ~drawn[:, None]).sum(axis=0)
    seat = int(won.argmax())
    if won[seat] >= ALWAYS * count:
        detail = f"seat {seat + 1} won {won[seat]} of {count} games"
        raise RejectedError(DepartureReason.ONE_SEAT, detail)
