"""Manifests: the file that identifies the folder of a job, as JSON with a format and a version.

Each kind of job has a manifest of its own; what they have in common is here.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_whole
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "manifest.json"


@dataclass(frozen=True)
class Format:
    """What identifies the manifests of one kind of job.

    `whose` manifests they are is for messages, such as `a season`; `unfinished` holds what they say
    of an unfinished job, besides that it is not complete and has no digests.
    """

    name: str
    version: int
    whose: str
    unfinished: Mapping[str, Any] = field(default_factory=dict)

    def read(self, folder: Path) -> dict[str, Any] | None:
        """Return what the manifest of a folder says; None if there is none.

        Raises RecordsError for a file that cannot be read, that is not a manifest of this format,
        and for other versions of it.
        """
        file = folder / FILE
        try:
            data = parse_json(read_text(file))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise RecordsError(f"{file} cannot be read: {error}") from None
        if not isinstance(data, dict) or data.get("format") != self.name:
            raise RecordsError(f"{file} is not the manifest of {self.whose}")
        if data.get("format_version") != self.version:
            raise RecordsError(
                f"{folder} has records of format {data.get('format_version')}; this version of "
                f"Cardwright reads format {self.version}"
            )
        return {"results_version": 1, **data}

    def write(self, folder: Path, data: Mapping[str, Any]) -> None:
        """Write a manifest with these entries after its format; raises RecordsError.

        It is of this version's results, unless the entries say of which others.
        """
        whole = {
            "format": self.name,
            "format_version": self.version,
            "results_version": RESULTS_VERSION,
            **data,
        }
        content = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
        write_whole(folder / FILE, content.encode())

    def reopen(self, folder: Path) -> None:
        """Mark the job of a folder as not finished in its manifest."""
        unfinished = {"complete": False, "digests": {}, **self.unfinished}
        self.write(folder, (self.read(folder) or {}) | unfinished)


def read_digests(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of files in a manifest; none, if it was written without them.

    Raises TypeError for anything else in their place.
    """
    found = data.get("digests", {})
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise TypeError("its digests are not strings by file name")
    return found


def unreadable(folder: Path, error: Exception) -> RecordsError:
    """Return the error for a manifest that lacks something, or has something wrong."""
    return RecordsError(f"{folder / FILE} is damaged: {type(error).__name__}: {error}")


def how_to_mend(folder: Path, what: str) -> str:
    """Say what to do about a damaged file of records: `what` is the run, or whatever they hold."""
    command = f"cardwright records {shlex.quote(str(folder))} --set-aside"
    return f"`{command}` sets damaged files aside; then resume {what}, which plays them again"


def of_versions(there: str, here: str) -> list[str]:
    """Say that the job to be resumed was begun by another version of Cardwright: no line if not."""
    return [] if there == here else [f"Cardwright's version: {there} there, {here} here"]


def of_results(there: int) -> list[str]:
    """Say that a job to be resumed has results of another version: no line if it has not."""
    if there == RESULTS_VERSION:
        return []
    here = f"{RESULTS_VERSION} here, where the same seeds play other games"
    return [f"version of results: {there} there, {here}"]
