"""Studies: the batches of games from which the measures of a game are taken.

There are three, as in CardStock's articles: `RR`, in which all seats choose at random; `AR`, with
one thinking player in the first seat among random ones; and `AA`, in which all seats think. A
game for one seat has no `AR`. All batches start from the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.plan import PlanError, RunPlan, loaded
from cardwright.arena.run import run
from cardwright.game.native.random_games import Bulk
from cardwright.game.seeds import game_seeds
from cardwright.players.kind import FULL_TRUST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.arena.plan import GameRef
    from cardwright.game.native.random_games import RandomGames
    from cardwright.jobs.executor import Executor

PLAYER = "cardstock-pipmc"
"""The thinking player, unless another is named: that of the published numbers."""

RANDOM_GAMES, THINKING_GAMES = 1_000, 100
"""Games of a batch without a thinking player, and of one with, unless other numbers are given."""

MOST_RECORDED = 10_000
"""Random games of which every decision is recorded; any more are played in bulk."""


@dataclass(frozen=True)
class StudyPlan:
    """What is to be played of one game.

    `player` is the spec of the thinking player, as the caller has named it. `random_games` are
    those of `RR`, `thinking_games` those of `AR` and of `AA`, which are left out if there are none.
    Raises PlanError for invalid numbers.
    """

    game: GameRef
    player: str = PLAYER
    random_games: int = RANDOM_GAMES
    thinking_games: int = THINKING_GAMES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.random_games < 1:
            raise PlanError(f"a study has 1 random game or more, not {self.random_games:,}")
        if self.thinking_games < 0:
            raise PlanError(f"a batch cannot have {self.thinking_games:,} games")

    @property
    def recorded(self) -> int:
        """How many random games are recorded decision by decision."""
        return min(self.random_games, MOST_RECORDED)

    def plans(self) -> dict[str, RunPlan]:
        """Return the plan of each batch by its name, in the order in which they are played."""
        seats = self.game.players
        found = {"RR": self._plan(("random",), (0,) * seats, self.recorded)}
        if self.thinking_games:
            if seats > 1:
                table = (0, *[1] * (seats - 1))
                found["AR"] = self._plan((self.player, "random"), table, self.thinking_games)
            found["AA"] = self._plan((self.player,), (0,) * seats, self.thinking_games)
        return found

    def _plan(self, entrants: tuple[str, ...], table: tuple[int, ...], deals: int) -> RunPlan:
        return RunPlan(
            self.game, entrants, (table,), deals, self.seed, detail="decisions", trust=FULL_TRUST
        )


def play_study(
    study: StudyPlan,
    folder: str | Path,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Mapping[str, Path]:
    """Play and record all batches of a study, and return the folder of each.

    They are `folder/RR` and so on. With `resume` those that are finished are only read, and one
    that was interrupted is continued. `progress` is given the batch, its finished games, and the
    number of all. Raises what `run` does; after KeyboardInterrupt it can be resumed.
    """
    found = {}
    for name, plan in study.plans().items():
        place = Path(folder) / name

        def tell(done: int, total: int, name: str = name) -> None:
            if progress is not None:
                progress(name, done, total)

        run(plan, place, executor, resume=resume, progress=tell)
        found[name] = place
    return found


def bulk_games(
    study: StudyPlan, threads: int | None = None, progress: Callable[[int], object] | None = None
) -> Iterator[RandomGames]:
    """Yield the random games of a study in bulk, block by block: all, not only the recorded ones.

    They begin with the deals of `RR`, but their players draw other random numbers. Only the
    outcome, the length and the sum of options of each are known, and nothing is kept: the memory
    does not grow with their number. Raises EngineError for the interpreter.
    """
    game = loaded(study.game)
    bulk = Bulk(game, game_seeds(study.seed, study.random_games), threads)
    yield from bulk.blocks(progress)
