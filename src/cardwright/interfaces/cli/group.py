"""The commands by name, each loaded when it is called, and the handling of their errors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.compiler import backend
from cardwright.english import counted
from cardwright.interfaces.cli.lazy import LazyCommands
from cardwright.interfaces.cli.messages import complaining
from cardwright.interfaces.cli.text import complain, printable, show_diagnostics
from cardwright.interfaces.cli.words import INTERRUPTED

if TYPE_CHECKING:
    from cardwright.game.errors import GameError, GameFileError

_WRONG_CALL = 2
_BUG = 70
_SHOWN = 20

_EPILOG = """\b
Exit codes:
  0    all went well
  1    what was asked for failed, or found errors
  2    a wrong call: what was asked for cannot be
  70   a bug in Cardwright
  130  interrupted (Ctrl-C)
"""


GROUPS = {
    "Play": ("games", "show", "play", "serve", "replay", "publish"),
    "Study": (
        "simulate", "match", "tournament", "ladder", "players", "solve", "exploit", "analyze",
        "variants", "evolve", "figures", "lab", "records",
    ),
    "Hearts League": ("league",),
    "Language": ("new", "check", "format", "test", "explain-diff", "compile", "lsp"),
    "This machine": ("doctor", "bench", "cache", "completion"),
}  # fmt: skip
"""The commands as `--help` lists them."""


class Commands(LazyCommands):
    """The group of all commands; no traceback leaves it."""

    names = tuple(name for group in GROUPS.values() for name in group)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with what each does, group by group."""
        width = max(map(len, self.names))
        room = formatter.width - width - 6
        for title, names in GROUPS.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name.ljust(width), one.get_short_help_str(room))
                        for name, one in found
                        if one
                    ]
                )

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the arguments of a call."""
        with complaining():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command and turn any error into a message and an exit code."""
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        backend.notify_when_slow(_tell_of_compiling)
        try:
            with complaining():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo("\ninterrupted", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:  # the last place to catch an error
            _report(ctx, error)


def _tell_of_compiling(name: str) -> None:
    """Explain a long pause."""
    click.echo(
        f"compiling {printable(name)}: it is large, and this takes a while "
        "(`--engine interpreter` does without, and plays slowly)",
        err=True,
    )


def _report(ctx: click.Context, error: Exception) -> NoReturn:
    """Print an error in the way of its kind, and exit."""
    from cardwright.game.errors import (
        CardwrightError,
        GameError,
        GameFileError,
    )
    from cardwright.syntax.source import UnreadableError

    if isinstance(error, GameFileError):
        _report_file(error)
    elif isinstance(error, GameError) and error.choices_file:
        complain(f"{error}\n{_kept_choices(error)}")
    elif isinstance(error, CardwrightError | UnreadableError):
        complain(str(error))
    elif isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        complain(f"{name}{error.strerror or error}")
    elif os.environ.get("CARDWRIGHT_TRACEBACK"):
        raise error
    else:
        complain(
            f"this is a bug in Cardwright: {type(error).__name__}: {error}\n"
            "Please report it with the command you gave. "
            "With CARDWRIGHT_TRACEBACK=1 in the environment it prints the traceback to send along."
        )
        ctx.exit(_BUG)
    ctx.exit(_WRONG_CALL if getattr(error, "wrong_call", False) else 1)


def _kept_choices(error: GameError) -> str:
    """Keep the choices of a game in a file if they are too many to print; say how to replay it."""
    try:
        error.keep_choices()
    except OSError as trouble:
        return f"      they cannot be kept in {error.choices_file}: {trouble.strerror or trouble}"
    return f"      to see it again: {error.command}"


def _report_file(error: GameFileError) -> None:
    """Print why a game cannot be played, as `check` would."""
    checked = error.checked
    errors = checked.diagnostics.errors
    show_diagnostics(errors[:_SHOWN], checked.source, err=True)
    if len(errors) > _SHOWN:
        click.echo(
            f"... and {counted(len(errors) - _SHOWN, 'more error')}; `check` shows them", err=True
        )
    complain(f"{checked.source.name} cannot be played like this")


@click.group(
    cls=Commands,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message=f"cardwright %(version)s, results {RESULTS_VERSION}")
def commands() -> None:
    """Card games from their rules, written in RECYCLE: checked, played, studied."""
