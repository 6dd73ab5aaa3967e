"""Contests and simulations, as notebooks show them: means and their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.bounds import guarantee
from cardwright.markup.element import Html, display, element, heading, joined, note
from cardwright.markup.numbers import (
    IntervalScale,
    ShownInterval,
    mean_and_ends,
    number,
    percent,
)
from cardwright.markup.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.arena.findings import Matrix, TestedDifference
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.report import ContestReport
    from cardwright.arena.simulation import SimulationResult
    from cardwright.statistics.intervals import Estimate

_INTERVALS = "[ ] are 95 % intervals, in which a deal counts as one value."


def simulation_html(found: SimulationResult) -> str:
    """Return a simulation: what each seat got, on average and with intervals."""
    job, summary = found.job, found.summary
    facts = [f"{found.games:,} games", f"seed {job.seed}"] if job.seed is not None else []
    facts = facts or [f"{found.games:,} games"]
    if summary.decisions.count:
        facts.append(f"{number(summary.decisions.mean, 1)} decisions a game")
    if summary.errors:
        facts.append(f"{len(summary.errors)} stopped with an error")
    if found.partial:
        facts.append("interrupted")
    scores = [interval(seat.mean_score) for seat in found.seats]
    scale = IntervalScale(scores)
    rows = [
        (
            f"p{at + 1}",
            str(player),
            mean_and_ends(score),
            scale.drawn(score),
            mean_and_ends(interval(seat.win_share), 1, share=True),
        )
        for at, (player, seat, score) in enumerate(
            zip(job.players, found.seats, scores, strict=True)
        )
    ]
    heads = ("seat", "player", "mean score", "", "share of wins")
    return display(
        heading(f"Simulation of {job.game.name}", *facts),
        table(heads, rows, texts=2),
        note("[ ] are 95 % intervals."),
    )


def contest_html(found: ContestReport) -> str:
    """Return a contest: who got what, by how much one is better, ratings and the matrix."""
    plan = found.plan
    facts = [
        f"{found.played:,} deals at {len(plan.tables)} tables",
        f"seed {plan.seed}",
        f"the {'highest' if found.highest_wins else 'lowest'} score wins",
    ]
    if not found.neighbours_balanced:
        facts.append("rotations only, so that all keep their neighbours")
    if found.left_out:
        facts.append(f"{found.left_out} deals left out, as a game failed")
    names = found.names
    return display(
        heading(f"Contest of {plan.game.name}", *facts),
        _standings(found, names),
        _differences(found, names),
        _tested(found.tested, names) if found.tested else None,
        _named("Ratings (Elo scale)", _ratings(found.ratings, names)) if found.ratings else None,
        _named("Pay-offs", _matrix(found.matrix, names)) if found.matrix else None,
        note(_INTERVALS),
        note(guarantee(found.score_range)) if found.score_range and found.guaranteed else None,
    )


def ratings_html(found: Ratings) -> str:
    """Return ratings by the numbers of the entrants."""
    names = [f"entrant {at}" for at in range(len(found.entrants))]
    return display(heading("Ratings (Elo scale)"), _ratings(found, names))


def matrix_html(found: Matrix) -> str:
    """Return a matrix by the numbers of the entrants."""
    names = [f"entrant {at}" for at in range(len(found.cells))]
    return display(heading("Pay-offs"), _matrix(found, names))


def record_html(found: GameRecord) -> str:
    """Return the result of a game: the scores and the shares of the win, or the error."""
    facts = (f"seed {found.seed}", f"{len(found.decisions)} decisions")
    if found.error is not None:
        return display(heading("Game", *facts), note(found.error))
    rows = [
        (f"p{seat + 1}", number(score, 0), percent(win))
        for seat, (score, win) in enumerate(zip(found.scores, found.wins, strict=True))
    ]
    return display(heading("Game", *facts), table(("seat", "score", "share of the win"), rows))


def interval(one: Estimate) -> ShownInterval:
    """Return the numbers of an estimate; no mean for one of no deals."""
    return ShownInterval(one.mean if one.count else None, one.low, one.high)


def _standings(found: ContestReport, names: Sequence[str]) -> Html:
    first = len(names) - found.field
    order = [*found.best_first, *range(first, len(names))]
    scores = [interval(found.standings[who].score) for who in order]
    scale = IntervalScale(scores)
    ladder = found.field > 0
    rows = []
    for who, score in zip(order, scores, strict=True):
        one = found.standings[who]
        over = one.over_field
        gained = mean_and_ends(interval(over)) if over else "the field"
        rows.append(
            (
                names[who],
                mean_and_ends(score),
                scale.drawn(score),
                *_guaranteed(one.score_guaranteed),
                mean_and_ends(interval(one.win), 1, share=True),
                *([gained] if ladder else []),
                str(one.faults),
            )
        )
    over_field = ["more than the field"] if ladder else []
    known = ["guaranteed"] if found.guaranteed else []
    heads = ("player", "mean score", "", *known, "share of wins", *over_field, "faults")
    return table(heads, rows)


def _differences(found: ContestReport, names: Sequence[str]) -> Html | None:
    if not found.differences:
        return None
    scores = [interval(one.score) for one in found.differences]
    scale = IntervalScale(scores, zero=0.0)
    rows = [
        (
            f"{names[one.one]} − {names[one.other]}",
            mean_and_ends(score),
            scale.drawn(score),
            *_guaranteed(one.score_guaranteed),
            mean_and_ends(interval(one.win), 1, share=True),
        )
        for one, score in zip(found.differences, scores, strict=True)
    ]
    known = ["guaranteed"] if found.guaranteed else []
    return table(("difference", "score", "", *known, "share of wins"), rows)


def _guaranteed(estimate: Estimate | None) -> list[str]:
    """Return the cell of a guaranteed interval; none where the range of scores is not known."""
    return [f"[{number(estimate.low)}, {number(estimate.high)}]"] if estimate else []


def _tested(found: TestedDifference, names: Sequence[str]) -> Html:
    verdict = found.verdict
    said = {
        "H0": f"accepted: the advantage of {names[0]} is {found.test.h0:g}, not {found.test.h1:g}",
        "H1": f"accepted: the advantage of {names[0]} is {found.test.h1:g}, not {found.test.h0:g}",
        "undecided": "undecided",
    }[verdict.accepted]
    return note(f"Sequential test ({found.test}), after {verdict.deals} deals: {said}.")


def _ratings(found: Ratings, names: Sequence[str]) -> Html:
    order = sorted(range(len(names)), key=lambda who: -found.entrants[who].mean)
    ratings = [interval(found.entrants[who]) for who in order]
    scale = IntervalScale(ratings, zero=0.0)
    rows = [
        (names[who], mean_and_ends(one, 0), scale.drawn(one))
        for who, one in zip(order, ratings, strict=True)
    ]
    return table(("player", "rating", ""), rows)


def _matrix(found: Matrix, names: Sequence[str]) -> Html:
    share = found.measure == "win"
    rows = [
        (
            element("b", name),
            *(
                mean_and_ends(interval(cell), 1 if share else 2, share=share) if cell else "–"
                for cell in row
            ),
        )
        for name, row in zip(names, found.cells, strict=True)
    ]
    said = {
        "alone": "The row's player alone against copies of the column's",
        "difference": "The row's player minus the column's, in the games of both",
    }.get(found.kind, found.kind)
    measure = "share of the win" if share else "score"
    return joined(table(("", *names), rows), note(f"{said}: {measure}."))


def _named(title: str, content: Html) -> Html:
    return joined(heading(title), content)
