"""`cardwright league schedule`: makes balanced schedules."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import folder, save_option, seed_option

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.league.balance import Balance

_EITHER = "give either --bots N or --season DIR"


@click.command("schedule")
@click.option("--bots", type=int, metavar="N", help="The number of bots.")
@click.option("--season", metavar="SEASON_DIR", type=folder(there=True),
              help="Make it for the roster of a season, as its Schedules/Main.csv.")  # fmt: skip
@click.option("--rounds", type=int, required=True, metavar="R",
              help="In a round every bot plays four games, one in each seat.")  # fmt: skip
@seed_option(default=0)
@save_option("[default: standard output, or the schedule of --season]")
@click.option("--force", is_flag=True, help="Replace an existing file.")
def command(
    bots: int | None, season: Path | None, rounds: int, seed: int, save: Path | None, *, force: bool
) -> None:
    """Make a schedule in which all bots play in all seats, and meet all others, equally often.

    A line per game: the roster rows, from 0, of seats 1 to 4. A report of its balance goes to
    standard error if the schedule goes to standard output.
    """
    from cardwright.league.balance import (
        balance_report,
        balanced,
    )
    from cardwright.league.roster import write_schedule

    if (bots is None) == (season is None):
        raise click.UsageError(_EITHER)
    if season is not None:
        from cardwright.league.roster import read_roster
        from cardwright.league.season import MAIN

        bots = len(read_roster(season / "Rosters" / MAIN))
        save = save or season / "Schedules" / MAIN
    assert bots is not None
    schedule = balanced(bots, rounds, seed)
    if save is None:
        for game in schedule.tolist():
            click.echo(",".join(map(str, game)))
        _show(balance_report(schedule, bots), bots, rounds, len(schedule), err=True)
        return
    _may_write(save, force=force)
    write_schedule(save, schedule)
    _show(balance_report(schedule, bots), bots, rounds, len(schedule), err=False)
    click.echo(f"\nwritten to {printable(str(save))}")


def _may_write(file: Path, *, force: bool) -> None:
    """Ask before a file is replaced, or fail where no one can answer."""
    if force or not file.exists():
        return
    words = f"{printable(str(file))} exists"
    if not sys.stdin.isatty():
        raise click.ClickException(f"{words}; give --force to replace it")
    click.confirm(f"{words}. Replace it?", abort=True)


def _show(report: Balance, bots: int, rounds: int, games: int, *, err: bool) -> None:
    """Print the balance of a schedule."""
    title = f"{counted(bots, 'bot')}, {counted(rounds, 'round')}: {counted(games, 'game')}"
    click.echo(click.style(title, bold=True), err=err)
    for what, low, high in (
        ("games of a bot", int(report.games.min()), int(report.games.max())),
        ("games of a bot in a seat", int(report.seats.min()), int(report.seats.max())),
        ("meetings of two bots", *report.between_two(report.meetings)),
        ("a bot right after another", *report.between_two(report.next)),
    ):
        number = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        click.echo(f"  {what:<26}{number:>16}", err=err)
