"""The folder of a job: its manifest, its blocks with digests, inspection and resuming.

Every folder has a `manifest.json`, which says what is played and how far it got. What was played is
in numbered files: `blocks` are there to stay, `pieces` are kept only until the job is over. Each of
them is written whole or not at all, and says to which job it belongs. At the end the manifest has
the digests of all files. A kind of job says of what types its manifest and its blocks are.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.compiler.cache import take_lock
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    changed,
    digest,
    file_digest,
    pack,
    to_json,
    unpack,
    write_several,
    write_whole,
)
from cardwright.syntax.data_files import parse_json, read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Self

FILE = "manifest.json"
LOCK = ".lock"
BLOCKS = "blocks"
PIECES = "pieces"
ASIDE = "damaged"
"""The folder, in that of the records, to which damaged files are moved."""

MOST_BYTES = 1 << 30
"""Bytes that a block may have."""

_SHORT = 60
"""Characters of a value in a difference between two plans."""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What identifies the folder of a job, and says how far it got.

    `plan` is what is played, as JSON has it: with another plan it is another job. `played` is how
    many deals, or whatever is counted, are in a `complete` job, which may be fewer than planned; it
    is 0 before. `digests` has the SHA-256 of each file of a complete job by its name, except for
    those with times. Seeds play the same games only with the same `results_version`.
    """

    cardwright: str = __version__
    results_version: int = RESULTS_VERSION
    plan: dict[str, Any]
    complete: bool = False
    played: int = 0
    digests: dict[str, str] = field(default_factory=dict)


ManifestType = TypeVar("ManifestType", bound=Manifest)
Block = TypeVar("Block")


