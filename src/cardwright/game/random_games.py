"""The outcomes of random games, in arrays with a row for each game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.compiler.layout import TALLY_FIELDS
from cardwright.game.errors import GameError
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cardwright.game.game import Game
    from cardwright.interpreter.fault import Fault

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Seeds: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"
Rows: TypeAlias = "slice | np.ndarray[Any, np.dtype[np.bool_]]"

TALLIES = np.dtype([(name, np.int64) for name in TALLY_FIELDS])


@dataclass(frozen=True, eq=False)
class RandomGames:
    """Games that were played at random: those of a whole job, or of a part of it.

    `numbers` says which games of the job they are, from 0 on, and `seeds` has their seeds. `scores`
    has a column for every seat; the row of a game that broke a rule has zeros. `stopped` says that
    the job was stopped early.
    """

    game: Game
    numbers: Integers
    seeds: Seeds
    scores: Integers
    tallies: np.ndarray[Any, Any]
    stopped: bool = False

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def decisions(self) -> Integers:
        """How many decisions each game had."""
        return self.tallies["decisions"]

    @property
    def option_sums(self) -> Integers:
        """How many options the decisions of each game had together."""
        return self.tallies["options"]

    @property
    def option_most(self) -> Integers:
        """How many options a decision of each game had at most."""
        return self.tallies["most"]

    @property
    def single_sums(self) -> Integers:
        """How many decisions of each game had only one option."""
        return self.tallies["single"]

    @property
    def broken(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each game broke a rule of the language."""
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.tallies["broken"] != 0
        return found

    def best(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return for every game and seat whether no seat has a better score."""
        of = self.scores.max if self.game.highest_wins else self.scores.min
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.scores == of(axis=1, keepdims=True)
        return found

    def take(self, rows: Rows) -> RandomGames:
        """Return some of the games."""
        return replace(
            self,
            numbers=self.numbers[rows],
            seeds=self.seeds[rows],
            scores=self.scores[rows],
            tallies=self.tallies[rows],
        )

    def ended(self) -> RandomGames:
        """Return the games that were finished."""
        return self.take(~self.broken) if self.broken.any() else self

    def errors(self) -> Iterator[GameError]:
        """Yield the error of each game that broke a rule, as raised by playing it again."""
        for seed in self.seeds[self.broken]:
            yield random_error(self.game, int(seed))

    def faults(self) -> Iterator[tuple[int, Fault]]:
        """Yield the seed and the fault of each game that broke a rule, without playing it again."""
        from cardwright.compiler.native import RANDOM_GAMES, RESUMED_GAMES
        from cardwright.game.native import native_engine

        engine = native_engine(self.game, "faults of bulk play need")
        for row in np.flatnonzero(self.broken):
            numbers = [int(self.tallies[f"fault_{of}"][row]) for of in ("site", *"abc")]
            yield int(self.seeds[row]), engine.fault_of(numbers, RANDOM_GAMES, RESUMED_GAMES)


def joined(game: Game, parts: Sequence[RandomGames], *, stopped: bool) -> RandomGames:
    """Return the games of all parts."""
    if not parts:
        scores = np.empty((0, game.players), np.int64)
        nothing = np.empty(0, np.int64)
        return RandomGames(
            game, nothing, nothing.astype(np.uint64), scores, np.empty(0, TALLIES), stopped
        )
    return RandomGames(
        game,
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.seeds for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.tallies for part in parts]),
        stopped,
    )


def random_error(game: Game, seed: int) -> GameError:
    """Play a game with random players up to the rule that it breaks, and return the error."""
    try:
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        while (seat := state.player) is not None:
            state.play(streams[seat].below(state.option_count))
    except GameError as error:
        return error
    raise ValueError(f"the game of seed {seed} breaks no rule")
