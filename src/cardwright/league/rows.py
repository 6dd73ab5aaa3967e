"""Rows: the text of the league's tables of tricks, rounds and games, as CSV without headers.

Polars writes tables. The table of tricks, 180 rows per game, is instead assembled here from words
of eight bytes, which takes less than half the time: its cells have few different values.
"""

from __future__ import annotations

import csv
import io
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.extras import missing
from cardwright.league.block import CARDS, SEATS, SLUFFS, TRICKS
from cardwright.syntax.data_files import safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from cardwright.league.block import Column
    from cardwright.league.roster import Roster
    from cardwright.league.tally import BlockTally

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
    values = [f"{one},{other}," for one in range(CARDS) for other in range(CARDS)]
    return _words(values).reshape(CARDS, CARDS)


@cache
def _ends() -> NDArray[np.uint64]:
    """Return the words for Lead and Winner; the last ones, -1, mean nobody."""
    seats = (*range(SEATS), _NOBODY)
    return _words(f"{lead},{winner}\n" for lead in seats for winner in seats).reshape(5, 5)
