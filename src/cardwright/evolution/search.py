"""The search itself: ask the method, make and measure a generation, tell the method; and again."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.evolution.evaluation import Departure, DepartureReason, FunnelStep
from cardwright.evolution.funnel.funnel import Funnel
from cardwright.evolution.job import CandidatesJob
from cardwright.evolution.landscape_data import landscape_data
from cardwright.evolution.progress import EvolutionProgress
from cardwright.evolution.tally import GenerationTally, judge
from cardwright.evolution.task import MakeCandidates, MeasureCandidates, asking
from cardwright.evolution.timing import EvolutionTiming
from cardwright.evolution.variation.vary import varied
from cardwright.jobs.job import KEEP_SECONDS, carry_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.evaluation import Evaluated
    from cardwright.evolution.funnel.funnel import FunnelPlan
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.evolution.records import EvolutionRecords
    from cardwright.evolution.task import MakeFunnel, Vary
    from cardwright.jobs.executor import Call, Executor

    FoundNotes: TypeAlias = dict[str, Any]
    TellEvolution: TypeAlias = Callable[[EvolutionProgress], object]


@dataclass(frozen=True)
class SearchParts:
    """What a search is made of; all that is sent to other processes can be."""

    method: Callable[[EvolutionPlan], SearchMethod]
    vary: Vary = varied
    funnel: MakeFunnel = Funnel


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
        records: EvolutionRecords | None,
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
        if records is not None and records.there(number):
            found, _ = records.read(number)
            self._take(number, found)
            return
        found = self._unlike(self._played(number, call, size))
        self._take(number, found)
        if records is not None:
            records.add(number, found, {"elites": self.tally.elites})
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
            call, count=size, number=number, first=first,
            records=self._records, tell=tell, spent=spent,
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
        if self._records is not None and self._records.there(number):
            self.again, _ = self._records.read(number)
            return
        candidates = (self.plan.parent, *found[: self.plan.finalists])
        call = self._measuring(candidates, self.plan.final)
        self.again = self._played(number, call, len(candidates))
        if self._records is not None:
            self._records.add(number, self.again, self.found)
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
