"""`cardwright lab screen`: whether the order of the steps in a list matters, and where."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.lab_options import plan_options, play_options, slots_option
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("screen", cls=KeepingCommand)
@slots_option("Their neighbouring steps are exchanged.", required=True)
@plan_options
@play_options
@click.pass_context
def command(ctx: click.Context, /, *, slots: str, **options: Any) -> None:
    """Find out where the order of a list matters.

    Every two neighbouring steps of the base's list, by default that of `hierarchy`, are exchanged
    or not. The cells are a Plackett-Burman design: many swaps in few cells, where interactions are
    aliased with the effects.
    """
    from cardwright.interfaces.cli.lab_plan import plan_of, setting, told
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.factor import Factor, FactorKind, check_slot, split
    from cardwright.lab.plan import SWAP_LEVELS, Design

    names = split(slots)
    for name in names:
        told("--slots", check_slot, name)
    if len(set(names)) < len(names):
        raise click.BadParameter("a slot is given twice", param_hint="'--slots'")
    made = setting(options, names, "hierarchy")
    lists = dict(made.tested.lists)
    factors = []
    for slot in names:
        steps = lists[slot].select if slot in lists else ()
        if len(steps) < 2:
            raise click.UsageError(
                f"the base {made.tested.name} has "
                f"{'one step' if steps else 'no list'} in {slot}: there is nothing to exchange; "
                "name by --player a hierarchy with a longer list"
            )
        factors += [
            Factor(f"{slot} {at + 1}/{at + 2}", FactorKind.SWAP, f"{slot}:{at}", SWAP_LEVELS)
            for at in range(len(steps) - 1)
        ]
    play(ctx, plan_of(made, f"order of {', '.join(names)}", Design.SCREEN, factors), options)
