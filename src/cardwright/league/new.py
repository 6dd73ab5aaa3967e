"""New seasons: a folder with example bots, a roster, a schedule and instructions."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from cardwright.game.errors import CardwrightError
from cardwright.league.balance import balanced
from cardwright.league.bot_pool import helper_text
from cardwright.league.bot_runtime import HELPER
from cardwright.league.check import example
from cardwright.league.roster import RosterEntry, write_roster, write_text
from cardwright.league.schedule_file import write_schedule
from cardwright.league.season import MAIN

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
        _claim(folder)
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


def _claim(folder: Path) -> None:
    """Make the folder, unless it exists and is empty."""
    if folder.exists() and not folder.is_dir():
        raise NewSeasonError(f"{folder} is a file; name a folder for the new season")
    if folder.is_dir() and any(folder.iterdir()):
        raise NewSeasonError(
            f"{folder} is not empty, and nothing in it is touched; name another folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