class JobFolder(Generic[ManifestType, Block]):
    """The folder of a job, as it is or as it is to be: see `opened` and `read`.

    A kind of job is a subclass with the `FORMAT` and `VERSION` of its manifests, with what it is
    called (`WHAT`, such as `run`) and what it counts (`TASKS`, such as `deals`), and with the types
    of its manifest and of its blocks. `OTHERWISE` says what to do if there is a job already.
    """

    FORMAT: ClassVar[str]
    VERSION: ClassVar[int] = 2
    WHAT: ClassVar[str]
    TASKS: ClassVar[str]
    MANIFEST: ClassVar[type[Manifest]] = Manifest
    BLOCK: ClassVar[type[Any]]
    OTHERWISE: ClassVar[str] = "name another folder"

    def __init__(self, folder: Path, manifest: ManifestType) -> None:
        self.folder = folder
        self.manifest = manifest
        self.mark = digest(to_json(manifest.plan).encode())
        self.blocks: Blocks[Block] = Blocks(self, BLOCKS)
        self.pieces: Blocks[Block] = Blocks(self, PIECES)

    # What a kind of job may have of its own

    @property
    def place(self) -> Path:
        """The folder by which people know the job."""
        return self.folder

    @property
    def count(self) -> int | None:
        """How many blocks there are at most, if that is known."""
        return None

    def played_again(self, damaged: Iterable[str]) -> str:
        """Say what is played again if these files are set aside."""
        del damaged
        return f"their {self.TASKS}"

    def own_files(self) -> dict[str, bytes]:
        """Return further files that are written at the beginning, by name."""
        return {}

    def check(self, blocks: Blocks[Block], number: int, block: Block) -> None:
        """Raise ValueError if a block is none of this job, or not the one with this number."""

    def plan_differences(self, here: Self) -> list[str]:
        """Say where the plan that is there differs from the one to be played: a line for each."""
        before, now = (_flat(job.manifest.plan) for job in (self, here))
        return [
            f"{name}: {_short(before.get(name))} there, {_short(now.get(name))} here"
            for name in before | now
            if before.get(name) != now.get(name)
        ]

    def differences(self, here: Self) -> list[str]:
        """Say where the job that is there differs from the one to be played: a line for each."""
        there = self.manifest
        lines = self.plan_differences(here)
        for name, before, now, more in (
            ("Cardwright's version", there.cardwright, here.manifest.cardwright, ""),
            ("version of results", there.results_version, here.manifest.results_version,
             ", where the same seeds play other games"),
        ):  # fmt: skip
            if before != now:
                lines.append(f"{name}: {before} there, {now} here{more}")
        return lines

    def damage(self) -> dict[str, str]:
        """Return what is wrong with each file that was inspected; empty if nothing is."""
        names = set(self.manifest.digests)
        for blocks in (self.blocks, self.pieces):
            names |= {f"{blocks.kind}/{file.name}" for file in blocks.files()}
        return {name: self._damage(name) for name in sorted(names)}

    # Reading

    @classmethod
    def kept(cls, folder: Path) -> Self | None:
        """Return what is in a folder, or None if it has no manifest.

        Raises RecordsError for a manifest that cannot be read, or that is of another format.
        """
        import msgspec

        file = folder / FILE
        try:
            data = parse_json(read_text(file))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise RecordsError(f"{file} cannot be read: {error}") from None
        if not isinstance(data, dict) or data.get("format") != cls.FORMAT:
            raise RecordsError(f"{file} is not the manifest of {cls._a_job()}")
        if data.get("format_version") != cls.VERSION:
            raise RecordsError(
                f"{folder} has records of format {data.get('format_version')}; this version of "
                f"Cardwright reads format {cls.VERSION}"
            )
        try:
            manifest: Any = msgspec.convert(data, cls.MANIFEST)
        except ValueError as error:
            raise RecordsError(f"{file} is damaged: {error}") from None
        return cls(folder, manifest)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return what is in a folder; raises RecordsError if there is no such job."""
        found = cls.kept(folder)
        if found is None:
            what = f"has no records of {cls._a_job()}" if folder.is_dir() else "does not exist"
            raise RecordsError(f"{folder} {what}: there is no {FILE} in it")
        return found

    # Writing

    @contextmanager
    def opened(self, *, resume: bool, again: bool = False) -> Iterator[Self]:
        """Open the folder of this job, new or to be resumed, for this process alone.

        What is yielded is the job as it is there; `again` discards it. Raises RecordsError if
        something else is in the folder, if it is in use, if the job is there though `resume` is not
        set, if that is a different one, or if it cannot be written.
        """
        if not again and self.kept(self.folder) is None:
            self.check_empty()
        with self._held():
            there = None if again else self.kept(self.folder)
            if there is not None:
                self._check_same(there, resume=resume)
            job = there or self
            with using(self.folder):
                for file in (*self.folder.glob(".*.new"), *self.folder.glob("*/.*.new")):
                    file.unlink()  # it was being written when the job was killed
                if again:
                    (self.folder / FILE).unlink(missing_ok=True)
                    for blocks in (self.blocks, self.pieces):
                        shutil.rmtree(blocks.folder, ignore_errors=True)
                if there is None:
                    job.begin()
            yield job
            if job.manifest.complete:
                job.clear()

    def begin(self) -> None:
        """Begin the job, with nothing played."""
        write_several({self.folder / name: content for name, content in self.own_files().items()})
        self.write()

    def write(self, **facts: Any) -> None:
        """Write the manifest, with other facts in it."""
        self.manifest = replace(self.manifest, **facts)
        head = {"format": self.FORMAT, "format_version": self.VERSION}
        write_whole(self.folder / FILE, to_json(head | asdict(self.manifest)).encode())

    def finish(self, files: Iterable[str] = (), **facts: Any) -> None:
        """Mark the job as complete, with the digests of its blocks and of these files."""
        names = [*map(self.blocks.name, self.blocks.numbers()), *files]
        with using(self.folder):
            digests = {name: file_digest(self.folder / name) for name in names}
        self.write(complete=True, digests=digests, **facts)
        self.clear()

    def clear(self) -> None:
        """Remove what only an unfinished job needs."""
        shutil.rmtree(self.pieces.folder, ignore_errors=True)
        self._unlock()

    def check_unchanged(self) -> None:
        """Raise RecordsError for the first file that has changed since the job was finished."""
        for name in self.manifest.digests:
            self.check_file(name)

    def check_file(self, name: str) -> None:
        """Raise DamagedError for a file that has changed since the job was finished."""
        if wrong := changed(self.folder, name, self.manifest.digests):
            raise self.damaged(self.folder / name, wrong)

    def damaged(self, file: Path, reason: str) -> DamagedError:
        """Return the error for a damaged file, which says what to do about it."""
        return DamagedError(file, reason, self.how_to_mend())

    def how_to_mend(self) -> str:
        """Say what to do about a damaged file."""
        command = f"cardwright records {shlex.quote(str(self.place))} --set-aside"
        advice = f"`{command}` sets damaged files aside; then resume the {self.WHAT}"
        return f"{advice}, which plays them again"

    def unreadable(self, error: Exception) -> RecordsError:
        """Return the error for a manifest that lacks something, or has something wrong."""
        return RecordsError(f"{self.folder / FILE} is damaged: {type(error).__name__}: {error}")

    # Inspecting

    def inspect(self) -> Inspection:
        """Return what is wrong with the files of the job."""
        return Inspection(self, self.damage())

    def _damage(self, name: str) -> str:
        """Say what is wrong with a file; empty if nothing is."""
        kind, _, stem = name.partition("/")
        try:
            if kind in (BLOCKS, PIECES):
                blocks = self.blocks if kind == BLOCKS else self.pieces
                blocks.read(blocks.number(self.folder / kind / stem))
            else:
                self.check_file(name)
        except DamagedError as error:
            return error.reason
        except RecordsError as error:
            return str(error).removeprefix(f"{self.folder / name} ")
        return ""

    def set_aside(self, names: Iterable[str]) -> list[Path]:
        """Move files away, and return the new places of those that existed.

        The manifest then says that the job is not finished. Raises RecordsError if another process
        is writing there, or if moving fails.
        """
        moved = []
        with self._held(), using(self.folder):
            if self.manifest.complete:
                self.write(complete=False, played=0, digests={})
            for name in names:
                file = self.folder / name
                if file.exists():
                    target = _free(self.folder / ASIDE / file.name)
                    target.parent.mkdir(exist_ok=True)
                    file.replace(target)
                    moved.append(target)
            self._unlock()
        return moved

    # Keeping others out

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep other processes out of the folder, where its system can; it is made if need be."""
        with using(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("wb")
        with lock:
            if not take_lock(lock.fileno()):
                raise RecordsError(f"another process is playing the {self.WHAT} in {self.place}")
            yield

    def _unlock(self) -> None:
        """Remove the lock, while it is held; Windows removes no file that is open."""
        if sys.platform != "win32":
            (self.folder / LOCK).unlink(missing_ok=True)

    def check_empty(self) -> None:
        """Raise RecordsError if the folder has anything but what a killed start may leave."""
        own = {LOCK, f".{FILE}.new", BLOCKS, PIECES}
        for name, content in self.own_files().items():
            file = self.folder / name
            if not file.exists() or read_bytes(file, MOST_BYTES) == content:
                own |= {name, f".{name}.new"}
        if {one.relative_to(self.folder).as_posix() for one in self.folder.rglob("*")} - own:
            raise RecordsError(
                f"{self.folder} is not empty, and has no records of {self._a_job()}: name another "
                "folder"
            )

    def _check_same(self, there: Self, *, resume: bool) -> None:
        """Raise RecordsError unless the job in the folder is to be resumed, and is this one."""
        lines = there.differences(self)
        if not resume:
            state = "is finished" if there.manifest.complete else "is not finished"
            advice = self.OTHERWISE if lines else f"resume it, or {self.OTHERWISE}"
            raise RecordsError(
                f"there is already {self._a_job()} in {self.place}, which {state}: {advice}"
            )
        if lines:
            listed = "\n".join(f"  {line}" for line in lines)
            raise RecordsError(
                f"the {self.WHAT} in {self.place} differs from this one:\n{listed}\n"
                f"Undo these changes to resume it, or {self.OTHERWISE}"
            )

    @classmethod
    def _a_job(cls) -> str:
        return f"{'an' if cls.WHAT[0] in 'aeiou' else 'a'} {cls.WHAT}"


@dataclass(frozen=True)
class _Stored(Generic[Block]):
    """What is in the file of a block: to which job it belongs, and its number there."""

    job: str
    number: int
    block: Block


@dataclass(frozen=True)
class Blocks(Generic[Block]):
    """Numbered files in the folder of a job, with a block each."""

    job: JobFolder[Any, Block] = field(repr=False)
    kind: str

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        return self.job.folder / self.kind

    def name(self, number: int) -> str:
        """Return the name by which the manifest knows a block."""
        return f"{self.kind}/{number:06}.npz"

    def file(self, number: int) -> Path:
        """Return the file of a block."""
        return self.job.folder / self.name(number)

    def files(self) -> list[Path]:
        """Return all files there, in order."""
        return sorted(self.folder.glob("[!.]*"))

    def number(self, file: Path) -> int:
        """Return the number of the block in a file; raises RecordsError for any other file."""
        number = int(file.stem) if file.stem.isascii() and file.stem.isdigit() else -1
        most = self.job.count if self.kind == BLOCKS else None
        if number < 0 or (most is not None and number >= most) or file != self.file(number):
            raise RecordsError(f"{file} is not a block of this {self.job.WHAT}: remove it")
        return number

    def numbers(self) -> list[int]:
        """Return the numbers of the blocks that exist; raises RecordsError for other files."""
        return sorted(map(self.number, self.files()))

    def has(self, number: int) -> bool:
        """Say whether there is a block, or was one when the job was finished."""
        return self.name(number) in self.job.manifest.digests or self.file(number).exists()

    def read(self, number: int) -> Block:
        """Return a block; raises DamagedError or RecordsError if it is none of this job."""
        self.job.check_file(self.name(number))
        file = self.file(number)
        try:
            content = read_bytes(file, MOST_BYTES)
        except OSError as error:
            raise RecordsError(f"{file} cannot be read: {error.strerror or error}") from None
        stored_type: Any = _Stored
        kind = stored_type[self.job.BLOCK]
        try:
            stored: _Stored[Block] = unpack(content, kind)
            mine = (stored.job, stored.number) == (self.job.mark, number)
            if mine:
                self.job.check(self, number, stored.block)
        except Exception as error:  # bad bytes cause errors of many kinds
            raise self.job.damaged(file, f"{type(error).__name__}: {error}") from None
        if not mine:
            raise RecordsError(
                f"{file} belongs to another {self.job.WHAT}, or elsewhere in it: remove it"
            )
        return stored.block

    def write(self, blocks: Mapping[int, Block]) -> None:
        """Write blocks, all of them or as many as there is time for."""
        with using(self.folder):
            self.folder.mkdir(exist_ok=True)
        mark = self.job.mark
        write_several(
            {
                self.file(number): pack(_Stored(mark, number, block))
                for number, block in blocks.items()
            }
        )

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove blocks, if they are there."""
        for number in numbers:
            self.file(number).unlink(missing_ok=True)


@dataclass(frozen=True)
class Inspection:
    """What was found out about the files of a job.

    `looked` has the names of the files that were inspected, each with what is wrong, if anything.
    Before the end there are no digests to check against, but each file has checksums of its own.
    """

    job: JobFolder[Any, Any]
    looked: Mapping[str, str]

    @property
    def damaged(self) -> dict[str, str]:
        """The names of the files that are damaged or missing, each with what is wrong."""
        return {name: reason for name, reason in self.looked.items() if reason}

    def set_aside(self) -> list[Path]:
        """Move damaged files away, and return their new places: see `JobFolder.set_aside`."""
        return self.job.set_aside(self.damaged)


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Raise RecordsError, which names the folder, where the system refuses an operation there."""
    try:
        yield
    except OSError as error:
        raise RecordsError(f"{folder} cannot be used: {error.strerror or error}") from None


def _flat(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them, with those of inner objects, as `game digest`."""
    flat: dict[str, Any] = {}
    for name, value in parse_json(to_json(plan)).items():
        if isinstance(value, dict):
            flat |= {f"{name} {inner}": one for inner, one in value.items()}
        else:
            flat[name] = value
    return flat


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."


def _free(file: Path) -> Path:
    """Return an unused name like this one."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free
