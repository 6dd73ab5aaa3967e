"""Simulations: many games by the same players in the same seats, and their statistics."""

from __future__ import annotations

import math
import time
from collections.abc import Sized
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import mul
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.entrants import check_sendable, entrants_of
from cardwright.arena.plan import PlanError, check_member, game_of
from cardwright.arena.referee import referee_game
from cardwright.arena.settings import SimulationSettings
from cardwright.extras import in_pandas, need
from cardwright.game.errors import GameError
from cardwright.game.native.threads import on_interrupt
from cardwright.game.seeds import drawn_seed, game_seeds
from cardwright.jobs.job import executor as executor_of
from cardwright.jobs.long_steps import begin_step, end_step
from cardwright.jobs.settings import check_keywords, filled
from cardwright.markup.lazy_display import shown_by
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import for_seats
from cardwright.statistics.intervals import Sample, mean_interval, share_interval
from cardwright.statistics.ties import TIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, Unpack

    import pandas as pd
    import polars as pl

    from cardwright.arena.entrants import Entrant, Players
    from cardwright.arena.plan import GameLike
    from cardwright.arena.referee import GameRecord
    from cardwright.game.game import Game
    from cardwright.game.native.bulk import PlayedGames
    from cardwright.jobs.executor import Executor
    from cardwright.players.player import Answer, Decision, Player
    from cardwright.statistics.intervals import Estimate
    from cardwright.statistics.ties import Ties

    Keep: TypeAlias = Callable[[GameRecord], object]
    Progress: TypeAlias = Callable[[int], object]

FULL_MESSAGES = 1_000
"""Errors kept with their full message; of later ones only the first line is kept."""


@dataclass
class Running:
    """The mean, spread and bounds of whole numbers seen one at a time, or many at once.

    The sums are exact, so nothing depends on the order or the grouping. Values are integer
    multiples of 1/`unit`, such as shares of a win.
    """

    unit: int = 1
    count: int = 0
    least: int | None = None
    most: int | None = None
    total: int = field(default=0, repr=False)
    _squares: int = field(default=0, repr=False)

    def add(self, value: int, times: int = 1) -> None:
        """Count a number, once or more often."""
        if times:
            self.add_sums(times, value, value, value * times, value * value * times)

    def add_all(self, values: Sequence[int]) -> None:
        """Count all of some numbers."""
        if values:
            squares = sum(map(mul, values, values))
            self.add_sums(len(values), min(values), max(values), sum(values), squares)

    def add_sums(self, count: int, least: int, most: int, total: int, squares: int) -> None:
        """Count numbers of which the ends are known, the sum, and that of their squares."""
        if count:
            self.least = least if self.least is None else min(self.least, least)
            self.most = most if self.most is None else max(self.most, most)
            self.count += count
            self.total += total
            self._squares += squares

    def merge(self, other: Running) -> None:
        """Count all numbers that another one has, of the same unit."""
        if other.least is not None and other.most is not None:
            self.add_sums(other.count, other.least, other.most, other.total, other._squares)

    @property
    def mean(self) -> float:
        """The mean; 0 if there were no numbers."""
        return self.total / (self.count * self.unit) if self.count else 0.0

    @property
    def sample(self) -> Sample:
        """The sample from which an interval of the mean is made."""
        return Sample.of_sums(self.count, self.total, self._squares, self.unit)

    @property
    def sd(self) -> float | None:
        """The standard deviation of a sample; None for fewer than two numbers."""
        return None if self.count < 2 else math.sqrt(self.sample.variance)


@dataclass
class SeatSummary:
    """What one seat got: its scores, and its share of the win in each game."""

    win: Running
    score: Running = field(default_factory=Running)

    @property
    def mean_score(self) -> Estimate:
        """The mean of its scores."""
        return mean_interval(self.score.sample)

    @property
    def win_share(self) -> Estimate:
        """Its share of the wins."""
        return share_interval(self.win.sample)

    def record(self) -> dict[str, float | None]:
        """Return this as a JSON object; what too few games leave unknown is null."""
        score, win = self.mean_score.record(), self.win_share.record()
        return {
            **{f"score_{end}": score[end] for end in ("mean", "low", "high")},
            "score_sd": self.score.sd,
            "win_share": win["mean"],
            **{f"win_{end}": win[end] for end in ("low", "high")},
        }


