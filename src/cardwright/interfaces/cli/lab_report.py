"""`cardwright lab report`: the report on an experiment from its records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.lab_options import outcome_options
from cardwright.interfaces.cli.vocabulary import folder

if TYPE_CHECKING:
    from pathlib import Path


@click.command("report")
@click.argument("records", metavar="DIR", type=folder(there=True))
@click.pass_context
def command(ctx: click.Context, /, *, records: Path, **options: Any) -> None:
    """Report on the records of an experiment.

    These are in DIR. The experiment may be unfinished: then the report is about the deals so far.
    """
    from cardwright.interfaces.cli.lab_play import say_outcome
    from cardwright.lab.records import load

    if options["out"] is not None:
        refuse_filled(options["out"])
    plan, outcomes = load(records)
    say_outcome(plan, outcomes, options)


for _option in reversed(outcome_options()):
    command = _option(command)
