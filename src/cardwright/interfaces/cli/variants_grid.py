"""The grid of a game's declared options: which values go together, and which do not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.analyze_games import Asked, asked, unlike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.program.constants import Constant

    Grid = Mapping[str, Sequence[Constant]]

MOST = 200
"""Combinations at most: more would be a slip."""


@dataclass(frozen=True)
class Combination:
    """Values that are varied, as `NAME=VALUE`, and why a game cannot be played with them."""

    words: str
    reason: str


def read_grid(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[Constant, ...]]:
    """Read `--vary`, each as a name and its values; those of a list are divided by `;`."""
    from cardwright.program.overrides import parse_value

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


def combinations(
    game: str, grid: Grid, overrides: Mapping[str, Constant], preset: str | None
) -> tuple[list[Asked], list[Combination]]:
    """Return a game for each combination, in the order of the options, and those left out.

    Left out is what the facts of the game forbid, and what its rules cannot be read with. A name
    that is no constant of the game is an error of every combination: the first is raised then.
    """
    from cardwright.game.errors import CardwrightError, override_text

    found, left, first = [], [], None
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        words = " ".join(f"{name}={override_text(value)}" for name, value in chosen.items())
        try:
            found.append(asked(game, {**overrides, **chosen}, preset, words))
        except CardwrightError as error:
            first = first or error
            left.append(Combination(words, str(error).split("\n", 1)[0]))
    if first is not None and not found:
        raise first
    return unlike(found), left
