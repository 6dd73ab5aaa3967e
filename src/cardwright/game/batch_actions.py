"""Actions of batches: legal ones as masks, and the options that they mean.

Machine code numbers options that are actions by themselves or sequences of such. Decisions that
have others are looked at as states, one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.compiler.kernels.action_numbers import LEFT, REFUSED
from cardwright.game.errors import IllegalOptionError
from cardwright.game.native.threads import spread

if TYPE_CHECKING:
    from cardwright.game.action_blocks import Code
    from cardwright.game.native.batch import Batch

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Truths: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


def action_mask(batch: Batch, out: Truths | None, threads: int) -> Truths:
    """Return which actions are legal in each game; see `Batch.action_mask`."""
    shape = len(batch), len(batch.game.actions)
    if out is None:
        out = np.empty(shape, np.bool_)
    elif out.shape != shape or out.dtype != np.bool_ or not out.flags.carray:
        raise ValueError(f"the mask is a contiguous array of booleans of shape {shape}")
    left = np.zeros(len(batch), np.bool_)
    made = _made(batch)
    given = made.ctypes.data, made.shape[1], shape[1], out.ctypes.data, left.ctypes.data
    _call(batch, "cw_action_mask", *given, threads=threads)
    for at in np.flatnonzero(left).tolist():
        out[at] = False
        out[at, list(batch.state(at).legal_actions())] = True
    return out


def options_of_actions(
    batch: Batch, actions: Integers, wanted: Truths, threads: int
) -> tuple[Integers, dict[int, Code]]:
    """Return the index of the option that each action plays, and the actions that are pending then.

    The index is -1 where more actions are needed, or where the game is not wanted. Raises
    IllegalOptionError for the first game where the action is not legal.
    """
    choices = np.empty(len(batch), np.int64)
    made = _made(batch)
    made[np.arange(len(batch)), 1 + made[:, 0]] = actions
    given = made.ctypes.data, made.shape[1], choices.ctypes.data
    _call(batch, "cw_action_options", *given, threads=threads)
    pending = batch._pending_but(wanted)
    for at in np.flatnonzero(wanted & (choices < 0)).tolist():
        action, before = int(actions[at]), batch._pending.get(at, ())
        if choices[at] == REFUSED:
            name = batch.game.actions.name(action)
            raise IllegalOptionError(
                f"action {action} ({name}) is not legal in game {at}; action_mask() says which are"
            )
        after: Code | int = (*before, action)
        if choices[at] == LEFT:
            after = batch.state(at)._actions().after(before, action)
        if isinstance(after, int):
            choices[at] = after
        else:
            pending[at] = after
    return np.where(wanted, np.maximum(choices, -1), -1), pending


def _made(batch: Batch) -> Integers:
    """Return the actions made so far in each game: their number, they, and room for one more."""
    longest = max(map(len, batch._pending.values()), default=0)
    made = np.zeros((len(batch), longest + 2), np.int64)
    for at, actions in batch._pending.items():
        made[at, : len(actions) + 1] = len(actions), *actions
    return made


def _call(batch: Batch, function: str, *args: int, threads: int) -> None:
    engine = batch._engine
    forms = engine.action_forms(batch.game.actions)
    batch._check_whole()
    all_args = (*batch._at, forms.words.ctypes.data, *args)
    spread(engine, function, *all_args, games=len(batch), threads=threads)
