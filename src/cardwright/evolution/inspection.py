"""Inspecting the records of a search for damaged files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.manifest import FORMAT
from cardwright.evolution.records import PIECES, records_in
from cardwright.jobs.blocks import BLOCKS
from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.inspection import Inspection

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.evolution.records import EvolutionRecords


def inspect_search(folder: Path) -> Inspection:
    """Inspect the files of a search; raises RecordsError without a plan to check against."""
    records = records_in(folder)
    manifest = records.manifest
    there = {f"{one.parent.name}/{one.name}" for name in (BLOCKS, PIECES)
             for one in (folder / name).glob("[!.]*")}  # fmt: skip
    looked = {
        name: _wrong(records, folder / name) for name in sorted(there | manifest.digests.keys())
    }
    return Inspection(
        folder,
        "search",
        FORMAT,
        manifest.complete,
        looked,
        bool(manifest.digests),
        "their candidates",
    )


def _wrong(records: EvolutionRecords, file: Path) -> str:
    try:
        if file.parent.name == PIECES:
            records.piece(file)
        else:
            records.read(records.blocks.number(file))
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{file} ")
    return ""
