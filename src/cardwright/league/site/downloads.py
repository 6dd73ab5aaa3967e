"""Downloads: the tables of a site as CSV, for spreadsheets and programs."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from cardwright.league.block import SEATS
from cardwright.league.site.shown import shown
from cardwright.league.site.trouble import is_marked
from cardwright.syntax.data_files import safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cardwright.league.records import Season
    from cardwright.league.site.estimates import Duel
    from cardwright.league.site.part import SeasonPart
    from cardwright.league.site.ranking import RankingRow
    from cardwright.statistics.sample import Estimate

FOLDER = "tables"

TABLES = {
    "standings.csv": "the standings with all intervals and ratings",
    "duels.csv": "head to head, a row per pair of bots",
    "games.csv": "a row per game: who sat where, and the points",
    "faults.csv": "a row per fault, with its place and reason",
}
"""The files and their contents."""

_STANDINGS = (
    "rank", "rank_low", "rank_high", "bot", "author", "file", "sha256", "games", "mean_place",
    "first", "first_low", "first_high", "second", "second_low", "second_high", "third", "third_low",
    "third_high", "fourth", "fourth_low", "fourth_high", "points", "points_low", "points_high",
    "rating", "rating_sd", "hearts", "queens", "tricks", "moons_shot", "moons_suffered", "faults",
    "games_with_faults", "forfeits", "noted",
)  # fmt: skip
_DUELS = (
    "bot", "opponent", "games", "share", "share_low", "share_high", "points", "points_low",
    "points_high",
)  # fmt: skip
_FAULTS = (
    "game", "seat", "bot", "round", "turn", "kind", "counts", "forfeit", "message",
)  # fmt: skip


class Downloads:
    """Writes the tables of a site; games and faults incrementally."""

    def __init__(self, site: Path, names: Sequence[str]) -> None:
        self._folder = site / FOLDER
        self._folder.mkdir()
        self._names = names
        seats = [f"{what}{seat}" for seat in range(1, SEATS + 1) for what in ("bot", "points")]
        self._begin("games.csv", ("game", "rounds", *seats))
        self._begin("faults.csv", _FAULTS)

    def add(self, part: SeasonPart) -> None:
        """Write some more games."""
        first, totals = part.block.first, part.tally.totals.tolist()
        rows = zip(part.seats.tolist(), totals, part.tally.rounds.tolist(), strict=True)
        self._append("games.csv", (
            (first + at + 1, rounds,
             *(one for who, points in zip(seats, mine, strict=True)
               for one in (self._names[who], points)))
            for at, (seats, mine, rounds) in enumerate(rows)
        ))  # fmt: skip
        self._append("faults.csv", (
            (one.game + 1, one.seat + 1, self._names[part.seats[one.game - first, one.seat]],
             one.round, one.turn, one.kind, int(is_marked(one)), int(one.forfeit), one.message)
            for one in part.block.faults
        ))  # fmt: skip

    def finish(
        self, season: Season, rows: Sequence[RankingRow], duels: Mapping[tuple[int, int], Duel]
    ) -> None:
        """Write the tables of the season as a whole."""
        self._begin("standings.csv", _STANDINGS)
        self._append("standings.csv", (_standing(row, season.marks[row.entry]) for row in rows))
        self._begin("duels.csv", _DUELS)
        self._append("duels.csv", (
            (self._names[one], self._names[other], duel.games,
             *_estimate(duel.share), *_estimate(duel.difference))
            for (one, other), duel in duels.items()
        ))  # fmt: skip

    def _begin(self, name: str, columns: Sequence[str]) -> None:
        (self._folder / name).write_bytes(b"")
        self._append(name, [columns])

    def _append(self, name: str, rows: Iterable[Sequence[Any]]) -> None:
        with (self._folder / name).open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows(
                [safe_cell(shown(one)) if isinstance(one, str) else one for one in row]
                for row in rows
            )


def _standing(row: RankingRow, mark: str) -> tuple[Any, ...]:
    low, high = row.chance or ("", "")
    return (
        row.rank or "", low, high, row.bot.name, row.bot.author, row.bot.file, mark, row.games,
        _number(row.mean_place), *(one for share in row.places for one in _estimate(share)),
        *_estimate(row.points), *map(_number, row.rating), row.hearts, row.queens, row.tricks,
        row.shot, row.suffered, row.faults, row.faulty, row.forfeits, row.notes,
    )  # fmt: skip


def _estimate(one: Estimate) -> tuple[str, str, str]:
    return _number(one.mean), _number(one.low), _number(one.high)


def _number(value: float | None) -> str:
    """Return a number as text; empty if it is not known."""
    return "" if value is None or value != value else f"{value:.6g}"  # noqa: PLR0124 - NaN
