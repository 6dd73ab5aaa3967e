"""Simulations: many games by the same players in the same seats, and their statistics."""

from __future__ import annotations

import time
from collections.abc import Sized
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.entrants import entrants_of
from cardwright.arena.game_like import game_of
from cardwright.arena.plan import PlanError, check_member
from cardwright.arena.referee import referee_game
from cardwright.arena.summary import FULL_MESSAGES, Summary
from cardwright.game.errors import GameError
from cardwright.game.native.threads import on_interrupt
from cardwright.game.seeds import drawn_seed, game_seeds
from cardwright.jobs.executor import executor as executor_of
from cardwright.jobs.long_steps import begin_step, end_step
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import for_seats
from cardwright.statistics.ties import TIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import polars as pl

    from cardwright.arena.entrants import Entrant, Players
    from cardwright.arena.game_like import GameLike
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.summary import SeatSummary
    from cardwright.game.game import Game
    from cardwright.game.native.random_games import RandomGames
    from cardwright.jobs.executor import Executor
    from cardwright.players.player import Decision, Player
    from cardwright.statistics.ties import Ties

    Keep: TypeAlias = Callable[[GameRecord], object]
    Progress: TypeAlias = Callable[[int], object]

GAMES = 1000
"""Games of a simulation by default."""

_BATCHES = 8
"""Batches for each worker of a cluster, so that all end at about the same time."""


@dataclass(frozen=True)
class SimulationJob:
    """Games to be played: `seed` is None where the seeds of the games themselves were given.

    Random games of the native engine are played in bulk, in the given number of threads, or one for
    each processor. `ties` says how a shared win counts.
    """

    game: Game
    players: tuple[Entrant, ...]
    seed: int | None
    seeds: Iterable[int]
    games: int
    workers: int | None = None
    ties: Ties = "shared"

    @property
    def engine(self) -> str:
        """The name of the engine or players."""
        return self.game.engine_name

    @property
    def bulk(self) -> bool:
        """Whether all seats choose at random, by the native engine."""
        return self.engine == "native" and all(str(one) == "random" for one in self.players)

    def part(self, games: range) -> SimulationJob:
        """Return the job of some of the games, by their numbers, in one thread."""
        if self.seed is not None:
            seeds: Iterable[int] = game_seeds(self.seed, len(games), games.start)
        else:
            seeds = list(islice(self.seeds, games.start, games.stop))
        return replace(self, seeds=seeds, games=len(games), workers=1)

    def play(
        self,
        *,
        bulk: bool,
        keep: Keep | None = None,
        progress: Progress | None = None,
        whole_errors: bool = True,
        executor: Executor | None = None,
    ) -> SimulationResult:
        """Play the games, each by new players, and count what happens.

        Ctrl-C ends the job with what is counted by then: the game in play is dropped. `bulk` is for
        jobs that say so, with no `keep`, which is given every game as it ends. `progress` is given
        now and then how many games have been played. Without `whole_errors` errors of games in bulk
        have their first line alone, for which the games need not be played again. An `executor`
        plays them elsewhere, and keeps none.
        """
        if executor is not None:
            return _elsewhere(self, PlayGames(self, bulk, whole_errors), executor, progress)
        if bulk:
            return _in_bulk(self, progress, whole_errors=whole_errors)
        return _one_by_one(self, keep, progress)


@dataclass(frozen=True)
class PlayGames:
    """Plays games of a job, by their numbers; it can be sent to other processes."""

    job: SimulationJob
    bulk: bool
    whole_errors: bool

    def __call__(self, games: range) -> Summary:
        """Return what these games came to."""
        part = self.job.part(games)
        return part.play(bulk=self.bulk, whole_errors=self.whole_errors).summary


