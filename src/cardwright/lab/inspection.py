"""Inspecting the records of an experiment for damaged blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.jobs.blocks import BLOCKS
from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.inspection import Inspection
from cardwright.lab.manifest import FORMAT
from cardwright.lab.pieces import pieces
from cardwright.lab.records import PIECES, records_in

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.lab.records import LabRecords


def inspect_experiment(folder: Path) -> Inspection:
    """Inspect the blocks of an experiment; raises RecordsError without a plan to check against."""
    records = records_in(folder)
    manifest = records.manifest
    there = {f"{one.parent.name}/{one.name}" for name in (BLOCKS, PIECES)
             for one in (folder / name).glob("[!.]*")}  # fmt: skip
    looked = {
        name: _wrong(records, folder / name) for name in sorted(there | manifest.digests.keys())
    }
    return Inspection(
        folder,
        "experiment",
        FORMAT,
        manifest.complete,
        looked,
        bool(manifest.digests),
        "their deals",
    )


def _wrong(records: LabRecords, file: Path) -> str:
    try:
        if file.parent.name == PIECES:
            records.piece(file, pieces(records.plan))
        else:
            records.read(records.blocks.number(file))
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{file} ")
    return ""
