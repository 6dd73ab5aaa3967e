"""Schedules: the bots of every game, read from the league's CSV file and written to one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.roster import LeagueFileError, read_text, write_text

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    Schedule: TypeAlias = NDArray[np.int32]

SEATS = 4

_GAME = re.compile(",".join([r"[ \t]*([0-9]{1,9})[ \t]*"] * SEATS) + r"\r?")
_NUMBER = re.compile(r"[ \t]*([+-]?[0-9]+)[ \t]*\r?")


def read_schedule(file: str | Path, entries: int, within: Path | None = None) -> Schedule:
    """Read a schedule from a file, for a roster of `entries` entries.

    It has a row per game, with the roster rows, from 0, of the bots in seats 0 to 3, shape (games,
    4), int32. A bot may have several seats. With `within`, a link out of that folder is an error.
    Empty lines at the end are ignored. Raises LeagueFileError, with all mistakes and their lines,
    for any other file.
    """
    lines = read_text(file, within).rstrip().split("\n")
    games: list[list[int]] = []
    mistakes: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _GAME.fullmatch(line)
        game = [int(one) for one in match.groups()] if match else []
        if match and max(game) < entries:
            games.append(game)
        else:
            mistakes += [f"{number}: {one}" for one in _wrong(line, entries, first=number == 1)]
    if lines == [""]:
        mistakes = ["1: there is no game in this schedule; give each game a line, such as 0,1,2,3"]
    if mistakes:
        raise LeagueFileError(file, mistakes)
    return np.array(games, np.int32)


def write_schedule(file: str | Path, schedule: Schedule) -> None:
    """Write a schedule; raises LeagueFileError if that is not possible."""
    lines = [",".join(map(str, game)) for game in schedule.tolist()]
    write_text(file, "".join(f"{line}\n" for line in lines))


def _wrong(line: str, entries: int, *, first: bool) -> list[str]:
    """Return what is wrong with a line."""
    fields = line.split(",")
    if not line.strip():
        return ["this line is empty; each line before the last one is a game"]
    if len(fields) != SEATS:
        count = "is 1 number" if len(fields) == 1 else f"are {len(fields)} numbers"
        return [f"there {count} in this line, and a game has four: the roster rows of its seats"]
    wrong = []
    for seat, field in enumerate(fields, 1):
        match = _NUMBER.fullmatch(field)
        if match is None:
            hint = "; a schedule has no header" if first else ""
            wrong.append(f"{field.strip()[:40]!r} for seat {seat} is not a whole number{hint}")
        elif len(match[1]) > 9 or not 0 <= int(match[1]) < entries:
            wrong.append(
                f"there is no roster row {match[1][:40]} for seat {seat}; rows are numbered "
                f"0 to {entries - 1}"
            )
    return wrong or ["numbers have no sign; remove it"]