@dataclass(frozen=True, eq=False, repr=False)
class SimulationResult:
    """The result of a simulation; `partial` if it was interrupted.

    `summary` has the counts, and those of a seat are in `seats`. Games that stopped with an error
    are in its `errors`, each with its seed, and count for nothing else.
    """

    job: SimulationJob
    summary: Summary
    seconds: float
    partial: bool

    @property
    def games(self) -> int:
        """How many games were played, including those that stopped with an error."""
        return self.summary.games

    @property
    def seats(self) -> tuple[SeatSummary, ...]:
        """What each seat got: its scores, and its share of the wins."""
        return tuple(self.summary.seats)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per seat; what too few games leave unknown is None."""
        return [
            {"seat": number, "player": str(player), **seat.record(), "games": self.summary.finished}
            for number, (player, seat) in enumerate(
                zip(self.job.players, self.summary.seats, strict=True)
            )
        ]

    def to_polars(self) -> pl.DataFrame:
        """Return a row per seat as a polars frame; raises MissingExtraError without polars."""
        from cardwright.arena.tables import check_polars, rows_frame

        check_polars()
        rows = self.rows()
        return rows_frame(list(rows[0]), [list(row.values()) for row in rows])

    def _repr_html_(self) -> str:
        from cardwright.arena.displays import simulation_html

        return simulation_html(self)

    def __repr__(self) -> str:
        players = ", ".join(map(str, self.job.players))
        return f"<{type(self).__name__} of {self.job.game.name}, {self.games} games: {players}>"


def simulate(
    game: GameLike,
    players: Players = "random",
    games: int = GAMES,
    *,
    seed: int | None = None,
    seeds: Iterable[int] | None = None,
    ties: Ties = "shared",
    workers: int | None = None,
    scheduler: str | None = None,
    keep: Keep | None = None,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play many games, each by new players in the same seats, and sum them up.

    `game` and `players` are as for `play_game`, except player instances. The games' seeds are
    `game_seeds(seed, games)`, with a seed that is drawn if there is none; or `seeds` has one for
    each game. `keep` is given the record of every game, `progress` now and then the number played.
    Random games of the native engine are played by machine code if no records are kept, in as many
    threads as `workers` says, or one for each processor. With the address of a dask `scheduler` its
    cluster plays, with the same result. Ctrl-C ends it with what is counted by then. What a player
    raises is raised here; a game that breaks a rule is one of the `errors`. Raises PlayerSpecError
    for what is no player, PlanError for what does not go together, and ExecutorError for a cluster
    that cannot be used.
    """
    loaded = game_of(game)
    chosen = for_seats(entrants_of(players, FULL_TRUST), loaded.players)
    check_member("ties", ties, TIES)
    if seeds is not None:
        if seed is not None:
            raise PlanError("seeds give every game its own: there can be no other seed beside them")
        listed = seeds if isinstance(seeds, Sized) else list(seeds)
        job = SimulationJob(loaded, chosen, None, listed, len(listed), workers, ties)
    else:
        own = drawn_seed() if seed is None else seed
        job = SimulationJob(loaded, chosen, own, game_seeds(own, games), games, workers, ties)
    bulk = job.bulk and keep is None
    if scheduler is not None:
        if keep is not None:
            raise PlanError(
                "a cluster keeps no records of single games: leave out the one or other"
            )
        return job.play(bulk=bulk, progress=progress, executor=cluster(job, scheduler, workers))
    if workers is not None and workers > 1 and not bulk:
        raise PlanError(
            "more than one worker is for random players and the native engine, with no records "
            "kept; play_match lets other players have them"
        )
    return job.play(bulk=bulk, keep=keep, progress=progress)


def cluster(job: SimulationJob, scheduler: str, workers: int | None) -> Executor:
    """Return the executor for a job's games on a cluster.

    Raises ExecutorError without dask, and PlanError for players that cannot be sent there.
    """
    from cardwright.arena.contest import check_sendable

    check_sendable(job.players)
    return executor_of("cluster", workers, scheduler)


