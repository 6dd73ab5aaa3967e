"""The outcomes of random games, in arrays with a row for each game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.compiler.fixed_structs import TALLY_FIELDS
from cardwright.game.errors import GameError
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from cardwright.game.game import Game
    from cardwright.game.state import State
    from cardwright.interpreter.world import Fault

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Seeds: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"
Rows: TypeAlias = "slice | np.ndarray[Any, np.dtype[np.bool_]]"

TALLIES = np.dtype([(name, np.int64) for name in TALLY_FIELDS])


@dataclass(frozen=True, eq=False)
class RandomGames:
    """Games that were played at random: those of a whole job, or of a part of it.

    `numbers` says which games of the job they are, from 0 on, and `seeds` has their seeds. `scores`
    has a column for every seat; the row of a game that broke a rule has zeros. `stopped` says that
    the job was stopped early. `draws` has the seeds of the streams from which the seats of each
    game drew, if they are not those of its seed.
    """

    game: Game
    numbers: Integers
    seeds: Seeds
    scores: Integers
    tallies: np.ndarray[Any, Any]
    stopped: bool = False
    draws: Seeds | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def _repr_html_(self) -> str:
        from cardwright.game.displays import random_games_html

        return random_games_html(self)

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
            draws=None if self.draws is None else self.draws[rows],
        )

    def ended(self) -> RandomGames:
        """Return the games that were finished."""
        return self.take(~self.broken) if self.broken.any() else self

    def errors(self) -> Iterator[GameError]:
        """Yield the error of each game that broke a rule, as raised by playing it again."""
        drawn = self.seeds if self.draws is None else self.draws
        for seed, draws in zip(self.seeds[self.broken], drawn[self.broken], strict=True):
            yield random_error(self.game, int(seed), int(draws))

    def faults(self) -> Iterator[tuple[int, Fault]]:
        """Yield the seed and the fault of each game that broke a rule, without playing it again."""
        from cardwright.compiler.kernel_sets import RANDOM_GAMES, RESUMED_GAMES
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
        _joined_draws(parts),
    )


def _joined_draws(parts: Sequence[RandomGames]) -> Seeds | None:
    drawn = [part.draws for part in parts if part.draws is not None]
    return np.concatenate(drawn) if len(drawn) == len(parts) else None


def singly(game: Game, seeds: Sequence[int], draws: Sequence[int] | None = None) -> RandomGames:
    """Play the games of `play_random` one decision at a time, by the engine of the game.

    They are the same games; that way the interpreter plays them, which needs no compilation.
    """
    scores = np.zeros((len(seeds), game.players), np.int64)
    tallies = np.zeros(len(seeds), TALLIES)
    for row, (seed, drawn) in enumerate(zip(seeds, draws or seeds, strict=True)):
        counts: list[int] = []
        try:
            state = game.start(seed)
            counts.extend(decision.option_count for decision in _at_random(state, drawn))
            scores[row] = state.scores
        except GameError:
            tallies["broken"][row] = 1
            continue
        tallies["decisions"][row], tallies["options"][row] = len(counts), sum(counts)
        tallies["most"][row], tallies["single"][row] = max(counts, default=0), counts.count(1)
    own = None if draws is None else np.array(draws, np.uint64)
    numbers = np.arange(len(seeds))
    return RandomGames(game, numbers, np.array(seeds, np.uint64), scores, tallies, draws=own)


def random_error(game: Game, seed: int, draws: int | None = None) -> GameError:
    """Play a game with random players up to the rule that it breaks, and return the error.

    The seats draw from the streams of the seed `draws`, or of the game's.
    """
    try:
        for _ in _at_random(game.start(seed), seed if draws is None else draws):
            pass
    except GameError as error:
        return error
    raise ValueError(f"the game of seed {seed} breaks no rule")


def _at_random(state: State, draws: int) -> Iterator[State]:
    """Yield a state at each of its decisions, which are then made at random."""
    streams = [Stream.of_seat(draws, seat) for seat in range(state.game.players)]
    while (seat := state.player) is not None:
        yield state
        state.play(streams[seat].below(state.option_count))
