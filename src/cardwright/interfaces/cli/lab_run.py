"""`cardwright lab run`: plays a plan that is written in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardwright.interfaces.cli.lab_options import play_options
from cardwright.interfaces.cli.parameters import MOST_DEALS, parse_seed, reading
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("run", cls=KeepingCommand)
@click.argument("file", metavar="PLAN.toml", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--deals", type=click.IntRange(min=1, max=MOST_DEALS), help="Other deals than the file says."
)
@click.option(
    "--seed", metavar="SEED", callback=reading(parse_seed), help="Another seed than the file has."
)
@play_options
@click.pass_context
def command(
    ctx: click.Context, /, *, file: Path, deals: int | None, seed: int | None, **options: Any
) -> None:
    """Play the plan in a file.

    `--save-plan` of the other commands writes such a file; docs/lab.md has all that may be in it.
    """
    from dataclasses import replace  # noqa: PLC0415 - not for `--help`

    from cardwright.interfaces.cli.lab_play import play  # noqa: PLC0415 - as above
    from cardwright.lab.plan_file import read_plan  # noqa: PLC0415 - as above

    plan = read_plan(file)
    plan = replace(
        plan,
        deals=plan.deals if deals is None else deals,
        seed=plan.seed if seed is None else seed,
    )
    play(ctx, plan, options)
