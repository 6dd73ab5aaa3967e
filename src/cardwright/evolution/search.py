"""The search itself: ask the method, make and measure a generation, tell the method; and again."""

from __future__ import annotations

import time
from collections import Counter
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
from cardwright.evolution.methods.method import landscape_data, landscape_of
from cardwright.evolution.pipeline import EvaluationPipeline
from cardwright.evolution.records import SearchBlock, SearchFolder
from cardwright.evolution.results import Elite, Evolution
from cardwright.evolution.variation.vary import varied
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.files import RecordsError
from cardwright.jobs.job import KEEP_SECONDS, Job, carry_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged, SearchMethod
    from cardwright.evolution.pipeline import FunnelPlan
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.evolution.variation.vary import Variation
    from cardwright.jobs.executor import Call, Executor

    MakeFunnel: TypeAlias = Callable[[Candidate, FunnelPlan], EvaluationPipeline]
    Vary: TypeAlias = Callable[
        [Candidate, Sequence[Candidate], Variation, np.random.Generator], Candidate | None
    ]
    TellCount = Callable[[int], object]
    FoundNotes: TypeAlias = dict[str, Any]
    TellEvolution: TypeAlias = Callable[[EvolutionProgress], object]

_ASKING, _MAKING = 2, 3
"""The children of a plan's seed: for what methods ask for, and for how candidates are made."""


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate, and the seconds of processor time that each step took."""

    evaluated: Evaluated
    seconds: dict[FunnelStep, float]


@dataclass(frozen=True)
class MakeCandidates:
    """Makes and evaluates the candidates of a generation; it can be sent to other processes.

    `parents` are those that the method asks for, a tuple for each candidate. `known` are the
    fingerprints of what came before this generation, and `names` the names: the same text need not
    be played again.
    """

    plan: EvolutionPlan
    generation: int
    parents: tuple[tuple[Candidate, ...], ...]
    known: frozenset[str]
    names: frozenset[str]
    vary: Vary
    funnel: MakeFunnel

    def __call__(self, batch: range) -> list[Outcome]:
        """Return the outcomes of some candidates."""
        return [self._outcome(number) for number in batch]

    def _outcome(self, number: int) -> Outcome:
        timed = _Timed()
        begun = time.process_time()
        made = self._made(number)
        timed.tell(FunnelStep.VARY, time.process_time() - begun)
        if made is None:
            left = Departure(FunnelStep.VARY, DepartureReason.NO_CHANGE)
            return Outcome(Evaluated(None, left), dict(timed.seconds))
        if made.name in self.names:
            left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN, made.name)
            return Outcome(Evaluated(made, left), dict(timed.seconds))
        funnel = _funnel(self.funnel, self.plan.parent, self.plan.searching)
        evaluated = funnel.evaluate(made, self.known, timed.tell)
        return Outcome(evaluated, dict(timed.seconds))

    def _made(self, number: int) -> Candidate | None:
        """Return a candidate; some are crossed with a mate."""
        random = generator(self.plan.seed, _MAKING, self.generation, number)
        parents = self.parents[number]
        mates = self.plan.mates
        if mates and random.random() < self.plan.mating:
            parents = (parents[0], mates[int(random.integers(len(mates)))].candidate)
        return self.vary(self.plan.parent, parents, self.plan.variation, random)


@dataclass(frozen=True)
class MeasureCandidates:
    """Measures candidates that are there already; it can be sent to other processes."""

    candidates: tuple[Candidate, ...]
    original: Candidate
    plan: FunnelPlan
    funnel: MakeFunnel

    def __call__(self, batch: range) -> list[Outcome]:
        """Return the outcomes of some candidates."""
        return [self._outcome(self.candidates[number]) for number in batch]

    def _outcome(self, candidate: Candidate) -> Outcome:
        timed = _Timed()
        funnel = _funnel(self.funnel, self.original, self.plan)
        evaluated = funnel.evaluate(candidate, (), timed.tell)
        return Outcome(evaluated, dict(timed.seconds))


@lru_cache(maxsize=2)
def _funnel(make: MakeFunnel, original: Candidate, plan: FunnelPlan) -> EvaluationPipeline:
    """Return a funnel, made once per process: it knows more of the original with time."""
    return make(original, plan)


@dataclass
class _Timed:
    """Adds up the seconds that steps took."""

    seconds: Counter[FunnelStep] = field(default_factory=Counter)

    def tell(self, step: FunnelStep, seconds: float) -> None:
        self.seconds[step] += seconds  # type: ignore[assignment] # a Counter adds up any numbers


def asking(plan: EvolutionPlan, generation: int) -> np.random.Generator:
    """Return the generator of what the method asks for in a generation."""
    return generator(plan.seed, _ASKING, generation)


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of a child of a seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


class CandidatesJob(Job[list[Outcome]]):
    """The candidates of a generation; `first` is the number of its first in the search.

    `tell_count` is given how many are finished, `spent` the seconds of each step of a candidate
    that was finished here.
    """

    noun = "candidate"

    def __init__(
        self,
        call: Call[list[Outcome]],
        *,
        count: int,
        first: int,
        records: SearchFolder | None,
        tell: TellCount,
        spent: Callable[[dict[FunnelStep, float]], object],
    ) -> None:
        self.tasks = count
        self._call = call
        self._first = first
        self._records = records
        self._tell = tell
        self._spent = spent
        self._there: dict[int, Evaluated] = {}
        self._unkept: dict[int, SearchBlock] = {}

    def span(self, batch: range) -> range:
        """Return the numbers of candidates among all of the search."""
        return range(self._first + batch.start, self._first + batch.stop)

    def ready(self) -> Call[list[Outcome]]:
        """Return what makes or measures candidates."""
        return self._call

    def kept(self) -> Iterator[range]:
        """Count the candidates that are in the folder; others there are of a block that is whole.

        The search was killed before it could remove them.
        """
        if self._records is None:
            return
        pieces = self._records.pieces
        for number in pieces.numbers():
            at = number - self._first
            if not 0 <= at < self.tasks:
                pieces.remove([number])
                continue
            (self._there[at],) = pieces.read(number).candidates
            yield range(at, at + 1)

    def add(self, batch: range, part: list[Outcome]) -> None:
        """Take what became of some candidates."""
        for at, outcome in zip(batch, part, strict=True):
            self._there[at] = outcome.evaluated
            self._unkept[self._first + at] = SearchBlock((outcome.evaluated,))
            self._spent(outcome.seconds)

    def keep(self) -> None:
        """Store what is not stored yet; a whole generation becomes a block instead."""
        if self._records is not None and self._unkept and len(self._there) < self.tasks:
            self._records.pieces.write(self._unkept)
            self._unkept = {}

    def tell(self) -> None:
        """Say how many candidates are finished."""
        self._tell(len(self._there))

    def evaluated(self) -> list[Evaluated]:
        """Return all candidates in order, once it is over."""
        return [self._there[at] for at in range(self.tasks)]


@dataclass(frozen=True)
class SearchParts:
    """What a search is made of; all that is sent to other processes can be."""

    method: Callable[[EvolutionPlan], SearchMethod]
    vary: Vary = varied
    funnel: MakeFunnel = EvaluationPipeline


class Search:
    """A search under way; what its records have of it is not done again.

    The method is asked and told the same whether a generation was read or made just now, so it is
    in the same state.
    """

    def __init__(
        self,
        plan: EvolutionPlan,
        method: SearchMethod,
        parts: SearchParts,
        *,
        records: SearchFolder | None,
        executor: Executor,
        tell: TellEvolution,
        keep_seconds: float = KEEP_SECONDS,
    ) -> None:
        self.plan = plan
        self.tally = GenerationTally()
        self.found: FoundNotes = {"elites": [], "landscape": None}
        self.again: list[Evaluated] = []
        self.method = method
        self._parts = parts
        self._records = records
        self._executor = executor
        self._tell = tell
        self._keep_seconds = keep_seconds
        self._spent: Counter[FunnelStep] = Counter()
        self._made = 0
        self._begun = time.monotonic()
        self._before = None if records is None else records.timing()

    def run(self) -> None:
        """Carry out the whole search: the original, all generations, and the finalists."""
        self._generation(0, self._measuring((self.plan.parent,), self.plan.searching), 1)
        for number in range(1, self.plan.generations + 1):
            size = self.plan.size(number)
            parents = self.method.ask(size, asking(self.plan, number))
            self._generation(number, self._making(number, parents), size)
        self._finals()

    def timing(self) -> EvolutionTiming:
        """Return where the time went, in earlier runs as well."""
        now = EvolutionTiming(time.monotonic() - self._begun, self._made, dict(self._spent))
        return now if self._before is None else self._before + now

    def _making(self, number: int, parents: Sequence[tuple[Candidate, ...]]) -> MakeCandidates:
        return MakeCandidates(
            self.plan,
            number,
            tuple(map(tuple, parents)),
            frozenset(self.tally.known),
            frozenset(self.tally.names),
            self._parts.vary,
            self._parts.funnel,
        )

    def _measuring(self, candidates: tuple[Candidate, ...], plan: FunnelPlan) -> MeasureCandidates:
        return MeasureCandidates(candidates, self.plan.parent, plan, self._parts.funnel)

    def _generation(self, number: int, call: Call[Any], size: int) -> None:
        """Make or read a generation, settle what plays alike in it, and tell the method."""
        records = self._records
        if records is not None and records.blocks.has(number):
            self._take(number, records.blocks.read(number).candidates)
            return
        found = self._unlike(self._played(number, call, size))
        self._take(number, found)
        if records is not None:
            records.add(number, SearchBlock(tuple(found), {"elites": self.tally.elites}))
            records.keep_timing(self.timing())

    def _played(self, number: int, call: Call[Any], size: int) -> list[Evaluated]:
        first = 0 if number == 0 else 1 + (number - 1) * self.plan.generation
        final = number > self.plan.generations

        def tell(done: int) -> None:
            before = 0 if final or number == 0 else first - 1
            self._say(before + (0 if number == 0 else done), final=final, total=size)

        def spent(seconds: dict[FunnelStep, float]) -> None:
            self._spent.update(seconds)
            self._made += 0 < number <= self.plan.generations

        job = CandidatesJob(
            call, count=size, first=first, records=self._records, tell=tell, spent=spent,
        )  # fmt: skip
        carry_out(job, self._executor, keep_seconds=self._keep_seconds, keep_share=0)
        return job.evaluated()

    def _unlike(self, found: Sequence[Evaluated]) -> list[Evaluated]:
        """Let a candidate leave that plays like one before it in its generation."""
        first: dict[str, str] = {}
        kept = []
        for one in found:
            mark = one.fingerprint
            if one.departure is None and one.candidate is not None and mark:
                if mark in first:
                    left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN, first[mark])
                    kept.append(replace(one, departure=left, measures={}))
                    continue
                first[mark] = one.candidate.name
            kept.append(one)
        return kept

    def _take(self, number: int, found: Sequence[Evaluated]) -> None:
        """Judge a generation and tell the method of it."""
        judged = [judge(one, self.plan.aims) for one in found]
        self.method.tell(judged)
        self.tally.take(judged, len(self._kept()))
        if number:
            self._say(self.plan.generation * (number - 1) + len(found))

    def _finals(self) -> None:
        """Measure the original and the best elites again, by other games."""
        number = self.plan.generations + 1
        found = self._kept()
        self.found = {
            "elites": [one.name for one in found],
            "landscape": landscape_data(self.method.landscape()),
        }
        if self._records is not None and self._records.blocks.has(number):
            self.again = list(self._records.blocks.read(number).candidates)
            return
        candidates = (self.plan.parent, *found[: self.plan.finalists])
        call = self._measuring(candidates, self.plan.final)
        self.again = self._played(number, call, len(candidates))
        if self._records is not None:
            self._records.add(number, SearchBlock(tuple(self.again), self.found))
            self._records.keep_timing(self.timing())

    def _kept(self) -> list[Candidate]:
        """Return the elites, in the method's order; only what has passed the funnel is one."""
        elites = (one.evaluated for one in self.method.elites())
        return [
            one.candidate for one in elites if one.candidate is not None and one.departure is None
        ]

    def _say(self, done: int, *, final: bool = False, total: int = 0) -> None:
        self._tell(
            EvolutionProgress(
                done,
                total if final else self.plan.candidates,
                final,
                self.tally.passed,
                self.tally.best,
                self.tally.elites,
            )
        )


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
        search = Search(
            plan, method, parts,
            records=records, executor=executor or SerialExecutor(),
            tell=progress or _nobody, keep_seconds=keep_seconds,
        )  # fmt: skip
        search.run()
        if records is not None:
            records.finish(played=plan.candidates)
    return _found(
        plan, search.tally, notes=search.found, again=search.again,
        folder=folder, timing=search.timing(),
    )  # fmt: skip


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
        elites = (block.notes or {}).get("elites", 0)
        tally.take([judge(one, plan.aims) for one in block.candidates], elites)
    last = records.blocks.read(plan.generations + 1)
    return _found(
        plan, tally, notes=last.notes or {}, again=last.candidates,
        folder=records.folder, timing=records.timing(),
    )  # fmt: skip


def _found(
    plan: EvolutionPlan,
    tally: GenerationTally,
    *,
    notes: FoundNotes,
    again: Sequence[Evaluated],
    folder: Path | None,
    timing: EvolutionTiming | None,
) -> Evolution:
    """Put together what was found: `again` has the original's second measures, then the elites'."""

    def judged(name: str) -> Judged:
        return judge(tally.measured[name], plan.aims)

    def elite(name: str, at: int) -> Elite:
        second = judge(again[at], plan.aims) if at < len(again) else None
        return Elite(judged(name), second)

    return Evolution(
        plan,
        elite(plan.parent.name, 0),
        tuple(elite(name, at) for at, name in enumerate(notes["elites"], 1)),
        tuple(tally.summaries),
        tally.measured,
        landscape_of(notes["landscape"], judged),
        folder,
        timing,
    )


def _nobody(_progress: EvolutionProgress) -> None:
    """Tell nobody."""
