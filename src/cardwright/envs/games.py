"""What environments have in common: games, spaces, observations, rewards and texts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.english import counted
from cardwright.game.game import Game
from cardwright.game.option import Back
from cardwright.game.reference import scores_now
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gymnasium import spaces

    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import State
    from cardwright.game.option import View
    from cardwright.program.constants import Constant

GameLike: TypeAlias = "Game | str | Path"
"""A game, the name of one of the library, or the path of a file."""

Observed: TypeAlias = "dict[str, np.ndarray[Any, Any]]"
"""What an agent is given: `observation` and `action_mask`."""


MOST_CHOICES = 64
"""Most choices that are remembered if no number is given."""

_BESIDES = 12
"""How many choices are remembered besides one for each card, for passes and bids."""

_FEW = 20
"""Most legal actions that are shown."""

RENDER_MODES = ["human", "ansi"]


class RewardKind(StrEnum):
    """What is rewarded.

    scores: each seat's score at the end, negative where the lowest wins. wins: its share of the win
    at the end. differences: after every decision, by how much the score has changed as the game
    would count it now; where scores change only at the ends of deals, these are the differences per
    deal. They add up to what `scores` gives.
    """

    SCORES = "scores"
    WINS = "wins"
    DIFFERENCES = "differences"


def remembering(game: Game, history: int | None) -> ObservationLayout:
    """Return the layout of observations that have a number of the latest choices.

    If none is given, it is as many as the game has cards and twelve more, at most 64: in most games
    all choices of a deal. Raises ValueError for a negative number.
    """
    if history is None:
        history = min(len(game.cards) + _BESIDES, MOST_CHOICES)
    return game.observation_layout(history)


class GameEnvironment:
    """What the environments of all libraries have: a game, how it is seen, and what is rewarded."""

    game: Game
    layout: ObservationLayout
    game_state: State
    render_mode: str | None

    def _take(
        self,
        game: GameLike,
        declared: dict[str, Constant],
        *,
        preset: str | None,
        rewards: RewardKind | str,
        history: int | None,
        render_mode: str | None = None,
    ) -> None:
        """Take a game to be played; raises what `Game.load` does, and ValueError."""
        if not isinstance(game, Game):
            game = Game.variant(game, declared, preset)
        elif preset is not None or declared:
            raise ValueError(
                "this game is loaded already: give its preset and constants to Game.load instead"
            )
        if render_mode not in {None, *RENDER_MODES}:
            modes = ", ".join(RENDER_MODES)
            raise ValueError(f"the render mode is one of {modes}, not {render_mode!r}")
        self.game = game
        self.layout = remembering(game, history)
        self.render_mode = render_mode
        self._kind = RewardKind(rewards)

    def render(self) -> str | None:
        """Return what is seen as a text, or print it, as the mode has it."""
        if self.render_mode is None:
            return None
        text = state_text(self.game_state)
        if self.render_mode == "ansi":
            return text
        print(text)  # noqa: T201 - that is what the mode asks for
        return None


def observation_space(game: Game, layout: ObservationLayout) -> spaces.Dict:
    """Return the space of what an agent is given; its observations have this layout.

    A bound that is not proved is infinite. A number that never changes has a bound that it does not
    reach, as Gymnasium wants it.
    """
    from gymnasium import spaces

    low, high = layout.low, layout.high
    numbers = spaces.Box(low, np.where(high > low, high, low + 1), dtype=np.float32)
    mask = spaces.Box(0, 1, (len(game.actions),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": mask})


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of actions."""
    from gymnasium import spaces

    return spaces.Discrete(len(game.actions))


def observed(state: State, seat: int, layout: ObservationLayout) -> Observed:
    """Return what the agent of a seat is given: nothing is legal if another has to decide."""
    mask = np.zeros(len(state.game.actions), np.int8)
    if state.player == seat:
        mask[list(state.legal_actions())] = 1
    return {"observation": state.observation(seat, layout), "action_mask": mask}


def signed(game: Game, scores: Sequence[int]) -> list[float]:
    """Return scores such that more is better."""
    sign = 1 if game.highest_wins else -1
    return [float(sign * score) for score in scores]


def end_rewards(kind: RewardKind, state: State) -> list[float]:
    """Return what each seat gets for a finished game, all in all."""
    return list(state.wins if kind is RewardKind.WINS else state.returns)


class RunningRewards:
    """What each seat has been given of a game so far."""

    def __init__(self, kind: RewardKind, state: State) -> None:
        self._kind = kind
        self._given = [0.0] * state.game.players

    def after(self, state: State) -> list[float]:
        """Return what each seat gets after a decision."""
        if state.finished:
            due = end_rewards(self._kind, state)
        elif self._kind is RewardKind.DIFFERENCES:
            due = self._now(state)
        else:
            return [0.0] * len(self._given)
        given, self._given = self._given, due
        return [now - before for now, before in zip(due, given, strict=True)]

    def _now(self, state: State) -> list[float]:
        """Return the scores as they are now; as before, if they cannot be counted yet."""
        try:
            return signed(state.game, scores_now(state._board.world()))
        except Fault:
            return self._given


def seen_texts(view: View, game: Game) -> Iterator[str]:
    """Yield in words what a seat sees: what lies where, and what is stored."""
    for place, cards in view.locations.items():
        shown = [game.namer.card(card) for card in cards if not isinstance(card, Back)]
        if len(shown) < len(cards):
            shown.append(f"{len(cards) - len(shown)} hidden")
        yield f"{game.namer.place(place, view.seat)}: {', '.join(shown)}"
    for cells in (view.integers, view.strings):
        for (owner, name), value in cells.items():
            table = owner == game.program.table
            whose = "" if table else f"{game.program.owner_name(owner)} "
            yield f"{whose}{name} {value}"


def state_text(state: State) -> str:
    """Return what the seat that has to decide sees, with the actions that are legal.

    When the game is over it is what the first seat sees, and the scores.
    """
    game, seat = state.game, state.player
    view = state.view(0 if seat is None else seat)
    lines = [
        f"{game.name}, {counted(len(state.choices), 'decision')} made",
        *seen_texts(view, game),
    ]
    if seat is None:
        lines.append("scores: " + ", ".join(map(str, state.scores)))
        return "\n".join(lines)
    legal = [game.actions.name(action) for action in state.legal_actions()]
    more = [f"and {len(legal) - _FEW} more"] if len(legal) > _FEW else []
    if state.pending:
        lines.append("so far: " + "; ".join(map(game.actions.name, state.pending)))
    lines.append(f"p{seat + 1} has to decide: " + "; ".join([*legal[:_FEW], *more]))
    return "\n".join(lines)
