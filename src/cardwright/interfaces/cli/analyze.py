"""`cardwright analyze`: what a game or some of its variants are like, in numbers and figures."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import (
    complete_game,
    preset_option,
    set_option,
    warn_of_players,
)
from cardwright.interfaces.cli.progress import progress_bar
from cardwright.interfaces.cli.vocabulary import (
    chosen_settings,
    figure_files,
    figure_formats_option,
    figure_options,
    format_option,
    out_option,
    quiet_option,
    settings_options,
    style_option,
    together,
)
from cardwright.interfaces.cli.words import INTERRUPTED, KeepingCommand, say_how_to_go_on, seed_of
from cardwright.study import AnalysisSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cardwright.interfaces.cli.parameters import Command, Overrides
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import TellStudy
    from cardwright.study.report import AnalysisReport


def study_options(out: str) -> Callable[[Command], Command]:
    """Give a command the options of a study; `out` is its default folder."""
    return lambda command: together(
        command,
        settings_options(AnalysisSettings),
        out_option("Figures, diagrams and all numbers are saved beside it.", out),
        style_option("cardwright"),
        figure_formats_option,
        figure_options,
        quiet_option,
        format_option,
    )


def checked_settings(ctx: click.Context, options: dict[str, Any]) -> AnalysisSettings:
    """Return the settings of a study; a bad player or a used folder is an error."""
    from cardwright.arena.entrants import PlayerSpecError, tried_spec
    from cardwright.players.kind import FULL_TRUST
    from cardwright.study.play import kept_seed

    out, resume = options["out"], options["resume"]
    if not resume:
        refuse_used(out)
    try:
        player = str(tried_spec(options["player"], FULL_TRUST))
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'--player'") from None
    seed = seed_of(options["seed"], lambda: kept_seed(out) if resume else None)
    settings: AnalysisSettings = chosen_settings(AnalysisSettings, options)
    settings.update({"player": player, "seed": seed, "folder": out})
    return settings


def refuse_used(out: Path) -> None:
    """Raise an error if a folder has anything in it."""
    from cardwright.study.play import RECORDS

    if (out / RECORDS).is_dir():
        raise click.ClickException(
            f"{out} has the games of an analysis: continue it with --resume, or name "
            "another folder with --out"
        )
    refuse_filled(out)


def study(  # noqa: PLR0917 - a call, and what it asks for
    ctx: click.Context,
    options: dict[str, Any],
    settings: AnalysisSettings,
    games: Sequence[StudiedGame],
    heading: str,
    left_out: Sequence[tuple[str, str]] = (),
) -> AnalysisReport:
    """Play all games, write the report to its folder, and return it.

    Ctrl-C during play ends the command with advice on how to resume.
    """
    from cardwright.study.analyze import report_on

    with study_bar(quiet=options["quiet"]) as tell:
        try:
            settings["progress"] = tell
            report = report_on(games, heading, left_out, **settings)
        except KeyboardInterrupt:
            say_how_to_go_on(ctx, "interrupted", settings["seed"] or 0)
            ctx.exit(INTERRUPTED)
        report.save(style=options["look"], files=figure_files(options), progress=tell)
    return report


@contextmanager
def study_bar(*, quiet: bool) -> Iterator[TellStudy]:
    """Show progress bars on the standard error; yield what takes a label, a count and a total.

    Each label has its own bar, which disappears when it is full.
    """
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as tell:
        yield lambda label, done, total: tell(done, total, label)


@click.command("analyze", cls=KeepingCommand)
@click.argument("names", metavar="GAME...", nargs=-1, required=True, shell_complete=complete_game)
@preset_option
@set_option
@study_options("analysis")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    names: tuple[str, ...],
    preset: str | None,
    overrides: Overrides,
    style: str,
    **options: Any,
) -> None:
    """Say what a game is like, in numbers and figures.

    It is played at random and by a player that thinks.

    GAME is a name of the library or the path of a file; GAME:PRESET is a named variant. Several are
    compared with the first. --set and --preset apply to all of them.

    Writes a page, figures, diagrams and all numbers to --out, and keeps the games there. Games that
    stop with an error are counted and make the exit code 1.
    """
    from cardwright.study.games import StudiedGame, distinct, names_of

    settings = checked_settings(ctx, options)
    games = distinct([StudiedGame.of(text, overrides, preset) for text in names])
    if overrides:
        for one in games:
            warn_of_players(one.game)
    report = study(ctx, options, settings, games, names_of(games))
    from cardwright.interfaces.cli.analyze_show import show
    from cardwright.study.report import NUMBERS, as_json

    if style == "json":
        click.echo(as_json(report.record()), nl=False)
    elif style == "csv":
        click.echo((report.folder / NUMBERS).read_text(encoding="utf-8"), nl=False)
    else:
        show(report)
    ctx.exit(1 if report.errors else 0)
