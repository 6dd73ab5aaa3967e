"""The search itself: ask the method, make and measure a generation, tell the method; and again.

What is found depends on the plan alone: not on the executor, the number of its workers, or how
often the search was killed and resumed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.evolution.candidate import Departure, DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.generation import (
    EvolutionProgress,
    EvolutionTiming,
    GenerationTally,
    judge,
)
from cardwright.evolution.methods.method import EliteMap, ParetoFront
from cardwright.evolution.pipeline import EvaluationPipeline
from cardwright.evolution.records import SearchBlock, SearchFolder, SearchOutcome
from cardwright.evolution.results import Elite, Evolution
from cardwright.evolution.variation.vary import varied
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.files import RecordsError
from cardwright.jobs.job import KEEP_SECONDS, Job, carry_out
from cardwright.players.kind import NO_TRUST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.methods.ranked import Parents
    from cardwright.evolution.pipeline import FunnelPlan
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.evolution.variation.vary import Variation
    from cardwright.jobs.executor import Executor
    from cardwright.players.kind import Trust

Vary: TypeAlias = (
    "Callable[[Candidate, Sequence[Candidate], Variation, np.random.Generator], Candidate | None]"
)
MakePipeline: TypeAlias = "Callable[[Candidate, FunnelPlan, Trust], EvaluationPipeline]"
TellEvolution: TypeAlias = Callable[[EvolutionProgress], object]

_ASKING, _MAKING = 2, 3
"""The children of a plan's seed: for what methods ask for, and for how candidates are made."""


@dataclass(frozen=True)
class SearchParts:
    """What a search is made of; all that is sent to other processes can be.

    `trust` says what searching players may load.
    """

    method: Callable[[EvolutionPlan], SearchMethod]
    vary: Vary = varied
    pipeline: MakePipeline = EvaluationPipeline
    trust: Trust = NO_TRUST


# Tasks ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate, and the seconds of processor time that each step took."""

    evaluated: Evaluated
    seconds: Counter[FunnelStep]


@dataclass(frozen=True)
class CandidatesTask:
    """Makes and evaluates the candidates of a generation; it can be sent to other processes.

    `parents` are those that the method asks for, a tuple for each candidate. `known` are the
    fingerprints of what came before this generation, and `names` the names: the same text need not
    be played again. Without a `generation` the first parents are measured as they are.
    """

    plan: EvolutionPlan
    measuring: FunnelPlan
    vary: Vary
    make_pipeline: MakePipeline
    trust: Trust
    parents: tuple[tuple[Candidate, ...], ...]
    generation: int | None = None
    known: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def __call__(self, batch: range) -> list[Outcome]:
        """Return the outcomes of some candidates."""
        return [self._outcome(number) for number in batch]

    def _outcome(self, number: int) -> Outcome:
        seconds = Counter[FunnelStep]()

        def tell(step: FunnelStep, took: float) -> None:
            seconds[step] += took  # type: ignore[assignment] # a Counter adds up any numbers

        made: Candidate | None = self.parents[number][0]
        if self.generation is not None:
            begun = time.process_time()
            made = self._made(self.generation, number)
            tell(FunnelStep.VARY, time.process_time() - begun)
        if made is None:
            left = Departure(FunnelStep.VARY, DepartureReason.NO_CHANGE)
            return Outcome(Evaluated(None, left), seconds)
        if made.name in self.names:
            left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN, made.name)
            return Outcome(Evaluated(made, left), seconds)
        pipeline = _pipeline(self.make_pipeline, self.plan.parent, self.measuring, self.trust)
        return Outcome(pipeline.evaluate(made, self.known, tell), seconds)

    def _made(self, generation: int, number: int) -> Candidate | None:
        """Return a candidate; some are crossed with a mate."""
        random = generator(self.plan.seed, _MAKING, generation, number)
        parents = self.parents[number]
        mates = self.plan.mates
        if mates and random.random() < self.plan.mating:
            parents = (parents[0], mates[int(random.integers(len(mates)))].candidate)
        return self.vary(self.plan.parent, parents, self.plan.variation, random)


@lru_cache(maxsize=2)
def _pipeline(
    make: MakePipeline, original: Candidate, plan: FunnelPlan, trust: Trust
) -> EvaluationPipeline:
    """Return a pipeline, made once per process: it knows more of the original with time."""
    return make(original, plan, trust)


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of a child of a seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


