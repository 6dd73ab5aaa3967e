"""Functions for games and contests between players given by texts, classes or functions.

`play_match`, `tournament` and `ladder` do what the commands of these names do, and return what the
commands print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from cardwright.arena.contest import DEALS, Contest, ContestTerms, kept_seed
from cardwright.arena.entrants import entrant_of, is_player, tried_specs
from cardwright.arena.game_like import game_of
from cardwright.arena.referee import referee_game
from cardwright.game.seeds import GAME_BITS, drawn_seed
from cardwright.players.kind import FULL_TRUST, seated
from cardwright.players.spec import for_seats
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import SupportsIndex, Unpack

    from cardwright.arena.contest_report import ContestReport
    from cardwright.arena.entrants import PlayerLike, Players
    from cardwright.arena.findings import Measure
    from cardwright.arena.game_like import GameLike
    from cardwright.arena.plan import Detail
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.results import Results
    from cardwright.arena.schedule import Orders
    from cardwright.jobs.executor import Executor
    from cardwright.players.player import Player
    from cardwright.statistics.sequential import SequentialTest
    from cardwright.statistics.ties import Ties

    Seatable: TypeAlias = PlayerLike | Player


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
