"""Inspecting the records of a run for damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.manifest import FORMAT, Manifest
from cardwright.arena.played import PlayedDeals
from cardwright.arena.records import (
    DECISIONS,
    FAULTS,
    GAMES,
    PARTS,
    RESULTS,
    TIMING,
    part_files,
)
from cardwright.arena.tables import check_polars
from cardwright.jobs.blocks import MOST_BYTES
from cardwright.jobs.digests import changed
from cardwright.jobs.errors import DamagedError
from cardwright.jobs.inspection import Inspection
from cardwright.syntax.data_files import check_regular, parse_json, read_bytes, read_text

if TYPE_CHECKING:
    from pathlib import Path

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
