"""Looking through records for damage, and setting damaged files aside, to be made anew."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.arena.manifest import FILE, LOCK, Manifest, RecordsError, locked, write_whole
from cardwright.arena.played import PartError, Played
from cardwright.arena.records import (
    DECISIONS,
    FAULTS,
    GAMES,
    PARTS,
    RESULTS,
    TIMING,
    check_polars,
)
from cardwright.game.digests import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

ASIDE = "damaged"
"""The folder to which damaged files are moved, in that of the records."""

_TABLES = {
    "scores": (RESULTS,),
    "games": (RESULTS, GAMES),
    "decisions": (RESULTS, GAMES, DECISIONS),
}


@dataclass(frozen=True)
class Inspection:
    """What there is to say of the files of some records.

    `what` is the kind of records, as `run`. `files` is how many were looked at; `damaged` has the
    names of those that are damaged or missing, each with what is wrong. `digests` says whether
    there were any to check by: there are none before the end, when every file tells by sums of its
    own whether it is whole. `again` says what is played again if the damaged files are set aside.
    """

    folder: Path
    what: str
    complete: bool
    files: int
    damaged: Mapping[str, str]
    digests: bool
    again: str


def inspect_run(folder: Path) -> Inspection:
    """Look through the records of a run; raises RecordsError if there is no manifest to go by."""
    manifest = Manifest.read(folder)
    if manifest.complete:
        names = (*_TABLES[manifest.plan.detail], FAULTS, TIMING)
        wrong = {name: _wrong(folder, name, manifest) for name in names}
        again = "all its deals"
    else:
        parts = sorted((folder / PARTS).glob("*.npz"))
        wrong = {f"{PARTS}/{file.name}": _wrong_part(file) for file in parts}
        again = "their deals"
    damaged = {name: reason for name, reason in wrong.items() if reason}
    checked = bool(manifest.digests)
    return Inspection(folder, "run", manifest.complete, len(wrong), damaged, checked, again)


def reopen_run(folder: Path) -> None:
    """Let the manifest of a run say that it is not finished."""
    manifest = replace(Manifest.read(folder), complete=False, played=0, digests={})
    write_whole(folder / FILE, manifest.text().encode())


def _wrong(folder: Path, name: str, manifest: Manifest) -> str:
    """Say what is wrong with a file of a finished run; empty if nothing is."""
    if name in manifest.digests:
        return changed(folder, name, manifest.digests)
    try:
        if name.endswith(".json"):
            json.loads((folder / name).read_text(encoding="utf-8"))
        else:
            check_polars()
            import polars as pl  # noqa: PLC0415 - heavy, and an extra

            pl.read_parquet(folder / name)
    except OSError as error:
        return error.strerror or str(error)
    except Exception as error:  # what is wrong with the bytes shows in a great many ways
        return f"{type(error).__name__}: {error}"
    return ""


def _wrong_part(file: Path) -> str:
    try:
        Played.unpacked(file.read_bytes(), str(file))
    except OSError as error:
        return error.strerror or str(error)
    except PartError as error:
        return error.reason
    return ""


def set_aside(found: Inspection, reopen: Callable[[Path], None]) -> list[Path]:
    """Move the damaged files of records away, and return where those are that were there.

    `reopen` is to let the manifest in a folder say that what is there is not finished. Raises
    RecordsError if another process is writing there, or if that is not possible.
    """
    moved = []
    try:
        with locked(found.folder, f"the {found.what} in {found.folder}"):
            if found.complete:
                reopen(found.folder)
            for name in found.damaged:
                file = found.folder / name
                if file.exists():
                    target = _free(found.folder / ASIDE / file.name)
                    target.parent.mkdir(exist_ok=True)
                    file.replace(target)
                    moved.append(target)
        (found.folder / LOCK).unlink(missing_ok=True)
    except OSError as error:
        raise RecordsError(f"{found.folder}: {error.strerror or error}") from None
    return moved


def _free(file: Path) -> Path:
    """Return a name like this that no file has."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free
