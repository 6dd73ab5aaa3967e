"""A report as rows and columns; unknown values are None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.arena.contest_report import ContestReport
    from cardwright.statistics.sample import Estimate

    Rows: TypeAlias = tuple[list[str], list[list[Any]]]


def standing_rows(report: ContestReport, names: Sequence[str]) -> Rows:
    """Return a row per entrant, by the name that it has here."""
    seats = range(1, report.plan.game.players + 1)
    columns = [
        "entrant", *_SCORE, *_named("win_share"), *(f"place_{place}" for place in seats), "deals",
        "seats", "decisions", "faults",
    ]  # fmt: skip
    rows = [
        [
            name, *_ends(one.score), *_guaranteed(one.score_guaranteed), *_ends(one.win),
            *(one.places or [None] * len(seats)),
            report.counted, one.seats, one.decisions, one.faults,
        ]
        for name, one in zip(names, report.standings, strict=True)
    ]  # fmt: skip
    return columns, rows


def difference_rows(report: ContestReport, names: Sequence[str]) -> Rows:
    """Return a row per pair of entrants, by the names that they have here."""
    columns = ["one", "other", *_SCORE, *_named("win_share"), *_named("duplicate_gain")]
    rows = [
        [
            names[one.one], names[one.other], *_ends(one.score),
            *_guaranteed(one.score_guaranteed), *_ends(one.win),
            *([None] * 3 if one.gain is None else _ends(one.gain)),
        ]
        for one in report.differences
    ]  # fmt: skip
    return columns, rows


def _named(name: str) -> list[str]:
    return [f"{name}{end}" for end in ("", "_low", "_high")]


_SCORE = (*_named("score"), "score_guaranteed_low", "score_guaranteed_high")


def _guaranteed(estimate: Estimate | None) -> list[float | None]:
    return [None, None] if estimate is None else [estimate.low, estimate.high]


def _ends(estimate: Estimate) -> list[float | None]:
    return [estimate.mean if estimate.count else None, estimate.low, estimate.high]