def _elsewhere(
    job: SimulationJob, play: PlayGames, executor: Executor, progress: Progress | None
) -> SimulationResult:
    """Let an executor play the games, and count them in their order."""
    step = max(1, -(-job.games // (_BATCHES * executor.workers)))
    batches = [range(first, min(first + step, job.games)) for first in range(0, job.games, step)]
    parts: dict[int, Summary] = {}
    begun, partial = time.perf_counter(), False
    try:
        for number, part in executor.run(play, batches):
            parts[number] = part
            if progress is not None:
                progress(sum(one.games for one in parts.values()))
    except KeyboardInterrupt:
        partial = len(parts) < len(batches)
    summary = Summary(job.game.players, ties=job.ties)
    for number in sorted(parts):
        summary.merge(parts[number])
    return SimulationResult(job, summary, time.perf_counter() - begun, partial)


def _one_by_one(
    job: SimulationJob, keep: Keep | None, progress: Progress | None
) -> SimulationResult:
    summary = Summary(job.game.players, ties=job.ties)
    interrupt = _Interrupt()
    job.game.prepare()
    begun = time.perf_counter()
    with on_interrupt(interrupt.note):
        for seed in job.seeds:
            number = summary.games
            record = interrupt.during(lambda: _play(job, seed, number))  # noqa: B023 - at once
            if record is None:
                break
            summary.add(record)
            if keep is not None:
                keep(record)
            if progress is not None:
                progress(summary.games)
            if interrupt.pressed:
                break
    partial = interrupt.pressed and summary.games < job.games
    return SimulationResult(job, summary, time.perf_counter() - begun, partial)


def _play(job: SimulationJob, seed: int, number: int) -> GameRecord:
    players = [
        NotedPlayer(make(), str(make), f"game {number}, p{seat + 1}")
        for seat, make in enumerate(job.players)
    ]
    return referee_game(job.game, seed, players)


@dataclass(frozen=True, slots=True)
class NotedPlayer:
    """A player of which people are told if it thinks for long: its name, and where that is."""

    player: Player
    name: str
    where: str

    def choose(self, decision: Decision) -> int:
        """Return the player's answer."""
        begin_step(self.name, self.where)
        try:
            return self.player.choose(decision)
        finally:
            end_step()


def _in_bulk(
    job: SimulationJob, progress: Progress | None, *, whole_errors: bool
) -> SimulationResult:
    from cardwright.game.native.random_games import Bulk

    summary = Summary(job.game.players, ties=job.ties)
    bulk = Bulk(job.game, job.seeds, job.workers)
    interrupt = _Interrupt(bulk.stop)
    begun = time.perf_counter()
    with on_interrupt(interrupt.note):
        for games in bulk.blocks(progress):
            summary.add_all(games)
            if games.broken.any():
                _add_errors(summary, games, interrupt, whole=whole_errors)
    partial = interrupt.pressed and summary.games < job.games
    return SimulationResult(job, summary, time.perf_counter() - begun, partial)


def _add_errors(
    summary: Summary, games: RandomGames, interrupt: _Interrupt, *, whole: bool
) -> None:
    from cardwright.game.native.random_games import random_error

    for seed, fault in games.faults():
        if whole and len(summary.errors) < FULL_MESSAGES and not interrupt.pressed:
            message = str(random_error(games.game, seed))
        else:
            error = GameError(fault, games.game.program, games.game.name, seed, ())
            message = str(error).split("\n", 1)[0]
        summary.add_error(seed, message)


class _Interrupt:
    """Ctrl-C while a game is in play stops it at once; between games it is only noted.

    A job that plays its games elsewhere is notified by a function of its own.
    """

    def __init__(self, stop: Callable[[], object] | None = None) -> None:
        self.pressed = False
        self._playing = False
        self._stop = stop

    def note(self) -> None:
        """Note that Ctrl-C was pressed."""
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
            if not self.pressed:
                raise
            return None
        return record
