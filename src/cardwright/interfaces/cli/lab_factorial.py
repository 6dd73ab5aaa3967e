"""`cardwright lab factorial`: factors together, in all combinations or a fraction of them."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.lab_options import (
    factor_option,
    levels_option,
    plan_options,
    play_options,
    slots_option,
)
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("factorial", cls=KeepingCommand)
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
def command(
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
    from cardwright.interfaces.cli.lab_plan import (
        check_player,
        factor_of,
        of_test,
        of_text,
        plan_of,
        setting,
        slots_of,
        told,
    )
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.design import fraction as usual
    from cardwright.lab.factor import PLAYED, split
    from cardwright.lab.plan import Design

    if fraction is not None and generators:
        raise click.UsageError("--fraction finds the generators: give it or --generator")
    names = list(PLAYED) if slots is None and not factors else split(slots or "")
    named = [*(of_test(slot, split(levels)) for slot in names if slot), *map(of_text, factors)]
    if not named:
        raise click.UsageError("nothing is varied: name --slots or a --factor")
    check_player(options, named)
    made = setting(options, slots_of(named))
    if fraction is not None:
        generators = told("--fraction", usual, fraction, len(named))
    plan = plan_of(
        made,
        " × ".join(one.name for one in named),
        Design.FACTORIAL,
        [factor_of(made, one) for one in named],
        generators,
    )
    play(ctx, plan, options)
