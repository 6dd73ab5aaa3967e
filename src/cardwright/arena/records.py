"""Records: the folder of a run, with its manifest, its parts and its tables.

While a run is played, whole deals are added in parts. At the end the parts become tables, sorted,
with fixed sizes and compression, so that their bytes do not depend on how the run went; the
manifest then says that they are complete, and the parts are removed. A crash at any moment leaves a
folder that can be resumed.
"""

from __future__ import annotations

import io
import platform
from collections import Counter
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from cardwright.arena.plan import PlanError, RunPlan
from cardwright.arena.results import (
    NotedFault,
    PlayedDeals,
    Timing,
    decisions_frame,
    first_faults,
    games_frame,
    results_frame,
    results_of,
)
from cardwright.arena.schedule import is_balanced
from cardwright.extras import need
from cardwright.jobs.files import RecordsError, of_json, to_json, write_whole
from cardwright.jobs.folder import JobFolder, Manifest
from cardwright.syntax.data_files import check_regular, read_text, safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    import polars as pl

    from cardwright.arena.results import Results

    TableName: TypeAlias = Literal["results", "games", "decisions"]

FAULTS = "faults.json"
TIMING = "timing.json"

_SEEDS = (
    "the n-th deal's game seed, from 0, is "
    "numpy.random.SeedSequence(seed, spawn_key=(n,)).generate_state(1, 'uint64')[0]"
)
_ROWS = 2**16
"""Rows in one row group of a Parquet file."""

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class StopRule:
    """How a run is stopped early: a test of this name looks after each `every` deals."""

    every: int
    name: str

    def __str__(self) -> str:
        return f"{self.name or 'one'} every {self.every} deals"


@dataclass(frozen=True, kw_only=True)
class RunManifest(Manifest):
    """What identifies a run: how it is stopped early, and on which platform it was begun."""

    stop_rule: StopRule | None
    platform: dict[str, str]
    neighbours_balanced: bool
    seeds: str = _SEEDS


@dataclass(frozen=True)
class EntrantFaults:
    """How many faults an entrant made, in how many games, and the first ones."""

    entrant: str
    games: int
    games_with_faults: int
    faults: int
    first: tuple[NotedFault, ...]


@dataclass(frozen=True)
class RunTimes:
    """How long every entrant took, over all deals that were played, kept or not."""

    entrants: tuple[tuple[str, Timing], ...]
    seconds_of_batches: float
    note: str = "these depend on the machine and are not reproducible"


class RunFolder(JobFolder[RunManifest, PlayedDeals]):
    """The folder of a run; its pieces are parts, numbered by their first deals."""

    FORMAT = "cardwright records"
    WHAT, TASKS = "run", "deals"
    MANIFEST, BLOCK = RunManifest, PlayedDeals

    def __init__(self, folder: Path, manifest: RunManifest) -> None:
        super().__init__(folder, manifest)
        try:
            self.plan = RunPlan.of_data(manifest.plan)
        except PlanError as error:
            raise self.unreadable(error) from None

    @classmethod
    def of_plan(cls, folder: Path, plan: RunPlan, rule: StopRule | None) -> RunFolder:
        """Return the folder of a run that begins here and now."""
        balanced = is_balanced(plan.tables)
        manifest = RunManifest(
            plan=plan.data(), stop_rule=rule, platform=_here(), neighbours_balanced=balanced
        )
        return cls(folder, manifest)

    def played_again(self, damaged: Iterable[str]) -> str:
        """Say what is played again if these files are set aside."""
        tables = any(not name.startswith(self.pieces.kind) for name in damaged)
        return "all its deals" if tables else super().played_again(damaged)

    def differences(self, here: RunFolder) -> list[str]:
        """Say where the run that is there differs from the one to be played."""
        lines = super().differences(here)
        there, now = self.manifest.stop_rule, here.manifest.stop_rule
        if there != now:
            lines.append(f"sequential test: {there or 'none'} there, {now or 'none'} here")
        return lines

    def check(self, blocks: object, number: int, block: PlayedDeals) -> None:
        """Raise ValueError unless a part begins with the deal of its number."""
        if not block.deals or block.deals[0] != number:
            raise ValueError("its deals are not those in its name")

    def parts(self) -> list[PlayedDeals]:
        """Return all stored parts; raises DamagedError or RecordsError for a bad one."""
        parts = [self.pieces.read(number) for number in self.pieces.numbers()]
        counts = Counter(deal for part in parts for deal in part.deals)
        twice = [deal for deal, count in counts.items() if count > 1]
        if twice:
            raise RecordsError(
                f"{self.pieces.folder} has deal {min(twice)} more than once: these parts are not "
                "all from one run"
            )
        return parts

    def add(self, part: PlayedDeals) -> None:
        """Add some deals; adding the same ones again does no harm."""
        self.pieces.write({part.deals[0]: part})

    def write_tables(self, whole: PlayedDeals) -> None:
        """Write the tables of all deals, and mark the run as complete."""
        contents = {f"{name}.parquet": _parquet(frame) for name, frame in _frames(whole)}
        contents[FAULTS] = to_json(_faults(self.plan, whole)).encode()
        for name, content in contents.items():
            write_whole(self.folder / name, content)
        timed = tuple(zip(self.plan.entrants, whole.timing, strict=True))
        write_whole(self.folder / TIMING, to_json(RunTimes(timed, whole.seconds)).encode())
        self.finish(contents, played=len(whole.deals))

    def table(self, name: TableName) -> pl.DataFrame:
        """Return a table of a finished run; raises RecordsError if it is not available."""
        need("polars")
        import polars as pl

        if not self.manifest.complete:
            raise RecordsError(
                f"the run in {self.folder} is not finished: resume it to play what is left of its "
                f"{self.plan.deals} deals"
            )
        file = self.folder / f"{name}.parquet"
        if file.name not in self.manifest.digests:
            raise RecordsError(
                f"{self.folder} has no {file.name}: the plan's detail was {self.plan.detail!r}"
            )
        self.check_file(file.name)
        try:
            check_regular(file)
            return pl.read_parquet(file)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise RecordsError(f"{file} cannot be read: {error}") from None

    def results(self) -> Results:
        """Return a finished run's results just as `run` returned them."""
        rows = results_of(self.table("results"))
        self.check_file(FAULTS)
        faults = _read_json(self.folder / FAULTS, tuple[EntrantFaults, ...])
        times = _read_json(self.folder / TIMING, RunTimes)
        return replace(
            rows,
            timing=tuple(timing for _, timing in times.entrants),
            faults_noted=first_faults(fault for faults_of in faults for fault in faults_of.first),
            stopped=self.manifest.played < self.plan.deals,
        )


