"""Inspecting records for damage, and setting damaged files aside to be made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.jobs.errors import RecordsError
from cardwright.jobs.folder import locked, remove_lock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardwright.jobs.manifest import Format

ASIDE = "damaged"
"""The folder, in that of the records, to which damaged files are moved."""


@dataclass(frozen=True)
class Inspection:
    """What was found out about the files of some records.

    `what` is the kind of records, such as `run`, and `format` that of their manifest. `looked` has
    the names of the files that were inspected, each with what is wrong, if anything. `digests` says
    whether there were any to check against: there are none before the end, until when each file has
    checksums of its own. `again` says what is played again if damaged files are set aside.
    """

    folder: Path
    what: str
    format: Format
    complete: bool
    looked: Mapping[str, str]
    digests: bool
    again: str

    @property
    def files(self) -> int:
        """How many files were inspected."""
        return len(self.looked)

    @property
    def damaged(self) -> dict[str, str]:
        """The names of the files that are damaged or missing, each with what is wrong."""
        return {name: reason for name, reason in self.looked.items() if reason}


def set_aside(found: Inspection) -> list[Path]:
    """Move the damaged files of records away, and return the new places of those that existed.

    The manifest then says that the job is not finished. Raises RecordsError if another process is
    writing there, or if moving fails.
    """
    moved = []
    try:
        with locked(found.folder, f"the {found.what} in {found.folder}"):
            if found.complete:
                found.format.reopen(found.folder)
            for name in found.damaged:
                file = found.folder / name
                if file.exists():
                    target = _free(found.folder / ASIDE / file.name)
                    target.parent.mkdir(exist_ok=True)
                    file.replace(target)
                    moved.append(target)
        remove_lock(found.folder)
    except OSError as error:
        raise RecordsError(f"{found.folder}: {error.strerror or error}") from None
    return moved


def _free(file: Path) -> Path:
    """Return an unused name like this one."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free
