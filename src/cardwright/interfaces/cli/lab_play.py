"""Playing a plan of the lab for a command, and printing the outcome."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.plan import loaded
from cardwright.english import counted
from cardwright.hearts.native import unsuited
from cardwright.interfaces.cli.estimate import say_before_experiment
from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.progress import progress_bar
from cardwright.interfaces.cli.rows import as_json, print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import executor_kind, figure_files
from cardwright.interfaces.cli.words import INTERRUPTED, say_how_to_go_on
from cardwright.lab.cell import levels_of
from cardwright.lab.contrast import aliases
from cardwright.lab.design import resolution
from cardwright.lab.layout import layout_of, notes
from cardwright.lab.task import native_player

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.lab.layout import ExperimentLayout
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan

_SHOWN = 64
_SHOWN_GROUPS = 20


def show_cells(plan: LabPlan, layout: ExperimentLayout, style: str) -> None:
    """Print the cells of a plan, which effects are aliased, and the number of games."""
    games = sum(len(kind.distinct) for kind in layout.kinds) * plan.deals // len(layout.kinds)
    # Whether machine code plays all of it, without compiling that code.
    native = all(unsuited(loaded(game)) is None for game in layout.games) and all(
        native_player(player) is not None for player in layout.players
    )
    factors = [factor.name for factor in plan.factors]
    cells = [[level.name for _, level in levels_of(plan, cell)] for cell in layout.cells]
    groups = aliases(plan, layout.cells)
    data = {
        "factors": factors,
        "cells": cells,
        "deals": plan.deals,
        "games": games,
        "machine_code": native,
        "resolution": resolution(plan),
        "aliases": groups,
    }

    def show() -> None:
        _show_table(factors, cells)
        classes = ", ".join(one.name for one in plan.opponents)
        most = " at most" if plan.stop else ""
        click.echo(
            f"\n{counted(len(cells), 'cell')} × {counted(layout.seatings, 'seating')} against "
            f"{printable(classes)}: {counted(layout.most_tables, 'game')} a deal, equal ones "
            f"played once\n{counted(plan.deals, 'deal')}{most}: {counted(games, 'game')}, played "
            f"{'by machine code' if native else 'by the players one by one'}"
        )
        if plan.generators:
            click.echo(f"resolution {resolution(plan)}: {', '.join(plan.generators)}")
        for group in groups[:_SHOWN_GROUPS]:
            click.echo(f"cannot be told apart: {printable(' = '.join(group))}")
        if len(groups) > _SHOWN_GROUPS:
            click.echo(f"... and {counted(len(groups) - _SHOWN_GROUPS, 'more group')}")

    print_results(style, lambda: data, (factors, cells), show)


def _show_table(factors: list[str], cells: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from cardwright.interfaces.cli.tables import print_rich, table_box

    table = Table(box=table_box(), header_style="bold")
    table.add_column("cell", justify="right")
    for name in factors:
        table.add_column(Text(printable(name)))
    for number, names in enumerate(cells[:_SHOWN]):
        table.add_row(str(number), *(Text(printable(name)) for name in names))
    print_rich(table)
    if len(cells) > _SHOWN:
        click.echo(f"... and {counted(len(cells) - _SHOWN, 'more cell')}")


def play(ctx: click.Context, plan: LabPlan, options: dict[str, Any]) -> None:
    """Play a plan as the options of a call say, or only show it; print the outcome."""
    if options["resume"] and options["records"] is None:
        raise click.UsageError("--resume needs --records, the folder to continue")
    executor_kind(options, "threads")  # only to check it; the default depends on the plan
    layout = layout_of(plan)
    if (path := options["save_plan"]) is not None:
        path.write_text(plan.to_text(), encoding="utf-8", newline="\n")
        click.echo(f"the plan is in {path}; `cardwright lab run {path}` plays it", err=True)
    if options["dry_run"]:
        show_cells(plan, layout, options["style"])
        return
    if options["out"] is not None:
        from cardwright.lab.report import make_ready

        if not options["resume"]:
            refuse_filled(options["out"])
        make_ready(options["out"])
    if options["style"] == "table":
        _say_what(plan, layout)
    say_outcome(plan, _played(ctx, plan, layout, options), options)


def _say_what(plan: LabPlan, layout: ExperimentLayout) -> None:
    """Print what is going to be played."""
    title = (
        f"{plan.name}: {counted(len(layout.cells), 'cell')}, {counted(plan.deals, 'deal')}"
        f"{' at most' if plan.stop else ''}, {layout.most_tables:,} games each, seed {plan.seed}"
    )
    click.echo(click.style(printable(title), bold=True), err=True)
    said = list(notes(plan))
    if len(plan.opponents) == 1:
        said.append(
            f"Everything is played against {plan.opponents[0].name} alone. Effects depend on the "
            "opponents: name a second class of them."
        )
    for note in said:
        click.echo(f"{click.style('note:', fg='cyan', bold=True)} {printable(note)}", err=True)


def _played(
    ctx: click.Context, plan: LabPlan, layout: ExperimentLayout, options: dict[str, Any]
) -> Outcomes:
    """Return the outcomes of a plan; Ctrl-C ends the command with advice on how to resume."""
    from cardwright.lab.run import fitting, run

    executor = fitting(plan, options["workers"], options["executor"], options["scheduler"])
    if not options["quiet"] and not options["resume"]:
        say_before_experiment(plan, executor.workers)
    shown = not options["quiet"] and sys.stderr.isatty()
    done = 0
    try:
        with progress_bar(
            "deals", plan.deals, shown=shown, rate="games a second", games=layout.most_tables
        ) as tell:

            def progress(deals: int, total: int) -> None:
                nonlocal done
                done = deals
                tell(deals, total)

            resume = options["resume"]
            return run(plan, options["records"], executor, resume=resume, progress=progress)
    except KeyboardInterrupt:
        happened = f"interrupted after {done:,} of {counted(plan.deals, 'deal')}"
    say_how_to_go_on(ctx, happened, plan.seed, kept=options["records"] is not None)
    raise click.exceptions.Exit(INTERRUPTED)


def say_outcome(plan: LabPlan, outcomes: Outcomes, options: dict[str, Any]) -> None:
    """Print the findings, and write the report if a folder for it is given."""
    from rich.console import Console

    from cardwright.lab.effects import effects
    from cardwright.lab.report import effects_rows, latex_text, rows_text, show, write_report
    from cardwright.lab.report.latex import PREAMBLE

    findings = effects(plan, outcomes)
    files: tuple[Path, ...] = ()
    if options["out"] is not None:  # before the findings are printed: who reads may have enough
        files = write_report(plan, outcomes, options["out"], figure_files(options))
    if options["style"] == "json":
        click.echo(as_json(findings.record()))
    elif options["style"] == "csv":
        click.echo(rows_text(effects_rows(findings)), nl=False)
    elif options["latex"]:
        click.echo(f"{PREAMBLE}\n{latex_text(plan, findings)}", nl=False)
    else:
        show(plan, findings, Console())
    if files:
        page = next((file for file in files if file.suffix == ".html"), options["out"])
        click.echo(
            f"\n{counted(len(files), 'file')} in {options['out']}; the report is {page}", err=True
        )
