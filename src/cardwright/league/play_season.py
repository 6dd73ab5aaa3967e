"""Seasons from Python: one call that reads a folder, plays it, and returns what came of it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.extras import need
from cardwright.game.seeds import drawn_seed
from cardwright.league.bot_limits import BotLimits
from cardwright.league.dealer import LeagueRules
from cardwright.league.plan import NAME, SeasonError
from cardwright.league.records import kept_seed, salted
from cardwright.league.run import fitting, run_season
from cardwright.league.season import SeasonOptions, WeakJailError, bot_level, read_plan
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.league.records import Season
    from cardwright.league.run import Progress


def play_season(
    folder: str | Path,
    /,
    *,
    name: str = NAME,
    rules: str = LeagueRules.CODE,
    seed: int | None = None,
    salt: bytes | None = None,
    limits: BotLimits | None = None,
    trusted: bool = False,
    level: int | None = None,
    workers: int | None = 1,
    resume: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    allow_files: Iterable[str | Path] = (),
) -> Season:
    """Play the season in a folder and write its tables: the command `cardwright league run`.

    `rules` are `code` or `readme`; without a `seed` one is drawn, and with `resume` what was begun
    goes on from its own. The `salt` is drawn too if any bot is a file, and is secret until the
    season is over: to play a season again, give the seed and the salt of its plan. Bots that are
    files run in a jail of the `level` wanted, or the strongest there is, unless they are `trusted`;
    `limits` say how much is borne of them. `workers` play at a time, None as many as there are
    processors. `again` throws away what was played before. `progress` is told how many games are
    done, of how many, and the standings so far. What is strange in the roster is a warning. Players
    of the library that the roster names may load no files but `allow_files`, and read those in the
    folder.

    Raises SeasonError, LeagueFileError, RecordsError if there are games and neither `resume` nor
    `again` is set, LevelError for a level that this machine has not, and MissingExtraError without
    the extra `arena`. KeyboardInterrupt leaves a folder that can be resumed.
    """
    need("polars")
    if resume and again:
        raise SeasonError("a season goes on or begins anew: not both resume and again")
    if rules not in list(LeagueRules):
        advice = advice_on(rules, LeagueRules)
        raise SeasonError(f"rules cannot be {rules!r}; {advice}")
    place = Path(folder)
    if seed is None and resume:
        seed = kept_seed(place)
    seed = drawn_seed() if seed is None else seed
    allowed = tuple(map(Path, allow_files))
    options = SeasonOptions(
        name, LeagueRules(rules), seed, limits or BotLimits(), allow_files=allowed
    )
    plan, strange = read_plan(place, options)
    for warning in strange:
        warnings.warn(warning, stacklevel=2)
    if plan.files:
        try:
            plan = replace(plan, level=bot_level(level, trusted=trusted))
        except WeakJailError as error:
            advice = "If all bots are your own, give trusted=True, or level=1 for limits only"
            raise WeakJailError(f"{error}\n{advice}") from None
    plan = salted(place, plan, salt, resume=resume)
    executor = fitting(plan, workers)
    return run_season(place, plan, executor, resume=resume, again=again, progress=progress)
