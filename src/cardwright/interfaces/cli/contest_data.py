"""What `match`, `tournament` and `ladder` print for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.rows import as_csv as rows_as_csv

if TYPE_CHECKING:
    from cardwright.arena.report import Report
    from cardwright.arena.results import Results


def as_json(kind: str, report: Report, results: Results, seconds: float) -> str:
    """Return a report as one JSON object, with the first faults of each entrant."""
    faults = [
        {"entrant": one.entrant, "deal": one.deal, "table": one.table, **asdict(one.fault)}
        for one in results.faults_noted
    ]
    head = {"kind": kind, "seconds": seconds, "ties": results.ties}
    return json.dumps({**head, **report.record(), "faults": faults}, indent=2)


def as_csv(report: Report) -> str:
    """Return the standings as CSV, a row an entrant; what is not known is empty."""
    seats = range(1, report.plan.game.players + 1)
    bounds = [f"{name}{end}" for name in ("score", "win_share") for end in ("", "_low", "_high")]
    columns = [
        "entrant", *bounds, *(f"place_{place}" for place in seats), "deals", "seats", "decisions",
        "faults",
    ]  # fmt: skip
    rows = []
    for standing in report.standings:
        numbers = [
            value
            for estimate in (standing.score, standing.win)
            for value in (estimate.record()["mean"], estimate.low, estimate.high)
        ]
        places = standing.places or [None] * len(seats)
        rows.append(
            [standing.entrant, *numbers, *places, report.counted, standing.seats,
             standing.decisions, standing.faults]
        )  # fmt: skip
    return rows_as_csv(columns, rows)
