"""Records of a season: the folder `Records`, with a manifest and a file for each block."""

from __future__ import annotations

import io
import secrets
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright._version import __version__
from cardwright.jobs.blocks import BLOCKS, MOST_BYTES, Blocks
from cardwright.jobs.digests import digest, warn_unchecked
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.files import write_secret, write_whole
from cardwright.jobs.folder import held, tidy
from cardwright.jobs.manifest import (
    FILE,
    Format,
    how_to_mend,
    of_results,
    of_versions,
    read_digests,
)
from cardwright.league.block import OF_GAMES, SeasonBlock
from cardwright.league.bot_limits import BotLimits
from cardwright.league.dealer import LeagueRules
from cardwright.league.plan import BotText, SeasonPlan, differences
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from cardwright.league.outcome import SeasonOutcome

FOLDER, OUTPUTS = "Records", "Outputs"
SCHEDULE = "schedule.npy"
FORMAT = Format("cardwright season", 3, "a season")
SALT = "salt"
"""The file with the salt of a season that is not over, which only its owner can read."""

_SALT_BYTES = 16


@dataclass(frozen=True)
class Season:
    """A season that was played, completely or in part, as recorded.

    `plan.bots` have no texts here: these are not recorded. `digests` has the SHA-256 of each block
    of a complete season by the name of its file; older records have none. `begun` and `ended` are
    dates, as `2026-11-22`, empty where they are not recorded; `cardwright` is the version that
    plays the season, and `marks` has the SHA-256 of every bot's text. While the season is not over
    its salt may be `sealed`: then `plan.salt` is empty, and cards cannot be computed. `tables` has
    the SHA-256 of the tables in `Outputs` of a complete season.
    """

    folder: Path
    plan: SeasonPlan
    complete: bool
    digests: dict[str, str] = field(default_factory=dict)
    begun: str = ""
    ended: str = ""
    cardwright: str = ""
    marks: tuple[str, ...] = ()
    sealed: bool = False
    tables: dict[str, str] = field(default_factory=dict)

    @property
    def files(self) -> Blocks:
        """The files of the blocks."""
        return _files(self.folder, self.plan, self.digests)

    def blocks(self) -> Iterator[SeasonBlock]:
        """Yield all existing blocks, in order.

        Raises DamagedError for a damaged one, and for a missing one of a complete season.
        """
        if self.complete and not self.digests:
            warn_unchecked(self.folder)
        files = self.files
        for number in range(files.count):
            if files.name(number) in files.digests or files.file(number).exists():
                yield read_block(files, number)

    def outcome(self) -> SeasonOutcome:
        """Return what every bot has got so far, and done wrong; raises DamagedError."""
        from cardwright.league.outcome import SeasonOutcome

        return SeasonOutcome.of(self)

    def to_polars(self) -> pl.DataFrame:
        """Return the standings as a table, the best bot first: see `SeasonOutcome.to_polars`."""
        return self.outcome().to_polars()

    def __repr__(self) -> str:
        state = "played to its end" if self.complete else "not finished"
        return f"<Season {self.plan.name}, {len(self.plan.bots)} bots, {state}>"

    def _repr_html_(self) -> str:
        from cardwright.league.displays import season_html

        return season_html(self)

    def check(self) -> None:
        """Raise DamagedError for a block of a complete season that has changed."""
        for number in range(self.plan.blocks):
            self.files.check(number)


def _files(records: Path, plan: SeasonPlan, digests: Mapping[str, str]) -> Blocks:
    advice = how_to_mend(records.parent, "the season")
    return Blocks(records, plan.blocks, *OF_GAMES, advice, digests)


def read_block(files: Blocks, number: int) -> SeasonBlock:
    """Return a block; raises DamagedError if it is damaged."""
    return SeasonBlock.unpacked(files.read(number), str(files.file(number)))


def kept_seed(season: Path) -> int | None:
    """Return the seed of what was played of the season in a folder; None if that is nothing."""
    data = FORMAT.read(season / FOLDER)
    return None if data is None else int(data["plan"]["seed"])


def salted(season: Path, plan: SeasonPlan, salt: bytes | None, *, resume: bool) -> SeasonPlan:
    """Return a plan with the salt given, or that of the season to resume, or a drawn one.

    Where nobody plays but players of the library, none is drawn: nobody could foresee his cards.
    Raises RecordsError if the salt to resume with is lost.
    """
    data = FORMAT.read(season / FOLDER) if resume else None
    if salt is None and data is not None:
        salt = _kept_salt(season / FOLDER, data)
        if salt is None:
            raise RecordsError(
                f"{season / FOLDER / SALT} cannot be read, and the season goes on with no other "
                "salt: play it again with `--again`"
            )
    if salt is None:
        salt = secrets.token_bytes(_SALT_BYTES) if plan.files else b""
    return replace(plan, salt=salt)


def _kept_salt(folder: Path, data: Mapping[str, Any]) -> bytes | None:
    """Return the salt that was published, or else the secret one; None if it cannot be read."""
    published = data.get("salt")
    try:
        text = (folder / SALT).read_text("ascii") if published is None else published
        return bytes.fromhex(text)
    except (OSError, ValueError, TypeError):
        return None


