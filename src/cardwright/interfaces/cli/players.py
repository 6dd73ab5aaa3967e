"""`cardwright players`: who can play."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import format_option

if TYPE_CHECKING:
    from cardwright.players.kind import Kind
    from cardwright.players.parameter import Parameter


@click.command("players")
@format_option("table", "json")
def command(style: str) -> None:
    """List the players that there are, with their parameters."""
    from cardwright.arena.entrants import kinds  # noqa: PLC0415 - not for `--help`

    found = kinds()
    if style == "json":
        records = [as_record(name, kind) for name, kind in found.items()]
        click.echo(json.dumps({"players": records}, indent=2))
        return
    for name, kind in found.items():
        click.echo(f"{_head(name, kind)}\n    {kind.about}")
        for one in kind.parameters:
            click.echo(f"    {one.name}={_default(one)}  {one.about}: {one.values}")


def as_record(name: str, kind: Kind) -> dict[str, Any]:
    """Return a kind of player as a JSON object."""
    parameters = [
        {
            "name": one.name,
            "default": one.default,
            "values": one.values,
            "about": one.about,
        }
        for one in kind.parameters
    ]
    argument = kind.argument.values if kind.argument else None
    return {"name": name, "about": kind.about, "argument": argument, "parameters": parameters}


def _head(name: str, kind: Kind) -> str:
    argument = kind.argument
    if argument is None:
        return name
    return f"{name}:{argument.values}" if argument.default is None else f"{name}[:{argument.name}]"


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "..." if default is None else str(default)
