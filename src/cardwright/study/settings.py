"""Settings of studies: what is played of every game, whichever games they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.arena.manifest import Manifest
from cardwright.extras import need
from cardwright.jobs.manifest import FILE
from cardwright.study.plan import PLAYER, RANDOM_GAMES, THINKING_GAMES, StudyPlan

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.statistics.ties import Ties
    from cardwright.study.games import StudiedGame

RECORDS = "records"
"""The folder, in that of a study, with a folder for each game, with one for each batch."""


@dataclass(frozen=True)
class StudySettings:
    """What is played of every game, and from which seed.

    `player` is the spec of the thinking player, `games` is the number of random games, and
    `ai_games` that of each batch with that player. `ties` says how a shared win counts, in all
    measures and sentences.
    """

    seed: int
    player: str = PLAYER
    games: int = RANDOM_GAMES
    ai_games: int = THINKING_GAMES
    ties: Ties = "shared"

    def plan(self, one: StudiedGame) -> StudyPlan:
        """Return what is to be played of a game; raises PlanError if that is invalid."""
        return StudyPlan(one.ref, self.player, self.games, self.ai_games, self.seed)


def kept_seed(folder: Path) -> int | None:
    """Return the seed of the study whose games are in a folder; None if there are none."""
    files = sorted((folder / RECORDS).glob(f"*/*/{FILE}"))
    return Manifest.read(files[0].parent).plan.seed if files else None


def need_libraries() -> None:
    """Raise MissingExtraError if a library is missing that studies and their reports need."""
    need("polars", "matplotlib", "jinja2")
