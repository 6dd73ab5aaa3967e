"""Records: the folder of a run while it is played, and its tables when it is over.

While a run is played, whole deals are added in *parts*, each written under a temporary name and
renamed once all of it is on the disk. At the end the parts become tables, sorted, with fixed sizes
and compression, so that their bytes do not depend on how the run went; the manifest then says that
they are complete, and the parts are removed. A crash at any moment leaves a folder that can be
resumed.
"""

from __future__ import annotations

import io
import json
import shutil
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from cardwright.arena.manifest import Manifest
from cardwright.arena.played import PlayedDeals
from cardwright.arena.tables import check_polars, decisions_frame, games_frame, results_frame
from cardwright.jobs.blocks import MOST_BYTES
from cardwright.jobs.digests import digest
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_whole
from cardwright.jobs.folder import check_empty, check_same, held, remove_lock, using
from cardwright.jobs.manifest import FILE
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import polars as pl

    from cardwright.arena.manifest import StopRule
    from cardwright.arena.plan import RunPlan

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
