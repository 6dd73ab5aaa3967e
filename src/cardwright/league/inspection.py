"""Inspection of a season for damaged blocks and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.jobs.digests import changed
from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.inspection import Inspection
from cardwright.league.records import FORMAT, OUTPUTS, read_block, read_season

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.jobs.blocks import Blocks


def inspect_season(folder: Path) -> Inspection:
    """Inspect the blocks of the season in a folder, and its tables if they are there.

    Raises RecordsError if it has no records.
    """
    season = read_season(folder)
    files = season.files
    numbers = range(files.count) if season.complete else files.there()
    looked = {files.name(number): _wrong(files, number) for number in numbers}
    blocks = any(looked.values())
    if season.complete and (folder / OUTPUTS).is_dir():
        for name in season.tables:
            looked[f"../{OUTPUTS}/{name}"] = changed(folder / OUTPUTS, name, season.tables)
    return Inspection(
        season.folder,
        "season",
        FORMAT,
        season.complete,
        looked,
        bool(season.digests),
        "their games" if blocks else "no game, and writes the tables",
    )


def _wrong(files: Blocks, number: int) -> str:
    try:
        read_block(files, number)
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{files.file(number)} ")
    return ""
