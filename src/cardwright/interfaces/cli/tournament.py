"""`cardwright tournament`: all players against all, a payoff matrix and ratings."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.contest import (
    checked_options,
    contest_options,
    entrants_of,
    play,
    show_report,
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
    from cardwright.interfaces.cli import standings

    show_report(
        ctx, wanted, report, "tournament",
        lambda: standings.show_standings(report, report.best_first),
        lambda: standings.show_matrix(report),
        *[lambda: standings.show_ratings(report)] * (report.ratings is not None),
    )  # fmt: skip
