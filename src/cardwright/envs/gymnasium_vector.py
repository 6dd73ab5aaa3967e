"""Many games as one vector environment of Gymnasium, stepped by machine code.

    >>> import gymnasium, cardwright.envs.gymnasium
    >>> tables = gymnasium.make_vec("cardwright/Hearts-v0", num_envs=1000)
    >>> seen, infos = tables.reset(seed=1)
    >>> result = tables.step(seen["action_mask"].argmax(axis=1))

A step has one decision of the learner in every game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.envs.games import action_space, game_of, observation_space
from cardwright.envs.rewards import RewardKind
from cardwright.game.extras import missing

try:
    from gymnasium.utils.seeding import np_random
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.envs.games import GameLike, Observed
    from cardwright.game.batch import Integers, Truths
    from cardwright.program.constants import Constant

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
    Seeds: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

__all__ = ["BatchEnv"]

_SEEDS = 2**63

_TRIES = 1_000
"""How many games may end, one after another, before the learner has to decide."""


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Many games of one kind, in each of which one seat is the learner's, or all are.

    `game`, `preset` and other keywords are as for `SeatEnv`. With `opponents="random"` the learner
    plays `seat`, and all others choose at random. With `opponents=None` it plays all seats: every
    step is one decision of whoever has to decide, and the observation is what this seat sees.
    For other opponents make Gymnasium's own vectors of `SeatEnv`, with
    `vectorization_mode="sync"`.

    A reward is that of the seat that made the action; where a game ends, the info `rewards` has
    those of all seats (games x seats), and `seat` says who has to decide now. `rewards` are
    `scores` or `wins`: see `RewardKind`. A game that breaks a rule is truncated, with its message
    in the info as `error`. An action that is not legal raises IllegalOptionError, and no game has
    changed. With `copy=False` observations are written to the same arrays at every step.

    What follows the end of a game is said by `autoreset_mode`, as in Gymnasium: the next step
    starts a new game whatever the action (NextStep), the same step does, with the last observation
    as the info `final_obs` (SameStep), or nothing (Disabled) before a `reset` with the option
    `reset_mask`. Raises what `SeatEnv` does, and EngineError for games of the interpreter.
    """

    def __init__(
        self,
        num_envs: int,
        game: GameLike,
        *,
        opponents: str | None = "random",
        seat: int = 0,
        preset: str | None = None,
        rewards: RewardKind | str = RewardKind.SCORES,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **declared: Constant,
    ) -> None:
        self.game = game_of(game, preset, declared)
        players = self.game.players
        if opponents not in ("random", None):
            raise ValueError(
                f"a batch plays against 'random' or for all seats (None), not against"
                f' {opponents!r}: make it with vectorization_mode="sync"'
            )
        if not 0 <= seat < players:
            raise ValueError(f"the seats are numbered 0 to {players - 1}, not {seat}")
        self._kind = RewardKind(rewards)
        if self._kind is RewardKind.DIFFERENCES:
            raise ValueError("a batch rewards 'scores' or 'wins' at the end, not 'differences'")
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seat = None if opponents is None else seat
        self._copy = copy
        self._batch = self.game.batch(num_envs, 0)
        self._streams = self._batch.seat_streams(0)
        self._mask = np.empty((num_envs, len(self.game.actions)), np.bool_)
        self._numbers = np.empty((num_envs, self.game.observation.size), np.float32)
        self._done = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, dict[str, Any]]:
        """Start new games, of seeds that are drawn from one seed, or that are given for each.

        The option `reset_mask` says which games are started; all are without it.
        """
        mask = (options or {}).get("reset_mask")
        which = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask, np.bool_)
        seeds = None
        if isinstance(seed, int | np.integer):
            self._np_random, self._np_random_seed = np_random(int(seed))
        elif seed is not None:
            given = [int(self._drawn(1)[0]) if one is None else one for one in seed]
            seeds = np.array(given, np.uint64)[which]
        self._start(which, seeds)
        return self._observed(), self._infos()

    def step(self, actions: Integers) -> tuple[Observed, Numbers, Truths, Truths, dict[str, Any]]:
        """Make an action in every game, and play on to the learner's next decision or the end."""
        over = self._done
        movers = self._batch.players if self._seat is None else None
        self._batch.step_actions(np.asarray(actions))
        self._others()
        ended = self._batch.players < 0
        self._done = ended & ~over
        terminations = self._batch.finished & self._done
        truncations = self._done & ~terminations
        rewards = np.zeros(self.num_envs)
        infos: dict[str, Any] = {}
        if self._done.any():
            infos = self._ends(terminations, truncations)
            rows = np.flatnonzero(terminations)
            seats = self._seat if movers is None else movers[rows]
            rewards[rows] = infos["rewards"][rows, seats]
        infos |= self._go_on(over, ended)
        return self._observed(), rewards, terminations, truncations, {**infos, **self._infos()}

    def _go_on(self, over: Truths, ended: Truths) -> dict[str, Any]:
        """Start the games that are due by the mode; `over` are those that ended a step ago."""
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.NEXT_STEP and over.any():
            self._start(over)
        elif self._mode is AutoresetMode.SAME_STEP and self._done.any():
            infos = {"final_obs": self._observed(fresh=True), "_final_obs": self._done.copy()}
            self._start(self._done)
        elif self._mode is AutoresetMode.DISABLED:
            self._done = ended
        return infos

    def _drawn(self, count: int) -> Seeds:
        return self.np_random.integers(_SEEDS, size=count, dtype=np.uint64)

    def _start(self, which: Truths, seeds: Seeds | None = None) -> None:
        """Start games; those that end before the learner decides are followed by others."""
        which = which.copy()
        for _ in range(_TRIES):
            given = self._drawn(int(which.sum())) if seeds is None else seeds
            self._batch.reset(which, given)
            self._streams[which] = self._batch.seat_streams(given)
            self._done = self._done & ~which
            self._others()
            which &= self._batch.players < 0
            if not which.any():
                return
            seeds = None
        raise ValueError(f"{_TRIES} games of {self.game.name} ended before the first decision")

    def _others(self) -> None:
        """Have the other seats play until the learner has to decide, or the game is over."""
        while self._seat is not None:
            players = self._batch.players
            theirs = (players >= 0) & (players != self._seat)
            if not theirs.any():
                return
            self._batch.random_step(self._streams, where=theirs)

    def _observed(self, *, fresh: bool = False) -> Observed:
        """Return what is seen in every game: by the learner, or by who has to decide."""
        again = not (fresh or self._copy)
        numbers = self._batch.observe(self._seat, out=self._numbers if again else None)
        mask = self._batch.action_mask(self._mask if again else None)
        return {"observation": numbers, "action_mask": mask.view(np.int8)}

    def _infos(self) -> dict[str, Any]:
        return {"seat": self._batch.players, "_seat": np.ones(self.num_envs, np.bool_)}

    def _ends(self, finished: Truths, broken: Truths) -> dict[str, Any]:
        """Return the infos of games that have just ended."""
        rewards = self._batch.wins
        if self._kind is RewardKind.SCORES:
            rewards = self._batch.scores * np.float64(1 if self.game.highest_wins else -1)
        rewards[~finished] = 0.0
        infos = {"rewards": rewards, "_rewards": finished.copy()}
        if broken.any():
            errors = np.full(self.num_envs, None, object)
            for at, error in self._batch.faults.items():
                errors[at] = str(error) if broken[at] else None
            infos |= {"error": errors, "_error": broken.copy()}
        return infos
