"""`cardwright doctor`: what works on this machine, and what to do about what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.doctor.examine import CheckedPart

_COLOURS = {"works": "green", "missing": "yellow", "broken": "red"}


@click.command("doctor")
@format_option
@click.pass_context
def command(ctx: click.Context, style: str) -> None:
    """Say what works on this machine, and what to do.

    A small game is compiled and compared with the interpreter, and sandboxes are tried. What is
    missing can be added; what is broken makes the exit code 1.
    """
    from cardwright._version import RESULTS_VERSION, __version__
    from cardwright.doctor.examine import examine, healthy, what_to_do

    parts = examine()
    records = [part.record() for part in parts]
    record = {
        "version": __version__,
        "results_version": RESULTS_VERSION,
        "works": healthy(parts),
        "parts": records,
        "to_do": what_to_do(parts),
    }
    rows = ("part", "health", "found", "advice"), records
    print_results(style, lambda: record, rows, lambda: _show(parts, what_to_do(parts)))
    ctx.exit(0 if healthy(parts) else 1)


def _show(parts: Sequence[CheckedPart], to_do: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from cardwright.interfaces.cli.tables import print_rich, table_box

    table = Table(box=table_box(), header_style="bold")
    table.add_column("part", style="bold", no_wrap=True)
    table.add_column("health", no_wrap=True)
    table.add_column("found", overflow="fold")
    for part in parts:
        lines = part.found if part.advice is None else f"{part.found}\n{part.advice}"
        told = Text("\n".join(map(printable, lines.splitlines())))
        table.add_row(part.name, Text(part.health, style=_COLOURS[part.health]), told)
    print_rich(table)
    click.echo(f"\n{printable(to_do)}")
