"""Studies: games are played, measured and drawn, and the findings queried or written."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - options are made of the types
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import Annotated, TypedDict

from cardwright.arena.settings import SHARED_WINS
from cardwright.jobs.settings import GAMES, PLAYER, RESUME, SEED, WORKERS, RunSetting
from cardwright.statistics.ties import Ties  # noqa: TC001 - options are made of the types


class AnalysisSettings(TypedDict, total=False):
    """Keywords of `analyze` and `analyze_variants`, and what their commands have as options.

    `games` (1,000) are played at random, `ai_games` (100) with the thinking `player`
    (`cardstock-pipmc`) in the first seat, and as many with it in all. Without a `seed` one is
    drawn; the report has it. `ties` says how a shared win counts in order, fairness and all shares
    of wins: 1/k for each of k winners, or in full for each, as in published figures. `workers` (1)
    processes play, None as many as there are processors: they change nothing but how long it takes.

    With a `folder` the games are kept there, and with `resume` one that was interrupted goes on.
    `progress` is told what is being done, how much of it is, and of how much.
    """

    games: Annotated[int, GAMES.about("They are played at random.", 1000)]
    player: Annotated[str, PLAYER.about(default="cardstock-pipmc")]
    ai_games: Annotated[
        int,
        RunSetting(
            "How many games with --player in the first seat, and how many with it in all seats; 0 "
            "for random games only.",
            100,
            least=0,
            most=10**9,
        ),
    ]
    seed: Annotated[int | None, SEED]
    ties: Annotated[Ties, SHARED_WINS]
    workers: Annotated[int | None, WORKERS.about("Games.")]
    resume: Annotated[bool, RESUME.about("The games in --out.")]
    folder: str | Path | None
    progress: Callable[[str, int, int], object] | None
