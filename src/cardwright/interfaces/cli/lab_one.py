"""`cardwright lab one`: factors one at a time from a base."""

from __future__ import annotations

from typing import Any

import click

from cardwright.interfaces.cli.lab_options import (
    factor_option,
    levels_option,
    plan_options,
    play_options,
)
from cardwright.interfaces.cli.words import KeepingCommand


@click.command("one", cls=KeepingCommand)
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
def command(
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
    from cardwright.interfaces.cli.lab_plan import (
        check_player,
        factor_of,
        of_test,
        of_text,
        plan_of,
        setting,
        slots_of,
    )
    from cardwright.interfaces.cli.lab_play import play
    from cardwright.lab.factor import split
    from cardwright.lab.plan import Design

    if not tests and not factors:
        raise click.UsageError("nothing is varied: name a test such as passTest, or a --factor")
    if levels is not None and not tests:
        raise click.UsageError("--levels is for tests; a --factor has its levels in it")
    texts = split(levels) if levels is not None else []
    named = [*(of_test(text, texts) for text in tests), *map(of_text, factors)]
    check_player(options, named)
    made = setting(options, slots_of(named))
    plan = plan_of(
        made,
        ", ".join([*tests, *(one.name for one in named[len(tests) :])]),
        Design.ONE,
        [factor_of(made, one) for one in named],
    )
    play(ctx, plan, options)
