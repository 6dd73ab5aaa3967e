"""Sets of kernels: functions that are compiled on demand, with the rules of a program they call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class KernelSet:
    """Some modules of kernels, by name, and the functions that they export.

    The modules are imported only to compile. Kernels in a module's `POLICY` are compiled too, which
    others know only by name. `brief` ones are compiled with the least effort; `whole` ones play
    games from the beginning, so that what goes on from elsewhere is not worth much; those that are
    `seen` report every event to the kernels of `information`. In those `by_hand` the kernels of
    `game_trees` draw. Those that are `retraced` are seen, and report to the kernels of `histories`.
    """

    name: str
    modules: tuple[str, ...]
    exports: tuple[str, ...]
    brief: bool = False
    whole: bool = False
    seen: bool = False
    by_hand: bool = False
    retraced: bool = False

    def kernels(self) -> tuple[Callable[..., Any], ...]:
        """Return the kernels to compile."""
        kernels: dict[str, Callable[..., Any]] = {}
        for name in self.modules:
            module = import_module(name)
            own = {key: value for key, value in vars(module).items() if key in self.exports}
            kernels |= {key: value for key, value in own.items() if value.__module__ == name}
            kernels |= {kernel.__name__: kernel for kernel in getattr(module, "POLICY", ())}
        return tuple(kernels.values())


def _own(name: str, modules: str, exports: str, **how: bool) -> KernelSet:
    """Return a set of modules of this package, which are listed as its functions are."""
    places = (f"cardwright.compiler.kernels.{module}" for module in modules.split())
    return KernelSet(name, tuple(places), tuple(exports.split()), **how)


PLAY = _own("play", "games", "cw_start cw_advance cw_play cw_step cw_scores cw_player", brief=True)
"""Functions that play one game, a decision at a time: the caller's part takes longer."""

RANDOM_GAMES = _own(
    "random games", "games", "cw_game_seeds cw_random_games cw_add_games", whole=True
)
"""Functions for random games from their seeds; they may leave some to the following."""

RESUMED_GAMES = _own("random games, resumed", "games", "cw_random_games")
"""The one that plays, for all games, also those that have to go on from within a stage."""

ROLLOUTS = _own("rollouts", "rollouts", "cw_rollouts")
"""Functions for random games from a state."""

BATCHES = _own(
    "batches",
    "batches action_numbers",
    "cw_action_mask cw_action_options cw_batch_start cw_batch_refused cw_batch_step "
    "cw_batch_choose cw_seat_streams cw_option_picks",
)
"""Functions for many games side by side."""

WORLDS = _own("worlds", "worlds", "cw_chain cw_next_world cw_determinise")
"""Functions for imagined worlds. They need no rules, so that they are compiled fast."""

OBSERVATIONS = _own("observations", "observe", "cw_observe cw_observe_one")
"""Functions that write down what a seat sees. They need no rules either."""

INFORMATION = _own(
    "information", "information", "cw_follow_start cw_follow cw_follow_from", brief=True, seen=True
)
"""Functions that follow a game for what its seats see of it."""

HISTORIES = _own(
    "histories",
    "histories",
    "cw_history_note cw_history_find cw_history_next",
    seen=True,
    retraced=True,
)
"""Functions that look for games that a seat cannot tell from the true one."""

HIDDEN_CHOICES = _own(
    "hidden choices", "histories", "cw_history_choices cw_history_choose", seen=True, retraced=True
)
"""Functions that make hidden choices in such games otherwise."""

GAME_TREES = _own(
    "game trees", "game_trees", "cw_tree_grow cw_tree_follow", brief=True, seen=True, by_hand=True
)
"""Functions that follow every draw and every option of a game."""

SAMPLED_REGRET = _own("sampled regret", "sampled_regret", "cw_sample_regret", seen=True)
"""The function that minimizes regret by sampling."""

OPEN_HANDS = _own("open hands", "tricks trick_trials", "cw_tricks cw_shares cw_try_cards")
"""Functions that solve the rest of a trick game with open hands, and that try its rules."""

_TREES = "cw_chain cw_next_world cw_search_begin cw_search cw_search_ends cw_children"

SEARCHES = _own("searches", "evaluation rollouts worlds search", f"{_TREES} cw_flat")
"""Functions for consistent worlds, and for searches that play on in them."""

WHOLE = replace(
    PLAY, name="game", exports=PLAY.exports + RANDOM_GAMES.exports, brief=False, whole=True
)
"""What plays games, one at a time and many at random, for people who look at the code."""


def searches_by(name: str, policy: str) -> KernelSet:
    """Return the functions for tree searches that play on by the policy in a module of kernels.

    The module is outside this package, and replaces `cardwright.compiler.kernels.evaluation`.
    """
    own = _own(name, "worlds search", _TREES)
    return replace(own, modules=(policy, *own.modules))


INFORMED = searches_by("informed searches", "cardwright.compiler.kernels.informed")
INFORMED = replace(INFORMED, exports=(*INFORMED.exports, "cw_learn", "cw_learnt"))
"""Functions for tree searches in whose playouts seats take what surely raises their scores."""

GREEDY = searches_by("greedy searches", "cardwright.compiler.kernels.greedy")
"""Functions for tree searches in whose playouts seats take what raises their scores."""
