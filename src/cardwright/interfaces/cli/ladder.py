"""`cardwright ladder`: how players do against the same field."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.settings import LadderSettings
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
    from cardwright.players.spec import PlayerSpec


def _field(ctx: click.Context, param: click.Parameter, value: str) -> tuple[PlayerSpec, ...]:
    """Read `--field`, as specs of players."""
    from cardwright.arena.entrants import PlayerSpecError, tried_specs
    from cardwright.players.kind import FULL_TRUST

    try:
        return tried_specs(value, FULL_TRUST)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("ladder", cls=KeepingCommand)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@contest_options(LadderSettings, "field", "scores", "wins")
@click.option("--field", metavar="SPEC,...", required=True, callback=_field,
              help="The opponents: one player for all other seats, or one for each.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    players: tuple[str, ...],
    game: ChosenGame,
    field: tuple[PlayerSpec, ...],
    **options: Any,
) -> None:
    """Let each player meet the same field, from all seats.

    Every player plays the same deals, alone against the players of the field, in orders in which
    all are next to each other equally often. The best comes first.

    A PLAYER is written as for `simulate`; GAME is a name of the library or the path of a file.
    Games that stop with an error are shown and make the exit code 1.
    """
    from cardwright.arena.contest import Contest

    entrants = entrants_of(ctx, players)
    wanted = checked_options(LadderSettings, game, options)
    contest = Contest.ladder(wanted.game, entrants, field, wanted.settings, ref=wanted.ref)
    report = play(ctx, wanted, contest)
    from cardwright.interfaces.cli import standings

    ranked = report.best_first
    against = ", ".join(contest.plan.entrants[-contest.field :])
    show_report(
        ctx, wanted, report, "ladder",
        lambda: standings.show_standings(report, ranked),
        *[lambda: standings.show_differences(report, list(pairwise(ranked)))] * (len(ranked) > 1),
        title=f"ladder against {against}",
    )  # fmt: skip