@dataclass
class Summary:
    """The outcomes of many games.

    `games` counts all of them. A game that stopped with an error has its seed and message in
    `errors` and counts for nothing else, since it has no result and an arbitrary length. `ties`
    says how a shared win counts.
    """

    players: int
    ties: Ties = field(default="shared", kw_only=True)
    games: int = 0
    errors: list[tuple[int, str]] = field(default_factory=list)
    seats: list[SeatSummary] = field(init=False)
    decisions: Running = field(default_factory=Running)
    option_sum: int = 0
    option_most: int = 0
    single_sum: int = 0

    def __post_init__(self) -> None:
        # Each share of a shared win is an integer number of these parts.
        parts = math.lcm(*range(1, self.players + 1))
        self.seats = [SeatSummary(Running(parts)) for _ in range(self.players)]

    def add(self, record: GameRecord) -> None:
        """Count one game."""
        self.games += 1
        if record.error is not None:
            self.add_error(record.seed, record.error)
            return
        counts = [options for _, options, _ in record.decisions]
        self.decisions.add(len(counts))
        self.option_sum += sum(counts)
        self.option_most = max(self.option_most, max(counts, default=0))
        self.single_sum += counts.count(1)
        winners = record.ranks.count(0)
        for seat, score, rank in zip(self.seats, record.scores, record.ranks, strict=True):
            seat.score.add(score)
            seat.win.add(0 if rank else self._part(seat.win, winners))

    def add_all(self, games: PlayedGames) -> None:
        """Count many games; for those with errors only their number: see `add_error`."""
        self.games += len(games)
        sums = games.sums()
        self.decisions.add_sums(*sums.decisions)
        self.option_sum += sums.options
        self.option_most = max(self.option_most, sums.most)
        self.single_sum += sums.single
        for seat, score, won in zip(self.seats, sums.scores, sums.won, strict=True):
            seat.score.add_sums(*score)
            seat.win.add(0, score.numbers - sum(won))
            for sharing, times in enumerate(won, 1):
                seat.win.add(self._part(seat.win, sharing), times)

    def _part(self, win: Running, sharing: int) -> int:
        """Return the share of a win for each of this many winners, in the counted parts."""
        return win.unit if self.ties == "full" else win.unit // sharing

    def add_error(self, seed: int, message: str) -> None:
        """Record the error of a game, which is counted separately."""
        if len(self.errors) >= FULL_MESSAGES:
            message = intern(message.split("\n", 1)[0])
        self.errors.append((seed, message))

    def merge(self, other: Summary) -> None:
        """Count all games of another summary, which come after these."""
        self.games += other.games
        for seed, message in other.errors:
            self.add_error(seed, message)
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.score.merge(theirs.score)
            mine.win.merge(theirs.win)
        self.decisions.merge(other.decisions)
        self.option_sum += other.option_sum
        self.option_most = max(self.option_most, other.option_most)
        self.single_sum += other.single_sum

    @property
    def finished(self) -> int:
        """The number of finished games."""
        return self.decisions.count

    @property
    def option_mean(self) -> float | None:
        """Options per decision, over all decisions of all games; None if there were none."""
        return self.option_sum / self.decisions.total if self.decisions.total else None

    @property
    def single_share(self) -> float | None:
        """The share of decisions that left one option only; None if there were none."""
        return self.single_sum / self.decisions.total if self.decisions.total else None


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
        """Whether all seats choose at random, by machine code."""
        machine = self.engine != "interpreter"
        return machine and all(str(player) == "random" for player in self.players)

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
        begun = time.perf_counter()
        if executor is not None:
            summary = _elsewhere(self, PlayGames(self, bulk, whole_errors), executor, progress)
        elif bulk:
            summary = _in_bulk(self, progress, whole_errors=whole_errors)
        else:
            self.game.prepare()
            begun = time.perf_counter()
            summary = _one_by_one(self, keep, progress)
        seconds = time.perf_counter() - begun
        return SimulationResult(self, summary, seconds, partial=summary.games < self.games)

    def counted(self, summary: Summary) -> Iterator[None]:
        """Play the games here, and count them in a summary; whoever iterates has turns in between.

        Errors of games in bulk have their first line alone.
        """
        if self.bulk:
            from cardwright.game.native.bulk import Bulk

            for block in Bulk(self.game, self.seeds, self.workers).blocks():
                _count_block(summary, block, whole_errors=lambda: False)
                yield
            return
        for number, seed in enumerate(self.seeds):
            summary.add(_play(self, seed, number))
            yield


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
        need("polars")
        from cardwright.arena.results import rows_frame

        rows = self.rows()
        return rows_frame(list(rows[0]), [list(row.values()) for row in rows])

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)

    _repr_html_ = shown_by("cardwright.arena.displays", "simulation_html")

    def __repr__(self) -> str:
        players = ", ".join(map(str, self.job.players))
        return f"<{type(self).__name__} of {self.job.game.name}, {self.games} games: {players}>"


