"""Rosters and schedules: the CSV files of a league, read and written."""

from __future__ import annotations

import csv
import errno
import io
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cardwright.english import agreed, counted
from cardwright.game.errors import CardwrightError
from cardwright.league.season_files import read_within
from cardwright.syntax.data_files import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Schedule: TypeAlias = NDArray[np.int32]

COLUMNS = ("Filepath", "Name", "Author")
"""The header of a roster, after the first column, an index that is ignored."""

BUILTIN = "builtin:"
"""Prefix of the file path of a library player; the player's spec follows."""

FIRST_MISTAKES = 20
"""The most mistakes of a file that an error lists."""

_SUFFIX = ".py"


class LeagueFileError(CardwrightError):
    """A file of a league that cannot be used; `mistakes` are all of its mistakes, one per line."""

    def __init__(self, file: str | Path, mistakes: Sequence[str]) -> None:
        self.file = Path(file)
        self.mistakes = tuple(mistakes)
        listed = [f"{self.file}:{mistake}" for mistake in self.mistakes[:FIRST_MISTAKES]]
        if len(self.mistakes) > FIRST_MISTAKES:
            listed.append(
                f"and {counted(len(self.mistakes) - FIRST_MISTAKES, 'more mistake')} of this file"
            )
        super().__init__("\n".join(listed))

    def __reduce__(self) -> tuple[object, ...]:
        """Make the error picklable."""
        return LeagueFileError, (self.file, self.mistakes)


@dataclass(frozen=True)
class RosterEntry:
    """A bot of a roster.

    `filepath` is the bot's file below the folder of bots, without `.py`, or `BUILTIN` and the spec
    of a library player.
    """

    filepath: str
    name: str
    author: str

    @property
    def builtin(self) -> str | None:
        """The spec of a library player; None for a bot that is a file."""
        return self.filepath[len(BUILTIN) :] if self.filepath.startswith(BUILTIN) else None

    def file(self, bots: Path) -> Path:
        """Return the bot's file in a folder of bots; only for a bot that is a file."""
        return bots / f"{self.filepath}{_SUFFIX}"


@dataclass(frozen=True)
class Roster:
    """The bots of a season; their numbers in a schedule are their indices here, from 0.

    Two rows may have the same file: these are two bots. `warnings` are lines for the user about
    what is allowed but probably not intended, such as two bots with the same name.
    """

    entries: tuple[RosterEntry, ...]
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of bots."""
        return len(self.entries)

    @property
    def names(self) -> list[str]:
        """The names of all bots."""
        return [entry.name for entry in self.entries]

    @property
    def authors(self) -> list[str]:
        """The authors of all bots."""
        return [entry.author for entry in self.entries]


def read_roster(file: str | Path, within: Path | None = None) -> Roster:
    """Read a roster from a file, which may begin with a byte order mark.

    With `within`, a link out of that folder is an error. Empty lines are ignored. Raises
    LeagueFileError, with all mistakes and their lines, for a file that does not exist, is not
    UTF-8, or is not a roster.
    """
    mistakes: list[str] = []
    entries: list[RosterEntry] = []
    lines: list[int] = []
    rows = _rows(read_text(file, within), mistakes)
    _, header = next(rows, (1, []))
    if tuple(header[1:]) != COLUMNS:
        mistakes.append(_wrong_header(header))
    no_index = tuple(header) == COLUMNS  # then all rows have the wrong number of fields
    for line, row in () if no_index else rows:
        wrong = _wrong_row(row)
        mistakes += [f"{line}: {mistake}" for mistake in wrong]
        if not wrong:
            path = row[1]
            path = path if path.startswith(BUILTIN) else path.removesuffix(_SUFFIX)
            entries.append(RosterEntry(path, *row[2:]))
            lines.append(line)
    if not entries and not mistakes:
        mistakes.append("2: there is no bot in this roster; give each bot a line")
    if mistakes:
        raise LeagueFileError(file, mistakes)
    return Roster(tuple(entries), tuple(_warnings(file, entries, lines)))


def write_roster(file: str | Path, entries: Iterable[RosterEntry]) -> None:
    """Write a roster; raises LeagueFileError if that is not possible."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("", *COLUMNS))
    writer.writerows(
        (number, entry.filepath, entry.name, entry.author) for number, entry in enumerate(entries)
    )
    write_text(file, text.getvalue())


