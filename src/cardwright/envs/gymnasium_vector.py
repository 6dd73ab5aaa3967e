"""Many games as one vector environment of Gymnasium, stepped by machine code.

    >>> import gymnasium, cardwright.envs.gymnasium
    >>> tables = gymnasium.make_vec("cardwright/Hearts-v0", num_envs=1000, opponents="rule")
    >>> seen, infos = tables.reset(seed=1)
    >>> result = tables.step(seen["action_mask"].argmax(axis=1))

A step has one decision of the learner in every game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.envs.games import GameEnvironment, RewardKind, action_space, observation_space
from cardwright.envs.opponents import VectorOpponents, beside, opponents_of
from cardwright.extras import missing
from cardwright.game.errors import IllegalOptionError

try:
    from gymnasium.utils.seeding import np_random
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.envs.games import GameLike, Observed
    from cardwright.envs.opponents import Opponents
    from cardwright.game.native.batch import Integers, Truths
    from cardwright.program.constants import Constant

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["BatchEnv"]

_SEEDS = 2**63

_AT_ONCE = 16
"""Seeds that are drawn together, which is faster."""

_TRIES = 1_000
"""How many games may end, one after another, before the learner has to decide."""


class BatchEnv(GameEnvironment, VectorEnv[Any, Any, Any]):  # type: ignore[misc] # it shows nothing
    """Many games of one kind, in each of which one seat is the learner's, or all are.

    `game`, `opponents`, `preset`, `history` and other keywords are as for `SeatEnv`: what it gives
    is what Gymnasium's `SyncVectorEnv` of such environments does, for the same seeds, also after
    the end of games. Opponents are played by machine code if they are `random` or, in Hearts,
    `rule` or hierarchies. A policy is called for all games that wait for it at once. Other players
    are called game by game.

    With `opponents=None` the learner plays all seats: every step is one decision of whoever has to
    decide, whom the info has as `seat` (-1 where the game is over), and the observation is what
    this seat sees. A reward is that of the seat that made the action.

    `rewards` are `scores` or `wins`: see `RewardKind`. Where a game ends, the info `rewards` has
    those of all seats (games x seats). A game that breaks a rule is truncated, with its message in
    the info as `error`. An action that is not legal raises IllegalOptionError, and no game has
    changed. With `copy=False` observations are written to the same arrays at every step.

    What follows the end of a game is said by `autoreset_mode`, as in Gymnasium: the next step
    starts a new game whatever the action (NextStep); or the same step does, and the info has what
    belongs to the end as `final_obs` and `final_info` (SameStep); or nothing does, and a step
    raises IllegalOptionError before a `reset` of these games by the option `reset_mask` (Disabled).
    Raises what `SeatEnv` does, and EngineError for games of the interpreter.
    """

    def __init__(
        self,
        num_envs: int,
        game: GameLike,
        *,
        opponents: Opponents | None = "random",
        seat: int = 0,
        preset: str | None = None,
        rewards: RewardKind | str = RewardKind.SCORES,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        history: int | None = None,
        **declared: Constant,
    ) -> None:
        self._take(game, declared, preset=preset, rewards=rewards, history=history)
        players = self.game.players
        if not 0 <= seat < players:
            raise ValueError(f"the seats are numbered 0 to {players - 1}, not {seat}")
        if self._kind is RewardKind.DIFFERENCES:
            raise ValueError("a batch rewards 'scores' or 'wins' at the end, not 'differences'")
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.game, self.layout)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seat = None if opponents is None else seat
        self._copy = copy
        self._batch = self.game.batch(num_envs, 0, history=self.layout.history)
        others = {} if opponents is None else beside(seat, opponents_of(opponents, players - 1))
        self._others = VectorOpponents(self._batch, others)
        self._mask = np.empty((num_envs, len(self.game.actions)), np.bool_)
        self._numbers = np.empty((num_envs, self._batch.observation.size), np.float32)
        self._given = [0] * num_envs
        self._later: list[Iterator[int]] = [iter(())] * num_envs
        for at in range(num_envs):
            self._seed(at, None)
        self._done = np.zeros(num_envs, np.bool_)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """For each game the seed from which those of later ones are drawn."""
        return tuple(self._given)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observed, dict[str, Any]]:
        """Start new games, of seeds that are given for each, or of a seed and those that follow it.

        The option `reset_mask`, an array of booleans, says which games are started; all are without
        it. Without a seed, the seeds are drawn from the ones given before.
        """
        which = self._wanted(options or {})
        seeds: Sequence[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = range(int(seed), int(seed) + self.num_envs)
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need as many seeds, not {len(seeds)}")
        given = {
            at: wanted_seed
            for at in np.flatnonzero(which).tolist()
            if (wanted_seed := seeds[at]) is not None
        }
        for at, wanted_seed in given.items():
            self._seed(at, wanted_seed)
        self._start(which, given)
        return self._observed(), self._infos(which)

    def _seed(self, at: int, seed: int | None) -> None:
        random, self._given[at] = np_random(seed)
        self._later[at] = _seeds(random)

    def _wanted(self, options: dict[str, Any]) -> Truths:
        """Return which games are to be started."""
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            kind = mask.dtype if isinstance(mask, np.ndarray) else type(mask).__name__
            raise TypeError(f"the option reset_mask is an array of booleans, not {kind}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"the option reset_mask has {self.num_envs} booleans, at least one of them true"
            )
        return mask

    def step(self, actions: Integers) -> tuple[Observed, Numbers, Truths, Truths, dict[str, Any]]:
        """Make an action in every game, and play on to the learner's next decision or the end."""
        over = self._done
        if self._mode is AutoresetMode.DISABLED and over.any():
            raise IllegalOptionError(
                f"game {over.argmax()} is over: call reset with the option reset_mask"
            )
        movers = self._batch.players
        self._others.follow(self._batch.step_actions(np.asarray(actions)))
        self._others.play()
        self._done = (self._batch.players < 0) & ~over
        terminations = self._batch.finished & self._done
        truncations = self._done & ~terminations
        rewards = np.zeros(self.num_envs)
        infos: dict[str, Any] = {}
        if self._done.any():
            infos = self._ends(terminations, truncations)
        if terminations.any():
            rows = np.flatnonzero(terminations)
            rewards[rows] = infos["rewards"][rows, movers[rows]]
        infos = self._go_on(over, infos)
        return self._observed(), rewards, terminations, truncations, infos

    def _go_on(self, over: Truths, ends: dict[str, Any]) -> dict[str, Any]:
        """Start the games that are due by the mode, and return the infos of the step.

        `over` are the games that ended a step ago, `ends` the infos of those that end now.
        """
        every = np.ones(self.num_envs, np.bool_)
        if self._mode is AutoresetMode.NEXT_STEP and over.any():
            self._start(over)
        if self._mode is not AutoresetMode.SAME_STEP or not ends:
            return ends | self._infos(every)
        done, seen = self._done, self._observed(fresh=True)
        final = np.full(self.num_envs, None, object)
        for at in np.flatnonzero(done).tolist():
            final[at] = {key: numbers[at] for key, numbers in seen.items()}
        ends |= self._infos(done)
        self._start(done)
        last = {"final_obs": final, "final_info": ends}
        masks = {f"_{key}": done.copy() for key in last}
        return {**last, **masks, **self._infos(every)}

    def _start(self, which: Truths, given: dict[int, int] | None = None) -> None:
        """Start games; those that end before the learner decides are followed by others."""
        seeds = given or {}
        self._done = self._done & ~which
        for _ in range(_TRIES):
            rows = np.flatnonzero(which).tolist()
            own = [seeds[at] if at in seeds else next(self._later[at]) for at in rows]
            self._batch.reset(which, own)
            self._others.start(which, own)
            self._others.play()
            which = which & (self._batch.players < 0)
            if not which.any():
                return
            seeds = {}
        raise ValueError(f"{_TRIES} games of {self.game.name} ended before the first decision")

    def _observed(self, *, fresh: bool = False) -> Observed:
        """Return what is seen in every game: by the learner, or by who has to decide."""
        again = not (fresh or self._copy)
        numbers = self._batch.observe(self._seat, out=self._numbers if again else None)
        mask = self._batch.action_mask(self._mask if again else None)
        return {"observation": numbers, "action_mask": mask.view(np.int8)}

    def _infos(self, which: Truths) -> dict[str, Any]:
        """Return the infos of some games: the learner's seat, or who has to decide."""
        seats = self._batch.players
        if self._seat is not None:
            seats[:] = self._seat
        return {"seat": seats, "_seat": which.copy()}

    def _ends(self, finished: Truths, broken: Truths) -> dict[str, Any]:
        """Return the infos of games that have just ended."""
        rewards = self._batch.wins
        if self._kind is RewardKind.SCORES:
            rewards = self._batch.scores * np.float64(1 if self.game.highest_wins else -1)
        rewards[~finished] = 0.0
        infos: dict[str, Any] = {}
        if finished.any():
            infos = {"rewards": rewards, "_rewards": finished.copy()}
        if broken.any():
            errors = np.full(self.num_envs, None, object)
            for at, error in self._batch.faults.items():
                errors[at] = str(error) if broken[at] else None
            infos |= {"error": errors, "_error": broken.copy()}
        return infos


def _seeds(random: np.random.Generator) -> Iterator[int]:
    """Yield the seeds that `SeatEnv` draws one by one."""
    while True:
        yield from random.integers(_SEEDS, size=_AT_ONCE).tolist()