def simulate(
    game: GameLike,
    players: Players = "random",
    games: int = GAMES,
    **settings: Unpack[SimulationSettings],
) -> SimulationResult:
    """Play many games, each by new players in the same seats, and sum them up.

    `game` and `players` are as for `play_game`, except player instances; see `SimulationSettings`
    for further keywords, such as `seed`. Ctrl-C ends it with what is counted by then. What a player
    raises is raised here; a game that breaks a rule is one of the `errors`. Raises PlayerSpecError
    for what is no player, PlanError for what does not go together, and ExecutorError for a cluster
    that cannot be used.
    """
    check_keywords("simulate()", SimulationSettings, settings)
    loaded = game_of(game)
    chosen = for_seats(entrants_of(players, FULL_TRUST), loaded.players)
    job = simulation_job(loaded, chosen, games, settings)
    given = filled(SimulationSettings, settings)
    keep, progress, workers = given["keep"], given["progress"], given["workers"]
    bulk = job.bulk and keep is None
    if (scheduler := given["scheduler"]) is not None:
        if keep is not None:
            raise PlanError("a cluster keeps no records of single games: leave one of the two out")
        return job.play(bulk=bulk, progress=progress, executor=cluster(job, scheduler, workers))
    if workers is not None and workers > 1 and not bulk:
        raise PlanError(
            "more than one worker is for random players and the native engine, with no records "
            "kept; play_match lets other players have them"
        )
    return job.play(bulk=bulk, keep=keep, progress=progress)


def simulation_job(
    game: Game, players: tuple[Entrant, ...], games: int, settings: SimulationSettings
) -> SimulationJob:
    """Return the games to be played, from seeds or from a seed, which is drawn if there is none.

    Raises PlanError for what does not go together.
    """
    given = filled(SimulationSettings, settings)
    seed, seeds, workers, ties = (given["seed"], given["seeds"], given["workers"], given["ties"])
    check_member("ties", ties, TIES)
    if seeds is None:
        own = drawn_seed() if seed is None else seed
        return SimulationJob(game, players, own, game_seeds(own, games), games, workers, ties)
    if seed is not None:
        raise PlanError("seeds has a seed for every game: leave out seed")
    listed = seeds if isinstance(seeds, Sized) else list(seeds)
    return SimulationJob(game, players, None, listed, len(listed), workers, ties)


def cluster(job: SimulationJob, scheduler: str, workers: int | None) -> Executor:
    """Return the executor for a job's games on a cluster.

    Raises ExecutorError without dask, and PlanError for players that cannot be sent there.
    """
    check_sendable(job.players)
    return executor_of("cluster", workers, scheduler)


def _elsewhere(
    job: SimulationJob, play: PlayGames, executor: Executor, progress: Progress | None
) -> Summary:
    """Let an executor play the games, and count them in their order."""
    step = max(1, -(-job.games // (_BATCHES * executor.workers)))
    batches = [range(first, min(first + step, job.games)) for first in range(0, job.games, step)]
    parts: dict[int, Summary] = {}
    with suppress(KeyboardInterrupt):
        for number, part in executor.run(play, batches):
            parts[number] = part
            if progress is not None:
                progress(sum(one.games for one in parts.values()))
    summary = Summary(job.game.players, ties=job.ties)
    for number in sorted(parts):
        summary.merge(parts[number])
    return summary


def _one_by_one(job: SimulationJob, keep: Keep | None, progress: Progress | None) -> Summary:
    """Play the games here: Ctrl-C stops the game in play, and between games it is only noted."""
    summary = Summary(job.game.players, ties=job.ties)
    pressed = playing = False

    def note() -> None:
        nonlocal pressed
        pressed = True
        if playing:
            raise KeyboardInterrupt

    with on_interrupt(note):
        for seed in job.seeds:
            try:
                playing = True
                record = _play(job, seed, summary.games)
                playing = False
            except KeyboardInterrupt:
                playing = False
                if not pressed:
                    raise
                break
            summary.add(record)
            if keep is not None:
                keep(record)
            if progress is not None:
                progress(summary.games)
            if pressed:
                break
    return summary


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

    def choose(self, decision: Decision) -> Answer:
        """Return the player's answer."""
        begin_step(self.name, self.where)
        try:
            return self.player.choose(decision)
        finally:
            end_step()


def _in_bulk(job: SimulationJob, progress: Progress | None, *, whole_errors: bool) -> Summary:
    from cardwright.game.native.bulk import Bulk

    summary = Summary(job.game.players, ties=job.ties)
    bulk = Bulk(job.game, job.seeds, job.workers)
    pressed = False

    def stop() -> None:
        nonlocal pressed
        pressed = True
        bulk.stop()

    with on_interrupt(stop):
        for block in bulk.blocks(progress):
            _count_block(summary, block, whole_errors=lambda: whole_errors and not pressed)
    return summary


def _count_block(summary: Summary, block: PlayedGames, *, whole_errors: Callable[[], bool]) -> None:
    from cardwright.game.native.bulk import random_error

    summary.add_all(block)
    for seed, fault in block.faults():
        if len(summary.errors) < FULL_MESSAGES and whole_errors():
            message = str(random_error(block.game, seed))
        else:
            error = GameError(fault, block.game.program, block.game.name, seed, ())
            message = str(error).split("\n", 1)[0]
        summary.add_error(seed, message)