def read_text(file: str | Path, within: Path | None = None) -> str:
    """Return the text of a file, without a byte order mark; raises LeagueFileError.

    With `within`, the file has to be in that folder, wherever links lead.
    """
    file = Path(file)
    try:
        content = read_within(within or file.resolve().parent, file, MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise OSError(errno.EFBIG, "it is too large for a roster or a schedule")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise LeagueFileError(file, [f" cannot be read: {error.strerror or error}"]) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise LeagueFileError(
            file, [f"{line}: this is not UTF-8; save the file as CSV in UTF-8"]
        ) from None


def write_text(file: str | Path, text: str) -> None:
    """Write a file, with its line ends unchanged; raises LeagueFileError."""
    try:
        Path(file).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise LeagueFileError(file, [f" cannot be written: {error.strerror or error}"]) from None


def _rows(text: str, mistakes: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield all non-empty rows with the numbers of their last lines, up to the first bad quote."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        mistakes.append(f"{reader.line_num}: this is not CSV ({error}); check its quotes")


def _wrong_header(header: list[str]) -> str:
    wanted = ",".join(("", *COLUMNS))
    if tuple(header) == COLUMNS:
        return f'1: the first column, an index, is missing; the header has to be "{wanted}"'
    return f'1: the header is "{",".join(header)[:80]}" and has to be "{wanted}"'


def _wrong_row(row: list[str]) -> list[str]:
    """Return what is wrong with a row."""
    if len(row) != 1 + len(COLUMNS):
        count = f"there {agreed('are', len(row))} {counted(len(row), 'field')} in this line"
        hint = '; put text with commas in it in "quotes"' if len(row) > 1 + len(COLUMNS) else ""
        return [f"{count}, and there have to be four: index, {', '.join(COLUMNS)}{hint}"]
    wrong = [
        f"{column} has a control character, such as a line end, in it; remove it"
        for column, text in zip(COLUMNS, row[1:], strict=True)
        if has_controls(text)
    ]
    if not row[2].strip():
        wrong.append("Name is empty; give the bot a name")
    return wrong + _wrong_path(row[1])


def has_controls(text: str) -> bool:
    """Say whether a text has characters that a name must not have: line ends and the like."""
    return any(ord(letter) < 32 or ord(letter) == 127 for letter in text)


def _wrong_path(path: str) -> list[str]:
    """Return what is wrong with a file path: bots are files below the folder of bots."""
    if path.startswith(BUILTIN):
        missing = f"Filepath ends after {BUILTIN}; name a player, such as {BUILTIN}random"
        return [] if path[len(BUILTIN) :].strip() else [missing]
    parts = path.removesuffix(_SUFFIX).split("/")
    if not path.strip():
        return ["Filepath is empty; give the bot's file in Bots, without .py"]
    if "\\" in path or ":" in path:
        players = f"players of the library as {BUILTIN}..."
        return [f"Filepath {path!r} has a backslash or a colon in it; write a/b, and {players}"]
    if any(part in ("", ".", "..") for part in parts):
        return [f"Filepath {path!r} leads out of Bots, or names no file; write it as in my/bot"]
    return []


def _warnings(file: str | Path, entries: list[RosterEntry], lines: list[int]) -> Iterator[str]:
    """Yield a warning for every name that several bots share."""
    same: dict[str, list[int]] = defaultdict(list)
    for entry, line in zip(entries, lines, strict=True):
        same[entry.name].append(line)
    for name, places in same.items():
        if len(places) > 1:
            which = ", ".join(map(str, places))
            yield (
                f"{file}: the bots of lines {which} are all called {name!r}: "
                "GameHistory.csv does not distinguish them"
            )


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
        game = [int(group) for group in match.groups()] if match else []
        if match and max(game) < entries:
            games.append(game)
        else:
            mistakes += [
                f"{number}: {mistake}" for mistake in _wrong_game(line, entries, first=number == 1)
            ]
    if lines == [""]:
        mistakes = ["1: there is no game in this schedule; give each game a line, such as 0,1,2,3"]
    if mistakes:
        raise LeagueFileError(file, mistakes)
    return np.array(games, np.int32)


def write_schedule(file: str | Path, schedule: Schedule) -> None:
    """Write a schedule; raises LeagueFileError if that is not possible."""
    lines = [",".join(map(str, game)) for game in schedule.tolist()]
    write_text(file, "".join(f"{line}\n" for line in lines))


def _wrong_game(line: str, entries: int, *, first: bool) -> list[str]:
    """Return what is wrong with a line."""
    fields = line.split(",")
    if not line.strip():
        return ["this line is empty; each line before the last one is a game"]
    if len(fields) != SEATS:
        count = f"{agreed('are', len(fields))} {counted(len(fields), 'number')}"
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
