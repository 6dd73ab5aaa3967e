"""Records: the folder of a run, with its manifest, its parts and its tables."""

from __future__ import annotations

import io
import json
import platform
import shutil
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.arena.plan import PlanError, RunPlan
from cardwright.arena.results import (
    PlayedDeals,
    Timing,
    check_polars,
    decisions_frame,
    first_faults,
    games_frame,
    noted_fault,
    results_frame,
    results_of,
)
from cardwright.arena.schedule import is_balanced
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    changed,
    digest,
    warn_unchecked,
    write_whole,
)
from cardwright.jobs.folder import (
    FILE,
    MOST_BYTES,
    Format,
    Inspection,
    check_empty,
    check_same,
    held,
    how_to_mend,
    of_results,
    of_versions,
    read_digests,
    remove_lock,
    unreadable,
    using,
)
from cardwright.syntax.data_files import check_regular, parse_json, read_bytes, read_text, safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import polars as pl

    from cardwright.arena.results import Results

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


PARTS = "parts"
RESULTS = "results.parquet"
GAMES = "games.parquet"
DECISIONS = "decisions.parquet"
FAULTS = "faults.json"
TIMING = "timing.json"

_ROWS = 2**16
"""Rows in one row group of a Parquet file."""


class RunRecords:
    """A run's folder, for writing; see `opened`."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    def parts(self) -> list[PlayedDeals]:
        """Return all stored parts; raises DamagedError or RecordsError for a bad one."""
        files = part_files(self.folder)
        parts = [PlayedDeals.unpacked(read_bytes(file, MOST_BYTES), str(file)) for file in files]
        counts = Counter(deal for part in parts for deal in part.deals)
        twice = [deal for deal, count in counts.items() if count > 1]
        if twice:
            raise RecordsError(
                f"{self.folder / PARTS} has deal {min(twice)} more than once: these parts are not "
                "all from one run"
            )
        return parts

    def add(self, part: PlayedDeals) -> None:
        """Add some deals; adding the same ones again does no harm."""
        write_whole(self.folder / PARTS / f"{part.deals[0]:09}.npz", part.packed())

    def finish(self, whole: PlayedDeals) -> None:
        """Write the tables of all deals, mark the run as complete, and remove the parts."""
        plan = self.manifest.plan
        digests = {}
        for name, frame in _frames(whole):
            content = _parquet(frame)
            write_whole(self.folder / name, content)
            digests[name] = digest(content)
        faults = _json(_faults(plan, whole))
        write_whole(self.folder / FAULTS, faults)
        digests[FAULTS] = digest(faults)
        write_whole(self.folder / TIMING, _json(_timing(plan, whole)))
        played = len(whole.deals)
        self.manifest = replace(self.manifest, complete=True, played=played, digests=digests)
        self.manifest.write(self.folder)
        self.clear()

    def clear(self) -> None:
        """Remove what only an unfinished run needs."""
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)
        remove_lock(self.folder)


@contextmanager
def opened(
    folder: Path, plan: RunPlan, rule: StopRule | None, *, resume: bool
) -> Iterator[RunRecords]:
    """Open the folder of a run, new or to be resumed, for this process alone.

    Raises RecordsError if there is something else in it, if it is in use, if there is a run in it
    though `resume` is not set, or if it cannot be written; and MissingExtraError without polars.
    """
    check_polars()
    with using(folder):
        manifest = _to_resume(folder, plan, rule, resume=resume)
    with held(folder, PARTS, f"the run in {folder}"):
        records = RunRecords(folder, manifest or Manifest.new(plan, rule))
        if manifest is None:
            records.manifest.write(folder)
        yield records


def _to_resume(
    folder: Path, plan: RunPlan, rule: StopRule | None, *, resume: bool
) -> Manifest | None:
    """Return the manifest of the run to resume in a folder; None if there is none yet."""
    if not folder.exists():
        return None
    if not (folder / FILE).exists():
        check_empty("a run", folder, {PARTS})
        return None
    manifest = Manifest.read(folder)
    finished = "has all its deals" if manifest.complete else ""
    check_same("a run", folder, finished, manifest.differences(plan, rule), resume=resume)
    return manifest


def part_files(folder: Path) -> list[Path]:
    """Return the files of the parts in a run's folder."""
    return sorted((folder / PARTS).glob("*.npz"))


def _frames(whole: PlayedDeals) -> Iterable[tuple[str, pl.DataFrame]]:
    yield RESULTS, results_frame(whole.results)
    if "games" in whole.traces:
        yield GAMES, games_frame(whole.traces["games"])
    if "decisions" in whole.traces:
        yield DECISIONS, decisions_frame(whole.traces["decisions"])


def _parquet(frame: pl.DataFrame) -> bytes:
    memory = io.BytesIO()
    frame.rechunk().write_parquet(
        memory, compression="zstd", compression_level=3, statistics=True, row_group_size=_ROWS
    )
    return memory.getvalue()


def _json(data: Any) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def _faults(plan: RunPlan, whole: PlayedDeals) -> list[dict[str, Any]]:
    """Return for every entrant how many faults it made, and the first ones."""
    rows = whole.results
    summary = []
    for number, text in enumerate(plan.entrants):
        mine = rows.faults[rows.entrant == number]
        first = [one for one in whole.faults if one.entrant == number]
        summary.append(
            {
                "entrant": text,
                "games": len(mine),
                "games_with_faults": int((mine > 0).sum()),
                "faults": int(mine.sum()),
                "first": [
                    {"deal": one.deal, "table": one.table, **asdict(one.fault)} for one in first
                ],
            }
        )
    return summary


