"""Many random games by machine code, and their outcomes in arrays with a row for each game."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.compiler.structs import TALLY_FIELDS
from cardwright.game.native import bulk
from cardwright.game.native.bulk import Bulk, PlayedGames, fault_of, random_error
from cardwright.game.native.threads import on_interrupt
from cardwright.game.seeds import seed_array
from cardwright.markup.lazy_display import shown_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, SupportsIndex

    from cardwright.game.errors import GameError
    from cardwright.game.game import Game
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

    @classmethod
    def of(cls, games: PlayedGames) -> RandomGames:
        """Return a block of games, in whose memory the arrays lie."""
        draws = None if games.draws is None else np.frombuffer(games.draws, np.uint64)
        return cls(
            games.game,
            np.arange(games.first, games.first + len(games)),
            np.frombuffer(games.seeds, np.uint64),
            np.frombuffer(games.scores, np.int64).reshape(-1, games.game.players),
            np.frombuffer(games.tallies, TALLIES),
            draws=draws,
        )

    def __len__(self) -> int:
        return len(self.numbers)

    _repr_html_ = shown_by("cardwright.game.displays", "random_games_html")

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
        best = self.scores.max if self.game.highest_wins else self.scores.min
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.scores == best(axis=1, keepdims=True)
        return found

    def take(self, rows: Rows) -> RandomGames:
        """Return some of the games."""
        return replace(self, **{name: part[rows] for name, part in self._columns().items()})

    def _columns(self) -> dict[str, Any]:
        """Return the arrays that have a row for each game, by name."""
        names = ("numbers", "seeds", "scores", "tallies", "draws")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

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
        for row in np.flatnonzero(self.broken):
            tally = dict(zip(TALLY_FIELDS, self.tallies[row].tolist(), strict=True))
            yield int(self.seeds[row]), fault_of(self.game, tally)


def joined(game: Game, parts: Sequence[RandomGames], *, stopped: bool) -> RandomGames:
    """Return the games of all parts."""
    if not parts:
        return replace(RandomGames.of(PlayedGames.unplayed(game, array("Q"))), stopped=stopped)
    columns = [part._columns() for part in parts]
    whole: dict[str, Any] = {
        name: np.concatenate([part[name] for part in columns]) for name in columns[0]
    }
    return replace(parts[0], stopped=stopped, **whole)


def singly(game: Game, seeds: Sequence[int], draws: Sequence[int] | None = None) -> RandomGames:
    """Play the games of `play_random` one decision at a time, by the engine of the game.

    They are the same games; that way the interpreter plays them, which needs no compilation.
    """
    own = None if draws is None else seed_array(draws)
    return RandomGames.of(bulk.singly(game, seed_array(seeds), own))


def play_random(
    game: Game,
    seeds: Iterable[SupportsIndex],
    *,
    draws: Iterable[SupportsIndex] | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> RandomGames:
    """Play a game for each seed with random players, by the native engine.

    Each seat draws from its own stream, so these are the games that the player `random` plays. For
    the seeds of a job take `game_seeds`, which are then made natively too. With `draws`, as many
    seeds, the seats draw from the streams of these: other choices in the same deals. `threads` is
    one for each processor by default; `progress` is called now and then with the number of games
    played. Ctrl-C stops the job: what is finished is returned, with `stopped` set. Raises
    EngineError if the game is played by another engine or cannot be compiled, and ValueError for a
    wrong seed, or another number of draws than of games.
    """
    job = Bulk(game, seeds, threads, draws)
    with on_interrupt(job.stop):
        parts = [*map(RandomGames.of, job.blocks(progress))]
    return joined(game, parts, stopped=job.stopped)
