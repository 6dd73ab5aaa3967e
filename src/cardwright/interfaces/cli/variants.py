"""`cardwright variants`: a game with each combination of some values of its options."""

from __future__ import annotations

from math import prod
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.analyze import checked_settings, study, study_options
from cardwright.interfaces.cli.parameters import (
    game_argument,
    preset_option,
    set_option,
    warn_of_players,
)
from cardwright.interfaces.cli.rows import as_csv
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.measures import NamedMeasure
    from cardwright.analysis.subject import Subject
    from cardwright.interfaces.cli.parameters import Overrides
    from cardwright.program.constants import Constant
    from cardwright.study.analyze import Grid
    from cardwright.study.report import AnalysisReport

MOST = 200
"""The most combinations: more would be a mistake."""


def read_grid(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[Constant, ...]]:
    """Parse `--vary`, each as a name and its values; values that are lists are separated by `;`."""
    from cardwright.program.constants import parse_value

    found: dict[str, tuple[Constant, ...]] = {}
    for text in values:
        name, equals, listed = (part.strip() for part in text.partition("="))
        name = name.removeprefix("'")
        if not equals or not name:
            raise click.BadParameter(f"{text!r} is not of the form NAME=V1,V2", ctx, param)
        if name in found:
            raise click.BadParameter(f"{name} is varied twice", ctx, param)
        texts = [part.strip() for part in listed.split(";" if ";" in listed else ",")]
        try:
            found[name] = tuple(parse_value(part) for part in texts if part)
        except ValueError as error:
            raise click.BadParameter(f"{name}: {error}", ctx, param) from None
        if not found[name] or len(set(found[name])) < len(found[name]):
            raise click.BadParameter(f"{name} needs values that differ: {text!r}", ctx, param)
    if prod(len(one) for one in found.values()) > MOST:
        raise click.BadParameter(f"that is more than {MOST} combinations", ctx, param)
    return found


_USUAL = "order,fairness,convergence,spread,drama,security,decisions,branching,forced,score"


@click.command("variants", cls=KeepingCommand)
@game_argument
@click.option("--vary", "grid", metavar="NAME=V1,V2", multiple=True, required=True,
              callback=read_grid, help="Values of a declared constant; `;` between values that are "
              "lists themselves. Can be repeated: then all combinations are played.")  # fmt: skip
@click.option("--measures", metavar="MEASURE,...", default=_USUAL, show_default=True,
              help="Columns of the table; the page has all.")  # fmt: skip
@preset_option
@set_option
@study_options("variants")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    game: str,
    grid: Grid,
    measures: str,
    preset: str | None,
    overrides: Overrides,
    style: str,
    **options: Any,
) -> None:
    """Compare variants of a game by their options.

    All combinations of some values of its constants are played.

    Every variant plays the same deals, and is compared with the game as it is, or with the first if
    that is not among them. Combinations that the game forbids are left out, with the reason. Writes
    the same files as `analyze`, and one figure of all variants.
    """
    columns = _measures(ctx, measures)
    both = sorted(set(grid) & set(overrides))
    if both:
        raise click.UsageError(f"{both[0]} is both set and varied: do one of the two")
    settings = checked_settings(ctx, options)
    from cardwright.study.analyze import combinations, variants_heading
    from cardwright.study.report import as_json

    games, left_out = combinations(game, grid, overrides, preset)
    for one in games:
        warn_of_players(one.game)
    report = study(ctx, options, settings, games, variants_heading(game, preset), left_out)
    if style == "json":
        listed = [{"words": words, "reason": reason} for words, reason in left_out]
        click.echo(as_json({**report.record(), "left_out": listed}), nl=False)
    elif style == "csv":
        click.echo(_as_csv(report.subjects, columns))
    else:
        _show(report, columns)
    ctx.exit(1 if report.errors else 0)


def _measures(ctx: click.Context, text: str) -> list[NamedMeasure]:
    from cardwright.analysis.errors import AnalysisError
    from cardwright.analysis.measures import named_measure

    keys = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    try:
        return [named_measure(key) for key in keys]
    except AnalysisError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'--measures'") from None


def _as_csv(subjects: Sequence[Subject], columns: Sequence[NamedMeasure]) -> str:
    ends = [f"{one.key}{end}" for one in columns for end in ("", "_low", "_high")]
    names = list(subjects[0].title.settings)
    rows = []
    for subject in subjects:
        values: list[object] = []
        for one in columns:
            row = subject.result(one)
            values += ["", "", ""] if row is None else [row.value, row.low, row.high]
        settings = [subject.title.settings.get(name, "") for name in names]
        rows.append([subject.title.name, *settings, *values])
    return as_csv(["variant", *names, *ends], rows)


def _show(report: AnalysisReport, columns: Sequence[NamedMeasure]) -> None:
    from cardwright.interfaces.cli.analyze_show import (
        plain,
        show_beside,
        show_place,
        show_remarks,
    )
    from cardwright.interfaces.cli.tables import width

    subjects = report.subjects
    title = f"{report.heading}: {counted(len(subjects), 'combination')}, seed {report.seed}"
    click.echo(click.style(plain(title), bold=True))
    click.echo()
    show_beside(subjects, columns)
    click.echo()
    show_remarks(subjects, columns)
    for words, reason in report.left_out:
        said = f"left out: {plain(words)}: {plain(reason)}"
        click.echo(fill(said, width() - 1, initial_indent=" ", subsequent_indent="   "))
    show_place(report)
