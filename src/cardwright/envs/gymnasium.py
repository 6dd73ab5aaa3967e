"""Any game as an environment of Gymnasium, for one agent against opponents.

    >>> import gymnasium, cardwright.envs.gymnasium
    >>> hearts = gymnasium.make("cardwright/Hearts-v0", opponents="rule")
    >>> seen, info = hearts.reset(seed=1)
    >>> seen, reward, terminated, truncated, info = hearts.step(seen["action_mask"].argmax())

Importing this module registers the games of the library by names such as `cardwright/Hearts-v0`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.envs.games import (
    RENDER_MODES,
    GameEnvironment,
    RewardKind,
    RunningRewards,
    action_space,
    end_rewards,
    observation_space,
    observed,
)
from cardwright.envs.opponents import OtherSeats, beside, opponents_of
from cardwright.extras import missing
from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.find import library_names

try:
    import gymnasium
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error

if TYPE_CHECKING:
    from cardwright.envs.games import GameLike, Observed
    from cardwright.envs.opponents import Opponents
    from cardwright.program.constants import Constant

__all__ = ["SeatEnv"]

_TRIES = 1_000
"""How many games may end, one after another, before the learner has to decide."""

_SEEDS = 2**63

_SEAT = "cardwright.envs.gymnasium:SeatEnv"
_BATCH = "cardwright.envs.gymnasium_vector:BatchEnv"


class SeatEnv(GameEnvironment, gymnasium.Env[Any, Any]):
    """A game as one of its seats plays it; the others are played by opponents.

    `game` is a name of the library, a path or a `Game`; `preset` and other keywords are as for
    `Game.load`. `opponents` are players as the command line has them (`rule`,
    `ismcts:iterations=500`), classes or functions without arguments that make players, frozen
    policies (`Policy` of `envs.opponents`), or a sequence with one for each other seat. `seat` is
    the learner's, from 0; None draws one for each game. `rewards` says what it gets: see
    `RewardKind`. `history` is how many of the latest choices an observation has: see `remembering`;
    `layout` says what each of its numbers is. Raises what `Game.load` does, PlayerSpecError for
    opponents that are none, and ValueError for other values.

    A seed given to `reset` is that of the game, as for `Game.start`; later games have seeds drawn
    from it. An observation has the numbers of `State.observation` and a mask of legal actions. An
    action that is not legal changes nothing: the reward is `penalty`, and the info has a message as
    `illegal`. At the end the info has as `rewards` what each seat got for the game. A game that
    breaks a rule is truncated, with its message as `error`. `game_state` is the state that is
    played: the learner must not look at it.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - so it is in the class that this extends
        "render_modes": RENDER_MODES,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: GameLike,
        *,
        opponents: Opponents = "random",
        seat: int | None = 0,
        preset: str | None = None,
        rewards: RewardKind | str = RewardKind.SCORES,
        penalty: float = 0.0,
        history: int | None = None,
        render_mode: str | None = None,
        **declared: Constant,
    ) -> None:
        self._take(
            game, declared, preset=preset, rewards=rewards, history=history, render_mode=render_mode
        )
        players = self.game.players
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"the seats are numbered 0 to {players - 1}, not {seat}")
        self.observation_space = observation_space(self.game, self.layout)
        self.action_space = action_space(self.game)
        self._opponents = opponents_of(opponents, players - 1)
        self._fixed = seat
        self._penalty = float(penalty)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start a new game, and play on to the learner's first decision; there are no options.

        The info has the learner's seat as `seat`. A game that ends before is followed by another.
        Raises GameError if a game breaks a rule before.
        """
        super().reset(seed=seed, options=options)
        for _ in range(_TRIES):
            if seed is None:
                seed = int(self.np_random.integers(_SEEDS))
            self._begin(seed)
            if not self.game_state.finished:
                self._show()
                return self._seen(), {"seat": self.seat}
            seed = None
        raise ValueError(
            f"{_TRIES} games of {self.game.name} ended before seat {self.seat} had to decide"
        )

    def _begin(self, seed: int) -> None:
        if self._fixed is None:
            self.seat = int(self.np_random.integers(self.game.players))
        else:
            self.seat = self._fixed
        self.game_state = self.game.start(seed)
        self._running = RunningRewards(self._kind, self.game_state)
        self._others = OtherSeats(beside(self.seat, self._opponents), seed, self.layout)
        self._over = False
        self._others.play(self.game_state)
        self._earned()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Make an action, and play on to the learner's next decision or to the end."""
        if self._over:
            raise IllegalOptionError("the game is over: call reset")
        info: dict[str, Any] = {"seat": self.seat}
        if int(action) not in self.game_state.legal_actions():
            name = self.game.actions.name(int(action))
            info["illegal"] = f"action {action} ({name}) is not legal; the mask says which are"
            return self._seen(), self._penalty, False, False, info
        try:
            self.game_state.play_action(int(action))
            self._others.play(self.game_state)
        except GameError as error:
            self._over = True
            return self._seen(), 0.0, False, True, {**info, "error": str(error)}
        self._over = self.game_state.finished
        if self._over:
            info["rewards"] = np.array(end_rewards(self._kind, self.game_state))
        self._show()
        return self._seen(), self._earned(), self._over, False, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions are legal, as booleans: what learners with masks ask for."""
        mask: np.ndarray[Any, np.dtype[np.bool_]] = self._seen()["action_mask"].astype(np.bool_)
        return mask

    def _earned(self) -> float:
        """Return what the learner gets since it was asked last."""
        if self.game_state.pending:
            return 0.0
        return self._running.after(self.game_state)[self.seat]

    def _seen(self) -> Observed:
        return observed(self.game_state, self.seat, self.layout)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def register_games() -> None:
    """Register every game of the library, and `Game-v0`, which takes the game as a keyword."""
    for name in (None, *library_names()):
        own = f"cardwright/{(name or 'game').capitalize()}-v0"
        if own not in registry:
            kwargs = {} if name is None else {"game": name}
            register(own, _SEAT, vector_entry_point=_BATCH, kwargs=kwargs)


register_games()
