"""The options that commands of the lab have in common."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import (
    MOST_DEALS,
    complete_game,
    parse_seed,
    preset_option,
    reading,
    set_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interfaces.cli.parameters import Command

LEAST, EVERY = 400, 200
"""Deals before a rule to stop first looks, and from one look to the next."""


def _width(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{text!r} is no width: write a number above 0, for example 0.1")
    return value


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = math.nan
    if not -math.inf < low < high < math.inf:
        raise ValueError(f"{text!r} is not two numbers, the smaller first; write for example 0,0.2")
    return low, high


def plan_options(command: Command) -> Command:
    """Let a command take what all plans have, besides factors and levels."""
    options: tuple[Callable[[Any], Any], ...] = (
        click.option(
            "--game", metavar="GAME", default="hearts", show_default=True,
            shell_complete=complete_game, help="A game of the library, or the path of a file.",
        ),
        preset_option,
        set_option,
        click.option(
            "--match", "match", is_flag=True,
            help="Whole matches of Hearts instead of single deals: slow to tell anything.",
        ),
        click.option(
            "--base", metavar="PLAYER",
            help="The player that is tested, as it is where no factor changes it: rule, random, "
            "hierarchy:FILE.toml; any other for parameters.",
        ),
        click.option(
            "--keep-discard", is_flag=True,
            help="Keep the base's list of discards for all positions, so that slots are about "
            "following suit only.",
        ),
        click.option(
            "--opponents", metavar="PLAYER,...",
            help="Who sits in the other seats: each is a class of opponents, for which all is "
            "played.  [default: random,rule in Hearts]",
        ),
        click.option(
            "--deals", type=click.IntRange(min=1, max=MOST_DEALS),
            help="How many deals, or with a rule to stop the most; each is played in all cells.  "
            "[default: 2,000 by machine code, 100 with slower players; ten times as many with a "
            "rule to stop]",
        ),
        click.option(
            "--seed", metavar="SEED", callback=reading(parse_seed),
            help="Seed of the whole experiment; without it one is drawn.",
        ),
        click.option(
            "--seating", type=click.Choice(["all", "rotate", "pairs"]), default="all",
            show_default=True, help="In each seat in turn; in one, another deal by deal; or two "
            "against two in all six ways.",
        ),
        *_stops(),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _stops() -> tuple[Callable[[Any], Any], ...]:
    return (
        click.option(
            "--until", metavar="WIDTH", callback=reading(_width),
            help="Stop when the interval of every main effect is at most so wide to each side.",
        ),
        click.option(
            "--sprt", metavar="H0,H1", callback=reading(_bounds),
            help="Stop when a sequential test has decided for every main effect whether it is H0 "
            "or H1 for the better.",
        ),
        click.option(
            "--of", "response", metavar="RESPONSE", default="points", show_default=True,
            help="What the rule to stop is about: points, margin, wins...",
        ),
        click.option(
            "--least", type=click.IntRange(min=2), default=LEAST, show_default=True,
            help="Deals before the rule to stop first looks.",
        ),
        click.option(
            "--every", type=click.IntRange(min=1), default=EVERY, show_default=True,
            help="Deals from one of its looks to the next.",
        ),
    )  # fmt: skip


def play_options(command: Command) -> Command:
    """Let a command take how a plan is played, kept and reported."""
    options: tuple[Callable[[Any], Any], ...] = (
        click.option(
            "--workers", type=click.IntRange(min=1),
            help="How many blocks of deals are played at a time; they change nothing.  "
            "[default: one a processor]",
        ),
        click.option(
            "--records", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
            help="Keep the results in a folder, from which an interrupted experiment can go on.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the experiment in --records."),
        click.option(
            "--save-plan", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
            help="Write the plan to a file, which `cardwright lab run` plays.",
        ),
        click.option(
            "--dry-run", is_flag=True, help="Play nothing: show the cells and what they cost."
        ),
        *outcome_options(),
        click.option("--quiet", is_flag=True, help="Show no progress."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def outcome_options() -> tuple[Callable[[Any], Any], ...]:
    """Return the options for what becomes of the outcome."""
    return (
        click.option(
            "--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
            help="Write the report to a folder: a page, its text, plots and tables.",
        ),
        click.option("--json", "as_data", is_flag=True, help="Print all findings as JSON."),
    )  # fmt: skip


def factor_option(what: str) -> Callable[[Any], Any]:
    """Return the option that names factors other than slots; `what` is its help."""
    return click.option(
        "--factor", "factors", metavar="NAME=KIND:TARGET:LEVEL,...", multiple=True,
        help=f"{what} Can be repeated.",
    )  # fmt: skip
