"""Kernels that count the work done without a decision, and ask whether to go on.

`left` counts down the rounds that may be made before the next check; a decision sets it to
`allowance`. What is allowed beyond that is granted in portions by `spent`. `ticks` counts down
decisions, and thousands of rounds, until Python is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import ask
from cardwright.compiler.kernel import kernel

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

PART = 8_192
"""Rounds granted at once."""

PART_TICKS = 2
TICKS = 8_192
"""Ticks from one question to the next: some milliseconds in most games."""


@kernel(inline=Inline.NEVER)
def stopped(context: Context) -> bool:
    """Return whether to stop: another thread may have set `stop`, or `watch` may say so.

    `watch` is the address of a function, or 0. After that nothing goes on until Python sets `stop`
    and `allowance` again.
    """
    if context.stop == 0 and context.watch != 0:
        context.stop = ask(context.watch)
    if context.stop != 0:
        context.allowance = 0
        return True
    context.ticks = TICKS
    return False


@kernel(inline=Inline.NEVER)
def time_to_stop(context: Context) -> bool:
    """Return whether to stop, if it is time to ask."""
    return bool(context.ticks <= 0 and stopped(context))


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
