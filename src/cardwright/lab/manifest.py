"""Manifests: what identifies an experiment's folder and says how far it got."""

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
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.lab.plan import LabPlan

FORMAT = Format("cardwright experiment", 1, "an experiment", {"played": 0})


@dataclass(frozen=True)
class LabManifest:
    """What a folder says about itself.

    `plan` is the digest of the plan's text, `games` are the digests of the rules that are played;
    `together` deals make a block. For a `complete` experiment `played` is the number of deals,
    which may be fewer than planned if it was stopped; otherwise it is 0. `digests` has the SHA-256
    of each block of a complete experiment by the name of its file; older records have none.
    """

    cardwright: str
    plan: str
    games: tuple[str, ...]
    together: int
    complete: bool = False
    played: int = 0
    digests: dict[str, str] = field(default_factory=dict)
    results_version: int = RESULTS_VERSION

    @classmethod
    def new(cls, plan: str, together: int, games: Sequence[str]) -> LabManifest:
        """Return the manifest of an experiment that begins here."""
        return cls(__version__, plan, tuple(games), together)

    def finished(self, deals: int, digests: dict[str, str]) -> LabManifest:
        """Return the manifest of the same experiment once it is over."""
        return replace(self, complete=True, played=deals, digests=digests)

    def blocks(self, plan: LabPlan) -> int:
        """Return how many blocks the planned deals make."""
        return -(-plan.deals // self.together)

    def deals(self, plan: LabPlan, block: int) -> range:
        """Return the deals of a block."""
        first = block * self.together
        return range(first, min(first + self.together, plan.deals))

    def write(self, folder: Path) -> None:
        """Write this to a folder."""
        FORMAT.write(folder, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> LabManifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        data = FORMAT.read(folder)
        if data is None:
            what = "has no records of an experiment" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        facts = {key: data[key] for key in data.keys() - {"format", "format_version"}}
        try:
            made = {"games": tuple(data["games"]), "digests": read_digests(data)}
            manifest = cls(**{**facts, **made})
            if manifest.together < 1 or manifest.played < 0:
                raise ValueError("its numbers make no sense")
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(folder, error) from None
        return manifest

    def differences(self, other: LabManifest) -> list[str]:
        """Say how an experiment to be resumed would be played differently: a line for each."""
        found = of_versions(self.cardwright, other.cardwright) + of_results(self.results_version)
        if not found and self.together != other.together:
            found.append(f"deals of a block: {self.together} there, {other.together} here")
        if self.games != other.games:
            found.append("the rules of the game have changed")
        return found
