"""`cardwright bench`: how fast games are played on this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import complete_game, engine_option, load
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.arena.benchmark import BenchmarkFigures

_NOTHING = "-"
_THOUSAND = 1000


@click.command("bench")
@click.argument("games", metavar="[GAME...]", nargs=-1, shell_complete=complete_game)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=1.0,
    show_default=True,
    help="How long each figure is measured.",
)
@engine_option
@format_option
def command(games: tuple[str, ...], seconds: float, engine: str, style: str) -> None:
    """Measure how fast games are played, on one core.

    GAME is a name of the library or the path of a file; without one, all games of the library are
    measured. The machine should do nothing else meanwhile.
    """
    from cardwright.arena.benchmark import machine

    found = list(_measured(games, seconds, engine))
    records = [figures.record() for figures in found]
    record = {"games": records, "machine": machine()}
    rows = list(records[0]), records
    print_results(style, lambda: record, rows, lambda: _show(found, machine()))


def _measured(games: tuple[str, ...], seconds: float, engine: str) -> Iterator[BenchmarkFigures]:
    """Measure games in order; on a terminal, show which."""
    from cardwright.arena.benchmark import measure
    from cardwright.game.find import library_names

    loaded = [load(name, engine=engine) for name in games or library_names()]
    for game in loaded:
        if sys.stderr.isatty():
            click.echo(f"{printable(game.name)} ...", err=True)
        yield measure(game, seconds)


def _show(found: list[BenchmarkFigures], machine: dict[str, Any]) -> None:
    click.echo("Random games, and rollouts from first decisions, per second on one core:\n")
    _table(
        ("bulk", "traced", "Python", "rollouts", "ns a decision"),
        found,
        lambda one: (
            _rate(one.bulk_per_second),
            _rate(one.traced_per_second),
            _rate(one.python_per_second),
            _rate(one.rollouts_per_second),
            _number(one.ns_per_decision, 1),
        ),
    )
    for one in found:
        if one.handwritten_share is not None:
            click.echo(
                f"\nshare of the hand-written kernel: {one.handwritten_share:.1%} of its"
                f" {_rate(one.handwritten_per_second)} deals a second ({printable(one.game)})"
            )
    if any(one.state_bytes is not None for one in found):
        click.echo("\nStates and code:\n")
        _table(
            ("state bytes", "copied in ns", "compiled in ms", "loaded in ms"),
            found,
            lambda one: (
                _number(one.state_bytes),
                _number(one.copy_ns, 1),
                _in_ms(one.compile_seconds),
                _in_ms(one.cached_seconds),
            ),
        )
    click.echo(f"\n{printable(machine['cpu'])}, {machine['system']}")
    click.echo(f"Cardwright {machine['cardwright']}, Python {machine['python']}")


def _table(
    titles: tuple[str, ...],
    found: list[BenchmarkFigures],
    cells: Callable[[BenchmarkFigures], tuple[str, ...]],
) -> None:
    from rich.text import Text

    from cardwright.interfaces.cli.tables import new_table, print_rich

    table = new_table("game", numbers=titles, style="bold", overflow="fold", min_width=11)
    for one in found:
        table.add_row(Text(printable(one.game)), *cells(one))
    print_rich(table)


def _in_ms(seconds: float | None) -> str:
    return _number(None if seconds is None else 1000 * seconds)


def _rate(value: float | None) -> str:
    """Return a rate with three significant digits: `1.02 M`."""
    if value is None:
        return _NOTHING
    for unit in (" ", "k", "M"):
        if value < _THOUSAND or unit == "M":
            break
        value /= _THOUSAND
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}".rstrip()


def _number(value: float | None, digits: int = 0) -> str:
    return _NOTHING if value is None else f"{value:,.{digits}f}"
