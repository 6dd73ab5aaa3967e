"""The manifest of a run's folder: what was played, by which program, and how far it got."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.arena.plan import PlanError, RunPlan
from cardwright.arena.schedule import is_balanced
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.manifest import (
    FILE,
    Format,
    of_results,
    of_versions,
    read_digests,
    unreadable,
)

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = Format("cardwright records", 1, "Cardwright's records", {"deals_played": 0})

_SEEDS = (
    "the n-th deal's game seed, from 0, is "
    "numpy.random.SeedSequence(seed, spawn_key=(n,)).generate_state(1, 'uint64')[0]"
)


@dataclass(frozen=True)
class StopRule:
    """How a run is stopped early: a test of this name looks after each `every` deals."""

    every: int
    name: str


@dataclass(frozen=True)
class Manifest:
    """What a folder holds.

    `platform` says where the run was begun. `played` is the number of deals in its tables, 0 as
    long as it is not `complete`; fewer than planned if a test stopped it. `digests` has the SHA-256
    of each file of a complete run by its name, except for times; it is empty in older records.
    Seeds and choices replay its games only if `results` is the version of results here.
    """

    plan: RunPlan
    rule: StopRule | None
    platform: dict[str, str]
    cardwright: str = __version__
    results: int = RESULTS_VERSION
    complete: bool = False
    played: int = 0
    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def new(cls, plan: RunPlan, rule: StopRule | None) -> Manifest:
        """Return the manifest of a run that begins here and now."""
        return cls(plan, rule, _here())

    def write(self, folder: Path) -> None:
        """Write this to a folder."""
        data = {
            "results_version": self.results,
            "cardwright": self.cardwright,
            "platform": self.platform,
            "plan": self.plan.data(),
            "seeds": _SEEDS,
            "neighbours_balanced": is_balanced(self.plan.tables),
            "stop_rule": None if self.rule is None else asdict(self.rule),
            "complete": self.complete,
            "deals_played": self.played,
            "digests": self.digests,
        }
        FORMAT.write(folder, data)

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        data = FORMAT.read(folder)
        if data is None:
            what = "is not a folder of records" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        try:
            return cls._of_data(data)
        except (KeyError, TypeError, PlanError) as error:
            raise unreadable(folder, error) from None

    @classmethod
    def _of_data(cls, data: dict[str, Any]) -> Manifest:
        rule = data["stop_rule"]
        return cls(
            plan=RunPlan.of_data(data["plan"]),
            rule=None if rule is None else StopRule(**rule),
            platform=data["platform"],
            cardwright=data["cardwright"],
            results=data["results_version"],
            complete=data["complete"],
            played=data["deals_played"],
            digests=read_digests(data),
        )

    def differences(self, plan: RunPlan, rule: StopRule | None) -> list[str]:
        """Say where a run to be resumed differs from the one that was begun."""
        found = self.plan.differences(plan)
        if rule != self.rule:
            found.append(f"sequential test: {_said(self.rule)} there, {_said(rule)} here")
        return found + of_versions(self.cardwright, __version__) + of_results(self.results)


def _said(rule: StopRule | None) -> str:
    return "none" if rule is None else f"{rule.name or 'one'} every {rule.every} deals"


def _here() -> dict[str, str]:
    """Return what may matter about this machine and its libraries."""
    facts = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
    }
    for library in ("numpy", "llvmlite", "polars"):
        try:
            facts[library] = version(library)
        except PackageNotFoundError:
            facts[library] = "not installed"
    return facts
