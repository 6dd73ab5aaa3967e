"""Settings of contests and simulations: what Python takes as keywords, and commands as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping  # noqa: TC003 - options are made of the types
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from cardwright.jobs.executor import Executor  # noqa: TC001 - options are made of the types
from cardwright.statistics.ties import Ties  # noqa: TC001 - options are made of the types
from cardwright.syntax.suggest import advice_on

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

_ORDERS = (
    "How different players sit down: each next to every other equally often; in rotations, which "
    "keep neighbours; in every order."
)


class RunSetting(NamedTuple):
    """What is to be known of a setting: the help for its option, its default and its limits.

    `usual` says the default in words. The `option` is named like the setting, if not otherwise.
    """

    help: str
    default: Any = None
    usual: str = ""
    option: str = ""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


class GamesSettings(TypedDict, total=False):
    """Keywords of whatever plays games by players."""

    seed: Annotated[int | None, RunSetting("Seed of everything random.", usual="drawn")]
    scheduler: Annotated[
        str | None, RunSetting("A dask scheduler, such as tcp://host:8786.", metavar="ADDRESS")
    ]
    ties: Annotated[
        Ties,
        RunSetting(
            "How a shared win counts in shares of wins: 1/k for each of k winners, or in full for "
            "each, as in published win rates.",
            "shared",
        ),
    ]


class SimulationSettings(GamesSettings, total=False):
    """Keywords of `simulate`.

    The games' seeds are `game_seeds(seed, games)`, with a seed that is drawn if there is none; or
    `seeds` has one for each game. `ties` says how a shared win counts: `shared` gives each of k
    winners 1/k, `full` a whole win. Random games of the native engine are played by machine code if
    no records are kept, in as many threads as `workers` says. With the address of a dask
    `scheduler` its cluster plays, with the same result. `keep` is given the record of every game,
    `progress` now and then the number played.
    """

    workers: Annotated[
        int | None,
        RunSetting(
            "How much is done at a time; the outcome does not depend on it. Threads, for random "
            "games of the native engine.",
            usual="one per processor",
            least=1,
        ),
    ]
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

    deals: Annotated[
        int, RunSetting("How many deals. Each is played at all tables.", 100, least=1, most=10**9)
    ]
    executor: Annotated[
        str | Executor | None,
        RunSetting(
            "Where games are played.",
            usual="processes with --workers, cluster with --scheduler, or else here",
            choices=("here", "processes", "threads", "cluster"),
        ),
    ]
    workers: Annotated[
        int | None,
        RunSetting(
            "How much is done at a time; the outcome does not depend on it. Deals.",
            usual="1, or one per processor with --executor",
            least=1,
        ),
    ]
    records: Annotated[
        str | Path | None,
        RunSetting(
            "Keep the results in a folder, so that an interrupted run can be resumed.",
            metavar="DIR",
        ),
    ]
    resume: Annotated[
        bool, RunSetting("Resume what was interrupted. The contest in --records.", default=False)
    ]
    detail: Annotated[Detail, RunSetting("What the records keep of each game.", "scores")]
    move_seconds: Annotated[
        float | None,
        RunSetting(
            "Milliseconds that a move may take; a later answer is a fault.",
            usual="no limit",
            option="--move-ms",
            least=0,
        ),
    ]
    most_faults: Annotated[
        int,
        RunSetting(
            "How many faults a player may make in a game. After more, it plays at random.",
            3,
            option="--faults",
            least=0,
        ),
    ]
    progress: Callable[[int, int], object] | None
    watch: Callable[[Any], object] | None


class MatchSettings(ContestSettings, total=False):
    """Keywords of `play_match`, besides the test."""

    mix: Annotated[
        bool, RunSetting("Two players: all balanced seatings, such as 2 against 2.", default=False)
    ]
    orders: Annotated[Orders, RunSetting(f"{_ORDERS} For as many players as seats.", "balanced")]
    measure: Annotated[
        Measure,
        RunSetting(
            "What players are compared by. The test and the running mean are about it.", "score"
        ),
    ]


class TournamentSettings(ContestSettings, total=False):
    """Keywords of `tournament`."""

    together: Annotated[
        bool,
        RunSetting("All groups of as many players as there are seats, not pairs.", default=False),
    ]
    orders: Annotated[Orders, RunSetting(f"{_ORDERS} For --together.", "balanced")]
    measure: Annotated[
        Measure, RunSetting("What players are compared by. The payoff matrix is of it.", "score")
    ]
    resamples: Annotated[
        int,
        RunSetting(
            "Bootstrap resamples of the deals for the ratings' intervals.", RESAMPLES, least=2
        ),
    ]


class LadderSettings(ContestSettings, total=False):
    """Keywords of `ladder`."""

    orders: Annotated[Orders, RunSetting(f"{_ORDERS} For a field of several kinds.", "balanced")]


Settings = TypeVar("Settings", bound=GamesSettings)
Contests = TypeVar("Contests", bound=ContestSettings)


def fields_of(kind: type[Any]) -> list[str]:
    """Return the names of all settings."""
    return list(get_type_hints(kind))


def settings_of(kind: type[Any]) -> dict[str, tuple[Any, RunSetting]]:
    """Return the type of each setting that people can write down, and what is to be known of it."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: (get_args(hint)[0], get_args(hint)[1])
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    }


def filled(kind: type[Settings], settings: Settings) -> Settings:
    """Return settings with the defaults of those that are not given."""
    known = settings_of(kind)
    usual: Any = {
        name: known[name][1].default if name in known else None for name in fields_of(kind)
    }
    return {**usual, **settings}  # type: ignore[return-value]


def check_keywords(what: str, kind: type[Any], settings: Mapping[str, Any]) -> None:
    """Raise TypeError for a setting that there is not."""
    known = fields_of(kind)
    for name in settings:
        if name not in known:
            raise TypeError(f"{what} has no keyword {name!r}; {advice_on(name, known)}")
