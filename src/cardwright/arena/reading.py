"""Reading the records of a finished run, and exporting them as CSV."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardwright.arena.manifest import Manifest
from cardwright.arena.played import first_faults, noted_fault
from cardwright.arena.records import (
    DECISIONS,
    FAULTS,
    GAMES,
    RESULTS,
    TIMING,
)
from cardwright.arena.results import Timing
from cardwright.arena.tables import check_polars, results_of
from cardwright.jobs.digests import changed, warn_unchecked
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_whole
from cardwright.jobs.manifest import how_to_mend
from cardwright.syntax.data_files import check_regular, parse_json, read_text, safe_cell

if TYPE_CHECKING:
    import polars as pl

    from cardwright.arena.results import Results

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
    faults, times = _json(folder / FAULTS), _json(folder / TIMING)
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


def _json(file: Path) -> Any:
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
