"""`cardwright players`: who can play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.players.kind import Parameter, PlayerKind

_COLUMNS = ("player", "about", "parameter", "default", "values", "parameter_about")


@click.command("players")
@format_option
def command(style: str) -> None:
    """List the kinds of players, with their parameters."""
    from cardwright.arena.entrants import kinds

    found = kinds()
    records = [as_record(name, kind) for name, kind in found.items()]
    rows = _COLUMNS, _rows(found)
    print_results(style, lambda: {"players": records}, rows, lambda: _show(found))


def _show(found: Mapping[str, PlayerKind]) -> None:
    for name, kind in found.items():
        click.echo(f"{_head(name, kind)}\n    {kind.about}")
        for one in kind.parameters:
            click.echo(f"    {one.name}={_default(one)}  {one.about}: {one.values}")


def _rows(found: Mapping[str, PlayerKind]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each parameter, and one for each player without parameters."""
    for name, kind in found.items():
        for one in kind.parameters:
            yield name, kind.about, one.name, one.default, one.values, one.about
        if not kind.parameters:
            yield name, kind.about, None, None, None, None


def as_record(name: str, kind: PlayerKind) -> dict[str, Any]:
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


def _head(name: str, kind: PlayerKind) -> str:
    argument = kind.argument
    if argument is None:
        return name
    return f"{name}:{argument.values}" if argument.default is None else f"{name}[:{argument.name}]"


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    return "..." if default is None else str(default)
