"""A job of `simulate`: which games are to be played, by whom, and playing them."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.arena.referee import referee_game
from cardwright.arena.summary import FULL_MESSAGES, Summary
from cardwright.game.errors import GameError
from cardwright.interfaces.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from cardwright.arena.referee import GameRecord
    from cardwright.arena.ties import Ties
    from cardwright.game.game import Game
    from cardwright.game.random_games import RandomGames
    from cardwright.players.spec import PlayerSpec


@dataclass(frozen=True)
class SimulationJob:
    """Games to be played: `seed` is None where the seeds of the games themselves were given.

    Random games of the native engine are played in bulk, in as many threads as said, or one for
    each processor. `ties` says how a shared win counts.
    """

    game: Game
    players: tuple[PlayerSpec, ...]
    seed: int | None
    seeds: Iterable[int]
    games: int
    workers: int | None = None
    ties: Ties = "shared"

    @property
    def engine(self) -> str:
        """The name of what plays."""
        return self.game.engine_name

    @property
    def bulk(self) -> bool:
        """Whether all seats choose at random, by the native engine."""
        return self.engine == "native" and all(spec.name == "random" for spec in self.players)


@dataclass(frozen=True)
class SimulationOutcome:
    """What a job came to; `partial` if it was interrupted."""

    summary: Summary
    seconds: float
    partial: bool


def run(
    job: SimulationJob, keep: Callable[[GameRecord], None] | None, *, shown: bool
) -> SimulationOutcome:
    """Play the games of a job, each by new players, and count what happens.

    `keep` is given every game; `shown` says whether progress is. Ctrl-C ends the job with what is
    counted by then: the game in play is dropped.
    """
    summary = Summary(job.game.players, ties=job.ties)
    interrupt = _Interrupt()
    job.game.prepare()
    begun = time.perf_counter()
    with progress_bar("games", job.games, shown=shown) as tell, interrupt:
        for seed in job.seeds:
            record = interrupt.during(lambda: _play(job, seed))  # noqa: B023 - called at once
            if record is None:
                break
            summary.add(record)
            if keep is not None:
                keep(record)
            tell(summary.games)
            if interrupt.pressed:
                break
    partial = interrupt.pressed and summary.games < job.games
    return SimulationOutcome(summary, time.perf_counter() - begun, partial)


def _play(job: SimulationJob, seed: int) -> GameRecord:
    return referee_game(job.game, seed, [spec.build() for spec in job.players])


def run_bulk(job: SimulationJob, *, whole_errors: bool, shown: bool) -> SimulationOutcome:
    """Play random games in bulk, and count the same as `run`.

    Errors have all they say if `whole_errors` is set, for which the games are played again, and
    otherwise their first line.
    """
    from cardwright.game.bulk import Bulk

    summary = Summary(job.game.players, ties=job.ties)
    bulk = Bulk(job.game, job.seeds, job.workers)
    interrupt = _Interrupt(bulk.stop)
    begun = time.perf_counter()
    with progress_bar("games", job.games, shown=shown) as tell, interrupt:
        for games in bulk.blocks(tell):
            summary.add_all(games)
            if games.broken.any():
                _add_errors(summary, games, interrupt, whole=whole_errors)
    partial = interrupt.pressed and summary.games < job.games
    return SimulationOutcome(summary, time.perf_counter() - begun, partial)


def _add_errors(
    summary: Summary, games: RandomGames, interrupt: _Interrupt, *, whole: bool
) -> None:
    from cardwright.game.random_games import random_error

    for seed, fault in games.faults():
        if whole and len(summary.errors) < FULL_MESSAGES and not interrupt.pressed:
            message = str(random_error(games.game, seed))
        else:
            error = GameError(fault, games.game.program, games.game.name, seed, ())
            message = str(error).split("\n", 1)[0]
        summary.add_error(seed, message)


class _Interrupt:
    """Ctrl-C while a game is in play stops it at once; between games it is only noted.

    A job that plays its games elsewhere is told by a function of its own.
    """

    def __init__(self, stop: Callable[[], object] | None = None) -> None:
        self.pressed = False
        self._playing = False
        self._stop = stop

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        self.pressed = True
        if self._stop is not None:
            self._stop()
        if self._playing:
            raise KeyboardInterrupt

    def during(self, play: Callable[[], GameRecord]) -> GameRecord | None:
        """Return what a function gives, or None if it was interrupted."""
        try:
            self._playing = True
            record = play()
            self._playing = False
        except KeyboardInterrupt:
            self._playing = False
            return None
        return record
