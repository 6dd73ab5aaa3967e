"""Contests: which players meet in which game and at which tables; and playing them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
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
from cardwright.arena.records import Manifest
from cardwright.arena.referee import referee_game
from cardwright.arena.report import judged, ladder_report, match_report, tournament_report
from cardwright.arena.run import PlanParts, run
from cardwright.arena.schedule import ladder_tables, leaves_triples, match_tables, tournament_tables
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

DEALS = 100
"""Deals of a contest by default."""


@dataclass(frozen=True)
class ContestTerms:
    """The settings of a contest of any kind, besides who meets whom.

    Without a `seed` one is drawn. `ties` says how a shared win counts, `detail` what records keep
    of a game. `move_seconds` and `most_faults` are those of `faults.FaultRules`. `measure` is what
    a test or a payoff matrix is about. `ref` says how the game is loaded, where that is known.
    Raises PlanError for unknown values.
    """

    deals: int = DEALS
    seed: int | None = None
    ties: Ties = "shared"
    measure: Measure = "score"
    detail: Detail = "scores"
    move_seconds: float | None = None
    most_faults: int = 3
    ref: GameRef | None = None

    def __post_init__(self) -> None:
        check_member("ties", self.ties, TIES)
        check_member("measure", self.measure, MEASURES)


@dataclass(frozen=True)
class Contest:
    """A contest: a plan, with the game and the entrants that it names.

    The last `field` entrants are the field of a ladder. `test` ends a match once it has decided;
    `resamples` is for the intervals of a tournament's ratings.
    """

    kind: ContestKind
    game: Game
    entrants: tuple[Entrant, ...]
    plan: RunPlan
    terms: ContestTerms
    field: int = 0
    test: BoundedTest | None = None
    resamples: int = 500

    @classmethod
    def match(
        cls,
        game: Game,
        players: Players,
        terms: ContestTerms,
        *,
        mix: bool = False,
        orders: Orders = "balanced",
        test: SequentialTest | None = None,
    ) -> Contest:
        """Return a match; see `match_tables` for who sits where, and which errors there are.

        A `test` without a bound gets what is known: that of shares of the wins, or what follows
        from the range of scores that is proved or that the game declares. Raises PlayerSpecError
        for invalid players, and PlanError for a test of other than two players, and for one of
        points without a bound where no range of scores is known.
        """
        entrants = entrants_of(players, FULL_TRUST)
        if test is not None and len(entrants) != 2:
            raise PlanError(f"a sequential test is for two players, not for {len(entrants)}")
        tables = match_tables(len(entrants), game.players, mix=mix, orders=orders)
        several = len(entrants) if len(entrants) == game.players else 0
        plan = _plan(game, entrants, tables, terms, several=several, orders=orders)
        contest = cls("match", game, entrants, plan, terms)
        if test is None:
            return contest
        known = contest.score_range if test.bound is None and terms.measure == "score" else None
        made = BoundedTest.of(test, terms.measure, terms.ties, contest.plan, known)
        return replace(contest, test=made)

    @classmethod
    def tournament(
        cls,
        game: Game,
        players: Players,
        terms: ContestTerms,
        *,
        together: bool = False,
        orders: Orders = "balanced",
        resamples: int = 500,
    ) -> Contest:
        """Return a tournament; see `tournament_tables`. Raises as `match` does."""
        entrants = entrants_of(players, FULL_TRUST)
        if resamples < 2:
            raise PlanError(f"ratings need 2 resamples or more, not {resamples}")
        tables = tournament_tables(len(entrants), game.players, together=together, orders=orders)
        several = len(entrants) if together else 0
        plan = _plan(game, entrants, tables, terms, several=several, orders=orders)
        return cls("tournament", game, entrants, plan, terms, resamples=resamples)

    @classmethod
    def ladder(
        cls,
        game: Game,
        players: Players,
        field: Players,
        terms: ContestTerms,
        *,
        orders: Orders = "balanced",
    ) -> Contest:
        """Return a ladder; see `ladder_tables`. Raises as `match` does."""
        entrants, others = (entrants_of(one, FULL_TRUST) for one in (players, field))
        if others.count(others[0]) == len(others) == game.players - 1:
            others = others[:1]
        tables = ladder_tables(len(entrants), len(others), game.players, orders)
        everybody = (*entrants, *others)
        several = len(others) if len(others) > 1 else 0
        plan = _plan(game, everybody, tables, terms, several=several, orders=orders)
        return cls("ladder", game, everybody, plan, terms, field=len(others))

    @cached_property
    def score_range(self) -> ScoreRange | None:
        """From where to where scores can be, if that is known."""
        return ScoreRange.of(self.game)

    @property
    def names(self) -> list[str]:
        """Names to display during play: equal ones are numbered, the field is marked."""
        return shown_names(self.plan.entrants, self.field)

    def play(
        self,
        *,
        workers: int | None = None,
        executor: str | Executor | None = None,
        scheduler: str | None = None,
        records: str | Path | None = None,
        resume: bool = False,
        progress: Callable[[int, int], object] | None = None,
        watch: Callable[[Results], object] | None = None,
    ) -> ContestReport:
        """Play the contest and return its report; see `run` for what may be raised.

        `executor` is one, or the name of one that `jobs.executor` knows; by default it is processes
        for more than one of the `workers`, and else this process. `watch` is given results as they
        arrive, with ties counted by the terms. Raises ScoreRangeError as soon as a score is out of
        the range that the game declares.
        """
        if resume and records is None:
            raise PlanError("to resume needs records: the folder of the contest to go on with")
        chosen = executor
        if chosen is None or isinstance(chosen, str):
            usual = "processes" if (workers or 1) > 1 else "here"
            chosen = executor_of(chosen or usual, workers, scheduler)
        if not isinstance(chosen, SerialExecutor | ThreadExecutor):
            check_sendable(self.entrants)
        if records is not None:
            self._check_recordable()
        begun = time.perf_counter()
        results = run(
            self.plan,
            records,
            chosen,
            parts=PlanParts(self.game, self.entrants),
            resume=resume,
            progress=progress,
            watch=lambda part: self._watched(part, watch),
            **self._stopping(),
        )
        return self.report(results.counting(self.terms.ties), time.perf_counter() - begun)

    def _watched(self, part: Results, watch: Callable[[Results], object] | None) -> None:
        """Check results that arrive, and pass them on."""
        self._check_scores(part)
        if watch is not None:
            watch(part.counting(self.terms.ties))

    def _check_scores(self, results: Results) -> None:
        """Raise ScoreRangeError if a score is out of the declared range; a proof is believed."""
        if self.game.declared_scores is not None and self.score_range is not None:
            self.score_range.check(results, self.game.name)

    def report(self, results: Results, seconds: float = 0.0) -> ContestReport:
        """Return the report on results of this contest, which took `seconds` to play.

        Raises ScoreRangeError as `play` does.
        """
        self._check_scores(results)
        plan, terms = self.plan, self.terms
        highest, scores = self.game.highest_wins, self.score_range
        match self.kind:
            case "match":
                found = match_report(
                    plan, results, highest_wins=highest, scores=scores, test=self.test
                )
            case "tournament":
                found = tournament_report(
                    plan, results, highest_wins=highest, scores=scores, measure=terms.measure,
                    resamples=self.resamples,
                )  # fmt: skip
            case "ladder":
                found = ladder_report(
                    plan, results, self.field, highest_wins=highest, scores=scores
                )
        return replace(found, seconds=seconds)

    def _stopping(self) -> dict[str, Any]:
        """Return a function that stops a run when its results so far decide the test."""
        test, terms = self.test, self.terms
        if test is None:
            return {}

        def stop(results: Results) -> bool:
            verdict = judged(
                self.plan, results.counting(terms.ties), test, highest_wins=self.game.highest_wins
            )
            return verdict.accepted != "undecided"

        full = terms.measure == "win" and terms.ties == "full"
        name = f"{test}{', ties in full' if full else ''}"
        return {"stop": stop, "check_every": test.test.every, "stop_name": name}

    def _check_recordable(self) -> None:
        """Raise PlanError if records could not say what was played."""
        for one in self.entrants:
            if isinstance(one, OwnPlayer):
                raise PlanError(
                    f"records name players by texts, and there is none for {one.name}; put it into "
                    f"a file and write python:FILE.py:{one.name}, or play without records"
                )
        if self.terms.ref is not None:
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
    """Return the names of entrants during play: equal ones are numbered, the field is marked.

    The last `field` entrants are that of a ladder.
    """
    first = len(entrants) - field
    marked = [*entrants[:first], *(f"{name} (field)" for name in entrants[first:])]
    return numbered(marked)


def kept_seed(records: str | Path | None, *, resume: bool) -> int | None:
    """Return the seed of the contest to resume; None if there is none in its folder."""
    if not resume or records is None or not Path(records).exists():
        return None
    return Manifest.read(Path(records)).plan.seed


def _plan(
    game: Game,
    entrants: tuple[Entrant, ...],
    tables: Tables,
    terms: ContestTerms,
    *,
    several: int,
    orders: Orders,
) -> RunPlan:
    """Return a plan; the last `several` entrants sit down together, in these orders."""
    return RunPlan(
        game=terms.ref or GameRef.of_game(game),
        entrants=tuple(map(str, entrants)),
        tables=tables,
        deals=terms.deals,
        seed=drawn_seed() if terms.seed is None else terms.seed,
        move_seconds=terms.move_seconds,
        most_faults=terms.most_faults,
        detail=terms.detail,
        exchanged=several if leaves_triples(game.players, orders) else 0,
    )


class ContestSettings(TypedDict, total=False):
    """Further keywords of `play_match`, `tournament` and `ladder`.

    `ties` says how a shared win counts: `shared` gives each of k winners 1/k, `full` a whole win.
    After more than `most_faults` (3) faults in a game, such as exceptions, and invalid answers, a
    player is no longer asked and random options are played for it; an answer after `move_seconds`
    is a fault that stands, and a player from a file that gives none is ended and made again.
    Results do not depend on what follows.

    More than one of the `workers` are processes, which have to be able to import what makes a
    player; `executor` may also name `threads`, `here`, or `cluster` with the address of a dask
    `scheduler`. With `records`, a folder, results are kept there as they come, in `detail`
    `scores`, `games` or `decisions`; with `resume` the contest that was begun there goes on.
    `progress` is told the number of finished deals and of all, and `watch` the results of each part
    as it comes.
    """

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
    deals: int = DEALS,
    seed: int | None = None,
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
    lacks follows from the range of scores, if that is known. A seed is drawn if there is none, and
    is in the report's `plan`. See `ContestSettings` for further keywords.

    Raises PlayerSpecError for what is no player, ScheduleError for numbers of players that cannot
    be seated, PlanError for settings that make no sense, and for a test of points without a known
    bound or with a deal beyond it, ScoreRangeError for a score out of the range that the game's
    file declares, RecordsError for a folder that cannot be
    used, ExecutorError and WorkerError if workers fail. KeyboardInterrupt leaves records that can
    be resumed.
    """
    terms, how = _split("play_match", deals, seed, measure, settings)
    contest = Contest.match(game_of(game), players, terms, mix=mix, orders=orders, test=test)
    return contest.play(**how)