@dataclass(eq=False)
class CandidatesJob(Job[list[Outcome]]):
    """The candidates of a generation; `first` is the number of its first in the search.

    `report` is given how many are finished, `spent` the seconds of each step of a candidate that
    was finished here.
    """

    task: CandidatesTask
    first: int
    records: SearchFolder | None
    report: Callable[[int], object]
    spent: Callable[[Counter[FunnelStep]], object]
    noun = "candidate"
    _there: dict[int, Evaluated] = field(default_factory=dict)
    _unkept: dict[int, SearchBlock] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tasks = len(self.task.parents)

    def span(self, batch: range) -> range:
        """Return the numbers of candidates among all of the search."""
        return range(self.first + batch.start, self.first + batch.stop)

    def ready(self) -> CandidatesTask:
        """Return what makes or measures candidates."""
        return self.task

    def kept(self) -> Iterator[range]:
        """Count the candidates that are in the folder; others there are of a block that is whole.

        The search was killed before it could remove them.
        """
        if self.records is None:
            return
        pieces = self.records.pieces
        for number in pieces.numbers():
            at = number - self.first
            if not 0 <= at < self.tasks:
                pieces.remove([number])
                continue
            (self._there[at],) = pieces.read(number).candidates
            yield range(at, at + 1)

    def add(self, batch: range, part: list[Outcome]) -> None:
        """Take what became of some candidates."""
        for at, outcome in zip(batch, part, strict=True):
            self._there[at] = outcome.evaluated
            self._unkept[self.first + at] = SearchBlock((outcome.evaluated,))
            self.spent(outcome.seconds)

    def keep(self) -> None:
        """Store what is not stored yet; a whole generation becomes a block instead."""
        if self.records is not None and self._unkept and len(self._there) < self.tasks:
            self.records.pieces.write(self._unkept)
            self._unkept = {}

    def tell(self) -> None:
        """Say how many candidates are finished."""
        self.report(len(self._there))

    def evaluated(self) -> list[Evaluated]:
        """Return all candidates in order, once it is over."""
        return [self._there[at] for at in range(self.tasks)]


# The loop -------------------------------------------------------------------------------------


