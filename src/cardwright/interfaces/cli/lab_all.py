"""`cardwright lab all`: the five tests in one go."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.lab_options import levels_option, plan_options, play_options
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("all", cls=KeepingCommand)
@levels_option("One of random, rule, default or FILE.toml.  [default: the player's own, random]")
@plan_options
@play_options
@click.pass_context
def command(ctx: click.Context, /, *, levels: str | None, **options: Any) -> None:
    """Run the five tests in one go.

    These are passTest, firstTest, secondTest, thirdTest and fourthTest: each list of the tested
    player is varied in turn, while the others stay as in the base. `cardwright lab factorial`
    varies them together.
    """
    from cardwright.interfaces.cli.lab_plan import plan_of, setting, slot_factor
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.factor import PLAYED, split
    from cardwright.lab.plan import Design

    texts = split(levels) if levels is not None else []
    made = setting(options, PLAYED)
    factors = [slot_factor(made, slot, texts) for slot in PLAYED]
    play(ctx, plan_of(made, "the five tests", Design.ONE, factors), options)
