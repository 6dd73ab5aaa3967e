"""Looking through the records of a season for damaged blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.inspection import Inspection
from cardwright.game.digests import changed
from cardwright.league.block import Block, DamagedError
from cardwright.league.records import (
    block_file,
    block_name,
    read_manifest,
    read_season,
    write_manifest,
)

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.league.records import Season


def inspect_season(folder: Path) -> Inspection:
    """Look through the blocks of the season in a folder; raises RecordsError if it has none."""
    season = read_season(folder)
    files = [block_file(season.folder, number) for number in range(season.plan.blocks)]
    files = [file for file in files if season.complete or file.exists()]
    wrong = {block_name(file): _wrong(season, file) for file in files}
    damaged = {name: reason for name, reason in wrong.items() if reason}
    return Inspection(
        season.folder,
        "season",
        season.complete,
        len(files),
        damaged,
        bool(season.digests),
        "their games",
    )


def reopen_season(records: Path) -> None:
    """Let the manifest of a season say that it is not finished."""
    data = read_manifest(records) or {}
    write_manifest(records, data | {"complete": False, "digests": {}})


def _wrong(season: Season, file: Path) -> str:
    if wrong := changed(season.folder, block_name(file), season.digests):
        return wrong
    try:
        Block.unpacked(file.read_bytes(), str(file))
    except OSError as error:
        return error.strerror or str(error)
    except DamagedError as error:
        return error.reason
    return ""