def run_search(
    plan: EvolutionPlan,
    folder: Path | None = None,
    executor: Executor | None = None,
    *,
    parts: SearchParts,
    resume: bool = False,
    progress: TellEvolution | None = None,
    keep_seconds: float = KEEP_SECONDS,
) -> Evolution:
    """Carry out a search and return what it found.

    With a `folder` it is recorded there; with `resume` one that was begun there is continued, and
    one that is finished is only read. Without an `executor` all is done in this process. `progress`
    is told how far it is. A crash loses no more than `keep_seconds`.

    Raises RecordsError for the folder, EvolutionError for a plan that its method refuses,
    ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can be resumed.
    """
    method = parts.method(plan)  # what it refuses, it refuses before anything is written
    opening: Any = nullcontext()
    if folder is not None:
        opening = SearchFolder.of_plan(folder, plan).opened(resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            return _read(records)
        workplace, tell = executor or SerialExecutor(), progress or (lambda _: None)
        search = Search(plan, method, parts, records, workplace, tell, keep_seconds)
        search.run()
        if records is not None:
            records.finish(played=plan.candidates)
    return _evolution(plan, search.tally, search.found, search.again, folder, search.timing())


def read_search(folder: Path) -> Evolution:
    """Return what a finished search found; raises RecordsError if there is none in the folder."""
    records = SearchFolder.read(folder)
    if not records.manifest.complete:
        raise RecordsError(f"the search in {folder} is not finished: resume it")
    return _read(records)


def _read(records: SearchFolder) -> Evolution:
    """Return what a finished search has recorded; raises RecordsError for damaged files."""
    plan, tally = records.plan, GenerationTally()
    for number in range(plan.generations + 1):
        block = records.blocks.read(number)
        judged = [judge(candidate, plan.aims) for candidate in block.candidates]
        tally.take(judged, block.elites)
    last = records.blocks.read(plan.generations + 1)
    return _evolution(plan, tally, last.found, last.candidates, records.folder, records.timing())


def _evolution(  # noqa: PLR0917 - all that a search has found
    plan: EvolutionPlan,
    tally: GenerationTally,
    outcome: SearchOutcome,
    again: Sequence[Evaluated],
    folder: Path | None,
    timing: EvolutionTiming | None,
) -> Evolution:
    """Put together what was found: `again` has the original's second measures, then the elites'."""
    names = (plan.parent.name, *outcome.elites)
    second = [judge(candidate, plan.aims) for candidate in again]
    original, *elites = (
        Elite(judge(tally.measured[name], plan.aims), second[at] if at < len(second) else None)
        for at, name in enumerate(names)
    )
    return Evolution(
        plan,
        original,
        tuple(elites),
        tuple(tally.summaries),
        tally.measured,
        outcome.map or outcome.front,
        folder,
        timing,
    )


@dataclass(eq=False)
class Search:
    """A search under way; what its records have of it is not done again.

    The method is asked and told the same whether a generation was read or made just now, so it is
    in the same state.
    """

    plan: EvolutionPlan
    method: SearchMethod
    parts: SearchParts
    records: SearchFolder | None
    executor: Executor
    tell: TellEvolution
    keep_seconds: float = KEEP_SECONDS
    tally: GenerationTally = field(default_factory=GenerationTally)
    found: SearchOutcome = field(default_factory=SearchOutcome)
    again: Sequence[Evaluated] = ()
    _spent: Counter[FunnelStep] = field(default_factory=Counter)
    _made: int = 0

    def __post_init__(self) -> None:
        self._begun = time.monotonic()
        self._before = None if self.records is None else self.records.timing()

    def run(self) -> None:
        """Carry out the whole search: the original, all generations, and the finalists."""
        plan, parts, tally = self.plan, self.parts, self.tally
        last = plan.generations + 1

        def task(measuring: FunnelPlan, parents: Parents, *made: Any) -> CandidatesTask:
            whole = tuple(map(tuple, parents))
            return CandidatesTask(
                plan, measuring, parts.vary, parts.pipeline, parts.trust, whole, *made
            )

        self._take(0, self._block(0, task(plan.searching, [(plan.parent,)])))
        for number in range(1, last):
            parents = self.method.ask(plan.size(number), generator(plan.seed, _ASKING, number))
            known, names = frozenset(tally.known), frozenset(tally.names)
            call = task(plan.searching, parents, number, known, names)
            self._take(number, self._block(number, call))
        elites, shown = self._elites(), self.method.landscape()
        self.found = SearchOutcome(
            tuple(elite.name for elite in elites),
            shown if isinstance(shown, EliteMap) else None,
            shown if isinstance(shown, ParetoFront) else None,
        )
        finalists = (plan.parent, *elites[: plan.finalists])
        self.again = self._block(last, task(plan.final, [(finalist,) for finalist in finalists]))
        if not self._has(last):
            self._store(last, SearchBlock(tuple(self.again), found=self.found))

    def timing(self) -> EvolutionTiming:
        """Return where the time went, in earlier runs as well."""
        now = EvolutionTiming(time.monotonic() - self._begun, self._made, dict(self._spent))
        return now if self._before is None else self._before + now

    def _has(self, number: int) -> bool:
        return self.records is not None and self.records.blocks.has(number)

    def _block(self, number: int, task: CandidatesTask) -> Sequence[Evaluated]:
        """Return the candidates of a block: from the records, or made and measured now."""
        if self.records is not None and self.records.blocks.has(number):
            return self.records.blocks.read(number).candidates
        first = 0 if number == 0 else 1 + (number - 1) * self.plan.generation
        final = number > self.plan.generations

        def tell(done: int) -> None:
            before = 0 if final or number == 0 else first - 1
            self._say(before + (0 if number == 0 else done), final=final, total=len(task.parents))

        def spent(seconds: Counter[FunnelStep]) -> None:
            self._spent.update(seconds)
            self._made += 0 < number <= self.plan.generations

        job = CandidatesJob(task, first, self.records, tell, spent)
        carry_out(job, self.executor, keep_seconds=self.keep_seconds, keep_share=0)
        return job.evaluated()

    def _take(self, number: int, block: Sequence[Evaluated]) -> None:
        """Judge a generation, tell the method of it, and store it if it is new."""
        there = self._has(number)
        block = block if there else _unlike(block)
        judged = [judge(candidate, self.plan.aims) for candidate in block]
        self.method.tell(judged)
        self.tally.take(judged, len(self._elites()))
        if number:
            self._say(self.plan.generation * (number - 1) + len(block))
        if not there:
            self._store(number, SearchBlock(tuple(block), self.tally.elites))

    def _store(self, number: int, block: SearchBlock) -> None:
        if self.records is not None:
            self.records.add(number, block)
            self.records.keep_timing(self.timing())

    def _elites(self) -> list[Candidate]:
        """Return the elites, in the method's order; only what has passed the pipeline is one."""
        elites = (elite.evaluated for elite in self.method.elites())
        return [
            elite.candidate
            for elite in elites
            if elite.candidate is not None and elite.departure is None
        ]

    def _say(self, done: int, *, final: bool = False, total: int = 0) -> None:
        total = total if final else self.plan.candidates
        tally = self.tally
        self.tell(EvolutionProgress(done, total, final, tally.passed, tally.best, tally.elites))


def _unlike(block: Sequence[Evaluated]) -> list[Evaluated]:
    """Let a candidate leave that plays like one before it in its generation."""
    first: dict[str, str] = {}
    kept = []
    for candidate in block:
        mark = candidate.fingerprint
        if candidate.departure is None and candidate.candidate is not None and mark:
            if mark in first:
                left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN, first[mark])
                kept.append(replace(candidate, departure=left, measures={}))
                continue
            first[mark] = candidate.candidate.name
        kept.append(candidate)
    return kept
