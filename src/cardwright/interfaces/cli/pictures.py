"""The pictures that `--plot` asks for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from cardwright.arena import plots
from cardwright.arena.bounds import share_estimate
from cardwright.arena.report import advantage
from cardwright.game.errors import override_text
from cardwright.library.catalogue import people_name
from cardwright.publication.figures import AxisWord, CaptionLine, counted_range, labelled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from matplotlib.figure import Figure

    from cardwright.arena.report import ContestReport
    from cardwright.arena.settings import Measure
    from cardwright.publication.figures import FigureFiles


def draw(
    wanted: Iterable[tuple[str, Path]],
    files: FigureFiles,
    report: ContestReport,
    measure: Measure = "score",
) -> None:
    """Draw and save all pictures asked for, by kind; scores are shown best first."""
    for kind, path in wanted:
        if not report.counted:
            raise plots.PlotError(f"{path}: there is nothing to draw, since no deal counts")
        plots.save(_picture(kind, report, measure), path, _line(report), files)
        click.echo(f"drawn: {path}", err=True)


def _picture(kind: str, report: ContestReport, measure: Measure) -> Figure:
    title = _game(report)
    names = report.names
    chosen = [(names[who], report.standings[who]) for who in report.best_first]
    direction = "higher is better" if report.highest_wins else "lower is better"
    if kind == "scores":
        rows = [(label, one.score) for label, one in chosen]
        return plots.points(rows, labelled(AxisWord.SCORE_A_GAME, direction), title=title)
    if kind == "wins":
        rows = [(label, one.win) for label, one in chosen]
        fair = 1 / report.plan.game.players
        return plots.points(
            rows,
            labelled(AxisWord.WINS),
            title=title,
            reference=fair,
            reference_name="an even share",
        )
    if kind == "field":
        rows = [(label, one.over_field) for label, one in chosen if one.over_field]
        axis = labelled(AxisWord.OVER_FIELD, direction)
        return plots.points(
            rows, axis, title=title, reference=0.0, reference_name="the mean of the field"
        )
    if kind == "ratings":
        assert report.ratings is not None
        pairs = zip(names, report.ratings.entrants, strict=True)
        best_first = sorted(pairs, key=lambda pair: -pair[1].mean)
        return plots.points(
            best_first, labelled(AxisWord.RATING), title=title, reference=0.0,
            reference_name="the mean rating",
        )  # fmt: skip
    if kind == "matrix":
        return _matrix(report, title)
    return _running(report, measure, title)


def _game(report: ContestReport) -> str:
    game = report.plan.game
    settings = {name: override_text(value) for name, value in game.declared}
    return people_name(game.name, game.preset, settings)


def _line(report: ContestReport) -> CaptionLine:
    counts = [counted_range([report.counted], "deals"), counted_range([report.games], "games")]
    if not report.neighbours_balanced:
        counts.append("rotations only")
    return CaptionLine(", ".join(counts), report.plan.seed)


def _matrix(report: ContestReport, title: str) -> Figure:
    matrix = report.matrix
    assert matrix is not None
    alone = matrix.kind == "alone"
    what = labelled(AxisWord.WINS if matrix.measure == "win" else AxisWord.SCORE)
    means = matrix.means()
    itself = [means[who][who] for who in range(len(means))]
    return plots.heat_map(
        means,
        report.names,
        what if alone else f"difference of the {what}",
        centre=sum(itself) / len(itself) if alone else 0.0,
        title=title,
        low_is_good=matrix.measure == "score" and not report.highest_wins,
        sides=("this one alone", "against copies of") if alone else ("this one", "less this one"),
    )


def _running(report: ContestReport, measure: Measure, title: str) -> Figure:
    deals = report.deals
    values = advantage(deals, measure, highest_wins=report.highest_wins)
    bounds = deals.difference_bounds(0, 1)
    interval = partial(share_estimate, least=bounds[0], most=bounds[1])
    lines = [("", 0.0)]
    if report.tested is not None:
        lines = [("H0", report.tested.test.h0), ("H1", report.tested.test.h1)]
    what = labelled(AxisWord.WINS if measure == "win" else AxisWord.POINTS_A_GAME)
    first, second = report.names[:2]
    title = f"{title}: how much better {first} is than {second}"
    if measure == "win":
        return plots.running_mean(values, what, title=title, lines=lines, interval=interval)
    return plots.running_mean(values, what, title=title, lines=lines)
