"""`cardwright league check`: reports what is wrong with a bot, and how good it is."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.league_run import limits_of, sandboxing
from cardwright.interfaces.cli.vocabulary import (
    file_there,
    format_option,
    games_option,
    opponents_option,
    settings_options,
)
from cardwright.interfaces.cli.words import seed_of
from cardwright.league.settings import BotLimits, BotSettings, LeagueRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.league.check import Trial


@click.command("check")
@click.argument("bot", metavar="BOT.py", type=file_there())
@games_option("Against each of the others.", default=40, most=100_000)
@opponents_option(
    "A player of the library, such as rule, an example bot, such as careful, or the FILE.py of "
    "another bot. [default: random players, then the example bots]"
)
@settings_options(BotSettings)
@settings_options(BotLimits)
@format_option
@click.pass_context
def command(ctx: click.Context, /, *, bot: Path, **options: Any) -> None:
    """Check a bot: inspect its file, let it play, and report all that it does wrong.

    It plays as in a season, in a sandbox and within the same limits. The exit code is 1 if there is
    any fault; notes are not faults.
    """
    from cardwright.interfaces.cli.league_show import show_checkup
    from cardwright.league.check import check_bot
    from cardwright.league.season import bot_of

    bot_of(bot, bot.stem)  # before a sandbox is required
    trial = _trial(options)
    with _bar(len(trial.tables) * trial.games) as tell:
        checkup = check_bot(bot, trial, tell)
    show_checkup(checkup, trial, options["style"])
    ctx.exit(0 if checkup.clean else 1)


def _trial(options: dict[str, Any]) -> Trial:
    from cardwright.arena.entrants import PlayerSpecError
    from cardwright.league.check import Trial, opponents, usual_opponents
    from cardwright.league.season import bot_level
    from cardwright.players.kind import FULL_TRUST
    from cardwright.players.spec import split_specs

    specs = split_specs(options["opponents"]) if options["opponents"] else ()
    try:
        tables = tuple(opponents(spec, FULL_TRUST) for spec in specs) or usual_opponents()
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), param_hint="'--opponents'") from None
    with sandboxing(options):
        level = bot_level(options["level"], trusted=options["trusted"])
    return Trial(
        rules=LeagueRules(options["rules"]),
        limits=limits_of(options),
        level=level,
        games=options["games"],
        seed=seed_of(options["seed"]),
        tables=tables,
    )


@contextmanager
def _bar(games: int) -> Iterator[Callable[[int], object] | None]:
    """Show progress on a terminal; yield a function to call with the number of games played."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=games, label="games", file=sys.stderr) as bar:
        yield lambda played: bar.update(played - bar.pos)