def read_season(season: str | Path) -> Season:
    """Return the season recorded in a folder; raises RecordsError if there is none."""
    folder = Path(season) / FOLDER
    data = FORMAT.read(folder)
    if data is None:
        raise RecordsError(f"{season} has no {FOLDER}: play the season first, with `league run`")
    file = folder / SCHEDULE
    try:
        plan = data["plan"]
        schedule = np.load(io.BytesIO(read_bytes(file, MOST_BYTES)), allow_pickle=False)
        if digest(schedule.tobytes()) != plan["schedule"]:
            raise ValueError(f"{SCHEDULE} is not the schedule of the season")
        salt = _kept_salt(folder, data)
        return Season(
            folder,
            SeasonPlan(
                plan["name"],
                LeagueRules(plan["rules"]),
                int(plan["seed"]),
                tuple(BotText(bot["name"], bot["author"], bot["file"]) for bot in plan["bots"]),
                schedule,
                BotLimits(**plan["patience"]),
                plan["jail_level"],
                plan["together"],
                salt=salt or b"",
            ),
            data["complete"],
            read_digests(data),
            str(data.get("begun", "")),
            str(data.get("ended", "")),
            str(data["cardwright"]),
            tuple(str(bot["sha256"]) for bot in plan["bots"]),
            salt is None,
            {str(name): str(one) for name, one in data.get("outputs", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordsError(f"{folder} is damaged: {type(error).__name__}: {error}") from None


def _today() -> str:
    """Return the date in UTC, as in manifests."""
    return datetime.now(UTC).date().isoformat()


class SeasonRecords:
    """The records of a season, for writing; see `opened`."""

    def __init__(self, folder: Path, plan: SeasonPlan) -> None:
        self.folder = folder
        self.plan = plan
        self.files = _files(folder, plan, {})

    def begin(self) -> None:
        """Record what will be played."""
        memory = io.BytesIO()
        np.save(memory, self.plan.schedule, allow_pickle=False)
        write_secret(self.folder / SALT, self.plan.salt.hex().encode())
        write_whole(self.folder / SCHEDULE, memory.getvalue())
        data = {
            "cardwright": __version__,
            "begun": _today(),
            "ended": "",
            "complete": False,
            "plan": self.plan.data(),
            "salt": None,
            "digests": {},
            "outputs": {},
        }
        FORMAT.write(self.folder, data)

    def finish(self, outputs: Mapping[str, str] | None = None) -> None:
        """Record that all blocks and all outputs are complete, and publish the salt.

        `outputs` has the SHA-256 of each table, if there are any.
        """
        digests = self.files.digested(range(self.plan.blocks))
        data = FORMAT.read(self.folder) or {}
        ended = data.get("ended") or _today()
        over = {"ended": ended, "complete": True, "salt": self.plan.salt.hex()}
        whole = data | over | {"digests": digests, "outputs": dict(outputs or {})}
        FORMAT.write(self.folder, whole)
        (self.folder / SALT).unlink(missing_ok=True)


@contextmanager
def opened(season: Path, plan: SeasonPlan, *, resume: bool, again: bool) -> Iterator[SeasonRecords]:
    """Open the records of a season, to begin or resume it, for this process alone.

    `again` discards existing records. Raises RecordsError if there are records and neither `resume`
    nor `again` is set, if they are of another plan, or if they are in use.
    """
    folder = season / FOLDER
    records = SeasonRecords(folder, plan)
    with held(folder, BLOCKS, f"the season in {season}"):
        there = None if again else FORMAT.read(folder)
        if there is not None:
            _check_same(there, plan, season, resume=resume)
            records.files = _files(folder, plan, _of_those_there(folder, there))
        else:
            (folder / FILE).unlink(missing_ok=True)
            for file in (folder / BLOCKS).iterdir():
                file.unlink()
            records.begin()
        tidy(folder)
        yield records


def _of_those_there(folder: Path, manifest: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the existing blocks: missing ones will be played again."""
    digests = read_digests(manifest)
    return {name: one for name, one in digests.items() if (folder / name).exists()}


def _check_same(there: dict[str, Any], plan: SeasonPlan, season: Path, *, resume: bool) -> None:
    found = differences(there["plan"], plan.data())
    if resume and _kept_salt(season / FOLDER, there) != plan.salt:
        found.append("the salt is another one")
    found += of_versions(there["cardwright"], __version__)
    found += of_results(there["results_version"])
    if not resume:
        state = "was played to its end" if there["complete"] else "is not finished"
        advice = "" if found or there["complete"] else "`--resume` to go on, or "
        raise RecordsError(
            f"the season in {season} {state}: {advice}`--again` to play it again from its beginning"
        )
    if found:
        listed = "\n".join(f"  {one}" for one in found)
        raise RecordsError(
            f"the season in {season} was begun with a different plan:\n{listed}\n"
            "Undo these changes to resume it, or play it again with `--again`"
        )
