"""Records of a season: the folder `Records` in it, with a manifest and a file for each block."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright._version import __version__
from cardwright.arena.manifest import (
    RecordsError,
    how_to_mend,
    locked,
    read_digests,
    read_format,
    write_several,
    write_whole,
)
from cardwright.game.digests import changed, digest, warn_unchecked
from cardwright.league.block import Block, DamagedError
from cardwright.league.dealer import Rules
from cardwright.league.patience import Patience
from cardwright.league.plan import BotText, SeasonPlan, differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FOLDER = "Records"
MANIFEST = "manifest.json"
SCHEDULE = "schedule.npy"
BLOCKS = "blocks"
FORMAT = "cardwright season"
FORMAT_VERSION = 2


@dataclass(frozen=True)
class Season:
    """A season that was played, wholly or in part, as its records have it.

    `plan.bots` have no texts here: these are not kept. `digests` has the SHA-256 of each block of a
    complete season by the name of its file; none in records of before. `begun` and `ended` are
    days, as `2026-11-22`, empty where nobody wrote them down; `cardwright` is the version that
    plays the season, and `marks` has the SHA-256 of every bot's text.
    """

    folder: Path
    plan: SeasonPlan
    complete: bool
    digests: dict[str, str] = field(default_factory=dict)
    begun: str = ""
    ended: str = ""
    cardwright: str = ""
    marks: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks that are there, in order.

        Raises BlockError for a damaged one, and for one of a complete season that is not there any
        more.
        """
        if self.complete and not self.digests:
            warn_unchecked(self.folder)
        for number in range(self.plan.blocks):
            file = block_file(self.folder, number)
            self._check(file)
            if file.exists():
                yield Block.unpacked(file.read_bytes(), str(file))

    def check(self) -> None:
        """Raise BlockError for a block of a complete season that is not as it was written."""
        for number in range(self.plan.blocks):
            self._check(block_file(self.folder, number))

    def _check(self, file: Path) -> None:
        if wrong := changed(self.folder, block_name(file), self.digests):
            raise DamagedError(str(file), wrong, how_to_mend(self.folder.parent, "the season"))


def block_file(records: Path, number: int) -> Path:
    """Return the file of a block."""
    return records / BLOCKS / f"{number:06}.npz"


def block_name(file: Path) -> str:
    """Return the name by which a manifest knows the file of a block."""
    return f"{BLOCKS}/{file.name}"


def read_season(season: Path) -> Season:
    """Return what was played of the season in a folder; raises RecordsError if there is nothing."""
    folder = season / FOLDER
    data = read_manifest(folder)
    if data is None:
        raise RecordsError(f"{season} has no {FOLDER}: play the season first, with `league run`")
    file = folder / SCHEDULE
    try:
        plan = data["plan"]
        schedule = np.load(file, allow_pickle=False)
        if digest(schedule.tobytes()) != plan["schedule"]:
            raise ValueError(f"{SCHEDULE} is not the schedule of the season")
        return Season(
            folder,
            SeasonPlan(
                plan["name"],
                Rules(plan["rules"]),
                int(plan["seed"]),
                tuple(BotText(bot["name"], bot["author"], bot["file"]) for bot in plan["bots"]),
                schedule,
                Patience(**plan["patience"]),
                plan["jail_level"],
                plan["together"],
            ),
            data["complete"],
            read_digests(data),
            str(data.get("begun", "")),
            str(data.get("ended", "")),
            str(data["cardwright"]),
            tuple(str(bot["sha256"]) for bot in plan["bots"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordsError(f"{folder} is damaged: {type(error).__name__}: {error}") from None


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return what a manifest holds, None if there is none; raises RecordsError."""
    return read_format(folder / MANIFEST, FORMAT, FORMAT_VERSION, "a season")


def write_manifest(folder: Path, data: dict[str, Any]) -> None:
    """Write down what a manifest holds."""
    content = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / MANIFEST, content.encode())


def _today() -> str:
    """Return the day, in Greenwich, as manifests have it."""
    return datetime.now(UTC).date().isoformat()


class SeasonRecords:
    """The records of a season, for writing; see `opened`."""

    def __init__(self, folder: Path, plan: SeasonPlan) -> None:
        self.folder = folder
        self.plan = plan

    def begin(self) -> None:
        """Write down what is going to be played."""
        import io  # noqa: PLC0415 - for this alone

        memory = io.BytesIO()
        np.save(memory, self.plan.schedule, allow_pickle=False)
        write_whole(self.folder / SCHEDULE, memory.getvalue())
        data = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "cardwright": __version__,
            "begun": _today(),
            "ended": "",
            "complete": False,
            "plan": self.plan.data(),
            "digests": {},
        }
        write_manifest(self.folder, data)

    def done(self) -> list[int]:
        """Return the numbers of the blocks that are there."""
        numbers = range(self.plan.blocks)
        return [number for number in numbers if block_file(self.folder, number).exists()]

    def read(self, number: int) -> Block:
        """Return a block; raises BlockError if it is damaged."""
        file = block_file(self.folder, number)
        return Block.unpacked(file.read_bytes(), str(file))

    def add(self, blocks: Iterable[tuple[int, bytes]]) -> None:
        """Write blocks down, each with its number."""
        write_several({block_file(self.folder, number): packed for number, packed in blocks})

    def finish(self) -> None:
        """Say that all blocks are there and all outputs are written."""
        files = [block_file(self.folder, number) for number in range(self.plan.blocks)]
        digests = {block_name(file): digest(file.read_bytes()) for file in files}
        data = read_manifest(self.folder) or {}
        ended = data.get("ended") or _today()
        write_manifest(self.folder, data | {"ended": ended, "complete": True, "digests": digests})


@contextmanager
def opened(season: Path, plan: SeasonPlan, *, resume: bool, again: bool) -> Iterator[SeasonRecords]:
    """Open the records of a season, to begin it or to go on, for this process alone.

    `again` throws away what is there. Raises RecordsError if there are records and neither
    `resume` nor `again` is set, if they are of another plan, or if they are in use.
    """
    folder = season / FOLDER
    records = SeasonRecords(folder, plan)
    try:
        (folder / BLOCKS).mkdir(parents=True, exist_ok=True)
        lock = locked(folder, f"the season in {season}")
    except OSError as error:
        raise RecordsError(f"{folder} cannot be used: {error.strerror or error}") from None
    with lock:
        there = read_manifest(folder)
        if there is not None and not again:
            _check_same(there, plan, season, resume=resume)
        else:
            (folder / MANIFEST).unlink(missing_ok=True)
            for file in (folder / BLOCKS).iterdir():
                file.unlink()
            records.begin()
        yield records


def _check_same(there: dict[str, Any], plan: SeasonPlan, season: Path, *, resume: bool) -> None:
    found = differences(there["plan"], plan.data())
    if there["cardwright"] != __version__:
        found.append(f"Cardwright's version: {there['cardwright']} there, {__version__} here")
    if not resume:
        state = "was played to its end" if there["complete"] else "is not finished"
        advice = "" if found else "`--resume` to go on, or "
        raise RecordsError(
            f"the season in {season} {state}: {advice}`--again` to play it anew from its beginning"
        )
    if found:
        listed = "\n".join(f"  {one}" for one in found)
        raise RecordsError(
            f"the season in {season} was begun as another one than this:\n{listed}\n"
            "Undo what has changed to go on, or play it anew with `--again`"
        )
