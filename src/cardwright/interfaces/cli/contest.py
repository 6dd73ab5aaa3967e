"""What `match`, `tournament` and `ladder` have in common: their options, and playing a plan."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted, listed
from cardwright.game.native.threads import on_interrupt
from cardwright.interfaces.cli.deal_bar import deal_bar
from cardwright.interfaces.cli.estimate import say_before_contest, say_cautions
from cardwright.interfaces.cli.parameters import game_options
from cardwright.interfaces.cli.progress import thinking_lines
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.vocabulary import (
    FileToWrite,
    chosen_settings,
    executor_kind,
    figure_files,
    figure_options,
    format_option,
    quiet_option,
    settings_options,
    together,
)
from cardwright.interfaces.cli.words import INTERRUPTED, say_how_to_go_on, seed_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.arena.contest import Contest, ContestKind
    from cardwright.arena.plan import GameRef
    from cardwright.arena.report import ContestReport
    from cardwright.arena.settings import Measure
    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import ChosenGame, Command
    from cardwright.players.spec import PlayerSpec
    from cardwright.publication.figures import FigureFiles


@dataclass(frozen=True)
class ContestOptions:
    """The options of one of these commands, besides the players."""

    game: Game
    ref: GameRef
    settings: Any
    quiet: bool
    style: str
    plots: tuple[tuple[str, Path], ...]
    figure_files: FigureFiles


def contest_options(settings: type[Any], *plots: str) -> Callable[[Command], Command]:
    """Give a command the options of a contest; `plots` are its plots, the default first."""
    kinds = ", ".join(plots)
    options = (
        game_options(engine=True),
        settings_options(settings),
        quiet_option,
        click.option(
            "--plot", "plots", metavar="[KIND=]FILE", multiple=True, callback=_plots(plots),
            help=f"Draw a plot, as .png, .svg or .pdf. Kinds: {kinds}. Can be repeated.",
        ),
        figure_options,
        format_option,
    )  # fmt: skip
    return lambda command: together(command, *options)


def _plots(kinds: tuple[str, ...]) -> Callable[..., tuple[tuple[str, Path], ...]]:
    """Return the callback that reads `--plot`, each as a kind and a file."""

    def read(
        ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
    ) -> tuple[tuple[str, Path], ...]:
        if not values:
            return ()
        from cardwright.arena.plots import PlotError, check_name

        found = []
        for text in values:
            kind, equals, name = text.partition("=")
            if not equals:
                kind, name = kinds[0], text
            if kind not in kinds:
                message = f"there is no plot {kind!r} here; choose from {listed(kinds)}"
                raise click.BadParameter(message, ctx, param)
            try:
                check_name(Path(name))
            except PlotError as error:
                raise click.BadParameter(str(error), ctx, param) from None
            found.append((kind, FileToWrite().convert(name, param, ctx)))
        return tuple(found)

    return read


def checked_options(kind: type[Any], game: ChosenGame, options: dict[str, Any]) -> ContestOptions:
    """Return the options of a call; those that do not go together are an error."""
    from cardwright.arena.contest import kept_seed
    from cardwright.arena.plan import GameRef

    settings = chosen_settings(kind, options)
    records, resume = settings["records"], settings["resume"]
    if resume and records is None:
        raise click.UsageError("--resume needs --records, the folder to resume")
    if settings["detail"] != "scores" and records is None:
        raise click.UsageError("--detail is about records: it needs --records")
    usual = "processes" if (settings["workers"] or 1) > 1 else "here"
    settings["executor"] = executor_kind(options, usual)
    loaded = game.load()
    ref = GameRef(
        game.name, loaded.players, loaded.program.digest, game.preset,
        tuple(game.overrides.items()), game.base, game.engine,
    )  # fmt: skip
    kept = (lambda: kept_seed(records)) if resume else None
    settings["seed"] = seed_of(settings["seed"], kept)
    return ContestOptions(
        loaded, ref, settings, options["quiet"], options["style"], options["plots"],
        figure_files(options),
    )  # fmt: skip


def entrants_of(
    ctx: click.Context, texts: tuple[str, ...], hint: str = "'PLAYER...'"
) -> tuple[PlayerSpec, ...]:
    """Return the players that texts name; a text that names none is an error."""
    from cardwright.arena.entrants import PlayerSpecError, tried_spec
    from cardwright.players.kind import FULL_TRUST

    try:
        return tuple(tried_spec(one, FULL_TRUST) for one in texts)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param_hint=hint) from None


def play(ctx: click.Context, wanted: ContestOptions, contest: Contest) -> ContestReport:
    """Play a contest, show its progress, and return its report.

    Ctrl-C ends the command with advice on how to resume.
    """
    from cardwright.jobs.job import executor

    say_cautions(contest.game, contest.entrants)
    settings = wanted.settings
    chosen = executor(settings["executor"], settings["workers"], settings["scheduler"])
    shown = not wanted.quiet and sys.stderr.isatty()
    plan, done = contest.plan, 0
    tables, seats = len(plan.tables), plan.game.players
    thinking: list[str] = []

    def progress(deals: int, total: int) -> None:
        nonlocal done
        done = deals
        display.tell(deals, total)

    def interrupted() -> None:
        thinking[:] = thinking_lines()
        raise KeyboardInterrupt

    report = None
    with (
        suppress(KeyboardInterrupt),
        on_interrupt(interrupted),
        deal_bar(plan.deals, tables, contest.names, seats, shown=shown) as display,
    ):
        if not wanted.quiet and not settings["resume"]:
            say_before_contest(contest, chosen.workers)
        report = contest.play(executor=chosen, progress=progress, watch=display.watch)
    if report is None:
        happened = f"interrupted after {done:,} of {counted(plan.deals, 'deal')}"
        say_how_to_go_on(ctx, happened, plan.seed, kept=settings["records"] is not None)
        for line in thinking:
            click.echo(line, err=True)
        ctx.exit(INTERRUPTED)
    return report


def show_report(
    ctx: click.Context,
    wanted: ContestOptions,
    report: ContestReport,
    kind: ContestKind,
    *parts: Callable[[], None],
    title: str = "",
    measure: Measure = "score",
) -> None:
    """Print a report as it is asked for, draw its pictures, and end the command.

    For people it has these parts, with empty lines between them.
    """
    from cardwright.arena.report import standing_rows
    from cardwright.interfaces.cli import pictures, standings

    def show() -> None:
        standings.show_title(title or kind, report)
        for part in parts:
            click.echo()
            part()
        click.echo()
        standings.show_remarks(report, timed=not wanted.settings["resume"])

    rows = standing_rows(report)
    print_results(wanted.style, lambda: standings.record(kind, report), rows, show)
    pictures.draw(wanted.plots, wanted.figure_files, report, measure)
    ctx.exit(1 if report.failed else 0)
