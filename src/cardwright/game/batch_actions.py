"""Actions of batches: legal ones as masks, and the options that they mean.

Machine code numbers all options that are actions by themselves. Decisions with others, or in which
actions have been made already, are looked at as states, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.compiler.kernels.action_numbers import LEFT, REFUSED
from cardwright.game.errors import IllegalOptionError
from cardwright.game.spread import spread

if TYPE_CHECKING:
    from cardwright.game.action_blocks import Code
    from cardwright.game.batch import Batch

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Truths: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"

_GOES_ON = -3
"""What is chosen where an action leads to no option yet."""


def action_mask(batch: Batch, out: Truths | None, threads: int) -> Truths:
    """Return which actions are legal in each game; see `Batch.action_mask`."""
    shape = len(batch), len(batch.game.actions)
    if out is None:
        out = np.empty(shape, np.bool_)
    elif out.shape != shape or out.dtype != np.bool_ or not out.flags.carray:
        raise ValueError(f"the mask is a contiguous array of booleans of shape {shape}")
    left = np.zeros(len(batch), np.bool_)
    given = shape[1], out.ctypes.data, left.ctypes.data
    _call(batch, "cw_action_mask", *given, threads=threads)
    left[list(batch._pending)] = True
    for at in np.flatnonzero(left).tolist():
        out[at] = False
        out[at, list(batch.state(at).legal_actions())] = True
    return out


def options_of_actions(
    batch: Batch, actions: Integers, threads: int
) -> tuple[Integers, dict[int, Code]]:
    """Return the index of the option that each action plays, and the actions that are pending then.

    The index is below 0 where more actions are needed. Raises IllegalOptionError for the first game
    where the action is not legal.
    """
    choices = np.empty(len(batch), np.int64)
    given = actions.ctypes.data, choices.ctypes.data
    _call(batch, "cw_action_options", *given, threads=threads)
    choices[list(batch._pending)] = LEFT
    pending: dict[int, Code] = {}
    if choices.min() < 0:
        for at in np.flatnonzero(choices < 0).tolist():
            if choices[at] == REFUSED:
                name = batch.game.actions.name(int(actions[at]))
                raise IllegalOptionError(
                    f"action {actions[at]} ({name}) is not legal in game {at}; action_mask() says"
                    " which are"
                )
            made = batch.state(at)._actions().after(batch._pending.get(at, ()), int(actions[at]))
            if isinstance(made, int):
                choices[at] = made
            else:
                choices[at], pending[at] = _GOES_ON, made
    return choices, pending


def _call(batch: Batch, function: str, *args: int, threads: int) -> None:
    engine = batch._engine
    forms = engine.action_forms(batch.game.actions)
    batch._check_whole()
    all_args = (*batch._at, forms.words.ctypes.data, *args)
    spread(engine, function, *all_args, games=len(batch), threads=threads)
