"""The options that commands of the lab have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import (
    complete_game,
    preset_option,
    reading,
    set_option,
)
from cardwright.interfaces.cli.settings import settings_options
from cardwright.interfaces.cli.vocabulary import (
    FileToWrite,
    bound_option,
    deals_option,
    every_option,
    figure_formats_option,
    figure_options,
    format_option,
    latex_option,
    least_option,
    opponents_option,
    out_option,
    player_option,
    quiet_option,
    records_option,
    said,
    seed_option,
    sprt_option,
    together,
)
from cardwright.lab.settings import ExperimentSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interfaces.cli.parameters import Command

LEAST, EVERY = 400, 200
"""Deals before the first look of a stopping rule, and between looks."""


def _width(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{text!r} is not a width: write a number above 0, for example 0.1")
    return value


def plan_options(command: Command) -> Command:
    """Give a command the options of all plans, besides factors and levels."""
    return together(
        command,
        click.option(
            "--game", metavar="GAME", default="hearts", show_default=True,
            shell_complete=complete_game, help="A game of the library, or the path of a file.",
        ),
        preset_option,
        set_option,
        click.option(
            "--match", "match", is_flag=True,
            help="Whole matches of Hearts instead of single deals: these need far more games.",
        ),
        player_option(
            "The player wherever no factor changes it: rule, random, hierarchy:FILE.toml; any "
            "other for parameters.  [default: rule in Hearts]"
        ),
        click.option(
            "--keep-discard", is_flag=True,
            help="Keep the player's common list of discards, so that slots are about following "
            "suit only.",
        ),
        opponents_option(
            "Each is a class of opponents, against which everything is played.  [default: "
            "random,rule in Hearts]"
        ),
        deals_option(
            "With a stopping rule these are the most; each is played in all cells. [default: 2,000 "
            "by machine code, 100 with slower players; ten times as many with a stopping rule]"
        ),
        seed_option(),
        click.option(
            "--seating", type=click.Choice(["all", "rotate", "pairs"]), default="all",
            show_default=True, help="In each seat in turn; in one seat, which changes from deal to "
            "deal; or two against two in all six ways.",
        ),
        click.option(
            "--until", metavar="WIDTH", callback=reading(_width),
            help="Stop when the interval of every main effect has this half-width at most.",
        ),
        sprt_option("They are about the gain from every main effect."),
        click.option(
            "--of", "response", metavar="RESPONSE", default="points", show_default=True,
            help="What the stopping rule is about: points, margin, wins...",
        ),
        bound_option,
        least_option(LEAST),
        every_option(EVERY),
    )  # fmt: skip


def play_options(command: Command) -> Command:
    """Give a command the options for playing, recording and reporting a plan."""
    return together(
        command,
        settings_options(ExperimentSettings),
        records_option,
        click.option(
            "--save-plan", metavar="FILE", type=FileToWrite(),
            help="Write the plan to this file, which `cardwright lab run` plays.",
        ),
        click.option(
            "--dry-run", is_flag=True, help="Play nothing: show the cells and what they cost."
        ),
        outcome_options,
        quiet_option,
    )  # fmt: skip


def outcome_options(command: Command) -> Command:
    """Give a command the options for the outcome."""
    return together(
        command,
        out_option("Its text, figures and tables are next to it."),
        figure_formats_option,
        figure_options,
        format_option,
        latex_option,
    )


def factor_option(what: str) -> Callable[[Any], Any]:
    """Return the option that names factors other than slots; `what` is its help."""
    return click.option(
        "--factor", "factors", metavar="NAME=KIND:TARGET:LEVEL,...", multiple=True,
        help=f"Vary something other than slots. {what} Can be repeated.",
    )  # fmt: skip


def levels_option(more: str, default: str | None = None) -> Callable[[Any], Any]:
    """Return the option that names levels of slots."""
    return click.option(
        "--levels", metavar="LEVEL,...", default=default, show_default=default is not None,
        help=f"What slots are set to; the first is the base. {more}",
    )  # fmt: skip


def slots_option(more: str, *, required: bool = False) -> Callable[[Any], Any]:
    """Return the option that names slots."""
    return click.option(
        "--slots", metavar="SLOT,...", required=required, help=said("Which lists are varied.", more)
    )
