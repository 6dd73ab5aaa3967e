"""The data of a site: tables as CSV, and games for the pages that replay them.

Pages opened from a folder may not fetch files, but they may load scripts. So the games are scripts:
`data/season.js` has the bots and a list of all games, `data/games-000000.js` and so on have the
games of one block of the records each. Choices are bytes as in `block.SeasonBlock`, in base64.
"""

from __future__ import annotations

import csv
import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.site.facts import is_marked
from cardwright.syntax.data_files import safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cardwright.league.block import BotFault
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.records import Season
    from cardwright.league.site.facts import SeasonPart
    from cardwright.league.site.ranking import Duel, RankingRow
    from cardwright.statistics.intervals import Estimate

_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029)
_ORDERS = (0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that change the direction of the text after them."""

_SURROGATES = range(0xD800, 0xE000)
_UNSHOWN = dict.fromkeys((*_CONTROLS, *_ORDERS, *_SURROGATES), "�")


def shown(text: str) -> str:
    """Return a text without characters that a page must not have, or that reorder text around it.

    Each is replaced by U+FFFD. Right-to-left letters stay; pages isolate them.
    """
    return text.translate(_UNSHOWN)


TABLES_FOLDER = "tables"

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
        self._folder = site / TABLES_FOLDER
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
            (fault.game + 1, fault.seat + 1,
             self._names[part.seats[fault.game - first, fault.seat]], fault.round, fault.turn,
             fault.kind, int(is_marked(fault)), int(fault.forfeit), fault.message)
            for fault in part.block.faults
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
                [safe_cell(shown(cell)) if isinstance(cell, str) else cell for cell in row]
                for row in rows
            )


def _standing(row: RankingRow, mark: str) -> tuple[Any, ...]:
    low, high = row.chance or ("", "")
    return (
        row.rank or "", low, high, row.bot.name, row.bot.author, row.bot.file, mark, row.games,
        _number(row.mean_place), *(text for share in row.places for text in _estimate(share)),
        *_estimate(row.points), *map(_number, row.rating), row.hearts, row.queens, row.tricks,
        row.shot, row.suffered, row.faults, row.faulty, row.forfeits, row.notes,
    )  # fmt: skip


def _estimate(one: Estimate) -> tuple[str, str, str]:
    return _number(one.mean), _number(one.low), _number(one.high)


def _number(value: float | None) -> str:
    """Return a number as text; empty if it is not known."""
    return "" if value is None or value != value else f"{value:.6g}"  # noqa: PLR0124 - NaN


DATA_FOLDER = "data"

LISTED = np.dtype(
    [("game", "<u4"), ("seats", "<u2", SEATS), ("totals", "u1", SEATS), ("rounds", "u1"),
     ("marks", "u1"), ("notes", "u1")]
)  # fmt: skip
"""A game in the list: its number from 0, the bots' numbers in the roster, their points, the number
of rounds, and as bits which seats made faults (lower four) or forfeited (upper four), and which did
something that is only noted."""


class Replays:
    """Writes the data of games into a site's folder; at most `most` games, if given."""

    def __init__(self, site: Path, plan: SeasonPlan, most: int | None) -> None:
        self._folder = site / DATA_FOLDER
        self._folder.mkdir()
        self._plan = plan
        self._most = plan.games if most is None else most
        self._listed: list[np.ndarray[Any, Any]] = []
        self._firsts: list[int] = []
        self.games = 0

    def add(self, part: SeasonPart) -> None:
        """Write the games of some more blocks."""
        count = min(len(part.block), self._most - self.games)
        if count <= 0:
            return
        faults = [fault for fault in part.block.faults if fault.game < part.block.first + count]
        rounds = part.tally.rounds[:count]
        data = {
            "first": part.block.first,
            "rounds": rounds.tolist(),
            "plays": _base64(part.block.plays[: rounds.sum()]),
            "faults": [_fault(fault) for fault in faults],
        }
        self._write(f"games-{len(self._firsts):06}.js", "block", data)
        self._firsts.append(part.block.first)
        listed = np.zeros(count, LISTED)
        listed["game"] = part.block.first + np.arange(count)
        listed["seats"], listed["totals"] = part.seats[:count], part.tally.totals[:count]
        listed["rounds"] = rounds
        for one in faults:
            seat = 1 << one.seat
            marks = seat | one.forfeit * seat << SEATS if is_marked(one) else 0
            listed["marks"][one.game - part.block.first] |= marks
            listed["notes"][one.game - part.block.first] |= 0 if marks else seat
        self._listed.append(listed)
        self.games += count

    def has(self, game: int) -> bool:
        """Say whether a game, counted from 0, can be replayed."""
        return any(
            len(rows) and rows["game"][0] <= game <= rows["game"][-1] for rows in self._listed
        )

    def finish(self) -> None:
        """Write the list of all games; call it once all are added."""
        plan = self._plan
        data = {
            "name": shown(plan.name),
            "firsts": self._firsts,
            "bots": [[shown(bot.name), shown(bot.author)] for bot in plan.bots],
            "games": _base64(np.concatenate([np.zeros(0, LISTED), *self._listed])),
        }
        self._write("season.js", "season", data)

    def _write(self, name: str, kind: str, data: dict[str, Any]) -> None:
        # Only ASCII: no character of a bot's name or message can end or break a script.
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
        line = f"cardwright.{kind}({text});\n"
        (self._folder / name).write_bytes(line.encode("ascii"))


def _fault(fault: BotFault) -> list[Any]:
    """Return a fault in the format that the pages read."""
    return [
        fault.game, fault.seat, fault.round, fault.turn, shown(fault.kind), shown(fault.message),
        int(fault.counts), int(fault.forfeit),
    ]  # fmt: skip


def _base64(array: np.ndarray[Any, Any]) -> str:
    return b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
