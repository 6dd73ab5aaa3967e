"""`cardwright league run`: plays a season in its folder."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.estimate import say_before_season
from cardwright.interfaces.cli.text import counted, printable
from cardwright.interfaces.cli.vocabulary import (
    allow_file_option,
    executor_kind,
    executor_options,
    faults_option,
    format_option,
    move_ms_option,
    quiet_option,
    resume_option,
    rules_option,
    season_argument,
    seed_option,
    together,
    trusted_option,
)
from cardwright.interfaces.cli.words import (
    INTERRUPTED,
    KeepingCommand,
    say_how_to_go_on,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.league.outputs import LeagueStandings
    from cardwright.league.plan import SeasonPlan


level_option = click.option(
    "--level", type=click.IntRange(1, 3),
    help="Level of the sandbox.  [default: the strongest there is, at least 2]",
)  # fmt: skip


def limits_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the limits of a bot."""
    options = (
        move_ms_option(default=30),
        click.option("--bank", type=click.FloatRange(min=0), default=1, show_default=True,
                     help="Seconds per game by which a bot may exceed that."),
        click.option("--start", type=click.FloatRange(min=0, min_open=True), default=5,
                     show_default=True, help="Seconds that loading a bot's file may take."),
        click.option("--sleep", type=click.FloatRange(min=0), default=1, show_default=True,
                     help="Seconds per game that a sandboxed bot may sleep while it is asked."),
        faults_option("With more a bot forfeits the game.", 10),
        click.option("--memory", type=click.IntRange(min=64), default=1024, show_default=True,
                     help="MiB that a bot may use."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def who_plays_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the executor."""
    usual = "cluster with --scheduler, otherwise processes; threads if all are random players"
    return together(command, *executor_options(usual, "Games.  [default: one per processor]"))


def _read_salt(ctx: click.Context, option: click.Parameter, value: str | None) -> bytes | None:
    """Return a salt as bytes."""
    del ctx, option
    if value is None:
        return None
    from cardwright.league.plan import MOST_SALT

    try:
        salt = bytes.fromhex(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no salt: write its bytes as pairs of the digits 0 to 9 and a to f"
        ) from None
    if len(salt) > MOST_SALT:
        raise click.BadParameter(f"a salt has at most {MOST_SALT} bytes, not {len(salt)}")
    return salt


@click.command("run", cls=KeepingCommand)
@season_argument(there=False)  # a missing folder is reported with advice
@click.option("--name", default="Test Season", show_default=True, help="Its name in the tables.")
@rules_option
@seed_option()
@click.option(
    "--salt", metavar="HEX", callback=_read_salt,
    help="The salt that a season has published, to play it again. [default: drawn, and secret "
    "until the season is over; none if no bot is a file]",
)  # fmt: skip
@trusted_option
@level_option
@limits_options
@who_plays_options
@resume_option("What was played of the season.")
@click.option(
    "--again", is_flag=True, help="Play it again from the beginning, discarding its records."
)
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
    from cardwright.league.run import SeasonSettings, season_plan

    settings: Any = {
        name: options[name] for name in SeasonSettings.__annotations__ & options.keys()
    }
    with sandboxing(options):
        return season_plan(season, limits=limits_of(options), **settings)


def limits_of(options: dict[str, Any]) -> Any:
    """Return the limits of a bot by the options."""
    from cardwright.league.plan import BotLimits

    return BotLimits(
        move=options["move_seconds"],
        bank=options["bank"],
        start=options["start"],
        sleep=options["sleep"],
        faults=options["most_faults"],
        memory=options["memory"],
    )


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
