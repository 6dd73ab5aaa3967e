"""`cardwright tournament`: all players against all, a payoff matrix and ratings."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.contest import (
    checked_options,
    contest_options,
    entrants_of,
    play,
)
from cardwright.interfaces.cli.vocabulary import measure_option, orders_option
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("tournament", cls=KeepingCommand)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@contest_options("matrix", "ratings", "scores", "wins")
@click.option("--together", is_flag=True,
              help="All groups of as many players as there are seats, not pairs.")  # fmt: skip
@orders_option("For --together.")
@measure_option("The payoff matrix is of it.")
@click.option("--resamples", type=click.IntRange(min=2), default=500, show_default=True,
              help="Bootstrap resamples of the deals for the ratings' intervals.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, *, players: tuple[str, ...], game: str, **options: Any) -> None:
    """Let all players meet, on the same deals, from all seats.

    Every pair plays one against copies of the other, both ways round, and each against copies of
    itself: the payoff matrix. Ratings are fitted to all games at once.

    A PLAYER is written as for `simulate`; GAME is a name of the library or the path of a file.
    Games that stop with an error are shown and make the exit code 1.
    """
    from cardwright.arena.contest import Contest

    entrants = entrants_of(ctx, players)
    wanted = checked_options(game, options)
    contest = Contest.tournament(
        wanted.game, entrants, wanted.settings, ref=wanted.ref, together=options["together"],
        orders=options["orders"], measure=options["measure"], resamples=options["resamples"],
    )  # fmt: skip
    report = play(ctx, wanted, contest)
    from cardwright.interfaces.cli import pictures, standings
    from cardwright.interfaces.cli import standings as contest_data

    if wanted.style == "json":
        click.echo(contest_data.as_json("tournament", report))
    elif wanted.style == "csv":
        click.echo(contest_data.as_csv(report))
    else:
        standings.show_title("tournament", report)
        click.echo()
        standings.show_standings(report, report.best_first)
        click.echo()
        if report.matrix is not None:
            standings.show_matrix(report, report.matrix)
            click.echo()
        if report.ratings is not None:
            standings.show_ratings(report, report.ratings)
            click.echo()
        standings.show_remarks(report, timed=not wanted.settings["resume"])
    pictures.draw(wanted, report)
    ctx.exit(1 if report.failed else 0)