def _timing(plan: RunPlan, whole: PlayedDeals) -> dict[str, Any]:
    """Return how long every entrant took, over all deals that were played, kept or not."""
    return {
        "note": "these depend on the machine and are not reproducible",
        "entrants": [
            {"entrant": text, **asdict(timing)}
            for text, timing in zip(plan.entrants, whole.timing, strict=True)
        ],
        "seconds_of_batches": whole.seconds,
    }


FILES = {"results": RESULTS, "games": GAMES, "decisions": DECISIONS}


def read_manifest(folder: str | Path) -> Manifest:
    """Return the manifest of a folder of records; raises RecordsError if it has none."""
    return Manifest.read(Path(folder))


def read_results(folder: str | Path) -> pl.DataFrame:
    """Return a finished run's results: a row per game and seat, sorted by deal, table and seat.

    Raises RecordsError if the folder has no records, is not finished, or is damaged.
    """
    return read_table(folder, "results")


def load_results(folder: str | Path) -> Results:
    """Return a finished run's results just as `run` returned them."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    rows = results_of(read_results(folder))
    _check(folder, FAULTS, manifest)
    faults, times = _read_json(folder / FAULTS), _read_json(folder / TIMING)
    try:
        noted = [
            noted_fault(
                {
                    "entrant": number,
                    "deal": one.pop("deal"),
                    "table": one.pop("table"),
                    "fault": one,
                }
            )
            for number, entrant in enumerate(faults)
            for one in entrant["first"]
        ]
        timing = tuple(
            Timing(one["decisions"], one["seconds"], one["longest"]) for one in times["entrants"]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordsError(f"{folder}: {FAULTS} or {TIMING} is damaged: {error!r}") from None
    stopped = manifest.played < manifest.plan.deals
    return replace(rows, timing=timing, faults_noted=first_faults(noted), stopped=stopped)


def read_table(folder: str | Path, table: Literal["results", "games", "decisions"]) -> pl.DataFrame:
    """Return a table of a finished run; raises RecordsError if it is not available."""
    check_polars()
    import polars as pl

    folder = Path(folder)
    manifest = Manifest.read(folder)
    if not manifest.complete:
        raise RecordsError(
            f"the run in {folder} is not finished: resume it to play what is left of its "
            f"{manifest.plan.deals} deals"
        )
    file = folder / FILES[table]
    if not file.exists() and table != "results":
        raise RecordsError(
            f"{folder} has no {FILES[table]}: the plan's detail was {manifest.plan.detail!r}"
        )
    if not manifest.digests:
        warn_unchecked(folder)
    _check(folder, FILES[table], manifest)
    try:
        check_regular(file)
        return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RecordsError(f"{file} cannot be read: {error}") from None


def check_unchanged(folder: Path, manifest: Manifest) -> None:
    """Raise RecordsError for a file of a finished run that has changed since it was written."""
    for name in manifest.digests:
        _check(folder, name, manifest)


def _check(folder: Path, name: str, manifest: Manifest) -> None:
    wrong = changed(folder, name, manifest.digests)
    if wrong:
        raise RecordsError(
            f"{folder / name} cannot be read: {wrong}; {how_to_mend(folder, 'the run')}"
        )


def _read_json(file: Path) -> Any:
    try:
        return parse_json(read_text(file))
    except (OSError, ValueError) as error:
        raise RecordsError(f"{file} cannot be read: {error}") from None


def export_csv(folder: str | Path, file: str | Path) -> None:
    """Write a finished run's results as CSV, with each entrant's spec in a last column `player`.

    Raises RecordsError if they cannot be read or written.
    """
    import polars as pl

    frame = read_results(folder)
    names = map(safe_cell, read_manifest(folder).plan.entrants)
    player = pl.col("entrant").replace_strict(dict(enumerate(names)), return_dtype=pl.String)
    content = frame.with_columns(player.alias("player")).write_csv(None)
    write_whole(Path(file), content.encode())


_TABLES = {
    "scores": (RESULTS,),
    "games": (RESULTS, GAMES),
    "decisions": (RESULTS, GAMES, DECISIONS),
}


def inspect_run(folder: Path) -> Inspection:
    """Inspect the records of a run; raises RecordsError without a manifest to check against."""
    manifest = Manifest.read(folder)
    if manifest.complete:
        names = (*_TABLES[manifest.plan.detail], FAULTS, TIMING)
        looked = {name: _wrong(folder, name, manifest) for name in names}
        again = "all its deals"
    else:
        looked = {f"{PARTS}/{file.name}": _wrong_part(file) for file in part_files(folder)}
        again = "their deals"
    checked = bool(manifest.digests)
    return Inspection(folder, "run", FORMAT, manifest.complete, looked, checked, again)


def _wrong(folder: Path, name: str, manifest: Manifest) -> str:
    """Say what is wrong with a file of a finished run; empty if nothing is."""
    if name in manifest.digests:
        return changed(folder, name, manifest.digests)
    try:
        if name.endswith(".json"):
            parse_json(read_text(folder / name))
        else:
            check_polars()
            import polars as pl

            check_regular(folder / name)
            pl.read_parquet(folder / name)
    except OSError as error:
        return error.strerror or str(error)
    except Exception as error:  # bad bytes cause errors of many kinds
        return f"{type(error).__name__}: {error}"
    return ""


def _wrong_part(file: Path) -> str:
    try:
        PlayedDeals.unpacked(read_bytes(file, MOST_BYTES), str(file))
    except OSError as error:
        return error.strerror or str(error)
    except DamagedError as error:
        return error.reason
    return ""
