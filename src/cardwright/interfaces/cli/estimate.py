"""What is said before games are played: how long it will take, and what players do not see.

Nothing asks for a confirmation.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import click

from cardwright.english import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.arena.contest import Contest
    from cardwright.arena.entrants import Entrant
    from cardwright.arena.simulation import SimulationJob
    from cardwright.game.game import Game
    from cardwright.lab.plan import LabPlan
    from cardwright.league.plan import SeasonPlan
    from cardwright.players.player import Player

    Seated = tuple[Game, Sequence[Callable[[], Player]]]

_WORTH_SAYING = 60.0
"""Jobs of at least this many seconds get an estimate."""

_MANY = 10_000
"""The number of games of quick players from which a trial is worth it."""

_MANY_IN_BULK = 10_000_000
"""The same for random games played by machine code, and how many are tried."""
_TRIED_IN_BULK = 2_000
_TRIED_DEALS = 10

_UNITS = (("year", 31_557_600), ("day", 86_400), ("h", 3_600), ("min", 60))


def say_cautions(game: Game, players: Iterable[Entrant]) -> None:
    """Warn of players that do not see all that counts in a game.

    Raises CardwrightError for one that cannot play it at all.
    """
    from cardwright.arena.entrants import cautions

    for sentence in cautions(game, players):
        click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {sentence}", err=True)


def say_before_simulation(job: SimulationJob, *, bulk: bool, at_once: int = 1) -> None:
    """Say how long a job of `simulate` will take, if that is long."""
    from cardwright.arena.estimate import is_quick
    from cardwright.arena.simulation import NotedPlayer

    if bulk:
        if job.games >= _MANY_IN_BULK:
            _say(job.games, _bulk_seconds(job), at_once)
    elif job.games >= _MANY or not all(is_quick(str(spec)) for spec in job.players):
        makers = [
            lambda make=make, seat=seat: NotedPlayer(
                make(), str(make), f"a trial of one game, p{seat + 1}"
            )
            for seat, make in enumerate(job.players)
        ]
        _say_of([(job.game, makers)], job.games, at_once)


def say_before_contest(contest: Contest, at_once: int) -> None:
    """Say how long a contest will take, if that is long."""
    from cardwright.arena.estimate import is_quick, showing_all
    from cardwright.arena.player_process import EntrantSeating
    from cardwright.arena.referee import FaultRules, RefereedPlayer

    plan, makers = contest.plan, contest.entrants
    if plan.games < _MANY and all(map(is_quick, plan.entrants)):
        return
    rules = FaultRules(plan.most_faults, plan.move_seconds)
    with EntrantSeating(contest.game, makers, plan.move_seconds) as seating:
        seated = [
            (
                contest.game,
                [
                    partial(
                        RefereedPlayer,
                        make,
                        rules,
                        1,
                        seat,
                        name=plan.entrants[table[seat]],
                        where=f"a trial of one game, p{seat + 1}",
                    )
                    for seat, make in enumerate(seating.makers(table))
                ],
            )
            for table in showing_all(plan.tables)
        ]
        _say_of(seated, plan.games, at_once)


def say_before_experiment(plan: LabPlan, at_once: int) -> None:
    """Say how long an experiment will take, if that is long."""
    from cardwright.arena.estimate import showing_all
    from cardwright.arena.plan import loaded
    from cardwright.lab.cell import maker
    from cardwright.lab.layout import layout_of
    from cardwright.lab.task import all_native, slow

    layout = layout_of(plan)
    games = plan.deals * layout.most_tables
    if all_native(plan):
        if games >= _MANY_IN_BULK:
            _say(games, _native_seconds(plan) / layout.most_tables, at_once)
        return
    if games < _MANY and not slow(plan):
        return
    makes = [maker(who, plan.trust) for who in layout.players]
    tables = layout.kinds[0].distinct
    shown = showing_all(table.seats for table in tables)
    chosen = [next(table for table in tables if table.seats == seats) for seats in shown]
    _say_of(
        [(loaded(layout.games[one.game]), [makes[who] for who in one.seats]) for one in chosen],
        games,
        at_once,
    )


def say_before_season(plan: SeasonPlan, at_once: int) -> None:
    """Say how long the players of the library will take in a season, if that is long.

    Bots are assumed to need no time: an untrusted file runs only in its sandbox.
    """
    from cardwright.arena.entrants import parse_spec
    from cardwright.arena.estimate import is_quick, showing_all
    from cardwright.league.dealer import league_game

    specs = [bot.builtin or "random" for bot in plan.bots]
    if all(map(is_quick, specs)):
        return
    tables = [row for row in showing_all(plan.schedule.tolist())
              if not all(is_quick(specs[who]) for who in row)]  # fmt: skip
    slow = sum(not all(is_quick(specs[who]) for who in row) for row in plan.schedule.tolist())
    game = league_game(plan.rules)
    seated = [(game, [parse_spec(specs[who], plan.trust).build for who in row]) for row in tables]
    _say_of(seated, slow, at_once)


def _say_of(seated: Sequence[Seated], games: int, at_once: int) -> None:
    """Try a game at each of these tables, and say how long `games` games of that kind will take."""
    from cardwright.arena.estimate import TRIAL_SECONDS, game_seconds

    most = TRIAL_SECONDS / max(1, len(seated))
    found = [game_seconds(game, makers, 1, most) for game, makers in seated]
    known = [seconds for seconds in found if seconds is not None]
    if known:
        _say(games, sum(known) / len(known), at_once)


def _native_seconds(plan: LabPlan) -> float:
    """Return the seconds for a deal of an experiment that machine code plays."""
    from cardwright.lab.task import PlayLabDeals

    play = PlayLabDeals(plan)
    play(range(1))  # one-off costs do not count
    begun = time.perf_counter()
    play(range(_TRIED_DEALS))
    return (time.perf_counter() - begun) / _TRIED_DEALS


def _bulk_seconds(job: SimulationJob) -> float:
    """Return the seconds for a random game in bulk, with all threads together."""
    from cardwright.game.native.random_games import play_random
    from cardwright.game.seeds import game_seeds

    play_random(job.game, ())  # one-off costs do not count
    begun = time.perf_counter()
    play_random(job.game, game_seeds(1, _TRIED_IN_BULK), threads=job.workers)
    return (time.perf_counter() - begun) / _TRIED_IN_BULK


def _say(games: int, each: float, at_once: int) -> None:
    seconds = games * each / max(1, min(at_once, games))
    if seconds < _WORTH_SAYING:
        return
    by = f", {at_once} at a time" if at_once > 1 else ""
    click.echo(f"estimate: about {duration(seconds)} for {counted(games, 'game')}{by}", err=True)


def duration(seconds: float) -> str:
    """Return a duration as people say it, by the largest unit and perhaps the next."""
    for at, (unit, size) in enumerate(_UNITS):
        if seconds < size:
            continue
        whole, rest = divmod(round(seconds), size)
        shown = _amount(whole, unit)
        if whole < 10 and at + 1 < len(_UNITS):
            finer, step = _UNITS[at + 1]
            if rest // step:
                shown += f" {_amount(rest // step, finer)}"
        return shown
    return f"{seconds:.0f} s"


def _amount(number: int, unit: str) -> str:
    return counted(number, unit) if unit in {"year", "day"} else f"{number:,} {unit}"
