"""Inspection of a season's records for damaged blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.jobs.errors import DamagedError, RecordsError
from cardwright.jobs.inspection import Inspection
from cardwright.league.records import FORMAT, read_block, read_season

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.jobs.blocks import Blocks


def inspect_season(folder: Path) -> Inspection:
    """Inspect the blocks of the season in a folder; raises RecordsError if it has none."""
    season = read_season(folder)
    files = season.files
    numbers = range(files.count) if season.complete else files.there()
    looked = {files.name(number): _wrong(files, number) for number in numbers}
    return Inspection(
        season.folder,
        "season",
        FORMAT,
        season.complete,
        looked,
        bool(season.digests),
        "their games",
    )


def _wrong(files: Blocks, number: int) -> str:
    try:
        read_block(files, number)
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{files.file(number)} ")
    return ""
