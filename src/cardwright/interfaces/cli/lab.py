"""`cardwright lab`: experiments on what decides a game."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.lazy import LazyCommands
from cardwright.interfaces.cli.needs import needing
from cardwright.interfaces.cli.parameters import complete_game, preset_option, reading, set_option
from cardwright.interfaces.cli.vocabulary import (
    FileToWrite,
    allow_file_option,
    bound_option,
    deals_option,
    every_option,
    figure_formats_option,
    figure_options,
    file_there,
    folder,
    format_option,
    latex_option,
    least_option,
    opponents_option,
    out_option,
    player_option,
    quiet_option,
    said,
    seed_option,
    setting_option,
    settings_options,
    sprt_option,
    together,
)
from cardwright.interfaces.cli.words import KeepingCommand
from cardwright.jobs.settings import RECORDS
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
            "other for parameters.",
            usual="rule in Hearts",
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
            "With a stopping rule these are the most; each is played in all cells.",
            usual="2,000 by machine code, 100 with slower players; ten times as many with a "
            "stopping rule",
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
        setting_option("records", Path, RECORDS),
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


class LabCommands(LazyCommands):
    """The commands about experiments; what they do is loaded when they do it."""

    names = ("one", "all", "factorial", "screen", "run", "report")
    whose = " of the lab"

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command."""
        found = self.commands.get(cmd_name)
        return None if found is None else needing(f"lab {cmd_name}", found)


@click.group("lab", cls=LabCommands)
def command() -> None:
    """Find out what decides a game, by experiments."""


@command.command("one", cls=KeepingCommand)
@click.argument("tests", metavar="TEST...", nargs=-1)
@levels_option(
    "Those of TEST: random, rule, default, FILE.toml, FILE.toml#slot, or [duck,lowest];tie=high.  "
    "[default: the player's own, random]"
)
@factor_option(
    "Such as option:MOON:PLUS,MINUS, parameter:iterations:100,400, player:rule,expert or "
    "swap:fourth:0; or slot:fourth:rule,random."
)
@plan_options
@play_options
@click.pass_context
def one(
    ctx: click.Context,
    /,
    *,
    tests: tuple[str, ...],
    levels: str | None,
    factors: tuple[str, ...],
    **options: Any,
) -> None:
    """Vary one thing at a time.

    Everything else stays as in the base.

    TEST is passTest, firstTest, secondTest, thirdTest or fourthTest, which vary the list by which
    the tested player passes, or plays first to fourth to a trick; or the name of any list of a
    hierarchy. All cells play the same deals from the same seats.
    """
    from cardwright.interfaces.cli.lab_plan import named_factors, plan_of
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.plan import Design

    if not tests and not factors:
        raise click.UsageError("nothing is varied: name a test such as passTest, or a --factor")
    if levels is not None and not tests:
        raise click.UsageError("--levels is for tests; a --factor has its levels in it")
    named = named_factors(tests, levels, factors)
    name = ", ".join([*tests, *(factor.name for factor in named[len(tests) :])])
    play(ctx, plan_of(options, name, Design.ONE, named), options)


@command.command("all", cls=KeepingCommand)
@levels_option("One of random, rule, default or FILE.toml.  [default: the player's own, random]")
@plan_options
@play_options
@click.pass_context
def all_tests(ctx: click.Context, /, *, levels: str | None, **options: Any) -> None:
    """Run the five tests in one go.

    These are passTest, firstTest, secondTest, thirdTest and fourthTest: each list of the tested
    player is varied in turn, while the others stay as in the base. `cardwright lab factorial`
    varies them together.
    """
    from cardwright.interfaces.cli.lab_plan import named_factors, plan_of
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.factor import PLAYED
    from cardwright.lab.plan import Design

    named = named_factors(PLAYED, levels)
    play(ctx, plan_of(options, "the five tests", Design.ONE, named), options)


@command.command("factorial", cls=KeepingCommand)
@slots_option("[default: pass,first,second,third,fourth, without --factor]")
@levels_option("One of random, rule, default or FILE.toml.", "random,rule")
@factor_option("Written as for `lab one`.")
@click.option(
    "--fraction", metavar="1/N",
    help="Play a fraction of all combinations: 1/2, 1/4... Some effects can then not be told "
    "apart.",
)  # fmt: skip
@click.option(
    "--generator", "generators", metavar="E=ABCD", multiple=True,
    help="Play the fraction that has this generator, where A, B, C... are the factors in order, "
    "without I. Can be repeated.",
)  # fmt: skip
@plan_options
@play_options
@click.pass_context
def factorial(
    ctx: click.Context,
    /,
    *,
    slots: str | None,
    levels: str,
    factors: tuple[str, ...],
    fraction: str | None,
    generators: tuple[str, ...],
    **options: Any,
) -> None:
    """Vary several things together.

    They are played in all combinations, or a fraction of these. That tells what each is worth on
    average over the others, and which of them depend on each other. All cells play the same deals
    from the same seats.
    """
    from cardwright.interfaces.cli.lab_plan import named_factors, parsed, plan_of
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.design import fraction as generators_of
    from cardwright.lab.factor import PLAYED, split
    from cardwright.lab.plan import Design

    if fraction is not None and generators:
        raise click.UsageError("--fraction finds the generators: give it or --generator")
    names = list(PLAYED) if slots is None and not factors else split(slots or "")
    named = named_factors(filter(None, names), levels, factors)
    if not named:
        raise click.UsageError("nothing is varied: name --slots or a --factor")
    if fraction is not None:
        generators = parsed("--fraction", generators_of, fraction, len(named))
    name = " × ".join(factor.name for factor in named)
    play(ctx, plan_of(options, name, Design.FACTORIAL, named, generators), options)


@command.command("screen", cls=KeepingCommand)
@slots_option("Their neighbouring steps are exchanged.", required=True)
@plan_options
@play_options
@click.pass_context
def screen(ctx: click.Context, /, *, slots: str, **options: Any) -> None:
    """Find out where the order of a list matters.

    Every two neighbouring steps of the base's list, by default that of `hierarchy`, are exchanged
    or not. The cells are a Plackett-Burman design: many swaps in few cells, where interactions are
    aliased with the effects.
    """
    from cardwright.interfaces.cli.lab_plan import screen_of
    from cardwright.interfaces.cli.lab_play import play

    play(ctx, screen_of(options, slots), options)


@command.command("run", cls=KeepingCommand)
@click.argument("file", metavar="PLAN.toml", type=file_there())
@deals_option(usual="as the plan says")
@seed_option(usual="as the plan says")
@play_options
@allow_file_option
@click.pass_context
def run(
    ctx: click.Context, /, *, file: Path, deals: int | None, seed: int | None, **options: Any
) -> None:
    """Play the plan in a file.

    `--save-plan` of the other commands writes such a file; docs/lab.md describes everything that
    may be in it.
    """
    from dataclasses import replace

    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.plan import LabPlan

    plan = LabPlan.load(file, options["allow_files"])
    deals, seed = (plan.deals if deals is None else deals), (plan.seed if seed is None else seed)
    play(ctx, replace(plan, deals=deals, seed=seed), options)


@command.command("report")
@click.argument("records", metavar="DIR", type=folder(there=True))
@outcome_options
def report(*, records: Path, **options: Any) -> None:
    """Report on the records of an experiment.

    These are in DIR. The experiment may be unfinished: then the report is about the deals so far.
    """
    from cardwright.interfaces.cli.lab_play import say_outcome
    from cardwright.lab.records import load

    if options["out"] is not None:
        refuse_filled(options["out"])
    plan, outcomes = load(records)
    say_outcome(plan, outcomes, options)
