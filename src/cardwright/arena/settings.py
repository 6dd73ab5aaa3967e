"""Settings of contests and simulations: what Python takes as keywords, and commands as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable  # noqa: TC003 - options are made of the types
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, TypeVar

from cardwright.jobs.executor import Executor  # noqa: TC001 - options are made of the types
from cardwright.jobs.settings import (
    DEALS,
    EXECUTOR,
    FAULTS,
    MOVE,
    RECORDS,
    RESUME,
    SCHEDULER,
    SEED,
    WORKERS,
    RunSetting,
)
from cardwright.statistics.ties import Ties  # noqa: TC001 - options are made of the types

Detail: TypeAlias = Literal["scores", "games", "decisions"]
"""What is kept of a game: its scores; also its choices; or every decision with a player's notes."""

Orders: TypeAlias = Literal["balanced", "rotations", "all"]
"""The orders in which players of different kinds sit down.

`balanced`: all have every seat, and each other at every distance, equally often. `rotations`: of
the order given, so that everybody keeps the same neighbours. `all`: every order.
"""

Measure: TypeAlias = Literal["score", "win"]
"""What is measured: the score of a game, or the share of the win."""

RESAMPLES = 500
"""Bootstrap resamples for the intervals of ratings, unless another number is asked for."""

SHARED_WINS = RunSetting(
    "How a shared win counts in shares of wins: 1/k for each of k winners, or in full for each, as "
    "in published win rates.",
    "shared",
)

_ORDERS = RunSetting(
    "How different players sit down: each next to every other equally often; in rotations, which "
    "keep neighbours; in every order.",
    "balanced",
)
_MEASURE = RunSetting("What players are compared by.", "score")


class GamesSettings(TypedDict, total=False):
    """Keywords of whatever plays games by players."""

    seed: Annotated[int | None, SEED]
    scheduler: Annotated[str | None, SCHEDULER]
    ties: Annotated[Ties, SHARED_WINS]


class SimulationSettings(GamesSettings, total=False):
    """Keywords of `simulate`.

    The games' seeds are `game_seeds(seed, games)`, with a seed that is drawn if there is none; or
    `seeds` has one for each game. `ties` says how a shared win counts: `shared` gives each of k
    winners 1/k, `full` a whole win. Random games of the native engine are played by machine code if
    no records are kept, in as many threads as `workers` says. With the address of a dask
    `scheduler` its cluster plays, with the same result. `keep` is given the record of every game,
    `progress` now and then the number played.
    """

    workers: Annotated[int | None, WORKERS.about("Threads, for random games of the native engine.")]
    seeds: Iterable[int] | None
    keep: Callable[[Any], object] | None
    progress: Callable[[int], object] | None


class ContestSettings(GamesSettings, total=False):
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

    deals: Annotated[int, DEALS.about("Each is played at all tables.", 100)]
    executor: Annotated[
        str | Executor | None,
        EXECUTOR.about(usual="processes with --workers, cluster with --scheduler, or else here"),
    ]
    workers: Annotated[
        int | None, WORKERS.about("Deals.", usual="1, or one per processor with --executor")
    ]
    records: Annotated[str | Path | None, RECORDS]
    resume: Annotated[bool, RESUME.about("The contest in --records.")]
    detail: Annotated[Detail, RunSetting("What the records keep of each game.", "scores")]
    move_seconds: Annotated[float | None, MOVE.about(usual="no limit")]
    most_faults: Annotated[int, FAULTS.about("After more, it plays at random.", 3)]
    progress: Callable[[int, int], object] | None
    watch: Callable[[Any], object] | None


class MatchSettings(ContestSettings, total=False):
    """Keywords of `play_match`, besides the test."""

    mix: Annotated[
        bool, RunSetting("Two players: all balanced seatings, such as 2 against 2.", default=False)
    ]
    orders: Annotated[Orders, _ORDERS.about("For as many players as seats.")]
    measure: Annotated[Measure, _MEASURE.about("The test and the running mean are about it.")]


class TournamentSettings(ContestSettings, total=False):
    """Keywords of `tournament`."""

    together: Annotated[
        bool,
        RunSetting("All groups of as many players as there are seats, not pairs.", default=False),
    ]
    orders: Annotated[Orders, _ORDERS.about("For --together.")]
    measure: Annotated[Measure, _MEASURE.about("The payoff matrix is of it.")]
    resamples: Annotated[
        int,
        RunSetting(
            "Bootstrap resamples of the deals for the ratings' intervals.", RESAMPLES, least=2
        ),
    ]


class LadderSettings(ContestSettings, total=False):
    """Keywords of `ladder`."""

    orders: Annotated[Orders, _ORDERS.about("For a field of several kinds.")]


Contests = TypeVar("Contests", bound=ContestSettings)
