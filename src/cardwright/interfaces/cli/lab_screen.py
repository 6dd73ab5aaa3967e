"""`cardwright lab screen`: whether the order of the steps in a list matters, and where."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.lab_options import plan_options, play_options
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("screen", cls=KeepingCommand)
@click.option(
    "--slot", "slots", metavar="SLOT", multiple=True, required=True,
    help="The list whose neighbouring steps are exchanged. Can be repeated.",
)  # fmt: skip
@plan_options
@play_options
@click.pass_context
def command(ctx: click.Context, /, *, slots: tuple[str, ...], **options: Any) -> None:
    """Find out where the order of a list matters.

    Every two neighbouring steps of the base's list, by default that of `hierarchy`, are exchanged
    or not. The cells are a Plackett-Burman design: many swaps in few cells, where interactions are
    mixed into the effects.
    """
    from cardwright.interfaces.cli.lab_make import (  # noqa: PLC0415 - not for `--help`
        plan_of,
        setting,
    )
    from cardwright.interfaces.cli.lab_play import play  # noqa: PLC0415 - as above
    from cardwright.lab.factor import Factor, Kind  # noqa: PLC0415 - as above
    from cardwright.lab.factor_table import SWAP_LEVELS  # noqa: PLC0415 - as above
    from cardwright.lab.levels import check_slot  # noqa: PLC0415 - as above
    from cardwright.lab.plan import Design  # noqa: PLC0415 - as above

    for slot in slots:
        check_slot(slot)
    if len(set(slots)) < len(slots):
        raise click.UsageError("a --slot is given twice")
    made = setting(options, slots, "hierarchy")
    lists = dict(made.tested.lists)
    factors = []
    for slot in slots:
        steps = lists[slot].select if slot in lists else ()
        if len(steps) < 2:
            raise click.UsageError(
                f"the base {made.tested.name} has "
                f"{'one step' if steps else 'no list'} in {slot}: there is nothing to exchange; "
                "give as --base a hierarchy with a longer list"
            )
        factors += [
            Factor(f"{slot} {at + 1}/{at + 2}", Kind.SWAP, f"{slot}:{at}", SWAP_LEVELS)
            for at in range(len(steps) - 1)
        ]
    play(ctx, plan_of(made, f"order of {', '.join(slots)}", Design.SCREEN, factors), options)
