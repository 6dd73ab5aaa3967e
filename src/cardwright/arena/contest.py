"""Contests: which players meet in which game, at which tables and how often; and playing them.

`play_match`, `tournament` and `ladder` do what the commands of these names do, and return what the
commands print.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from cardwright.arena.bounds import ScoreRange
from cardwright.arena.entrants import (
    OwnPlayer,
    check_sendable,
    entrant_of,
    entrants_of,
    is_player,
    tried_specs,
)
from cardwright.arena.findings import MEASURES, BoundedTest
from cardwright.arena.plan import GameRef, PlanError, RunPlan, check_member, game_of, numbered
from cardwright.arena.ratings import RESAMPLES
from cardwright.arena.records import RunFolder
from cardwright.arena.referee import referee_game
from cardwright.arena.report import contest_report, judged
from cardwright.arena.run import PlanParts, run
from cardwright.arena.schedule import (
    ladder_tables,
    leaves_triples,
    match_tables,
    tournament_tables,
)
from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import GAME_BITS, drawn_seed
from cardwright.interpreter.machine import GameLimits
from cardwright.jobs.executor import SerialExecutor, ThreadExecutor
from cardwright.jobs.job import executor as executor_of
from cardwright.players.kind import FULL_TRUST, seated
from cardwright.players.spec import for_seats
from cardwright.statistics.ties import TIES
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import SupportsIndex, Unpack

    from cardwright.arena.entrants import Entrant, PlayerLike, Players
    from cardwright.arena.findings import Measure
    from cardwright.arena.plan import Detail, GameLike
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.report import ContestReport
    from cardwright.arena.results import Results
    from cardwright.arena.schedule import Orders, Tables
    from cardwright.game.game import Game
    from cardwright.jobs.executor import Executor
    from cardwright.players.player import Player
    from cardwright.statistics.sequential import SequentialTest
    from cardwright.statistics.ties import Ties

    Seatable: TypeAlias = PlayerLike | Player

ContestKind: TypeAlias = Literal["match", "tournament", "ladder"]


class ContestSettings(TypedDict, total=False):
    """Keywords of `play_match`, `tournament` and `ladder`, and what their commands have as options.

    There are 100 `deals`; without a `seed` one is drawn, and is in the report's `plan`. `ties` says
    how a shared win counts: `shared` gives each of k winners 1/k, `full` a whole win. After more
    than `most_faults` (3) faults in a game, such as exceptions, and invalid answers, a player is no
    longer asked and random options are played for it; an answer after `move_seconds` is a fault
    that stands, and a player from a file that gives none is ended and made again. Results do not
    depend on what follows.

    More than one of the `workers` are processes, which have to be able to import what makes a
    player; `executor` may also name `threads`, `here`, or `cluster` with the address of a dask
    `scheduler`. With `records`, a folder, results are kept there as they come, in `detail`
    `scores`, `games` or `decisions`; with `resume` the contest that was begun there goes on.
    `progress` is told the number of finished deals and of all, and `watch` the results of each part
    as it comes, with ties counted as asked.
    """

    deals: int
    seed: int | None
    ties: Ties
    move_seconds: float | None
    most_faults: int
    workers: int | None
    executor: str | Executor | None
    scheduler: str | None
    records: str | Path | None
    resume: bool
    detail: Detail
    progress: Callable[[int, int], object] | None
    watch: Callable[[Results], object] | None


USUAL_SETTINGS: ContestSettings = {
    "deals": 100, "seed": None, "ties": "shared", "move_seconds": None, "most_faults": 3,
    "workers": None, "executor": None, "scheduler": None, "records": None, "resume": False,
    "detail": "scores", "progress": None, "watch": None,
}  # fmt: skip


@dataclass(frozen=True)
class Contest:
    """A contest: a plan, with the game and the entrants that it names.

    The last `field` entrants are the field of a ladder. `measure` is what a test or a payoff matrix
    is about. `test` ends a match once it has decided; `resamples` is for the intervals of a
    tournament's ratings. `recordable` says that the plan's game can be loaded by its name.
    """

    kind: ContestKind
    game: Game
    entrants: tuple[Entrant, ...]
    plan: RunPlan
    settings: ContestSettings
    recordable: bool = False
    measure: Measure = "score"
    field: int = 0
    test: BoundedTest | None = None
    resamples: int = RESAMPLES

    @classmethod
    def match(
        cls,
        game: Game,
        players: Players,
        settings: ContestSettings,
        *,
        mix: bool = False,
        orders: Orders = "balanced",
        test: SequentialTest | None = None,
        measure: Measure = "score",
        ref: GameRef | None = None,
    ) -> Contest:
        """Return a match; see `match_tables` for who sits where, and which errors there are.

        A `test` without a bound gets what is known: that of shares of the wins, or what follows
        from the range of scores that is proved or that the game declares. `ref` says how the game
        is loaded, where that is known. Raises PlayerSpecError for invalid players, and PlanError
        for unknown settings, for a test of other than two players, and for one of points without a
        bound where no range of scores is known.
        """
        entrants = entrants_of(players, FULL_TRUST)
        if test is not None and len(entrants) != 2:
            raise PlanError(f"a sequential test is for two players, not for {len(entrants)}")
        tables = match_tables(len(entrants), game.players, mix=mix, orders=orders)
        several = len(entrants) if len(entrants) == game.players else 0
        contest = cls._of(
            "match", game, entrants, tables, settings,
            several=several, orders=orders, measure=measure, ref=ref,
        )  # fmt: skip
        if test is None:
            return contest
        known = contest.score_range if test.bound is None and measure == "score" else None
        ties = contest.settings["ties"]
        return replace(contest, test=BoundedTest.of(test, measure, ties, contest.plan, known))

    @classmethod
    def tournament(
        cls,
        game: Game,
        players: Players,
        settings: ContestSettings,
        *,
        together: bool = False,
        orders: Orders = "balanced",
        measure: Measure = "score",
        resamples: int = RESAMPLES,
        ref: GameRef | None = None,
    ) -> Contest:
        """Return a tournament; see `tournament_tables`. Raises as `match` does."""
        entrants = entrants_of(players, FULL_TRUST)
        if resamples < 2:
            raise PlanError(f"ratings need 2 resamples or more, not {resamples}")
        tables = tournament_tables(len(entrants), game.players, together=together, orders=orders)
        several = len(entrants) if together else 0
        contest = cls._of(
            "tournament", game, entrants, tables, settings,
            several=several, orders=orders, measure=measure, ref=ref,
        )  # fmt: skip
        return replace(contest, resamples=resamples)

    @classmethod
    def ladder(
        cls,
        game: Game,
        players: Players,
        field: Players,
        settings: ContestSettings,
        *,
        orders: Orders = "balanced",
        ref: GameRef | None = None,
    ) -> Contest:
        """Return a ladder; see `ladder_tables`. Raises as `match` does."""
        entrants, others = (entrants_of(one, FULL_TRUST) for one in (players, field))
        if others.count(others[0]) == len(others) == game.players - 1:
            others = others[:1]
        tables = ladder_tables(len(entrants), len(others), game.players, orders)
        everybody = (*entrants, *others)
        several = len(others) if len(others) > 1 else 0
        contest = cls._of(
            "ladder", game, everybody, tables, settings,
            several=several, orders=orders, measure="score", ref=ref,
        )  # fmt: skip
        return replace(contest, field=len(others))

    @classmethod
    def _of(
        cls,
        kind: ContestKind,
        game: Game,
        entrants: tuple[Entrant, ...],
        tables: Tables,
        settings: ContestSettings,
        *,
        several: int,
        orders: Orders,
        measure: Measure,
        ref: GameRef | None,
    ) -> Contest:
        """Return a contest in which the last `several` entrants sit down together."""
        for name in settings:
            if name not in USUAL_SETTINGS:
                advice = advice_on(name, USUAL_SETTINGS)
                raise TypeError(f"a {kind} has no keyword {name!r}; {advice}")
        chosen: ContestSettings = {**USUAL_SETTINGS, **settings}
        check_member("ties", chosen["ties"], TIES)
        check_member("measure", measure, MEASURES)
        seed = chosen["seed"]
        if seed is None and chosen["resume"]:
            seed = kept_seed(chosen["records"])
        plan = RunPlan(
            game=ref or GameRef.of_game(game),
            entrants=tuple(map(str, entrants)),
            tables=tables,
            deals=chosen["deals"],
            seed=drawn_seed() if seed is None else seed,
            move_seconds=chosen["move_seconds"],
            most_faults=chosen["most_faults"],
            detail=chosen["detail"],
            exchanged=several if leaves_triples(game.players, orders) else 0,
        )
        return cls(kind, game, entrants, plan, chosen, ref is not None, measure)

    @cached_property
    def score_range(self) -> ScoreRange | None:
        """From where to where scores can be, if that is known."""
        return ScoreRange.of(self.game)

    @property
    def names(self) -> list[str]:
        """Names to display during play: equal ones are numbered, the field is marked."""
        return shown_names(self.plan.entrants, self.field)

    def play(self, **more: Unpack[ContestSettings]) -> ContestReport:
        """Play the contest and return its report; see `run` for what may be raised.

        `more` settings take the place of those with which it was made. Raises ScoreRangeError as
        soon as a score is out of the range that the game declares.
        """
        settings: ContestSettings = {**self.settings, **more}
        records, executor, workers = settings["records"], settings["executor"], settings["workers"]
        if settings["resume"] and records is None:
            raise PlanError("to resume needs records: the folder of the contest to go on with")
        if executor is None or isinstance(executor, str):
            executor = executor_of(
                executor, 1 if workers is None and executor is None else workers,
                settings["scheduler"],
            )  # fmt: skip
        if not isinstance(executor, SerialExecutor | ThreadExecutor):
            check_sendable(self.entrants)
        if records is not None:
            self._check_recordable()
        watch = settings["watch"]

        def watched(part: Results) -> None:
            self._check_scores(part)
            if watch is not None:
                watch(part.counting(settings["ties"]))

        begun = time.perf_counter()
        results = run(
            self.plan,
            records,
            executor,
            parts=PlanParts(self.game, self.entrants),
            resume=settings["resume"],
            progress=settings["progress"],
            watch=watched,
            **self._stopping(),
        )
        return self.report(results.counting(settings["ties"]), time.perf_counter() - begun)

    def _check_scores(self, results: Results) -> None:
        """Raise ScoreRangeError if a score is out of the declared range; a proof is believed."""
        if self.game.declared_scores is not None and self.score_range is not None:
            self.score_range.check(results, self.game.name)

    def report(self, results: Results, seconds: float = 0.0) -> ContestReport:
        """Return the report on results of this contest, which took `seconds` to play.

        Raises ScoreRangeError as `play` does.
        """
        self._check_scores(results)
        report = contest_report(
            self.plan,
            results,
            highest_wins=self.game.highest_wins,
            scores=self.score_range,
            field=self.field,
            test=self.test,
            rated=self.measure if self.kind == "tournament" else None,
            resamples=self.resamples,
        )
        return replace(report, seconds=seconds)

    def _stopping(self) -> dict[str, Any]:
        """Return a function that stops a run when its results so far decide the test."""
        test, ties = self.test, self.settings["ties"]
        if test is None:
            return {}

        def stop(results: Results) -> bool:
            verdict = judged(
                self.plan, results.counting(ties), test, highest_wins=self.game.highest_wins
            )
            return verdict.accepted != "undecided"

        name = f"{test}{', ties in full' if (self.measure, ties) == ('win', 'full') else ''}"
        return {"stop": stop, "check_every": test.test.every, "stop_name": name}

    def _check_recordable(self) -> None:
        """Raise PlanError if records could not say what was played."""
        for one in self.entrants:
            if isinstance(one, OwnPlayer):
                raise PlanError(
                    f"records name players by texts, and there is none for {one.name}; put it into "
                    f"a file and write python:FILE.py:{one.name}, or play without records"
                )
        if self.recordable:
            return
        if self.game.limits != GameLimits():
            raise PlanError("records do not keep limits of a game; play with the usual ones")
        try:
            self.plan.game.load()
        except CardwrightError as error:
            raise PlanError(
                f"records name a game by its file, and {self.game.name} cannot be loaded as it is "
                f"({error}); write its rules into a file, or play without records"
            ) from None


def shown_names(entrants: Sequence[str], field: int) -> list[str]:
    """Return names to display of entrants, of which the last are the field of a ladder."""
    first = len(entrants) - field
    return numbered([*entrants[:first], *(f"{name} (field)" for name in entrants[first:])])


def kept_seed(records: str | Path | None) -> int | None:
    """Return the seed of the contest in a folder of records; None if there is none."""
    there = None if records is None else RunFolder.kept(Path(records))
    return None if there is None else there.plan.seed


def play_game(
    game: GameLike, players: Seatable | Sequence[Seatable], *, seed: SupportsIndex | None = None
) -> GameRecord:
    """Play one game, and return what happened in it.

    `game` is a `Game`, or its name or path, perhaps with a preset: `hearts:standard`. `players` has
    one for each seat, or one for all seats: a text such as `pimc:rollouts=20`, a class or function
    that makes a player, or a new player. A single text may name several, separated by commas. The
    seed gives the cards and what players draw; one is drawn if there is none. A game that breaks a
    rule has the message in `error`. What a player raises is raised here. Raises what `Game.load`
    does, PlayerSpecError for what is no player, and IllegalOptionError for an invalid answer.
    """
    given: tuple[Seatable, ...]
    if isinstance(players, str):
        given = tried_specs(players, FULL_TRUST)
    else:
        given = tuple(players) if isinstance(players, Sequence) else (players,)
    loaded = game_of(game)
    chosen = for_seats(given, loaded.players)
    own = drawn_seed(GAME_BITS) if seed is None else seed
    return referee_game(loaded, own, [_seated(one) for one in chosen])


def play_match(
    game: GameLike,
    players: Players,
    *,
    mix: bool = False,
    orders: Orders = "balanced",
    test: SequentialTest | None = None,
    measure: Measure = "score",
    **settings: Unpack[ContestSettings],
) -> ContestReport:
    """Let players meet on the same deals from all seats, and return how much better one is.

    Two players at more than two seats: the first alone against copies of the second, in each seat
    once, or with `mix` all balanced seatings. As many players as seats: orders in which each has
    every seat, and every other as each neighbour, equally often; with `orders="rotations"` those of
    the order given, in which all keep their neighbours, with `"all"` every order. `test` ends a
    match of two as soon as it has decided about the first's advantage in `measure`; a bound that it
    lacks follows from the range of scores, if that is known. See `ContestSettings` for further
    keywords, such as `deals` and `seed`.

    Raises PlayerSpecError for what is no player, ScheduleError for numbers of players that cannot
    be seated, PlanError for settings that make no sense, and for a test of points without a known
    bound or with a deal beyond it, ScoreRangeError for a score out of the range that the game's
    file declares, RecordsError for a folder that cannot be
    used, ExecutorError and WorkerError if workers fail. KeyboardInterrupt leaves records that can
    be resumed.
    """
    return Contest.match(
        game_of(game), players, settings, mix=mix, orders=orders, test=test, measure=measure
    ).play()


def tournament(
    game: GameLike,
    players: Players,
    *,
    together: bool = False,
    orders: Orders = "balanced",
    measure: Measure = "score",
    resamples: int = RESAMPLES,
    **settings: Unpack[ContestSettings],
) -> ContestReport:
    """Let all players meet, and return standings, ratings and the payoff matrix of `measure`.

    Every pair plays one against copies of the other, both ways round, and each against copies of
    itself; with `together`, all groups of as many as there are seats play instead, in such `orders`
    as in a match. `resamples` of the deals give the intervals of ratings. Otherwise as
    `play_match`, also in what it raises: PlayerSpecError, ScheduleError, PlanError,
    ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    return Contest.tournament(
        game_of(game), players, settings,
        together=together, orders=orders, measure=measure, resamples=resamples,
    ).play()  # fmt: skip


def ladder(
    game: GameLike,
    players: Players,
    field: Players,
    *,
    orders: Orders = "balanced",
    **settings: Unpack[ContestSettings],
) -> ContestReport:
    """Let each player meet the same field alone, from all seats, on the same deals.

    The field is one player for all other seats, or one for each, then in such `orders` as in a
    match. Otherwise as `play_match`, also in what it raises: PlayerSpecError, ScheduleError,
    PlanError, ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    return Contest.ladder(game_of(game), players, field, settings, orders=orders).play()


def _seated(given: Seatable) -> Player:
    """Return a player for one game: one that is a player already is used as it is."""
    if is_player(given):
        return seated(given, type(given).__name__)
    return entrant_of(given, FULL_TRUST)()  # type: ignore[arg-type] # it is not a player
