"""`cardwright lab`: experiments on what decides a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.lab_options import (
    factor_option,
    levels_option,
    outcome_options,
    plan_options,
    play_options,
    slots_option,
)
from cardwright.interfaces.cli.lazy import LazyCommands
from cardwright.interfaces.cli.needs import needing
from cardwright.interfaces.cli.vocabulary import (
    allow_file_option,
    deals_option,
    file_there,
    folder,
    seed_option,
)
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from pathlib import Path


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
@deals_option("[default: as the plan says]")
@seed_option("[default: as the plan says]")
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
