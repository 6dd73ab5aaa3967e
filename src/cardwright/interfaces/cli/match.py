"""`cardwright match`: which player is better, and by how much."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.settings import MatchSettings
from cardwright.interfaces.cli.contest import (
    checked_options,
    contest_options,
    entrants_of,
    play,
    show_report,
)
from cardwright.interfaces.cli.vocabulary import (
    bound_option,
    every_option,
    least_option,
    sprt_option,
)
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.players.spec import PlayerSpec
    from cardwright.statistics.sequential import SequentialTest


@click.command("match", cls=KeepingCommand)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@contest_options(MatchSettings, "running", "scores", "wins")
@sprt_option(
    "They say by how much the first of two is better: points a game, or shares of the wins with "
    "--measure win."
)
@click.option("--alpha", type=float, default=0.05, show_default=True,
              help="Probability that the test accepts H1 if H0 is true.")  # fmt: skip
@click.option("--beta", type=float, default=0.05, show_default=True,
              help="Probability that the test accepts H0 if H1 is true.")  # fmt: skip
@bound_option
@least_option(100)
@every_option(10)
@click.pass_context
def command(
    ctx: click.Context, /, *, players: tuple[str, ...], game: ChosenGame, **options: Any
) -> None:
    """Let players meet on the same deals, from all seats.

    Two players in a game for more: the first, in each seat once, against copies of the second. As
    many players as seats: orders in which each is in every seat, and next to every other, equally
    often. The same deals are played at all these tables, so that the luck of the cards evens out.

    A PLAYER is written as for `simulate`; GAME is a name of the library or the path of a file.
    Games that stop with an error are shown and make the exit code 1.
    """
    from cardwright.arena.contest import Contest

    entrants = entrants_of(ctx, players)
    test = _test(options, entrants)
    wanted = checked_options(MatchSettings, game, options)
    contest = Contest.match(wanted.game, entrants, wanted.settings, test=test, ref=wanted.ref)
    report = play(ctx, wanted, contest)
    from cardwright.interfaces.cli import standings

    pairs = list(combinations(range(len(entrants)), 2))
    show_report(
        ctx, wanted, report, "match",
        lambda: standings.show_standings(report, range(len(entrants))),
        lambda: standings.show_differences(report, pairs),
        lambda: standings.show_seats(report),
        *[lambda: standings.show_test(report)] * (report.tested is not None),
        measure=options["measure"],
    )  # fmt: skip


def _test(options: dict[str, Any], entrants: tuple[PlayerSpec, ...]) -> SequentialTest | None:
    """Return the sequential test that is asked for, if any."""
    if options["sprt"] is None:
        if options["bound"] is not None:
            raise click.UsageError("--bound is for the test of --sprt")
        return None
    if len(entrants) != 2:
        raise click.UsageError(f"--sprt is for two players, not for {len(entrants)}")
    from cardwright.statistics.sequential import SequentialTest

    low, high = options["sprt"]
    bound = options["bound"]
    if options["measure"] == "win" and bound is not None:
        raise click.UsageError("--bound is for points: shares of a win differ by 1 at most")
    try:
        return SequentialTest(
            low, high, options["alpha"], options["beta"], options["least"], options["every"], bound
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
