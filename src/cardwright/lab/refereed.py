"""Games played by any players under the referee, as an experiment needs them.

Every decision has a stream of its own (`referee_game`, `paired`), so that the same seats draw the
same random numbers in all cells of a deal. A fault ends the experiment: no fair result could
replace the game.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError
from cardwright.hearts.native import seat_counts
from cardwright.lab.errors import LabError
from cardwright.lab.measured import GameOutcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.game import Game
    from cardwright.players.player import Decision, Player

    Maker = Callable[[], Player]


class PlayerFaultError(LabError):
    """A player that raised an exception, or did not answer with an option."""


class _Seated:
    """A player whose faults are distinguished from errors of the game."""

    def __init__(self, make: Maker, name: str) -> None:
        self._name = name
        try:
            self._player = make()
        except Exception as error:
            raise PlayerFaultError(f"{name} could not be made: {_words(error)}") from error

    def choose(self, decision: Decision) -> int:
        """Return the player's answer; raises PlayerFaultError if it is not valid."""
        try:
            answer = self._player.choose(decision)
            chosen = operator.index(answer)
        except Exception as error:
            raise PlayerFaultError(f"{self._name} failed: {_words(error)}") from error
        if not 0 <= chosen < decision.option_count:
            raise PlayerFaultError(
                f"{self._name} chose option {chosen}; they are numbered 0 to "
                f"{decision.option_count - 1}"
            )
        return chosen


def played(
    game: Game, seed: int, seats: Sequence[tuple[Maker, str]], *, counted: bool
) -> tuple[tuple[int, ...], ...]:
    """Play a game and return its scores, and with `counted` whatever else `GameOutcomes` has.

    Each seat has a factory for its player, and a name for it. Raises PlayerFaultError, and LabError
    for a game that broke a rule of the language.
    """
    players = [_Seated(make, f"the player {name} in seat {seat}")
               for seat, (make, name) in enumerate(seats, 1)]  # fmt: skip
    record = referee_game(game, seed, players, paired=True)
    if record.error is not None:
        raise LabError(record.error)
    nothing = (0,) * game.players
    if not counted:
        return record.scores, nothing, nothing, nothing, (0,)
    counts = seat_counts(game, seed, record.choices)
    if counts is None:
        raise LabError(f"tricks and penalty cards of {game.name} cannot be counted")
    return record.scores, counts.tricks, counts.queens, counts.moons, (counts.deals,)


def tally_of(rows: Iterable[tuple[tuple[int, ...], ...]]) -> GameOutcomes:
    """Return the combined outcomes of several games."""
    scores, tricks, queens, moons, deals = zip(*rows, strict=True)
    return GameOutcomes(
        np.array(scores, np.int64),
        np.array(tricks, np.int64),
        np.array(queens, np.int64),
        np.array(moons, np.int64),
        np.array(deals, np.int64)[:, 0],
    )


def _words(error: BaseException) -> str:
    """Return an error in words: its own message where it was written for people."""
    return str(error) if isinstance(error, CardwrightError) else f"{type(error).__name__}: {error}"