def read_results(folder: str | Path) -> pl.DataFrame:
    """Return a finished run's results: a row per game and seat, sorted by deal, table and seat.

    Raises RecordsError if the folder has no records, is not finished, or is damaged.
    """
    return read_table(folder, "results")


def load_results(folder: str | Path) -> Results:
    """Return a finished run's results just as `run` returned them."""
    return RunFolder.read(Path(folder)).results()


def read_table(folder: str | Path, table: TableName) -> pl.DataFrame:
    """Return a table of a finished run; raises RecordsError if it is not available."""
    return RunFolder.read(Path(folder)).table(table)


def export_csv(folder: str | Path, file: str | Path) -> None:
    """Write a finished run's results as CSV, with each entrant's spec in a last column `player`.

    Raises RecordsError if they cannot be read or written.
    """
    import polars as pl

    there = RunFolder.read(Path(folder))
    names = dict(enumerate(map(safe_cell, there.plan.entrants)))
    player = pl.col("entrant").replace_strict(names, return_dtype=pl.String)
    content = there.table("results").with_columns(player.alias("player")).write_csv(None)
    write_whole(Path(file), content.encode())


def _frames(whole: PlayedDeals) -> Iterator[tuple[str, pl.DataFrame]]:
    yield "results", results_frame(whole.results)
    if "games" in whole.traces:
        yield "games", games_frame(whole.traces["games"])
    if "decisions" in whole.traces:
        yield "decisions", decisions_frame(whole.traces["decisions"])


def _parquet(frame: pl.DataFrame) -> bytes:
    memory = io.BytesIO()
    frame.rechunk().write_parquet(
        memory, compression="zstd", compression_level=3, statistics=True, row_group_size=_ROWS
    )
    return memory.getvalue()


def _read_json(file: Path, kind: type[Kind]) -> Kind:
    try:
        return of_json(read_text(file), kind)
    except (OSError, ValueError) as error:
        raise RecordsError(f"{file} is damaged: {error}") from None


def _faults(plan: RunPlan, whole: PlayedDeals) -> tuple[EntrantFaults, ...]:
    """Return for every entrant how many faults it made, and the first ones."""
    rows = whole.results

    def of_entrant(number: int, text: str) -> EntrantFaults:
        mine = rows.faults[rows.entrant == number]
        first = tuple(fault for fault in whole.faults if fault.entrant == number)
        return EntrantFaults(text, len(mine), int((mine > 0).sum()), int(mine.sum()), first)

    return tuple(of_entrant(*numbered) for numbered in enumerate(plan.entrants))


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
