"""Contests and simulations, as notebooks show them: means and their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.english import counted, number, percent
from cardwright.markup.element import Html, display, element, heading, joined, note, table
from cardwright.markup.numbers import IntervalScale, mean_and_ends
from cardwright.statistics.measures import SCORE, WINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.arena.findings import EntrantStanding, Matrix, TestedDifference
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.report import ContestReport
    from cardwright.arena.simulation import SimulationResult
    from cardwright.markup.element import Child
    from cardwright.statistics.intervals import Estimate

_RATINGS = "Ratings (Elo scale)"
_MATRIX = "Pay-offs"


def simulation_html(result: SimulationResult) -> str:
    """Return a simulation: what each seat got, on average and with intervals."""
    job, summary = result.job, result.summary
    facts = [f"{result.games:,} games"]
    if job.seed is not None:
        facts.append(f"seed {job.seed}")
    if summary.decisions.count:
        facts.append(f"{number(summary.decisions.mean, 1)} decisions a game")
    if summary.errors:
        facts.append(f"{len(summary.errors)} stopped with an error")
    if result.partial:
        facts.append("interrupted")
    scale = IntervalScale(seat.mean_score for seat in result.seats)
    rows = [
        (
            f"p{at}",
            str(player),
            mean_and_ends(seat.mean_score),
            scale.drawn(seat.mean_score),
            mean_and_ends(seat.win_share, 1, share=True),
        )
        for at, (player, seat) in enumerate(zip(job.players, result.seats, strict=True), 1)
    ]
    heads = ("seat", "player", SCORE, "", WINS)
    return display(
        heading(f"Simulation of {job.game.name}", *facts),
        table(heads, rows, texts=2),
        note("[ ] are 95 % intervals."),
    )


def contest_html(report: ContestReport) -> str:
    """Return a contest: who got what, by how much one is better, ratings and the matrix."""
    from cardwright.arena.bounds import guarantee

    plan, names = report.plan, report.names
    facts = [
        f"{counted(report.played, 'deal')} at {counted(len(plan.tables), 'table')}",
        f"seed {plan.seed}",
        f"the {'highest' if report.highest_wins else 'lowest'} score wins",
    ]
    if not report.neighbours_balanced:
        facts.append("rotations only, so that all keep their neighbours")
    if report.left_out:
        facts.append(f"{report.left_out} deals left out, as a game failed")
    return display(
        heading(f"Contest of {plan.game.name}", *facts),
        _standings(report, names),
        _differences(report, names),
        _tested(report.tested, names) if report.tested else None,
        joined(heading(_RATINGS), _ratings(report.ratings, names)) if report.ratings else None,
        joined(heading(_MATRIX), _matrix(report.matrix, names)) if report.matrix else None,
        note("[ ] are 95 % intervals, in which a deal counts as one value."),
        note(guarantee(report.score_range)) if report.score_range and report.guaranteed else None,
    )


def ratings_html(ratings: Ratings) -> str:
    """Return ratings by the numbers of the entrants."""
    return display(heading(_RATINGS), _ratings(ratings, _numbers(len(ratings.entrants))))


def matrix_html(matrix: Matrix) -> str:
    """Return a matrix by the numbers of the entrants."""
    return display(heading(_MATRIX), _matrix(matrix, _numbers(len(matrix.cells))))


def record_html(record: GameRecord) -> str:
    """Return the result of a game: the scores and the shares of the win, or the error."""
    facts = (f"seed {record.seed}", counted(len(record.decisions), "decision"))
    if record.error is not None:
        return display(heading("Game", *facts), note(record.error))
    rows = [
        (f"p{seat}", number(score, 0), percent(win))
        for seat, (score, win) in enumerate(zip(record.scores, record.wins, strict=True), 1)
    ]
    return display(heading("Game", *facts), table(("seat", "score", "share of the win"), rows))


def _numbers(count: int) -> list[str]:
    return [f"entrant {number}" for number in range(count)]


def _standings(report: ContestReport, names: Sequence[str]) -> Html:
    order = [*report.best_first, *range(len(names) - report.field, len(names))]
    chosen = [(names[who], report.standings[who]) for who in order]
    scale = IntervalScale(standing.score for _, standing in chosen)

    def cells(name: str, one: EntrantStanding) -> list[Child]:
        row: list[Child] = [name, *_score(scale, one.score, one.score_guaranteed)]
        row.append(mean_and_ends(one.win, 1, share=True))
        if report.field:
            row.append(mean_and_ends(one.over_field) if one.over_field else "the field")
        return [*row, str(one.faults)]

    over_field = ["more than the field"] * (report.field > 0)
    known = ["guaranteed"] * report.guaranteed
    heads = ("player", SCORE, "", *known, WINS, *over_field, "faults")
    return table(heads, [cells(*one) for one in chosen])


def _differences(report: ContestReport, names: Sequence[str]) -> Html | None:
    if not report.differences:
        return None
    scale = IntervalScale((difference.score for difference in report.differences), zero=0.0)
    rows = [
        (
            f"{names[difference.one]} − {names[difference.other]}",
            *_score(scale, difference.score, difference.score_guaranteed),
            mean_and_ends(difference.win, 1, share=True),
        )
        for difference in report.differences
    ]
    known = ["guaranteed"] * report.guaranteed
    return table(("difference", "score", "", *known, WINS), rows)


def _score(scale: IntervalScale, score: Estimate, guaranteed: Estimate | None) -> list[Child]:
    """Return the cells of a score; no guaranteed interval where the range is not known."""
    ends = [f"[{number(guaranteed.low)}, {number(guaranteed.high)}]"] if guaranteed else []
    return [mean_and_ends(score), scale.drawn(score), *ends]


def _tested(tested: TestedDifference, names: Sequence[str]) -> Html:
    verdict, test = tested.verdict, tested.test
    advantage, other = {"H0": (test.h0, test.h1), "H1": (test.h1, test.h0)}.get(
        verdict.accepted, (0.0, 0.0)
    )
    said = f"accepted: the advantage of {names[0]} is {advantage:g}, not {other:g}"
    if verdict.accepted == "undecided":
        said = verdict.accepted
    return note(f"Sequential test ({test}), after {verdict.deals} deals: {said}.")


def _ratings(ratings: Ratings, names: Sequence[str]) -> Html:
    scale = IntervalScale(ratings.entrants, zero=0.0)
    pairs = sorted(zip(names, ratings.entrants, strict=True), key=lambda pair: -pair[1].mean)
    rows = [(name, mean_and_ends(interval, 0), scale.drawn(interval)) for name, interval in pairs]
    return table(("player", "rating", ""), rows)


def _matrix(matrix: Matrix, names: Sequence[str]) -> Html:
    share = matrix.measure == "win"
    rows = [
        (
            element("b", name),
            *(mean_and_ends(cell, 2 - share, share=share) if cell else "–" for cell in cells),
        )
        for name, cells in zip(names, matrix.cells, strict=True)
    ]
    said = {
        "alone": "The row's player alone against copies of the column's",
        "difference": "The row's player minus the column's, in the games of both",
    }[matrix.kind]
    measure = "share of the win" if share else "score"
    return joined(table(("", *names), rows), note(f"{said}: {measure}."))
