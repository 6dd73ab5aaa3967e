"""What a plan would play, and its cost, for `--dry-run`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cardwright.arena.plan import loaded
from cardwright.hearts.native import unsuited
from cardwright.interfaces.cli.rows import as_csv
from cardwright.interfaces.cli.text import counted, printable
from cardwright.lab.design import aliases, resolution
from cardwright.lab.native import native_player

if TYPE_CHECKING:
    from cardwright.lab.design import Effect
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.tables import ExperimentLayout

_SHOWN = 64
_SHOWN_GROUPS = 20


def show_cells(plan: LabPlan, layout: ExperimentLayout, style: str) -> None:
    """Print the cells of a plan, which effects are aliased, and the number of games."""
    games = sum(len(kind.distinct) for kind in layout.kinds) * plan.deals // len(layout.kinds)
    native = _native(layout)
    cells = [
        [factor.levels[level].name for factor, level in zip(plan.factors, cell, strict=True)]
        for cell in layout.cells
    ]
    groups = aliases(plan)
    if style == "csv":
        click.echo(as_csv([factor.name for factor in plan.factors], cells))
        return
    if style == "json":
        data = {
            "factors": [factor.name for factor in plan.factors],
            "cells": cells,
            "deals": plan.deals,
            "games": games,
            "machine_code": native,
            "resolution": resolution(plan),
            "aliases": [[_effect(plan, one) for one in group] for group in groups],
        }
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    _show_table(plan, cells)
    classes = ", ".join(one.name for one in plan.opponents)
    most = " at most" if plan.stop else ""
    click.echo(
        f"\n{counted(len(cells), 'cell')} × {counted(layout.seatings, 'seating')} against "
        f"{printable(classes)}: {counted(layout.most_tables, 'game')} a deal, equal ones played "
        f"once\n{counted(plan.deals, 'deal')}{most}: {counted(games, 'game')}, played "
        f"{'by machine code' if native else 'by the players one by one'}"
    )
    if plan.generators:
        click.echo(f"resolution {resolution(plan)}: {', '.join(plan.generators)}")
    for group in groups[:_SHOWN_GROUPS]:
        names = " = ".join(_effect(plan, one) for one in group)
        click.echo(f"cannot be told apart: {printable(names)}")
    if len(groups) > _SHOWN_GROUPS:
        click.echo(f"... and {len(groups) - _SHOWN_GROUPS} more groups")


def _native(layout: ExperimentLayout) -> bool:
    """Say whether machine code plays all of it, without compiling that code."""
    return all(unsuited(loaded(game)) is None for game in layout.games) and all(
        native_player(who) is not None for who in layout.players
    )


def _show_table(plan: LabPlan, cells: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from cardwright.interfaces.cli.tables import print_rich, table_box

    table = Table(box=table_box(), header_style="bold")
    table.add_column("cell", justify="right")
    for factor in plan.factors:
        table.add_column(Text(printable(factor.name)))
    for number, names in enumerate(cells[:_SHOWN]):
        table.add_row(str(number), *(Text(printable(name)) for name in names))
    print_rich(table)
    if len(cells) > _SHOWN:
        click.echo(f"... and {len(cells) - _SHOWN} more cells")


def _effect(plan: LabPlan, effect: Effect) -> str:
    return " × ".join(plan.factors[at].name for at in effect)
