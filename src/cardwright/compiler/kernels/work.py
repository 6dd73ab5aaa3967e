"""Kernels that keep count of how much is done without a decision, and ask whether to go on.

`left` counts down the rounds that may be made before anything has to be looked at; a decision sets
it to `allowance`. What is allowed beyond that is given bit by bit by `spent`. `ticks` counts down
decisions, and thousands of rounds, until somebody is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import ask
from cardwright.compiler.ir import Inline
from cardwright.compiler.kernel import kernel

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

PART = 8_192
"""Rounds that are given at once."""

PART_TICKS = 2
PATIENCE = 8_192
"""Ticks from one question to the next: some milliseconds of most games."""


@kernel(inline=Inline.NEVER)
def stopped(context: Context) -> bool:
    """Return whether all is to stop: another thread may have set `stop`, or `watch` may say so.

    `watch` is the address of a function, or 0. Once it says so nothing goes on, until Python sets
    `stop` and `allowance` again.
    """
    if context.stop == 0 and context.watch != 0:
        context.stop = ask(context.watch)
    if context.stop != 0:
        context.allowance = 0
        return True
    context.ticks = PATIENCE
    return False


@kernel(inline=Inline.NEVER)
def spent(context: Context) -> bool:
    """Return whether all allowed rounds are used up, or play must stop; else grant some more."""
    if context.stop != 0:
        return True
    if context.parts == 0:
        context.later = context.limit - context.allowance
    context.parts = 1
    given: int = min(context.later, max(PART, -context.left))
    context.later -= given
    context.left += given
    if context.left < 0:
        return True
    context.ticks -= PART_TICKS
    return bool(context.ticks < 0 and stopped(context))
