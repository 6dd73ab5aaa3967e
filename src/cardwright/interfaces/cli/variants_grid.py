"""`--vary`: the values of a game's declared options to combine."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cardwright.program.constants import Constant

MOST = 200
"""The most combinations: more would be a mistake."""


def read_grid(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[Constant, ...]]:
    """Parse `--vary`, each as a name and its values; values that are lists are separated by `;`."""
    from cardwright.program.constants import parse_value

    found: dict[str, tuple[Constant, ...]] = {}
    for text in values:
        name, equals, listed = (part.strip() for part in text.partition("="))
        name = name.removeprefix("'")
        if not equals or not name:
            raise click.BadParameter(f"{text!r} is not of the form NAME=V1,V2", ctx, param)
        if name in found:
            raise click.BadParameter(f"{name} is varied twice", ctx, param)
        texts = [part.strip() for part in listed.split(";" if ";" in listed else ",")]
        try:
            found[name] = tuple(parse_value(part) for part in texts if part)
        except ValueError as error:
            raise click.BadParameter(f"{name}: {error}", ctx, param) from None
        if not found[name] or len(set(found[name])) < len(found[name]):
            raise click.BadParameter(f"{name} needs values that differ: {text!r}", ctx, param)
    if prod(len(one) for one in found.values()) > MOST:
        raise click.BadParameter(f"that is more than {MOST} combinations", ctx, param)
    return found
