"""A game replayed from its seed and choices, with the options at every step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.errors import CardwrightError, GameError, IllegalOptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game, State


class ReplayStep(NamedTuple):
    """A decision: whose, the options in words, and the index of the chosen one."""

    player: int
    options: tuple[str, ...]
    chosen: int | None


@dataclass
class Replay:
    """The steps of a game, and how they end.

    The end is the next decision, or scores and ranks, or the message of an error.
    """

    steps: list[ReplayStep] = field(default_factory=list)
    due: ReplayStep | None = None
    scores: tuple[int, ...] | None = None
    ranks: tuple[int, ...] | None = None
    error: str | None = None
    wrong_call: bool = False
    """Whether the error is in the choices, and not in the game."""


def replay(game: Game, seed: int, choices: Sequence[int]) -> Replay:
    """Play a game by its choices; an error comes at the end of the steps before it."""
    found = Replay()
    try:
        state = game.start(seed)
        for number, choice in enumerate(choices, 1):
            found.steps.append(_step(state, choice, number, len(choices)))
            state.play(choice)
        if state.finished:
            found.scores, found.ranks = state.scores, state.ranks
        else:
            found.due = _due(state)
    except CardwrightError as error:
        found.error = _message(error)
        found.wrong_call = isinstance(error, IllegalOptionError)
    return found


def _due(state: State) -> ReplayStep:
    assert state.player is not None
    return ReplayStep(state.player, tuple(str(option) for option in state.options()), None)


def _step(state: State, choice: int, number: int, choices: int) -> ReplayStep:
    """Return the current decision with its choice, if it is valid."""
    if state.finished:
        raise IllegalOptionError(
            f"the game is over after {number - 1} decisions, but {choices} choices are given"
        )
    due = _due(state)
    if choice >= len(due.options):
        raise IllegalOptionError(
            f"choice number {number} is {choice}, but p{due.player + 1} has the options 0 to "
            f"{len(due.options) - 1} there"
        )
    return due._replace(chosen=choice)


def _message(error: CardwrightError) -> str:
    """Return an error's message without the replay command, which has just been run."""
    if isinstance(error, GameError) and error.command:
        return "\n".join(line for line in str(error).split("\n") if error.command not in line)
    return str(error)
