"""All numbers of a report, as JSON and as CSV."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cardwright.analysis.heuristics import HeuristicRow
from cardwright.syntax.data_files import csv_text as as_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.analysis.report.comparison import Comparison
    from cardwright.analysis.report.subject import Subject

FORMAT, VERSION = "cardwright-analysis", 1


def numbers(subjects: Sequence[Subject], comparison: Comparison | None) -> dict[str, Any]:
    """Return all numbers as a JSON object; what has no value is null."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "ties": subjects[0].ties,
        "games": [_game(one) for one in subjects],
        "differences": [] if comparison is None else comparison.record(),
    }


def csv_text(subjects: Iterable[Subject]) -> str:
    """Return the tables of heuristics of all games as CSV, with the game's name first."""
    names = list(HeuristicRow.__dataclass_fields__)
    rows = (
        [one.title.name, *(values[name] for name in names)]
        for one in subjects
        for values in map(record, one.rows)
    )
    return as_csv(["game", *names], rows)


def record(row: HeuristicRow) -> dict[str, Any]:
    """Return a line of the table as a JSON object."""
    return {key: _known(value) for key, value in asdict(row).items()}


def _game(one: Subject) -> dict[str, Any]:
    title, course = one.title, one.course
    return {
        "name": title.name,
        "game": title.game,
        "players": title.players,
        "preset": title.preset or None,
        "set": dict(title.settings),
        "digest": title.digest,
        "games_with_errors": dict(one.broken),
        "statistics": {batch: plain(counts.record()) for batch, counts in one.statistics.items()},
        "random_games_in_bulk": None if one.bulk is None else plain(one.bulk.record()),
        "measures": [record(row) for row in one.rows],
        "tricks": None if one.tricks is None else plain(one.tricks.means().tolist()),
        "unknown_bits": None
        if course is None or not course.games
        else {
            "games": course.games,
            "portion": course.grid.tolist(),
            "seen_now": course.mean("bits").tolist(),
            "remembered": course.mean("remembered").tolist(),
        },
    }


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: NaN and infinities become null."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return _known(value)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
