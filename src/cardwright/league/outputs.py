"""Outputs: the four tables of a season, and the standings.

Polars writes tables. The table of tricks, 180 rows per game, is instead assembled here from words
of eight bytes, which takes less than half the time: its cells have few different values.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from cardwright.extras import missing
from cardwright.league.block import (
    CARDS,
    SEATS,
    SLUFFS,
    TRICKS,
    BlockError,
    BlockTally,
    SeasonBlock,
)
from cardwright.league.roster import LeagueFileError, has_controls
from cardwright.league.season_files import FreshFolder
from cardwright.syntax.data_files import safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    import polars as pl
    from numpy.typing import NDArray

    from cardwright.league.block import Column
    from cardwright.league.roster import Roster, RosterEntry, Schedule

FIRST_TRICK = -(SLUFFS // SEATS)
"""The number of a round's first row in the table of tricks; the tricks themselves count from 0."""

_WORD = 8
_STEPS = TRICKS - FIRST_TRICK
_ROUNDS_AT_ONCE = 256
"""Rounds formatted at a time: their words stay in the cache of a core."""

_NOBODY = -1


def trick_rows(season: str, tally: BlockTally) -> Iterator[bytes]:
    """Yield the rows of TrickHistory.csv for some games, 16 per round, in pieces.

    Season, Game, Round, Trick (-3 to -1 for the cards passed), the four cards by seat, Lead and
    Winner (both -1 for cards passed).
    """
    start = quoted(season)
    games = np.arange(len(tally.rounds)) + tally.first + 1
    heads = _words([f"{start},{game}," for game in games.tolist()])
    numbers = _numbers(int(tally.rounds.max(initial=0)))
    width = heads.shape[1]
    words = np.empty((_ROUNDS_AT_ONCE, _STEPS, width + 4), np.uint64)
    for begin in range(0, len(tally.game), _ROUNDS_AT_ONCE):
        some = slice(begin, begin + _ROUNDS_AT_ONCE)
        cards = tally.cards[some].astype(np.intp)
        out = words[: len(cards)]
        out[:, :, :width] = heads[tally.game[some], None]
        out[:, :, width] = numbers[tally.number[some]]
        out[:, :, width + 1] = _pairs()[cards[:, :, 0], cards[:, :, 1]]
        out[:, :, width + 2] = _pairs()[cards[:, :, 2], cards[:, :, 3]]
        out[:, :-TRICKS, width + 3] = _ends()[_NOBODY, _NOBODY]
        out[:, -TRICKS:, width + 3] = _ends()[tally.leads[some], tally.winners[some]]
        yield out.tobytes().translate(None, b"\0")


def round_rows(season: str, tally: BlockTally) -> bytes:
    """Return the rows of RoundHistory.csv: Season, Game, Round, four scores, and Queen's seat."""
    numbers = [tally.first + tally.game + 1, tally.number, *tally.scores.T, tally.queens]
    return csv_rows([repeated(season, len(tally.game)), *numbers])


def game_rows(season: str, tally: BlockTally, roster: Roster, seats: Column) -> bytes:
    """Return the rows of GameHistory.csv, for games with these roster rows in their seats.

    Season, Game, and for each of the four seats names, scores, hearts, queens and tricks.
    """
    names = texts(roster.names)
    counts = (tally.totals, tally.hearts, tally.queens_taken, tally.tricks)
    return csv_rows(
        [
            repeated(season, len(seats)),
            tally.first + 1 + np.arange(len(seats)),
            *(names.gather(seats[:, seat]) for seat in range(SEATS)),
            *(column for count in counts for column in count.T),
        ]
    )


def csv_rows(columns: Sequence[pl.Series | NDArray[Any]]) -> bytes:
    """Return rows of CSV with these columns, without a header; lines end with a line feed."""
    frame = polars().DataFrame({str(number): column for number, column in enumerate(columns)})
    memory = io.BytesIO()
    frame.write_csv(memory, include_header=False)
    return memory.getvalue()


def texts(values: Iterable[str]) -> pl.Series:
    """Return a column of texts, none of which is a formula.

    Empty ones are nulls, as polars puts quotes around empty texts.
    """
    kept = [safe_cell(value) or None for value in values]
    column: pl.Series = polars().Series(kept, dtype=polars().String)
    return column


def repeated(text: str, count: int) -> pl.Series:
    """Return a column with the same text in all rows."""
    return texts([text]).new_from_index(0, count)


def polars() -> Any:
    """Return the library polars; raises MissingExtraError if it is not installed."""
    try:
        import polars as pl
    except ImportError:
        raise missing("polars") from None
    return pl


