"""`cardwright format`: rewrite a program in the standard layout."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardwright.authoring.files import replace_file
from cardwright.english import counted
from cardwright.interfaces.cli.files import STDIN, read, read_stdin
from cardwright.interfaces.cli.parameters import base_option, load, preset_option, set_option
from cardwright.interfaces.cli.text import complain, printable
from cardwright.interfaces.cli.vocabulary import diff_option
from cardwright.syntax.data_files import read_bytes
from cardwright.syntax.source import MAX_BYTES, Source, UnreadableError, decode

if TYPE_CHECKING:
    from cardwright.interfaces.cli.parameters import Overrides

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("format")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(readable=False)
)
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if a file would change.")
@diff_option("Nothing is changed.")
@click.option(
    "--plain",
    is_flag=True,
    help="Change no file; print the game without extensions of the language.",
)
@preset_option
@set_option
@base_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    preset: str | None,
    overrides: Overrides,
    base: int | None,
    *,
    check: bool,
    diff: bool,
    plain: bool,
) -> None:
    """Rewrite game files, in place, in the standard layout.

    Words, brackets and comments stay as they are; only white space and line ends change. A file
    whose brackets do not match is left alone. `-` formats the standard input to the standard
    output.

    With --plain no file is changed: FILE is one game, a name of the library too, and it is printed
    as other engines of RECYCLE read it. It plays the same games from the same seeds.
    """
    if plain:
        _refuse(len(files) > 1, "--plain takes one game at a time")
        _refuse(check or diff, "--plain changes no file, so --check and --diff have no meaning")
        click.echo(_plain(files[0], overrides, base, preset), nl=False)
        return
    chosen = preset is not None or bool(overrides) or base is not None
    _refuse(chosen, "--preset, --set and --base are for --plain")
    changed = failed = 0
    for file in files:
        try:
            differs, said = _format(file, check=check, diff=diff)
        except (ValueError, OSError) as error:
            complain(_said(error))
            failed += 1
            continue
        changed += differs
        click.echo(said, nl=False)
    if len(files) > 1:
        verb = "would change" if check or diff else "changed"
        same = len(files) - changed - failed
        click.echo(
            f"{counted(changed, 'file')} {verb}, {same} unchanged, {failed} failed", err=True
        )
    ctx.exit(1 if failed or (check and changed) else 0)


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise click.UsageError(message)


def _plain(file: str, overrides: Overrides, base: int | None, preset: str | None) -> str:
    """Return the plain text of a game."""
    if file != STDIN:
        return load(file, overrides, base, preset=preset).plain_text()
    from cardwright.game.game import Game

    _refuse(preset is not None, "the standard input has no presets")
    return Game.from_source(read_stdin(), "", overrides, base).plain_text()


def _said(error: Exception) -> str:
    """Return an error's message; anything but the two expected kinds is a bug, and raised again."""
    from cardwright.syntax.formatter import UnformattableError

    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}; nothing was changed"
    if isinstance(error, UnformattableError | UnreadableError):
        return str(error)
    raise error


def _format(file: str, *, check: bool, diff: bool) -> tuple[bool, str]:
    """Format one file, or see what would change; return whether it differs, and what to print."""
    from cardwright.syntax.formatter import format_source

    source, data = (read_stdin(), None) if file == STDIN else _read(file)
    text = format_source(source)
    differs = text != source.text if data is None else text.encode() != data
    said = ""
    if diff:
        said = difference(source, text, "formatted")
    elif data is None and not check:
        said = text
    if differs and check:
        click.echo(f"would format {printable(source.name)}", err=True)
    elif differs and data is not None and not diff:
        replace_file(Path(file), text.encode())
        said = f"formatted {printable(file)}\n"
    return differs, said


def _read(file: str) -> tuple[Source, bytes]:
    """Return a file's source and its exact bytes, including a byte order mark."""
    read(file)
    data = read_bytes(file, MAX_BYTES)
    return decode(file, data), data


def difference(source: Source, text: str, how: str) -> str:
    """Return what changes in a source, as a diff with colours; `how` names the new text."""
    before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    name = printable(source.name)
    lines = []
    for line in unified_diff(before, after, name, f"{name} ({how})"):
        shown = printable(line.rstrip("\r\n"))
        lines.append(f"{click.style(shown, fg=_COLOURS.get(shown[:1]))}\n")
    return "".join(lines)
