"""`cardwright ladder`: how players do against one and the same field."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import click

from cardwright.interfaces.cli.contest import (
    contest_options,
    entrants_of,
    play,
    wishes,
)
from cardwright.interfaces.cli.words import KeepingCommand


def _field(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Read `--field`, as specs of players."""
    from cardwright.arena.entrants import PlayerSpecError, entrants

    try:
        return tuple(map(str, entrants(value)))
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("ladder", cls=KeepingCommand)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@contest_options("field", "scores", "wins")
@click.option("--field", metavar="SPEC,...", required=True, callback=_field,
              help="Whom they meet: one player for all other seats, or one for each.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    players: tuple[str, ...],
    game: str,
    field: tuple[str, ...],
    **options: Any,
) -> None:
    """Let each player meet one and the same field, from all seats.

    Everybody plays the same deals, alone against the players of the field. Best comes first.

    A PLAYER is written as for `simulate`; GAME is a name of the library or the path of a file.
    Games that stop with an error are shown and make the exit code 1.
    """
    from cardwright.arena.schedule import ladder_tables

    entrants = entrants_of(ctx, players)
    wanted = wishes(game, options)
    if len(set(field)) == 1 and len(field) == wanted.game.players - 1:
        field = field[:1]
    tables = ladder_tables(len(entrants), len(field), wanted.game.players)
    plan = wanted.plan((*entrants, *field), tables)
    results, seconds = play(ctx, wanted, plan, field=len(field))
    from cardwright.arena.report import ladder_report
    from cardwright.interfaces.cli import contest_data, pictures, standings

    report = ladder_report(plan, results, len(field), highest_wins=wanted.game.highest_wins)
    ranked = standings.by_score(report, len(entrants))
    if wanted.style == "json":
        click.echo(contest_data.as_json("ladder", report, results, seconds))
    elif wanted.style == "csv":
        click.echo(contest_data.as_csv(report))
    else:
        standings.show_title(f"ladder against {', '.join(field)}", report)
        click.echo()
        standings.show_standings(report, ranked)
        click.echo()
        if len(ranked) > 1:
            standings.show_differences(report, list(pairwise(ranked)))
            click.echo()
        standings.show_remarks(report, results, None if wanted.resume else seconds)
    pictures.draw(wanted, report, results, ranked)
    ctx.exit(1 if report.failed else 0)
