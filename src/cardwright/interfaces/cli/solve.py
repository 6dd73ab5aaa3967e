"""`cardwright solve`: an equilibrium of a small game."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted, percent
from cardwright.interfaces.cli.parameters import game_options
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import (
    check_save,
    format_option,
    nodes_option,
    quiet_option,
    resume_option,
    save_option,
    seed_option,
    utility_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.players.strategy import Strategy

_SHOWN = 40
"""Information sets that are shown; files have all of them."""

_DEFAULT_ITERATIONS = 1000

_CLOSE = 1e-9


@click.command("solve")
@game_options()
@click.option(
    "--method", type=click.Choice(["cfr+", "cfr", "lp", "mccfr"]), default="cfr+",
    show_default=True,
    help="How: by regret minimization (CFR+, plain CFR, or without a tree by sampled deals), or "
    "exactly by linear programs.",
)  # fmt: skip
@click.option(
    "--iterations", type=click.IntRange(min=1), default=_DEFAULT_ITERATIONS, show_default=True,
    help="How many iterations of regret minimization, in all.",
)  # fmt: skip
@click.option(
    "--target", type=click.FloatRange(min=0), metavar="POINTS",
    help="Stop before that if the exploitability is no more than this.",
)  # fmt: skip
@utility_option
@nodes_option(1_000_000)
@seed_option("It is for mccfr.", default=0)
@save_option("With --resume it is continued from there.")
@resume_option("It goes on from the strategy in the file of --save.")
@quiet_option
@format_option
def command(
    *,
    game: ChosenGame,
    method: str,
    iterations: int,
    target: float | None,
    utility: str,
    nodes: int,
    seed: int,
    save: Path | None,
    resume: bool,
    quiet: bool,
    style: str,
) -> None:
    """Compute the best play of a small game.

    GAME is a name of the library or the path of a file. Its whole tree is built, which is only
    possible for small games. The result is a strategy for each seat. With two players whose
    winnings add up to zero, the strategies are an equilibrium, or approach one; the exploitability
    says how near they are.

    The player `solved:FILE` plays a strategy that was saved by --save.
    """
    check_save(save, resume=resume)
    from cardwright.interfaces.cli.progress import progress_bar
    from cardwright.solve.solving import solve_game

    loaded = game.load()
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as tell:
        found = solve_game(
            loaded, method=method, iterations=iterations, until=target, utility=utility,
            most_nodes=nodes, seed=seed, file=save, resume=resume, progress=tell,
        )  # fmt: skip
    rows = ("seat", "sees", "option", "probability"), _rows(found)
    print_results(style, lambda: _record(found), rows, lambda: _show(found, save))


def _record(found: Strategy) -> dict[str, Any]:
    """Return a strategy as a JSON object."""
    return {
        "game": found.game,
        "method": found.method,
        "utility": found.utility,
        "iterations": found.iterations,
        "values": list(found.values),
        "exploitability": found.exploitability,
        "scores": list(found.scores),
        "information_sets": [
            {
                "seat": one.seat,
                "sees": one.sees,
                "options": [
                    {"option": option.name, "probability": option.probability}
                    for option in one.options
                ],
            }
            for one in found.sets
        ],
    }


def _rows(found: Strategy) -> Iterator[tuple[object, ...]]:
    """Yield a row for each option of each information set."""
    for one in found.sets:
        for option in one.options:
            yield one.seat, one.sees, option.name, option.probability


def _by_seat(values: Sequence[float]) -> str:
    return ", ".join(f"p{seat} {value:z.6f}" for seat, value in enumerate(values, 1))


def _show(found: Strategy, save: Path | None) -> None:
    from cardwright.interfaces.cli.tables import new_table, print_rich
    from cardwright.solve.tree import Utility

    how = f", {counted(found.iterations, 'iteration')}" if found.iterations else ""
    sets = counted(len(found.sets), "information set")
    click.echo(click.style(f"{printable(found.game)}: {sets}, {found.method}{how}", bold=True))
    click.echo(f"\n value           {_by_seat(found.values)} ({Utility(found.utility).words})")
    apart = zip(found.scores, found.values, strict=False)  # scores are not always known
    if any(abs(own - worth) > _CLOSE for own, worth in apart):
        click.echo(f" mean scores     {_by_seat(found.scores)}")
    known = "not computed" if found.exploitability is None else f"{found.exploitability:.6f}"
    click.echo(f" exploitability  {known}\n")
    table = new_table("seat", "sees", "does")
    seats = range(len(found.values))
    ordered = (one for seat in seats for one in found.sets if one.seat == seat)
    for one in islice(ordered, _SHOWN):  # no more sets are put into words than are shown
        does = ", ".join(f"{option.name} {percent(option.probability)}" for option in one.options)
        table.add_row(f"p{one.seat + 1}", printable(one.sees) or "-", printable(does))
    print_rich(table)
    if len(found.sets) > _SHOWN:
        more = "" if save else "; --save FILE or --csv has them all"
        click.echo(f"\n ... and {len(found.sets) - _SHOWN:,} more{more}")
    if save is not None:
        click.echo(f"\n saved in {save}, which plays as solved:{save}")
