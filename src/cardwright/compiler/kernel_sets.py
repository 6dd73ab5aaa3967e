"""Sets of kernels: functions that are compiled on demand, with the rules of a program they call."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_P, _I = ctypes.c_void_p, ctypes.c_int64


@dataclass(frozen=True)
class KernelSet:
    """Some modules of kernels, and the parameters of the functions that they export.

    All functions return an integer of 64 bits. `modules` are names: they are imported only to
    compile. Of their kernels those with a signature are compiled, and those in a module's `POLICY`,
    which others know only by name. `brief` ones are compiled with the least effort; `whole` ones
    play games from the beginning, so that what goes on from elsewhere is not worth much; those that
    are `seen` report every event to the kernels of `information`. In those `by_hand` the kernels of
    `game_trees` draw.
    """

    name: str
    modules: tuple[str, ...]
    signatures: Mapping[str, tuple[Any, ...]]
    brief: bool = False
    whole: bool = False
    seen: bool = False
    by_hand: bool = False

    def kernels(self) -> tuple[Callable[..., Any], ...]:
        """Return the kernels to compile."""
        found: dict[str, Callable[..., Any]] = {}
        for name in self.modules:
            module = import_module(name)
            own = {key: value for key, value in vars(module).items() if key in self.signatures}
            found |= {key: value for key, value in own.items() if value.__module__ == name}
            found |= {kernel.__name__: kernel for kernel in getattr(module, "POLICY", ())}
        return tuple(found.values())


_KERNELS = "cardwright.compiler.kernels"

PLAY = KernelSet(
    "play",
    (f"{_KERNELS}.games",),
    {
        "cw_start": (_P, _P, _I),
        "cw_advance": (_P, _P),
        "cw_play": (_P, _P, _I),
        "cw_step": (_P, _P, _I),
        "cw_scores": (_P, _P, _P),
        "cw_player": (_P,),
    },
    brief=True,
)
"""Functions that play one game, a decision at a time: the caller's part takes longer."""

RANDOM_GAMES = KernelSet(
    "random games",
    (f"{_KERNELS}.games",),
    {
        "cw_game_seeds": (_P, _P, _I, _I, _I, _P),
        "cw_random_games": (*[_P] * 6, _I, _P, _P),
    },
    whole=True,
)
"""Functions for random games from their seeds; they may leave some to the following."""

RESUMED_GAMES = replace(RANDOM_GAMES, name="random games, resumed", whole=False)
"""The same for all games, also those that have to go on from within a stage."""

ROLLOUTS = KernelSet(
    "rollouts",
    (f"{_KERNELS}.rollouts",),
    {"cw_rollouts": (*[_P] * 5, *[_I] * 3, _P, _P, _I, _I, _P, _P)},
)
"""Functions for random games from a state."""

BATCHES = KernelSet(
    "batches",
    (f"{_KERNELS}.batches", f"{_KERNELS}.action_numbers"),
    {
        "cw_action_mask": (*[_P] * 5, _I, _I, _P, _P, _I, _I),
        "cw_action_options": (*[_P] * 5, _I, _P, _I, _I),
        "cw_batch_start": (*[_P] * 5, _I, _I),
        "cw_batch_refused": (_P, _P, _I),
        "cw_batch_step": (*[_P] * 4, _I, _I),
        "cw_batch_choose": (*[_P] * 4, _I),
        "cw_seat_streams": (_P, _P, _I),
        "cw_option_picks": (*[_P] * 4, *[_I] * 3, _P, _P, _I, _I),
    },
)
"""Functions for many games side by side."""

RECALLED_BATCHES = KernelSet(
    "recalled batches",
    (f"{_KERNELS}.batches",),
    {"cw_batch_step_recalled": (*[_P] * 6, *[_I] * 3)},
)
"""The function for many games side by side that recalls their latest choices."""

_CHAINS: dict[str, tuple[Any, ...]] = {
    "cw_chain": (_P, _I, *[_P] * 3),
    "cw_next_world": (_P,) * 4,
}

WORLDS = KernelSet(
    "worlds",
    (f"{_KERNELS}.worlds",),
    {**_CHAINS, "cw_determinise": (_P, _P, _I, _P, _I)},
)
"""Functions for imagined worlds. They need no rules, so that they are compiled fast."""

OBSERVATIONS = KernelSet(
    "observations",
    (f"{_KERNELS}.observe",),
    {
        "cw_observe": (_P, _P, _I, *[_P] * 3, _I, _I),
        "cw_observe_one": (_P, _I, _I, *[_P] * 3),
    },
)
"""Functions that write down what a seat sees. They need no rules either."""

INFORMATION = KernelSet(
    "information",
    (f"{_KERNELS}.information",),
    {
        "cw_follow_start": (_P, _P, _I),
        "cw_follow": (*[_P] * 4, _I, _I),
        "cw_follow_from": (_P, _P, _I),
    },
    brief=True,
    seen=True,
)
"""Functions that follow a game for what its seats see of it."""

GAME_TREES = KernelSet(
    "game trees",
    (f"{_KERNELS}.game_trees",),
    {
        "cw_tree_grow": (_P,) * 7,
        "cw_tree_follow": (*[_P] * 4, _I),
    },
    brief=True,
    seen=True,
    by_hand=True,
)
"""Functions that follow every draw and every option of a game."""

SAMPLED_REGRET = KernelSet(
    "sampled regret",
    (f"{_KERNELS}.sampled_regret",),
    {"cw_sample_regret": (*[_P] * 9, _I, _I)},
    seen=True,
)
"""The function that minimizes regret by sampling."""

_TREES = (f"{_KERNELS}.worlds", f"{_KERNELS}.search")

_SEARCHES: dict[str, tuple[Any, ...]] = {
    **_CHAINS,
    "cw_search_begin": (_P, _P, _P),
    "cw_search": (*[_P] * 6, _I),
    "cw_search_ends": (*[_P] * 5, _I, _P),
    "cw_children": (*[_P] * 4, *[_I] * 3, _P),
}

SEARCHES = KernelSet(
    "searches",
    (f"{_KERNELS}.evaluation", f"{_KERNELS}.rollouts", *_TREES),
    {
        **_SEARCHES,
        "cw_flat": (_P,) * 14,
    },
)
"""Functions for consistent worlds, and for searches that play on in them."""

WHOLE = KernelSet(
    "game",
    PLAY.modules,
    {**PLAY.signatures, **RANDOM_GAMES.signatures},
    whole=True,
)
"""What plays games, one at a time and many at random, for people who look at the code."""


def searches_by(name: str, policy: str) -> KernelSet:
    """Return the functions for tree searches that play on by the policy in a module of kernels.

    The module is outside this package, and replaces `cardwright.compiler.kernels.evaluation`.
    """
    return KernelSet(name, (policy, *_TREES), _SEARCHES)