def tournament(
    game: GameLike,
    players: Players,
    *,
    deals: int = DEALS,
    seed: int | None = None,
    together: bool = False,
    orders: Orders = "balanced",
    measure: Measure = "score",
    resamples: int = 500,
    **settings: Unpack[ContestSettings],
) -> ContestReport:
    """Let all players meet, and return standings, ratings and the payoff matrix of `measure`.

    Every pair plays one against copies of the other, both ways round, and each against copies of
    itself; with `together`, all groups of as many as there are seats play instead, in such `orders`
    as in a match. `resamples` of the deals give the intervals of ratings. Otherwise as
    `play_match`, also in what it raises: PlayerSpecError, ScheduleError, PlanError,
    ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    terms, how = _split("tournament", deals, seed, measure, settings)
    contest = Contest.tournament(
        game_of(game), players, terms, together=together, orders=orders, resamples=resamples
    )
    return contest.play(**how)


def ladder(
    game: GameLike,
    players: Players,
    field: Players,
    *,
    deals: int = DEALS,
    seed: int | None = None,
    orders: Orders = "balanced",
    **settings: Unpack[ContestSettings],
) -> ContestReport:
    """Let each player meet the same field alone, from all seats, on the same deals.

    The field is one player for all other seats, or one for each, then in such `orders` as in a
    match. Otherwise as `play_match`, also in what it raises: PlayerSpecError, ScheduleError,
    PlanError, ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    terms, how = _split("ladder", deals, seed, "score", settings)
    return Contest.ladder(game_of(game), players, field, terms, orders=orders).play(**how)


def _seated(given: Seatable) -> Player:
    """Return a player for one game: one that is a player already is used as it is."""
    if is_player(given):
        return seated(given, type(given).__name__)
    return entrant_of(given, FULL_TRUST)()  # type: ignore[arg-type] # it is not a player


def _split(
    function: str, deals: int, seed: int | None, measure: Measure, settings: ContestSettings
) -> tuple[ContestTerms, dict[str, Any]]:
    """Split settings into those of a contest, and those of how it is played."""
    known = ContestSettings.__annotations__
    for name in settings:
        if name not in known:
            advice = advice_on(name, known)
            raise TypeError(f"{function}() has no keyword {name!r}; {advice}")
    own = {one.name for one in fields(ContestTerms)}
    how = {name: value for name, value in settings.items() if name not in own}
    rules: dict[str, Any] = {name: value for name, value in settings.items() if name in own}
    if seed is None:
        seed = kept_seed(settings.get("records"), resume=settings.get("resume", False))
    return ContestTerms(deals, seed, measure=measure, **rules), how