def quoted(text: str) -> str:
    """Return a text as a field of CSV, in quotes if it needs them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow((safe_cell(text), ""))
    return line.getvalue()[:-1]


def _words(values: Iterable[str]) -> NDArray[np.uint64]:
    """Return texts as rows of words, padded with zeros, which occur in no text."""
    encoded = [value.encode() for value in values]
    longest = max(map(len, encoded), default=0)
    width = max(1, -(-longest // _WORD))
    padded: NDArray[Any] = np.array(encoded, f"S{width * _WORD}")
    return padded.view(np.uint64).reshape(len(encoded), width)


@cache
def _numbers(rounds: int) -> NDArray[np.uint64]:
    """Return the words for Round and Trick."""
    values = [
        f"{number},{trick}," for number in range(rounds + 1) for trick in range(FIRST_TRICK, TRICKS)
    ]
    return _words(values).reshape(rounds + 1, _STEPS)


@cache
def _pairs() -> NDArray[np.uint64]:
    """Return the words for two cards."""
    values = [f"{left},{other}," for left in range(CARDS) for other in range(CARDS)]
    return _words(values).reshape(CARDS, CARDS)


@cache
def _ends() -> NDArray[np.uint64]:
    """Return the words for Lead and Winner; the last ones, -1, mean nobody."""
    seats = (*range(SEATS), _NOBODY)
    return _words(f"{lead},{winner}\n" for lead in seats for winner in seats).reshape(5, 5)


PARTS = 12
"""Places are counted in twelfths, which two, three and four seats can share."""

_GAMES, _PLACES, _POINTS, _ALL_TRICKS, _TRICKS, _HEARTS, _QUEENS = 0, 1, 5, 6, 7, 8, 9
_COLUMNS = 10


@dataclass(frozen=True)
class BotStanding:
    """The results of a bot.

    `places` are its shares of first to fourth places, which add up to `games`. `rounds` counts
    those of its games; `tricks`, `hearts` and `queens` (of spades) are what it took itself.
    """

    entry: RosterEntry
    games: int
    places: tuple[Fraction, ...]
    points: int
    rounds: int
    tricks: int
    hearts: int
    queens: int

    @property
    def mean_place(self) -> float:
        """Its mean place, 1 to 4; NaN without games."""
        total = sum(place * share for place, share in enumerate(self.places, 1))
        return float(total / self.games) if self.games else float("nan")

    @property
    def points_a_game(self) -> float:
        """Its mean points per game; NaN without games."""
        return self.points / self.games if self.games else float("nan")

    @property
    def points_a_round(self) -> float:
        """Its mean points per round; NaN without games."""
        return self.points / self.rounds if self.rounds else float("nan")


@dataclass(frozen=True, eq=False)
class LeagueStandings:
    """The results of all bots of a roster; `counts` has a row for each, and columns of integers.

    The columns are games, twelfths of first to fourth places, points, all tricks of its games, and
    tricks, hearts and queens of spades taken.
    """

    roster: Roster
    counts: Column

    @classmethod
    def none(cls, roster: Roster) -> LeagueStandings:
        """Return the standings before the first game."""
        return cls(roster, np.zeros((len(roster), _COLUMNS), np.int64))

    def running(self, tally: BlockTally, seats: Column) -> Column:
        """Return the counts after each of some games, shape (games, entries, columns).

        `seats` has the roster rows of the bots of these games, shape (games, 4). A bot in several
        seats of a game is credited only with the first of them.
        """
        games = len(seats)
        gained = np.zeros((games, len(self.roster), _COLUMNS), np.int64)
        places = tally.places()
        for seat in range(SEATS):
            first = (seats[:, :seat] != seats[:, seat, None]).all(1)
            game = np.flatnonzero(first)
            mine = gained[game, seats[game, seat]]
            mine[:, _GAMES] = 1
            mine[:, _PLACES:_POINTS] = places[game, seat]
            mine[:, _POINTS] = tally.totals[game, seat]
            mine[:, _ALL_TRICKS] = TRICKS * tally.rounds[game]
            mine[:, _TRICKS] = tally.tricks[game, seat]
            mine[:, _HEARTS] = tally.hearts[game, seat]
            mine[:, _QUEENS] = tally.queens_taken[game, seat]
            gained[game, seats[game, seat]] = mine
        if games:
            gained[0] += self.counts
        return np.cumsum(gained, axis=0, out=gained)

    def each(self) -> list[BotStanding]:
        """Return the results of every bot, in the order of the roster."""
        return [
            BotStanding(
                entry=entry,
                games=row[_GAMES],
                places=tuple(Fraction(twelfths, PARTS) for twelfths in row[_PLACES:_POINTS]),
                points=row[_POINTS],
                rounds=row[_ALL_TRICKS] // TRICKS,
                tricks=row[_TRICKS],
                hearts=row[_HEARTS],
                queens=row[_QUEENS],
            )
            for entry, row in zip(self.roster.entries, self.counts.tolist(), strict=True)
        ]

    def ranked(self) -> list[BotStanding]:
        """Return the results of every bot, ranked by mean place, then by points per game.

        Bots equal in both stay in the order of the roster; those without games are last.
        """
        played = [part for part in self.each() if part.games]
        played.sort(key=lambda one: (one.mean_place, one.points_a_game))
        return played + [part for part in self.each() if not part.games]


def standing_rows(season: str, first: int, roster: Roster, counts: Column) -> bytes:
    """Return the rows of Standings.csv for counts from `running`: a block of rows per game.

    `first` is the number of games over in the first of these blocks. Season, Game, Name, Author,
    Games Played, #1 to #4, Points, Rounds Played, Tricks Won, Hearts, Queens; places and rounds
    are written as floats.
    """
    games, entries, _ = counts.shape
    flat = counts.reshape(games * entries, _COLUMNS).T
    every = np.tile(np.arange(entries), games)
    return csv_rows(
        [
            repeated(season, games * entries),
            np.repeat(np.arange(first, first + games), entries),
            texts(roster.names).gather(every),
            texts(roster.authors).gather(every),
            flat[_GAMES],
            *(flat[_PLACES:_POINTS] / PARTS),
            flat[_POINTS],
            flat[_ALL_TRICKS] / TRICKS,
            *flat[_TRICKS:],
        ]
    )


TRICK_FILE = "TrickHistory.csv"
ROUND_FILE = "RoundHistory.csv"
GAME_FILE = "GameHistory.csv"
STANDINGS_FILE = "Standings.csv"
FILES = (TRICK_FILE, ROUND_FILE, GAME_FILE, STANDINGS_FILE)

_GAMES_AT_ONCE = 1024
_ROWS_AT_ONCE = 2**16
"""Games, and rows of standings, formatted at a time: this bounds the memory."""


class OutputWriter:
    """Writes the tables of a season from its blocks, in order, into a folder; for one thread.

    The files are written to a hidden folder beside it, which takes its place when all of them are
    on disk: see `FreshFolder`. Two processes must not write to one folder at the same time.

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
        self._files: dict[str, IO[bytes]] = {}
        self._hashes = {name: hashlib.sha256() for name in FILES}
        if has_controls(season):
            raise LeagueFileError(
                self.folder, [" the season's name has a control character in it; remove it"]
            )
        with self._writing():
            self._fresh = FreshFolder(self.folder)
        try:
            with self._writing():
                others = (
                    {file.name for file in self.folder.iterdir()} if self.folder.exists() else ()
                )
            for other in sorted({*others} - set(FILES)):
                wrong = f" has {other!r} in it, which would be removed with the old tables: "
                raise LeagueFileError(self.folder, [wrong + "move it away, or name another folder"])
            for name in FILES:
                with self._writing(name):
                    self._files[name] = (self._fresh.path / name).open("wb")
        except LeagueFileError:
            self.close()
            raise
        self._write(STANDINGS_FILE, standing_rows(season, 0, roster, self.standings.counts[None]))

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
                with self._writing(name):
                    file.flush()
                    os.fsync(file.fileno())
                    file.close()
            with self._writing():
                self._fresh.publish()
        finally:
            self.close()
        return self.folder

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of what was written to each file."""
        return {name: digest.hexdigest() for name, digest in self._hashes.items()}

    def close(self) -> None:
        """Remove unfinished tables; does nothing after `finish`."""
        for file in self._files.values():
            with suppress(OSError):  # flushing may fail on a full disk
                file.close()
        self._fresh.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _add(self, block: SeasonBlock) -> None:
        """Write some games, formatted all at once."""
        roster = self.standings.roster
        seats = self.schedule[block.first : block.after]
        tally = BlockTally.of(block)
        counts = self.standings.running(tally, seats)
        for rows in trick_rows(self.season, tally):
            self._write(TRICK_FILE, rows)
        self._write(ROUND_FILE, round_rows(self.season, tally))
        self._write(GAME_FILE, game_rows(self.season, tally, roster, seats))
        self._write(STANDINGS_FILE, standing_rows(self.season, block.first + 1, roster, counts))
        self.games = block.after
        self.standings = LeagueStandings(roster, counts[-1].copy())

    def _write(self, name: str, content: bytes) -> None:
        with self._writing(name):
            self._files[name].write(content)
            self._hashes[name].update(content)

    @contextmanager
    def _writing(self, name: str = "") -> Iterator[None]:
        """Raise LeagueFileError where the system refuses something, naming the file."""
        try:
            yield
        except OSError as error:
            said = f" cannot be written: {error.strerror or error}"
            raise LeagueFileError(self.folder / name, [said]) from None


def _parts(block: SeasonBlock, games: int) -> Iterator[SeasonBlock]:
    """Yield a block in parts of at most `games` games, without faults and times."""
    row = 0
    for start in range(0, len(block), games):
        rounds = block.rounds[start : start + games]
        end = row + int(rounds.sum())
        yield SeasonBlock(block.first + start, rounds, block.plays[row:end])
        row = end
