"""Outputs: the four tables of a season, written game by game, published together or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cardwright.league.block import BlockError, SeasonBlock
from cardwright.league.roster import LeagueFileError, has_controls
from cardwright.league.rows import game_rows, polars, round_rows, trick_rows
from cardwright.league.standings import LeagueStandings, standing_rows
from cardwright.league.tally import BlockTally

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from cardwright.league.roster import Roster
    from cardwright.league.schedule_file import Schedule

SEASON = "Test Season"
"""The default name of a season."""

TRICKS = "TrickHistory.csv"
ROUNDS = "RoundHistory.csv"
GAMES = "GameHistory.csv"
STANDINGS = "Standings.csv"
FILES = (TRICKS, ROUNDS, GAMES, STANDINGS)

_GAMES_AT_ONCE = 1024
_ROWS_AT_ONCE = 2**16
"""Games, and rows of standings, formatted at a time: this bounds the memory."""


class OutputWriter:
    """Writes the tables of a season from its blocks, in order, into a folder; for one thread.

    The files are written to a hidden folder beside it, which takes its place when all of them are
    on disk. An existing folder is first moved aside, then the new one is moved in, and then the old
    one is removed. So there is never a mixture of the two; after a crash between the two moves
    there is neither, and the next writer restores the old one. Two processes must not write to one
    folder at the same time.

    Use it as a context manager: unfinished tables are removed at the end. Raises LeagueFileError if
    the folder cannot be written, contains anything except these tables, or if the season's name
    cannot be written to a table; and MissingExtraError without polars. `standings` are those after
    the games added so far, and `digests` has the SHA-256 of what was written to each file.
    """

    def __init__(self, folder: str | Path, season: str, roster: Roster, schedule: Schedule) -> None:
        polars()
        # The target of a link is replaced, not the link.
        self.folder = Path(folder).resolve()
        self.season = season
        self.schedule = schedule
        self.standings = LeagueStandings.none(roster)
        self.games = 0
        self._fresh = self.folder.with_name(f".{self.folder.name}.new")
        self._old = self.folder.with_name(f".{self.folder.name}.old")
        self._files: dict[str, IO[bytes]] = {}
        self._hashes = {name: hashlib.sha256() for name in FILES}
        if has_controls(season):
            raise LeagueFileError(
                self.folder, [" the season's name has a control character in it; remove it"]
            )
        try:
            self._open()
        except OSError as error:
            self.close()
            raise self._unwritable(error) from None
        counts = self.standings.counts[None]
        self._write(STANDINGS, standing_rows(season, 0, roster, counts))

    def add(self, block: SeasonBlock) -> None:
        """Write the games of the next block.

        Raises BlockError if these are not the next games of the season, or not games of the league.
        """
        if block.first != self.games or block.after > len(self.schedule):
            raise BlockError(
                f"games {block.first + 1} to {block.after} cannot follow {self.games} games of "
                f"a season of {len(self.schedule)}"
            )
        at_once = max(1, min(_GAMES_AT_ONCE, _ROWS_AT_ONCE // len(self.standings.roster)))
        for part in _parts(block, at_once):
            self._add(part)

    def finish(self) -> Path:
        """Publish the tables, and return their folder.

        Raises LeagueFileError if that is not possible, or if games are missing.
        """
        if self.games < len(self.schedule):
            missing = len(self.schedule) - self.games
            raise LeagueFileError(self.folder, [f" {missing} games of the season are not played"])
        try:
            for name, file in self._files.items():
                try:
                    file.flush()
                    os.fsync(file.fileno())
                    file.close()
                except OSError as error:
                    raise self._unwritable(error, name) from None
            self._move()
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            self.close()
        return self.folder

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of what was written to each file."""
        return {name: one.hexdigest() for name, one in self._hashes.items()}

    def close(self) -> None:
        """Remove unfinished tables; does nothing after `finish`."""
        for file in self._files.values():
            with suppress(OSError):  # flushing may fail on a full disk
                file.close()
        shutil.rmtree(self._fresh, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> None:
        """Check the existing folder, and open the new files."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        if self._old.exists():
            if self.folder.exists():
                shutil.rmtree(self._old)
            else:
                self._old.rename(self.folder)
        if self.folder.exists():
            others = sorted({one.name for one in self.folder.iterdir()} - set(FILES))
            if others:
                wrong = f" has {others[0]!r} in it, which would be removed with the old tables: "
                raise LeagueFileError(self.folder, [wrong + "move it away, or name another folder"])
        shutil.rmtree(self._fresh, ignore_errors=True)
        self._fresh.mkdir()
        for name in FILES:
            self._files[name] = (self._fresh / name).open("wb")

    def _add(self, block: SeasonBlock) -> None:
        """Write some games, formatted all at once."""
        roster = self.standings.roster
        seats = self.schedule[block.first : block.after]
        tally = BlockTally.of(block)
        counts = self.standings.running(tally, seats)
        for rows in trick_rows(self.season, tally):
            self._write(TRICKS, rows)
        self._write(ROUNDS, round_rows(self.season, tally))
        self._write(GAMES, game_rows(self.season, tally, roster, seats))
        self._write(STANDINGS, standing_rows(self.season, block.first + 1, roster, counts))
        self.games = block.after
        self.standings = LeagueStandings(roster, counts[-1].copy())

    def _write(self, name: str, content: bytes) -> None:
        try:
            self._files[name].write(content)
            self._hashes[name].update(content)
        except OSError as error:
            raise self._unwritable(error, name) from None

    def _move(self) -> None:
        if self.folder.exists():
            self.folder.rename(self._old)
        self._fresh.rename(self.folder)
        shutil.rmtree(self._old, ignore_errors=True)

    def _unwritable(self, error: OSError, name: str = "") -> LeagueFileError:
        said = f" cannot be written: {error.strerror or error}"
        return LeagueFileError(self.folder / name, [said])


def _parts(block: SeasonBlock, games: int) -> Iterator[SeasonBlock]:
    """Yield a block in parts of at most `games` games, without faults and times."""
    row = 0
    for start in range(0, len(block), games):
        rounds = block.rounds[start : start + games]
        end = row + int(rounds.sum())
        yield SeasonBlock(block.first + start, rounds, block.plays[row:end])
        row = end
