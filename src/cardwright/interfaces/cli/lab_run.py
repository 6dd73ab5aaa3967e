"""`cardwright lab run`: plays the plan in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.lab_options import play_options
from cardwright.interfaces.cli.vocabulary import (
    allow_file_option,
    deals_option,
    file_there,
    seed_option,
)
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from pathlib import Path


@click.command("run", cls=KeepingCommand)
@click.argument("file", metavar="PLAN.toml", type=file_there())
@deals_option("[default: as the plan says]")
@seed_option("[default: as the plan says]")
@play_options
@allow_file_option
@click.pass_context
def command(
    ctx: click.Context, /, *, file: Path, deals: int | None, seed: int | None, **options: Any
) -> None:
    """Play the plan in a file.

    `--save-plan` of the other commands writes such a file; docs/lab.md describes everything that
    may be in it.
    """
    from dataclasses import replace

    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.plan import read_plan

    plan = read_plan(file, options["allow_files"])
    plan = replace(
        plan,
        deals=plan.deals if deals is None else deals,
        seed=plan.seed if seed is None else seed,
    )
    play(ctx, plan, options)
