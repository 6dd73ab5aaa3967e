"""`cardwright league run`: plays a season in its folder."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.estimate import say_before_season
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import (
    allow_file_option,
    chosen_settings,
    executor_kind,
    format_option,
    quiet_option,
    season_argument,
    settings_options,
)
from cardwright.interfaces.cli.words import (
    INTERRUPTED,
    KeepingCommand,
    say_how_to_go_on,
)
from cardwright.league.settings import BotLimits, SeasonSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.league.outputs import LeagueStandings
    from cardwright.league.plan import SeasonPlan


@click.command("run", cls=KeepingCommand)
@season_argument(there=False)  # a missing folder is reported with advice
@settings_options(SeasonSettings)
@settings_options(BotLimits)
@allow_file_option
@quiet_option
@format_option
@click.pass_context
def command(ctx: click.Context, /, *, season: Path, **options: Any) -> None:
    """Play the season in SEASON_DIR, and write its tables to Outputs/.

    The folder has Bots/, Rosters/Main.csv and Schedules/Main.csv; `cardwright league new` makes
    one. Each bot plays in its own sandbox (see docs/sandbox.md), unless they are --trusted. The
    games are recorded in Records/, so an interrupted season can be resumed.
    """
    from cardwright.interfaces.cli.league_show import season_bar
    from cardwright.league.records import OUTPUTS
    from cardwright.league.run import fitting, run_season

    executor_kind(options, "processes")  # only to report errors before anything is read
    if options["resume"] and options["again"]:
        raise click.UsageError("--resume continues, and --again starts over: give one of them")
    plan, warnings = _plan(season, options)
    for warning in warnings:
        click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {warning}", err=True)
    _say_what(plan, err=options["style"] != "table")
    executor = fitting(plan, options["workers"], options["executor"], options["scheduler"])
    if not options["quiet"] and not options["resume"]:
        say_before_season(plan, executor.workers)
    begun = time.perf_counter()
    shown = not options["quiet"] and sys.stderr.isatty()
    played = 0
    try:
        with season_bar(plan.games, shown=shown) as tell:

            def progress(games: int, total: int, standings: LeagueStandings) -> None:
                nonlocal played
                played = games
                tell(games, standings)

            run_season(
                season, plan, executor, resume=options["resume"], again=options["again"],
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        games = counted(plan.games, "game")
        happened = f"interrupted after {played:,} of {games}"
        say_how_to_go_on(ctx, happened, plan.seed, without="--again")
        ctx.exit(INTERRUPTED)
    _report(season, season / OUTPUTS, time.perf_counter() - begun, options["style"])


def _plan(season: Path, options: dict[str, Any]) -> tuple[SeasonPlan, tuple[str, ...]]:
    from cardwright.league.run import season_plan

    settings = chosen_settings(SeasonSettings, options)
    settings |= {"limits": limits_of(options), "allow_files": options["allow_files"]}
    with sandboxing(options):
        return season_plan(season, settings)


def limits_of(options: dict[str, Any]) -> BotLimits:
    """Return the limits of a bot by the options."""
    return BotLimits(**chosen_settings(BotLimits, options))


@contextmanager
def sandboxing(options: dict[str, Any]) -> Iterator[None]:
    """Refuse `--trusted` with `--level`, and say what helps where no sandbox is strong enough."""
    if options["trusted"] and options["level"] is not None:
        raise click.UsageError(
            "--trusted bots run without a sandbox: it cannot be combined with --level"
        )
    from cardwright.league.season import WeakSandboxError

    try:
        yield
    except WeakSandboxError as error:
        advice = "If all bots are your own, give --trusted"
        if sys.platform != "win32":
            advice += ", or --level 1 for limits only"
        raise click.ClickException(f"{error}\n{advice}") from None


def _say_what(plan: SeasonPlan, *, err: bool) -> None:
    """Print what will be played, and how bots are confined."""
    click.echo(
        click.style(
            f"{printable(plan.name)}: {counted(len(plan.bots), 'bot')}, "
            f"{counted(plan.games, 'game')}, rules {plan.rules}, seed {plan.seed}",
            bold=True,
        ),
        err=err,
    )
    if not plan.files:
        return
    if not plan.level:
        click.echo("bots run without a sandbox in this program's processes: --trusted", err=err)
        return
    from cardwright.sandbox.levels import describe

    held = describe() if plan.level > 1 else "level 1: limits only, as requested"
    click.echo(f"sandbox, {held}", err=err)


def _report(season: Path, outputs: Path, seconds: float, style: str) -> None:
    from cardwright.interfaces.cli.league_show import show_season
    from cardwright.league.records import read_season

    played = read_season(season)
    show_season(played, style)
    if played.plan.salt:
        click.echo(
            f"\n The same season again: --seed {played.plan.seed} --salt {played.plan.salt.hex()}",
            err=style != "table",
        )
    click.echo(
        f"\n {seconds:,.1f} s. Tables in {outputs}; "
        f"`cardwright league report {shlex.quote(str(season))}` makes pages of them",
        err=style != "table",
    )
