"""The page of all commands, from the commands themselves."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.group import GROUPS, commands

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = """# Every command and option

This page is made from the commands themselves: it says what `cardwright COMMAND --help` says.
[The command line](command-line.md) explains them with examples.
"""


def commands_page() -> str:
    """Return the page of all commands, by the groups in which `--help` lists them."""
    context = click.Context(commands, info_name="cardwright", **commands.context_settings)
    lines = [_HEAD]
    for group, names in GROUPS.items():
        lines += [f"## {group}", ""]
        for name in names:
            if command := commands.get_command(context, name):
                lines += _command(command, click.Context(command, context, name), 3)
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} {context.command_path}\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"```text\n{usage}\n```\n"
    yield _text(command.help or "") + "\n"
    if rows := [row for one in command.params if (row := _option(one, context))]:
        yield "| option | does |\n|---|---|"
        yield from rows
        yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _command(inner, click.Context(inner, context, name), depth + 1)


def _text(text: str) -> str:
    """Return a help text as Markdown: what it keeps from being wrapped stays as it is."""
    paragraphs = inspect.cleandoc(text).partition("\f")[0].split("\n\n")
    return "\n\n".join(
        f"```text\n{one.removeprefix(chr(8)).strip(chr(10))}\n```"
        if one.startswith("\b")
        else _plain(one)
        for one in paragraphs
    )


def _option(one: click.Parameter, context: click.Context) -> str:
    record = one.get_help_record(context)
    if record is None:
        return ""
    names, said = record
    if not said:
        return ""  # what an argument is, the text above says
    cells = (f"`{names}`", _plain(" ".join(said.split())))
    return "| {} | {} |".format(*(cell.replace("|", "\\|") for cell in cells))


def _plain(text: str) -> str:
    """Return text in which signs of Markdown stand for themselves, but for code in it."""

    def meant(found: re.Match[str]) -> str:
        sign = found[0]
        return sign if len(sign) > 1 else {"<": "&lt;", "|": "&#124;"}.get(sign, f"\\{sign}")

    return re.sub(r"`[^`]+`|[\\*_\[\]<|]", meant, text)
