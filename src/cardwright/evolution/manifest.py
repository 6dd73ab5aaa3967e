"""Manifests: what identifies the folder of a search, and says whether it is over."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.manifest import (
    FILE,
    Format,
    of_results,
    of_versions,
    read_digests,
    unreadable,
)

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = Format("cardwright evolution", 1, "a search for games")


@dataclass(frozen=True)
class EvolutionManifest:
    """What a folder says about itself.

    `plan` is the digest of the plan's text. `digests` has the SHA-256 of each block of a `complete`
    search by the name of its file.
    """

    cardwright: str
    plan: str
    complete: bool = False
    digests: dict[str, str] = field(default_factory=dict)
    results_version: int = RESULTS_VERSION

    @classmethod
    def new(cls, plan: str) -> EvolutionManifest:
        """Return the manifest of a search that begins here."""
        return cls(__version__, plan)

    def finished(self, digests: dict[str, str]) -> EvolutionManifest:
        """Return the manifest of the same search once it is over."""
        return replace(self, complete=True, digests=digests)

    def write(self, folder: Path) -> None:
        """Write this to a folder."""
        FORMAT.write(folder, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> EvolutionManifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        data = FORMAT.read(folder)
        if data is None:
            what = "has no records of a search" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        facts = {key: data[key] for key in data.keys() - {"format", "format_version"}}
        try:
            return cls(**{**facts, "digests": read_digests(data)})
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(folder, error) from None

    def differences(self, other: EvolutionManifest) -> list[str]:
        """Say how a search to be resumed would be carried out differently: a line for each."""
        return of_versions(self.cardwright, other.cardwright) + of_results(self.results_version)
