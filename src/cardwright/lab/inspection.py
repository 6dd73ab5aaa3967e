"""Looking through the records of an experiment for damaged blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.inspection import Inspection
from cardwright.arena.manifest import write_whole
from cardwright.lab.errors import DamagedError, LabError
from cardwright.lab.ledger import LEDGER, Ledger
from cardwright.lab.pieces import pieces
from cardwright.lab.records import BLOCKS, PIECES, records_in

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.lab.records import LabRecords


def inspect_experiment(folder: Path) -> Inspection:
    """Look through the blocks of an experiment; raises LabError if there is no plan to go by."""
    records = records_in(folder)
    ledger = records.ledger
    there = {f"{one.parent.name}/{one.name}" for name in (BLOCKS, PIECES)
             for one in (folder / name).glob("[!.]*")}  # fmt: skip
    names = sorted(there | ledger.digests.keys())
    wrong = {name: _wrong(records, folder / name) for name in names}
    damaged = {name: reason for name, reason in wrong.items() if reason}
    return Inspection(
        folder,
        "experiment",
        ledger.complete,
        len(names),
        damaged,
        bool(ledger.digests),
        "their deals",
    )


def reopen_experiment(folder: Path) -> None:
    """Let the manifest of an experiment say that it is not finished."""
    write_whole(folder / LEDGER, Ledger.read(folder).reopened().text().encode())


def _wrong(records: LabRecords, file: Path) -> str:
    try:
        if file.parent.name == PIECES:
            records.piece(file, pieces(records.plan))
        else:
            records.read(records.number(file))
    except DamagedError as error:
        return error.reason
    except LabError as error:
        return str(error).removeprefix(f"{file} ")
    return ""
