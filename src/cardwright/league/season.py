"""Season folders: how they are made, and what is read from them."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.entrants import PlayerSpecError, tried_spec
from cardwright.game.errors import CardwrightError
from cardwright.league.authors import example, helper_text
from cardwright.league.balance import balanced
from cardwright.league.bot_runtime import HELPER
from cardwright.league.dealer import Dealer, league_game
from cardwright.league.plan import BULK_BLOCK, BotText, SeasonError, SeasonPlan
from cardwright.league.roster import (
    RosterEntry,
    read_roster,
    read_schedule,
    write_roster,
    write_schedule,
    write_text,
)
from cardwright.league.season_files import files_within, read_within, require_within
from cardwright.league.settings import NAME, BotLimits, LeagueRules
from cardwright.players.kind import trust_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.players.kind import Trust

MAIN = "Main.csv"
MOST_BYTES = 1 << 20
"""A bot's file may have so many bytes."""

MOST_SHIPPED = 8 << 20
"""The files in the folder beside it may have so many together."""


class WeakSandboxError(SeasonError):
    """This machine offers no sandbox that would hold bots nobody has to trust."""


class NoSeasonError(SeasonError):
    """There is no such folder."""

    wrong_call = True


def read_plan(
    season: Path,
    *,
    name: str = NAME,
    rules: LeagueRules = LeagueRules.CODE,
    seed: int = 0,
    limits: BotLimits | None = None,
    allow_files: Iterable[str | Path] = (),
) -> tuple[SeasonPlan, tuple[str, ...]]:
    """Return what is to be played in a season's folder, and warnings.

    `allow_files` are the only files outside the folder that its library players may read, and the
    only ones that they may run. Raises LeagueFileError for a roster or schedule that cannot be
    read, and SeasonError with all that is wrong with the bots.
    """
    if not season.is_dir():
        raise NoSeasonError(
            f"{season} is not a folder; `cardwright league new {season}` makes a season there"
        )
    roster = read_roster(season / "Rosters" / MAIN, season)
    schedule = read_schedule(season / "Schedules" / MAIN, len(roster.entries), season)
    try:
        require_within(season, season / "Bots")
    except OSError as error:
        raise SeasonError(f"{season / 'Bots'} cannot be read: {error.strerror}") from None
    trust = trust_in(tuple(map(Path, allow_files)), season)
    bots, wrong = [], []
    for entry in roster.entries:
        try:
            bots.append(_bot(season, entry, trust))
        except SeasonError as error:
            wrong.append(str(error))
    if wrong:
        raise SeasonError("\n".join(wrong))
    plan = SeasonPlan(name, rules, seed, tuple(bots), schedule, limits or BotLimits(), trust=trust)
    return replace(plan, together=BULK_BLOCK) if plan.bulk else plan, roster.warnings


def bot_level(wanted: int | None, *, trusted: bool) -> int:
    """Return the level of the sandbox for bots, 0 for none: the one wanted, or the strongest.

    Raises SeasonError for trusted bots in a sandbox, LevelError for a level that this machine has
    not, and WeakSandboxError if none is wanted and it has only weak ones.
    """
    if trusted:
        if wanted is not None:
            raise SeasonError("trusted bots are in no sandbox: that does not go with a level")
        return 0
    from cardwright.sandbox.levels import describe, require, strongest
    from cardwright.sandbox.limits import LevelError, SandboxLevel

    if wanted is not None:
        require(SandboxLevel(wanted))
        return wanted
    try:
        found = strongest()
    except LevelError as error:
        raise WeakSandboxError(str(error)) from None
    if found.level < SandboxLevel.CONFINED:
        raise WeakSandboxError(
            f"untrusted bots need a sandbox, and this machine does not offer a strong enough one:\n"
            f"{describe(found)}"
        )
    return int(found.level)


def _bot(season: Path, entry: RosterEntry, trust: Trust) -> BotText:
    """Return what a roster entry names; raises SeasonError if that is not there."""
    if entry.builtin is not None:
        try:
            tried_spec(entry.builtin, trust)
        except PlayerSpecError as error:
            raise SeasonError(f"{entry.name}: {error}") from None
        return BotText(entry.name, entry.author, entry.filepath)
    bots = season / "Bots"
    return bot_of(entry.file(bots), entry.name, entry.author, bots)


def bot_of(file: Path, name: str, author: str = "", bots: Path | None = None) -> BotText:
    """Return a bot with the files of the folder beside it that is called like it.

    Nothing is read that lies outside the folder `bots`, by default that of the file. Raises
    SeasonError if something cannot be read, is too large, or is not text.
    """
    within, folder = bots or file.parent, file.with_suffix("")
    looked = file
    try:
        content = read_within(within, file, MOST_BYTES + 1)
        looked = folder
        shipped: list[tuple[str, bytes]] = []
        left = MOST_SHIPPED
        for path, data in files_within(within, folder, MOST_SHIPPED):
            shipped.append((path, data))
            left -= len(data)
            if left < 0:
                most = f"{MOST_SHIPPED >> 20} MiB"
                raise SeasonError(f"{name}: the files in {folder} have more than {most} together")
    except OSError as error:
        raise SeasonError(f"{name}: {looked} cannot be read: {error.strerror or error}") from None
    if len(content) > MOST_BYTES:
        raise SeasonError(f"{name}: {file} has more than {MOST_BYTES >> 20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SeasonError(f"{name}: {file}, line {line}, is not UTF-8 text") from None
    return BotText(name, author, file.name, text, tuple(shipped))


def prepare(rules: LeagueRules) -> None:
    """Compile the game of the league, if that has not been done on this machine."""
    league_game(rules).prepare()
    Dealer(rules)


ROUNDS = 6
"""Rounds of a new season's schedule: for four bots, all 24 orders."""

AUTHOR = "Cardwright"

BOTS = {
    "first_card": "First card",
    "low_card": "Low card",
    "careful": "Careful",
    "counting": "Counting",
}
"""The example bots, by file, from the simplest to the best."""


class NewSeasonError(CardwrightError):
    """A folder in which no season can be made."""


def new_season(season: str | Path, /) -> None:
    """Make a season in a folder that is empty or does not exist; raises NewSeasonError.

    It has four worked bots, a roster of them and a schedule.
    """
    folder = Path(season)
    try:
        if folder.exists() and not folder.is_dir():
            raise NewSeasonError(f"{folder} is a file; name a folder for the new season")
        if folder.is_dir() and any(folder.iterdir()):
            raise NewSeasonError(
                f"{folder} is not empty, and nothing in it is touched; name another folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for part in ("Bots", "Rosters", "Schedules"):
            (folder / part).mkdir()
    except OSError as error:
        place = error.filename or folder
        raise NewSeasonError(f"{place} cannot be made: {error.strerror or error}") from None
    for name in BOTS:
        write_text(folder / "Bots" / f"{name}.py", example(name))
    write_text(folder / "Bots" / f"{HELPER}.py", helper_text())
    entries = [RosterEntry(file, name, AUTHOR) for file, name in BOTS.items()]
    write_roster(folder / "Rosters" / MAIN, entries)
    write_schedule(folder / "Schedules" / MAIN, balanced(len(BOTS), ROUNDS))
    page = files("cardwright.league.authors").joinpath("README.md").read_text("utf-8")
    write_text(folder / "README.md", page)
