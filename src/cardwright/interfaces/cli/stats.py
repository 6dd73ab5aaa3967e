"""The output of `compile --show stats`: times, sizes, parts of a state, ways to options."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from cardwright.compiler.figures import Way, choice_figures, state_figures
from cardwright.compiler.ir import node_count
from cardwright.english import counted
from cardwright.interfaces.cli.tables import new_table, print_rich
from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from rich.table import Table

    from cardwright.compiler.figures import StateFigures
    from cardwright.compiler.native import Compilation
    from cardwright.game.game import Game

_WAYS = {
    Way.LISTED: "listed",
    Way.ASSURED: "listed, with tests beforehand",
    Way.TRIED: "listed, then tried on a copy",
    Way.EXPLORED: "tried from the beginning",
}


def show_stats(game: Game, stages: Compilation) -> None:
    """Compile a game and print figures of it."""
    from cardwright.arena.benchmark import seconds_from_cache
    from cardwright.compiler.kernel_sets import PLAY
    from cardwright.compiler.native import compilation

    click.echo(click.style(printable(game.name), bold=True))
    _ = stages.machine_code
    _times(stages, seconds_from_cache(game, compilation(game.program, PLAY).compiled))
    _sizes(stages)
    _state(state_figures(game.program))
    _choices(game)


def _table(*titles: str) -> Table:
    """Return a table whose first column is text, and the others numbers."""
    return new_table(titles[0], numbers=titles[1:], no_wrap=True, min_width=16)


def _times(stages: Compilation, cached: float | None) -> None:
    table = _table("stage", "ms")
    for name, seconds in stages.seconds.items():
        table.add_row(name, f"{1000 * seconds:,.1f}")
    table.add_row("together", f"{1000 * sum(stages.seconds.values()):,.1f}")
    if cached is not None:
        table.add_row("from the cache", f"{1000 * cached:,.1f}")
    print_rich(table)
    click.echo()


def _sizes(stages: Compilation) -> None:
    module = stages.lowered.module
    rules = len(stages.lowered.rules)
    table = _table("code", "")
    table.add_row("functions", f"{len(module.functions):,}")
    table.add_row("  of the rules", f"{rules:,}")
    table.add_row("  kernels", f"{len(module.functions) - rules:,}")
    table.add_row("tables", f"{len(module.data):,}")
    table.add_row("IR nodes", f"{node_count(module):,}")
    table.add_row("LLVM lines", f"{len(stages.listing('llvm').text.splitlines()):,}")
    table.add_row("object bytes", f"{len(stages.machine_code.content):,}")
    print_rich(table)
    click.echo()


def _state(figures: StateFigures) -> None:
    slots, masks = figures.piles, figures.slots - figures.piles
    table = _table("state", "bytes")
    for part in figures.fields:
        table.add_row(part.name, f"{part.bytes:,}")
    pool = f", {figures.pool_slots:,} of them in the pool" if figures.pool_slots else ""
    table.add_row(f"{counted(slots, 'pile')}{pool}", f"{slots * figures.pile_bytes:,}")
    table.add_row(f"{counted(masks, 'place')} without a pile: masks", "")
    for part in figures.pile_fields:
        table.add_row(f"  {part.name}", f"{part.bytes:,} each")
    table.add_row("together", f"{figures.bytes:,}")
    print_rich(table)
    click.echo()


def _choices(game: Game) -> None:
    """Print how options are found, a line for each choice and each way."""
    source = game.program.source
    table = _table("choice", "branches")
    table.add_column("their options are", no_wrap=True)
    total: Counter[Way] = Counter()
    for choice in choice_figures(game.program):
        ways = Counter(way for _, way in choice.branches)
        place = source.position(choice.span.start)
        name = f"{printable(source.name)}:{place.line}:{place.column}"
        for way, count in ways.items():
            table.add_row(name, f"{count:,}", _WAYS[way])
            name = ""
        total += ways
    for way, count in total.items():
        table.add_row("all" if way == next(iter(total)) else "", f"{count:,}", _WAYS[way])
    print_rich(table)
