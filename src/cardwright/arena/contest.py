"""Contests: which players meet in which game, at which tables and how often; and playing them.

`play_match`, `tournament` and `ladder` do what the commands of these names do, and return what the
commands print.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.arena.bounds import ScoreRange
from cardwright.arena.entrants import (
    OwnPlayer,
    check_sendable,
    entrants_of,
)
from cardwright.arena.findings import MEASURES, BoundedTest
from cardwright.arena.plan import GameRef, PlanError, RunPlan, check_member, game_of, numbered
from cardwright.arena.records import RunFolder
from cardwright.arena.report import contest_report, judged
from cardwright.arena.run import PlanParts, run
from cardwright.arena.schedule import (
    ladder_tables,
    leaves_triples,
    match_tables,
    tournament_tables,
)
from cardwright.arena.settings import (
    RESAMPLES,
    LadderSettings,
    MatchSettings,
    TournamentSettings,
)
from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import drawn_seed
from cardwright.interpreter.machine import GameLimits
from cardwright.jobs.executor import SerialExecutor, ThreadExecutor
from cardwright.jobs.job import executor as executor_of
from cardwright.jobs.settings import check_keywords, filled
from cardwright.players.kind import FULL_TRUST
from cardwright.statistics.ties import TIES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from cardwright.arena.entrants import Entrant, Players
    from cardwright.arena.plan import GameLike
    from cardwright.arena.report import ContestReport
    from cardwright.arena.results import Results
    from cardwright.arena.schedule import Tables
    from cardwright.arena.settings import Contests, ContestSettings, Measure
    from cardwright.game.game import Game
    from cardwright.statistics.sequential import SequentialTest

ContestKind: TypeAlias = Literal["match", "tournament", "ladder"]


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
    measure: Measure = "score"
    recordable: bool = False
    field: int = 0
    test: BoundedTest | None = None
    resamples: int = RESAMPLES

    @classmethod
    def match(
        cls,
        game: Game,
        players: Players,
        settings: MatchSettings,
        *,
        test: SequentialTest | None = None,
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
        chosen = _checked("match", MatchSettings, settings)
        mix, orders, measure = chosen["mix"], chosen["orders"], chosen["measure"]
        tables = match_tables(len(entrants), game.players, mix=mix, orders=orders)
        several = len(entrants) if len(entrants) == game.players else 0
        exchanged = several if leaves_triples(game.players, orders) else 0
        plan = _plan(ref or GameRef.of_game(game), entrants, tables, exchanged, chosen)
        contest = cls("match", game, entrants, plan, chosen, measure, ref is not None)
        if test is None:
            return contest
        known = contest.score_range if test.bound is None and measure == "score" else None
        return replace(contest, test=BoundedTest.of(test, measure, chosen["ties"], plan, known))

    @classmethod
    def tournament(
        cls,
        game: Game,
        players: Players,
        settings: TournamentSettings,
        *,
        ref: GameRef | None = None,
    ) -> Contest:
        """Return a tournament; see `tournament_tables`. Raises as `match` does."""
        entrants = entrants_of(players, FULL_TRUST)
        chosen = _checked("tournament", TournamentSettings, settings)
        together, orders, resamples = chosen["together"], chosen["orders"], chosen["resamples"]
        if resamples < 2:
            raise PlanError(f"ratings need 2 resamples or more, not {resamples}")
        tables = tournament_tables(len(entrants), game.players, together=together, orders=orders)
        exchanged = len(entrants) if together and leaves_triples(game.players, orders) else 0
        plan = _plan(ref or GameRef.of_game(game), entrants, tables, exchanged, chosen)
        return cls(
            "tournament", game, entrants, plan, chosen, chosen["measure"], ref is not None,
            resamples=resamples,
        )  # fmt: skip

    @classmethod
    def ladder(
        cls,
        game: Game,
        players: Players,
        field: Players,
        settings: LadderSettings,
        *,
        ref: GameRef | None = None,
    ) -> Contest:
        """Return a ladder; see `ladder_tables`. Raises as `match` does."""
        entrants, others = (entrants_of(given, FULL_TRUST) for given in (players, field))
        chosen = _checked("ladder", LadderSettings, settings)
        if others.count(others[0]) == len(others) == game.players - 1:
            others = others[:1]
        many, orders = len(others), chosen["orders"]
        tables = ladder_tables(len(entrants), many, game.players, orders)
        exchanged = many if many > 1 and leaves_triples(game.players, orders) else 0
        everybody = (*entrants, *others)
        plan = _plan(ref or GameRef.of_game(game), everybody, tables, exchanged, chosen)
        return cls("ladder", game, everybody, plan, chosen, recordable=ref is not None, field=many)

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
            raise PlanError("resuming needs records: the folder of the contest to continue")
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
        for entrant in self.entrants:
            if isinstance(entrant, OwnPlayer):
                raise PlanError(
                    f"records name players by texts, and {entrant.name} has none: put it into a "
                    f"file and write python:FILE.py:{entrant.name}, or play without records"
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


def _checked(kind: ContestKind, known: type[Contests], settings: Contests) -> Contests:
    """Return settings with all defaults, and with the seed of the contest to resume.

    Raises TypeError for one that there is not, and PlanError for values that there are not.
    """
    check_keywords(f"a {kind}", known, settings)
    chosen = filled(known, settings)
    check_member("ties", chosen["ties"], TIES)
    check_member("measure", str(chosen.get("measure", "score")), MEASURES)
    if chosen["seed"] is None and chosen["resume"]:
        chosen["seed"] = kept_seed(chosen["records"])
    return chosen


def _plan(
    ref: GameRef,
    entrants: Sequence[Entrant],
    tables: Tables,
    exchanged: int,
    settings: ContestSettings,
) -> RunPlan:
    seed = settings["seed"]
    return RunPlan(
        game=ref,
        entrants=tuple(map(str, entrants)),
        tables=tables,
        deals=settings["deals"],
        seed=drawn_seed() if seed is None else seed,
        move_seconds=settings["move_seconds"],
        most_faults=settings["most_faults"],
        detail=settings["detail"],
        exchanged=exchanged,
    )


def shown_names(entrants: Sequence[str], field: int) -> list[str]:
    """Return names to display of entrants, of which the last are the field of a ladder."""
    first = len(entrants) - field
    return numbered([*entrants[:first], *(f"{name} (field)" for name in entrants[first:])])


def kept_seed(records: str | Path | None) -> int | None:
    """Return the seed of the contest in a folder of records; None if there is none."""
    there = None if records is None else RunFolder.kept(Path(records))
    return None if there is None else there.plan.seed


def play_match(
    game: GameLike,
    players: Players,
    *,
    test: SequentialTest | None = None,
    **settings: Unpack[MatchSettings],
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
    return Contest.match(game_of(game), players, settings, test=test).play()


def tournament(
    game: GameLike, players: Players, **settings: Unpack[TournamentSettings]
) -> ContestReport:
    """Let all players meet, and return standings, ratings and the payoff matrix of `measure`.

    Every pair plays one against copies of the other, both ways round, and each against copies of
    itself; with `together`, all groups of as many as there are seats play instead, in such `orders`
    as in a match. `resamples` of the deals give the intervals of ratings. Otherwise as
    `play_match`, also in what it raises: PlayerSpecError, ScheduleError, PlanError,
    ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    return Contest.tournament(game_of(game), players, settings).play()


def ladder(
    game: GameLike, players: Players, field: Players, **settings: Unpack[LadderSettings]
) -> ContestReport:
    """Let each player meet the same field alone, from all seats, on the same deals.

    The field is one player for all other seats, or one for each, then in such `orders` as in a
    match. Otherwise as `play_match`, also in what it raises: PlayerSpecError, ScheduleError,
    PlanError, ScoreRangeError, RecordsError, ExecutorError and WorkerError.
    """
    return Contest.ladder(game_of(game), players, field, settings).play()
