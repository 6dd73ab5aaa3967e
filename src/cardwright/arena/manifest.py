"""The manifest of a run's folder: what was played, by which program, and how far it got."""

from __future__ import annotations

import json
import os
import platform
import shlex
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import IO, TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.arena.plan import Plan, PlanError
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FORMAT = "cardwright records"
FORMAT_VERSION = 1
FILE = "manifest.json"
LOCK = ".lock"

_SEEDS = (
    "the n-th deal's game seed, from 0, is "
    "numpy.random.SeedSequence(seed, spawn_key=(n,)).generate_state(1, 'uint64')[0]"
)


class RecordsError(CardwrightError):
    """A folder whose records cannot be read, written or gone on with; the message says why."""


def read_format(file: Path, name: str, version: int, whose: str) -> dict[str, Any] | None:
    """Return what the manifest of a folder says, which names its format; None if there is none.

    Raises RecordsError for a file that cannot be read, that is not the manifest of what is `whose`,
    and for other versions of its format.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RecordsError(f"{file} cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("format") != name:
        raise RecordsError(f"{file} is not the manifest of {whose}")
    if data.get("format_version") != version:
        raise RecordsError(
            f"{file.parent} has records of format {data.get('format_version')}; this version of "
            f"Cardwright reads format {version}"
        )
    return data


def read_digests(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of files that a manifest has; none, if it was written without them.

    Raises TypeError for anything else in their place.
    """
    found = data.get("digests", {})
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise TypeError("its digests are no texts by the names of files")
    return found


def how_to_mend(folder: Path, what: str) -> str:
    """Say what to do about a damaged file of records: `what` is the run, or whatever they hold."""
    command = f"cardwright records {shlex.quote(str(folder))} --set-aside"
    return f"`{command}` sets damaged files aside; then resume {what}, which plays them again"


def check_same(
    kind: str, folder: Path, finished: str, differences: Sequence[str], *, resume: bool
) -> None:
    """Raise RecordsError unless what was begun in a folder is to go on, and is the same.

    `kind` says what that is, as `a run`, and `finished` that it is over, or empty that it is not;
    `differences` are the lines that say where it differs from what is to be played.
    """
    if not resume:
        advice = "name another folder" if differences else "resume it, or name another folder"
        raise RecordsError(
            f"there is already {kind} in {folder}, which {finished or 'is not finished'}: {advice}"
        )
    if differences:
        listed = "\n".join(f"  {one}" for one in differences)
        _, _, name = kind.partition(" ")
        raise RecordsError(f"the {name} in {folder} is another one than this:\n{listed}")


@dataclass(frozen=True)
class StopRule:
    """How a run is to be stopped early: after how many deals each, by a test of this name."""

    every: int
    name: str


@dataclass(frozen=True)
class Manifest:
    """What a folder holds.

    `platform` says where the run was begun. `played` is the number of deals in its tables, 0 as
    long as it is not `complete`; fewer than planned if a test stopped it. `digests` has the SHA-256
    of each file of a complete run by its name, but for times; it is empty in records of before.
    """

    plan: Plan
    rule: StopRule | None
    platform: dict[str, str]
    cardwright: str = __version__
    complete: bool = False
    played: int = 0
    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def new(cls, plan: Plan, rule: StopRule | None) -> Manifest:
        """Return the manifest of a run that begins here and now."""
        return cls(plan, rule, _here())

    def text(self) -> str:
        """Return the manifest as JSON."""
        data = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "cardwright": self.cardwright,
            "platform": self.platform,
            "plan": self.plan.data(),
            "seeds": _SEEDS,
            "stop_rule": None if self.rule is None else asdict(self.rule),
            "complete": self.complete,
            "deals_played": self.played,
            "digests": self.digests,
        }
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return a folder's manifest; raises RecordsError if it has none that can be read."""
        file = folder / FILE
        data = read_format(file, FORMAT, FORMAT_VERSION, "Cardwright's records")
        if data is None:
            what = "is no folder of records" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        try:
            return cls._of_data(data)
        except (KeyError, TypeError, PlanError) as error:
            raise RecordsError(f"{file} is damaged: {type(error).__name__}: {error}") from None

    @classmethod
    def _of_data(cls, data: dict[str, Any]) -> Manifest:
        rule = data["stop_rule"]
        return cls(
            plan=Plan.of_data(data["plan"]),
            rule=None if rule is None else StopRule(**rule),
            platform=data["platform"],
            cardwright=data["cardwright"],
            complete=data["complete"],
            played=data["deals_played"],
            digests=read_digests(data),
        )

    def differences(self, plan: Plan, rule: StopRule | None) -> list[str]:
        """Say where a run that is to go on differs from the one that was begun."""
        found = self.plan.differences(plan)
        if rule != self.rule:
            found.append(f"sequential test: {_said(self.rule)} there, {_said(rule)} here")
        if self.cardwright != __version__:
            found.append(f"Cardwright's version: {self.cardwright} there, {__version__} here")
        return found


def _said(rule: StopRule | None) -> str:
    return "none" if rule is None else f"{rule.name or 'one'} every {rule.every} deals"


def _here() -> dict[str, str]:
    """Return what may matter of this machine and its libraries."""
    facts = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
    }
    for library in ("numpy", "llvmlite", "polars"):
        try:
            facts[library] = version(library)
        except PackageNotFoundError:
            facts[library] = "not installed"
    return facts


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that after any crash there is the old one, or the new one, or none.

    Raises RecordsError if that is not possible.
    """
    write_several({file: content})


def write_several(contents: Mapping[Path, bytes]) -> None:
    """Write files of one folder as `write_whole` does each, but wait for the disk only once.

    What the disk has to do for the first of them it does for all that were written before. Raises
    RecordsError if that is not possible.
    """
    file = None
    fresh = {file: file.with_name(f".{file.name}.new") for file in contents}
    try:
        for file, content in contents.items():
            fresh[file].write_bytes(content)
        for file, new in fresh.items():
            _sync(new)
            new.replace(file)
        for folder in {file.parent for file in contents}:
            _sync(folder)
    except OSError as error:
        for new in fresh.values():
            with suppress(OSError):
                new.unlink(missing_ok=True)
        raise RecordsError(f"{file} cannot be written: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """Let a file, or the names in a folder, reach the disk, where the system knows how."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def locked(folder: Path, what: str) -> IO[str]:
    """Return a file that keeps other processes out while it is open, where the system knows how.

    Raises RecordsError if another one is in: it is just now playing `what`.
    """
    lock = (folder / LOCK).open("w")
    try:
        import fcntl  # noqa: PLC0415 - not on every system

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError:
        lock.close()
        raise RecordsError(f"another process is just now playing {what}") from None
    return lock
