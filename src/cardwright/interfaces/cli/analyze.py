"""`cardwright analyze`: what a game or some of its variants are like, in numbers and figures."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import (
    MOST_DEALS,
    complete_game,
    preset_option,
    set_option,
    ties_option,
    warn_of_players,
)
from cardwright.interfaces.cli.progress import progress_bar
from cardwright.interfaces.cli.vocabulary import (
    figure_files,
    figure_formats_option,
    figure_options,
    format_option,
    games_option,
    out_option,
    player_option,
    quiet_option,
    resume_option,
    seed_option,
    style_option,
    workers_option,
)
from cardwright.interfaces.cli.words import INTERRUPTED, KeepingCommand, say_how_to_go_on, seed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from cardwright.interfaces.cli.parameters import Command, Overrides
    from cardwright.publication.figures import FigureFiles
    from cardwright.statistics.ties import Ties
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import StudySettings, TellStudy
    from cardwright.study.report import AnalysisReport


@dataclass(frozen=True)
class AnalysisOptions:
    """The options of a call, besides the games."""

    player: str
    games: int
    ai_games: int
    seed: int
    ties: Ties
    out: Path
    workers: int | None
    resume: bool
    quiet: bool
    style: Any
    figure_files: FigureFiles

    @property
    def settings(self) -> StudySettings:
        """What to play of every game."""
        from cardwright.study.play import StudySettings

        return StudySettings(self.seed, self.player, self.games, self.ai_games, self.ties)


def study_options(out: str) -> Callable[[Command], Command]:
    """Give a command the options of a study; `out` is its default folder."""

    def add(command: Command) -> Command:
        for option in reversed(_options(out)):
            command = option(command)
        return command

    return add


def _options(out: str) -> tuple[Callable[[Any], Any], ...]:
    return (
        games_option("They are played at random.", 1000),
        player_option("", "cardstock-pipmc"),
        click.option("--ai-games", type=click.IntRange(0, MOST_DEALS), default=100,
                     show_default=True,
                     help="How many games with --player in the first seat, and how many with it in "
                     "all seats; 0 for random games only."),
        seed_option(),
        ties_option,
        out_option("Figures, diagrams and all numbers are saved beside it.", out),
        style_option("cardwright"),
        figure_formats_option,
        figure_options,
        workers_option("Games.  [default: one per processor]"),
        resume_option("The games in --out."),
        quiet_option,
        format_option,
    )  # fmt: skip


def analysis_options(ctx: click.Context, options: dict[str, Any]) -> AnalysisOptions:
    """Return the checked options; a bad player or a used folder is an error."""
    out: Path = options["out"]
    if not options["resume"]:
        refuse_used(out)
    return AnalysisOptions(
        player=_player(ctx, options["player"]),
        games=options["games"],
        ai_games=options["ai_games"],
        seed=_seed(options["seed"], out, resume=options["resume"]),
        ties=options["ties"],
        out=out,
        workers=options["workers"],
        resume=options["resume"],
        quiet=options["quiet"],
        style=options["look"],
        figure_files=figure_files(options),
    )


def refuse_used(out: Path) -> None:
    """Raise an error if a folder has anything in it."""
    from cardwright.study.play import RECORDS

    if (out / RECORDS).is_dir():
        raise click.ClickException(
            f"{out} has the games of an analysis: continue it with --resume, or name "
            "another folder with --out"
        )
    refuse_filled(out)


def _player(ctx: click.Context, text: str) -> str:
    from cardwright.arena.entrants import PlayerSpecError, tried_spec
    from cardwright.players.kind import FULL_TRUST

    try:
        return str(tried_spec(text, FULL_TRUST))
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'--player'") from None


def _seed(seed: int | None, out: Path, *, resume: bool) -> int:
    """Return the seed given, or that of the games to resume, or a random one."""

    def kept() -> int | None:
        if not resume:
            return None
        from cardwright.study.play import kept_seed

        return kept_seed(out)

    return seed_of(seed, kept)


def asked(text: str, overrides: Overrides, preset: str | None) -> StudiedGame:
    """Return the game that an argument names; warn about an unusual number of players."""
    from cardwright.study.games import StudiedGame

    one = StudiedGame.of(text, overrides, preset)
    if overrides:
        warn_of_players(one.game)
    return one


def study(
    ctx: click.Context,
    wanted: AnalysisOptions,
    games: Sequence[StudiedGame],
    tell: TellStudy,
    *,
    heading: str,
    left_out: Sequence[tuple[str, str]] = (),
) -> AnalysisReport:
    """Play all games, write the report to its folder, and return it.

    Ctrl-C during play ends the command with advice on how to resume.
    """
    from cardwright.study.play import StudyGames, workers_of
    from cardwright.study.report import AnalysisReport

    executor = workers_of(wanted.workers)
    play = StudyGames(wanted.settings, wanted.out, executor, wanted.workers, wanted.resume, tell)
    found = []
    for one in games:
        try:
            found.append(play.play(one))
        except KeyboardInterrupt:
            say_how_to_go_on(ctx, f"interrupted at {one.title.name}", wanted.seed)
            ctx.exit(INTERRUPTED)
    report = AnalysisReport(
        wanted.settings, tuple(games), tuple(found), wanted.out, heading, tuple(left_out)
    )
    report.save(style=wanted.style, files=wanted.figure_files, progress=tell)
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
    from cardwright.study.games import distinct, names_of

    wanted = analysis_options(ctx, options)
    games = distinct([asked(text, overrides, preset) for text in names])
    with study_bar(quiet=wanted.quiet) as tell:
        report = study(ctx, wanted, games, tell, heading=names_of(games))
    from cardwright.interfaces.cli.analyze_show import show
    from cardwright.study.report import NUMBERS, as_json

    if style == "json":
        click.echo(as_json(report.record()), nl=False)
    elif style == "csv":
        click.echo((wanted.out / NUMBERS).read_text(encoding="utf-8"), nl=False)
    else:
        show(wanted, report.subjects)
    ctx.exit(1 if report.errors else 0)
