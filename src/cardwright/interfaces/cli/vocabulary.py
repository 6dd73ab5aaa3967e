"""Options that several commands have: the same name, the same kind of value and the same meaning.

Those that Python takes as keywords too are made of settings, in `jobs/settings.py` if several jobs
have them. The first sentence of a help text is the same for all commands with the option; `more` is
particular to one command: what the option is about there, or its default.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from cardwright.interfaces.cli.parameters import parse_choices, parse_seed, reading
from cardwright.jobs.settings import (
    DEALS,
    GAMES,
    PLAYER,
    RESUME,
    SEED,
    WORKERS,
    settings_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from cardwright.interfaces.cli.parameters import Command
    from cardwright.jobs.settings import RunSetting
    from cardwright.publication.figures import FigureFiles

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
    Option = Callable[[Any], Any]

STYLES = ("table", "json", "csv")


class FileToWrite(click.Path):
    """A file that a command is going to write: its folder must exist beforehand."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; raise an error if it is a folder, or its folder does not exist."""
        path = Path(str(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"there is no folder {path.parent} to write {path.name} to", param, ctx)
        return path


def folder(*, there: bool = False) -> click.Path:
    """Return the type of an option that is a folder; `there` says that it must exist."""
    return click.Path(exists=there, file_okay=False, path_type=Path)


def file_there() -> click.Path:
    """Return the type of an option or argument that is a file to read."""
    return click.Path(exists=True, dir_okay=False, path_type=Path)


def together(command: Command, *options: Option) -> Command:
    """Give a command several options, which its help lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def format_option(command: Any) -> Any:
    """Give a command that prints results `--format`, as `style`, and its short forms."""
    return together(
        command,
        click.option(
            "--format", "style", type=click.Choice(STYLES), default=STYLES[0], show_default=True,
            help="How to print the outcome.",
        ),
        *(
            click.option(
                f"--{style}", "style", flag_value=style, help=f"The same as --format {style}."
            )
            for style in STYLES[1:]
        ),
    )  # fmt: skip


latex_option = click.option("--latex", is_flag=True, help="Print the tables as LaTeX.")


def setting_option(
    name: str, type_: Any, setting: RunSetting, complete: Complete | None = None
) -> Option:
    """Give a command the option of a setting, as a value of this type."""
    types = [one for one in get_args(type_) if one is not NoneType] or [type_]
    short = setting.option.endswith("-ms")
    default = setting.default * 1000 if short and setting.default else setting.default
    if isinstance(default, float) and default.is_integer():
        default = int(default)  # as people write it
    usual = f"[default: {setting.usual}]" if setting.usual else ""
    looks: dict[str, Any] = {
        "help": said(setting.help, usual),
        "default": default,
        "show_default": setting.default is not None,
        "metavar": setting.metavar,
        "shell_complete": complete,
    }
    if get_origin(type_) is Iterable:
        looks |= {"multiple": True, "show_default": False}
    if name == "seed":
        given = None if default is None else str(default)
        read = reading(setting.read or parse_seed)
        looks |= {"metavar": "SEED", "callback": read, "default": given}
    elif setting.read is not None:
        looks["callback"] = reading(setting.read)
    elif setting.choices or get_origin(type_) is Literal:
        looks["type"] = click.Choice(setting.choices or get_args(type_))
    elif type_ is bool:
        looks |= {"is_flag": True, "show_default": False}
    elif int in types:
        looks["type"] = click.IntRange(setting.least, setting.most)
    elif float in types:
        low = setting.least if setting.above is None else setting.above
        looks["type"] = click.FloatRange(low, setting.most, min_open=setting.above is not None)
        looks |= {"callback": seconds} if short else {}
    elif Path in types:
        looks["type"] = folder()
    return click.option(setting.option or f"--{name.replace('_', '-')}", name, **looks)


def settings_options(kind: type[Any], **complete: Complete) -> Option:
    """Give a command an option for each setting of a class, by the name of the setting.

    `complete` has what completes the values of some in shells.
    """
    known = settings_of(kind).items()
    options = (setting_option(name, *one, complete.get(name)) for name, one in known)
    return lambda command: together(command, *options)


def chosen_settings(kind: type[Any], options: dict[str, Any]) -> Any:
    """Return the settings among the options of a call."""
    return {name: options[name] for name in settings_of(kind)}


def seed_option(more: str = "", **other: Any) -> Option:
    """Give a command `--seed`, as a number or None."""
    return setting_option("seed", int, SEED.about(more, **other))


def workers_option(more: str = "", **other: Any) -> Option:
    """Give a command `--workers`, as a number or None."""
    return setting_option("workers", int, WORKERS.about(more, **other))


def resume_option(more: str) -> Option:
    """Give a command `--resume`, a flag."""
    return setting_option("resume", bool, RESUME.about(more))


def games_option(more: str = "", **other: Any) -> Option:
    """Give a command `--games`, as a number or None."""
    return setting_option("games", int, GAMES.about(more, **other))


def deals_option(more: str = "", **other: Any) -> Option:
    """Give a command `--deals`, as a number or None."""
    return setting_option("deals", int, DEALS.about(more, **other))


def player_option(more: str, **other: Any) -> Option:
    """Give a command `--player`, as a text or None."""
    return setting_option("player", str, PLAYER.about(more, **other))


def executor_kind(options: dict[str, Any], usual: str) -> str:
    """Return which executor a call asks for, or the default; conflicting options are an error."""
    scheduler, workers = options["scheduler"], options["workers"]
    kind: str = options["executor"] or ("cluster" if scheduler else usual)
    if scheduler is not None and kind != "cluster":
        raise click.UsageError("--scheduler is for --executor cluster")
    if kind == "here" and (workers or 1) > 1:
        raise click.UsageError("--executor here has one worker; take processes, threads or cluster")
    return kind


def out_option(more: str = "", default: str | None = None) -> Option:
    """Give a command `--out`, the folder of a report, as a path or None."""
    return click.option(
        "--out", metavar="DIR", type=folder(), default=default, show_default=default is not None,
        help=said("Write the report to this folder, with a page index.html.", more),
    )  # fmt: skip


def _silenced(_ctx: click.Context, _param: click.Parameter, value: bool) -> bool:
    """Let nothing be told of slow compilations either, if progress is not to be shown."""
    if value:
        from cardwright.compiler import backend

        backend.notify_when_slow(None)
    return value


def quiet_option(command: Command) -> Command:
    """Give a command `--quiet`, a flag."""
    return click.option("--quiet", is_flag=True, callback=_silenced, help="Show no progress.")(
        command
    )


def seat_option(usual: str) -> Option:
    """Give a command `--seat`, as a number or None."""
    return click.option(
        "--seat", metavar="N", type=click.IntRange(min=1),
        help=said("Where you sit, counted from 1.", f"[default: {usual}]"),
    )  # fmt: skip


def diff_option(more: str) -> Option:
    """Give a command `--diff`, a flag."""
    return click.option("--diff", is_flag=True, help=said("Print the lines that differ.", more))


def sprt_option(more: str) -> Option:
    """Give a command `--sprt`, as two numbers or None."""
    return click.option(
        "--sprt", metavar="H0,H1", callback=reading(_two_numbers),
        help=said("Stop when a sequential test has decided between H0 and H1.", more),
    )  # fmt: skip


def _two_numbers(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = math.nan
    if not -math.inf < low < high < math.inf:
        raise ValueError(f"{text!r} is not two numbers, the smaller first; write for example 0,0.2")
    return low, high


def least_option(default: int) -> Option:
    """Give a command `--least`, as a number."""
    return click.option(
        "--least", type=click.IntRange(min=2), default=default, show_default=True,
        help="Deals before the first look of a stopping rule.",
    )  # fmt: skip


bound_option = click.option(
    "--bound", type=float, metavar="POINTS",
    help="The most that a deal can be worth to the test of --sprt, to either side. Its error "
    "probabilities hold for that.  [default: what follows from the range of scores, where that is "
    "proved from the rules or declared in the game's TOML file; else there is no test of points]",
)  # fmt: skip


def every_option(default: int) -> Option:
    """Give a command `--every`, as a number."""
    return click.option(
        "--every", type=click.IntRange(min=1), default=default, show_default=True,
        help="Deals between looks of a stopping rule.",
    )  # fmt: skip


def save_option(more: str, *short: str) -> Option:
    """Give a command `--save`, a file to write, as a path or None."""
    return click.option(
        "--save", *short, metavar="FILE", type=FileToWrite(),
        help=said("Write it to this file.", more),
    )  # fmt: skip


def check_save(save: Path | None, *, resume: bool) -> None:
    """Refuse `--resume` without `--save`, and a file that would be overwritten."""
    if resume and save is None:
        raise click.UsageError("--resume goes on from the file of --save: name it")
    if not resume and save is not None and save.exists():
        raise click.UsageError(f"{save} exists: go on from it with --resume, or name another file")


def utility_option(command: Command) -> Command:
    """Give a command `--utility`, as a name."""
    return click.option(
        "--utility", type=click.Choice(["score", "margin", "win"]), default="score",
        show_default=True,
        help="What seats want: a good score, a margin over the mean of the others, or the win.",
    )(command)  # fmt: skip


def choices_option(more: str = "") -> Option:
    """Give a command `--choices`, as a tuple of numbers or None."""
    return click.option(
        "--choices", metavar="0,3,...", callback=reading(parse_choices),
        help=said("The options to choose, numbered from 0.", more),
    )  # fmt: skip


def nodes_option(default: int) -> Option:
    """Give a command `--nodes`, as a number."""
    return click.option(
        "--nodes", type=click.IntRange(min=1), default=default, show_default=True,
        help="How many nodes the tree of the game may have.",
    )  # fmt: skip


def opponents_option(more: str) -> Option:
    """Give a command `--opponents`, as a text or None."""
    return click.option(
        "--opponents", metavar="SPEC,...",
        help=said("Who sits in all other seats, each of these in turn.", more),
    )  # fmt: skip


def seconds(_context: object, _option: object, milliseconds: float | None) -> float | None:
    """Return the seconds of an option in milliseconds."""
    return None if milliseconds is None else milliseconds / 1000


def allow_file_option(command: Command) -> Command:
    """Give a command that plays what a file says `--allow-file`, as `allow_files`, paths."""
    return click.option(
        "--allow-file", "allow_files", metavar="FILE", type=file_there(), multiple=True,
        help="A file that players named there may load. If it is a Python file it is run, with all "
        "your rights: allow what you trust. Can be repeated.",
    )(command)  # fmt: skip


def season_argument(*, there: bool) -> Option:
    """Give a command the folder of a season, as a path."""
    return click.argument("season", metavar="SEASON_DIR", type=folder(there=there))


def style_option(default: str | None = None, more: str = "") -> Option:
    """Give a command `--style`, as `look`, a name or None."""
    return click.option(
        "--style", "look", type=click.Choice(["cardwright", "valet"]), default=default,
        show_default=default is not None, help=said("How figures look.", more),
    )  # fmt: skip


def _formats(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Read `--figure-formats`, as names of formats."""
    from cardwright.publication.figures import FORMATS

    chosen = tuple(dict.fromkeys(part.strip().lower() for part in value.split(",")))
    for one in chosen:
        if one not in FORMATS:
            message = f"{one!r} is not a format of figures: choose from {', '.join(FORMATS)}"
            raise click.BadParameter(message, ctx, param)
    return chosen


figure_formats_option = click.option(
    "--figure-formats", metavar="FORMAT,...", default="png,svg", show_default=True,
    callback=_formats, help="As which files figures are saved: some of png, svg, pdf.",
)  # fmt: skip


def figure_options(command: Command) -> Command:
    """Give a command `--no-caption` and `--columns`, which `figure_files` reads."""
    return together(
        command,
        click.option("--no-caption", is_flag=True,
                     help="Draw no line with game, number, seed and version below figures."),
        click.option("--columns", type=click.Choice(["1", "2"]),
                     help="How many columns of a page a figure fills: 3.4 or 7.1 inches.  "
                     "[default: its own width]"),
    )  # fmt: skip


def figure_files(options: dict[str, Any]) -> FigureFiles:
    """Return how a call wants its figures to be saved."""
    from cardwright.publication.figures import USUAL_FILES, FigureFiles

    columns: Any = None if options["columns"] is None else int(options["columns"])
    formats = options.get("figure_formats", USUAL_FILES.formats)
    return FigureFiles(formats, not options["no_caption"], columns)


def said(first: str, more: str) -> str:
    """Return a help text, with the default set apart in click's style."""
    if not more:
        return first
    return f"{first}{'  ' if more.startswith('[') else ' '}{more}"
