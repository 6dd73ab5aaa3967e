"""What environments have in common: games, spaces, observations, rewards and texts."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.extras import missing
from cardwright.game.game import Game
from cardwright.game.option import Back
from cardwright.game.reference import scores_now
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import State
    from cardwright.program.cards import Card
    from cardwright.program.constants import Constant

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error


GameLike: TypeAlias = "Game | str | Path"
"""A game, the name of one of the library, or the path of a file."""

Observed: TypeAlias = "dict[str, np.ndarray[Any, Any]]"
"""What an agent is given: `observation` and `action_mask`."""


def game_of(game: GameLike, preset: str | None, declared: dict[str, Constant]) -> Game:
    """Return a game to be played; raises what `Game.load` does, and ValueError for both at once."""
    if not isinstance(game, Game):
        return Game.variant(game, declared, preset)
    if preset is not None or declared:
        raise ValueError(
            "this game is loaded already: give its preset and constants to Game.load instead"
        )
    return game


def observation_space(game: Game, layout: ObservationLayout) -> spaces.Dict:
    """Return the space of what an agent is given; its observations have this layout.

    A bound that is not proved is infinite. A number that never changes has a bound that it does not
    reach, as Gymnasium wants it.
    """
    low, high = layout.low, layout.high
    numbers = spaces.Box(low, np.where(high > low, high, low + 1), dtype=np.float32)
    mask = spaces.Box(0, 1, (len(game.actions),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": mask})


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of actions."""
    return spaces.Discrete(len(game.actions))


def observed(state: State, seat: int, layout: ObservationLayout) -> Observed:
    """Return what the agent of a seat is given: nothing is legal if another has to decide."""
    mask = np.zeros(len(state.game.actions), np.int8)
    if state.player == seat:
        mask[list(state.legal_actions())] = 1
    return {"observation": state.observation(seat, layout), "action_mask": mask}


class SeedSource:
    """Seeds of games: the first is given, the following are drawn from it."""

    def __init__(self) -> None:
        self._random = np.random.default_rng()

    def next(self, seed: int | None) -> int:
        """Return the seed of the next game; one that is given is taken as it is."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            return seed
        return int(self._random.integers(2**63))


MOST_CHOICES = 64
"""Most choices that are remembered if no number is given."""

_BESIDES = 12
"""How many choices are remembered besides one for each card, for passes and bids."""


def remembering(game: Game, history: int | None) -> ObservationLayout:
    """Return the layout of observations that have a number of the latest choices.

    If none is given, it is as many as the game has cards and twelve more, at most 64: in most games
    all choices of a deal. Raises ValueError for a negative number.
    """
    if history is None:
        history = min(len(game.cards) + _BESIDES, MOST_CHOICES)
    return game.observation_layout(history)


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


def signed(game: Game, scores: Sequence[int]) -> list[float]:
    """Return scores such that more is better."""
    sign = 1.0 if game.highest_wins else -1.0
    return [sign * score for score in scores]


def end_rewards(kind: RewardKind, state: State) -> list[float]:
    """Return what each seat gets for a finished game, all in all."""
    return list(state.wins) if kind is RewardKind.WINS else signed(state.game, state.scores)


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


_FEW = 20
"""Most legal actions that are shown."""


def state_text(state: State) -> str:
    """Return what the seat that has to decide sees, with the actions that are legal.

    When the game is over it is what the first seat sees, and the scores.
    """
    game, seat = state.game, state.player
    lines = [f"{game.name}, {len(state.choices)} decisions made"]
    view = state.view(0 if seat is None else seat)
    for place, cards in view.locations.items():
        held = ", ".join(_cards(game, cards))
        lines.append(f"{game.namer.location(place)}: {held}")
    stored = [(owner, name, value) for (owner, name), value in view.integers.items()]
    stored += [(owner, name, value) for (owner, name), value in view.strings.items()]  # type: ignore[misc]
    lines += [f"{game.program.owner_name(owner)} {name}: {value}" for owner, name, value in stored]
    if seat is None:
        lines.append("scores: " + ", ".join(map(str, state.scores)))
        return "\n".join(lines)
    legal = [game.actions.name(action) for action in state.legal_actions()]
    more = [f"and {len(legal) - _FEW} more"] if len(legal) > _FEW else []
    if state.pending:
        lines.append("so far: " + "; ".join(map(game.actions.name, state.pending)))
    lines.append(f"p{seat + 1} has to decide: " + "; ".join([*legal[:_FEW], *more]))
    return "\n".join(lines)


def _cards(game: Game, cards: tuple[Card | Back, ...]) -> list[str]:
    names = ["?" if isinstance(card, Back) else game.namer.card(card) for card in cards]
    runs = [(name, len(list(same))) for name, same in groupby(names)]
    return [f"{count} x {name}" if count > 1 else name for name, count in runs]
