"""What `match`, `tournament` and `ladder` print for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from cardwright.arena.report_rows import standing_rows
from cardwright.interfaces.cli.rows import as_csv as rows_as_csv

if TYPE_CHECKING:
    from cardwright.arena.contest_report import ContestReport


def as_json(kind: str, report: ContestReport) -> str:
    """Return a report as one JSON object, with the first faults of each entrant."""
    faults = [
        {"entrant": one.entrant, "deal": one.deal, "table": one.table, **asdict(one.fault)}
        for one in report.results.faults_noted
    ]
    head = {"kind": kind, "seconds": report.seconds, "ties": report.results.ties}
    return json.dumps({**head, **report.record(), "faults": faults}, indent=2)


def as_csv(report: ContestReport) -> str:
    """Return the standings as CSV, a row per entrant; unknown values are empty.

    Copies of a player are told apart by a number, as `random #2`.
    """
    return rows_as_csv(*standing_rows(report, report.names))
