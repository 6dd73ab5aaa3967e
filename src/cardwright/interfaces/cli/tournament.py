"""`cardwright tournament`: all players against all, a payoff matrix and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.settings import TournamentSettings
from cardwright.interfaces.cli.contest import (
    checked_options,
    contest_options,
    entrants_of,
    play,
    show_report,
)
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from cardwright.interfaces.cli.parameters import ChosenGame


@click.command("tournament", cls=KeepingCommand)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@contest_options(TournamentSettings, "matrix", "ratings", "scores", "wins")
@click.pass_context
def command(
    ctx: click.Context, /, *, players: tuple[str, ...], game: ChosenGame, **options: Any
) -> None:
    """Let all players meet, on the same deals, from all seats.

    Every pair plays one against copies of the other, both ways round, and each against copies of
    itself: the payoff matrix. Ratings are fitted to all games at once.

    A PLAYER is written as for `simulate`; GAME is a name of the library or the path of a file.
    Games that stop with an error are shown and make the exit code 1.
    """
    from cardwright.arena.contest import Contest

    entrants = entrants_of(ctx, players)
    wanted = checked_options(TournamentSettings, game, options)
    contest = Contest.tournament(wanted.game, entrants, wanted.settings, ref=wanted.ref)
    report = play(ctx, wanted, contest)
    from cardwright.interfaces.cli import standings

    show_report(
        ctx, wanted, report, "tournament",
        lambda: standings.show_standings(report, report.best_first),
        lambda: standings.show_matrix(report),
        *[lambda: standings.show_ratings(report)] * (report.ratings is not None),
    )  # fmt: skip
