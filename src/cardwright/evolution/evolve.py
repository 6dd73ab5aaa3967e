"""Searches from Python: one call that looks for games near one, and what it found."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.catalogue import new_method
from cardwright.evolution.original import original_of
from cardwright.evolution.plan import CANDIDATES, FINALISTS, GENERATION, EvolutionPlan
from cardwright.evolution.planning import (
    ALL,
    aims_of,
    funnel_of,
    mates_of,
    method_of,
    original_game,
    variation_of,
)
from cardwright.evolution.records import records_in
from cardwright.evolution.run import read, run
from cardwright.evolution.search import SearchParts
from cardwright.evolution.variation.distance import distance as distance_of
from cardwright.extras import need
from cardwright.game.seeds import drawn_seed
from cardwright.jobs.executor import SerialExecutor, processors
from cardwright.jobs.manifest import FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from cardwright.arena.game_like import GameLike
    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.evolution import Evolution
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.planning import AimLike
    from cardwright.evolution.search import TellEvolution
    from cardwright.jobs.executor import Executor
    from cardwright.program.constants import Constant

RECORDS = "records"
"""The folder, in that of a search, with its records; a report stands beside it."""

GAMES, DEALS = 200, 20
"""Random games of a candidate, and deals of each searching player."""


def evolve(
    game: GameLike,
    aims: AimLike | Iterable[AimLike],
    /,
    *,
    axes: Sequence[str] = (),
    method: str | None = None,
    vary: str | Iterable[str] = ALL,
    keep: Sequence[str] = (),
    distance: int | None = None,
    mates: Iterable[GameLike] = (),
    candidates: int = CANDIDATES,
    generation: int = GENERATION,
    finalists: int = FINALISTS,
    games: int = GAMES,
    searchers: Sequence[str] = (),
    deals: int = DEALS,
    seed: int | None = None,
    preset: str | None = None,
    declared: Mapping[str, Constant] | None = None,
    workers: int | None = 1,
    scheduler: str | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: TellEvolution | None = None,
) -> Evolution:
    """Look for games near one that are better in stated ways: the command `cardwright evolve`.

    `aims` say what is wanted of measures, as in `length 40..60` or `luck min`. With `axes`, two or
    three measures, the best game is kept for each combination of their values. `method` is the name
    of a method, perhaps with parameters, as in `map:cells=8`. `vary` names families of changes
    (`constants`, `scoring`, `deck`, `steps`), `keep` has forms that must stay, `distance` is the
    largest distance from the original in tokens, and `mates` are games whose parts may come in.

    `candidates` are made in generations of `generation`, and measured by `games` random games and,
    if an aim or axis needs it, by `deals` deals of each of the `searchers`, players from weak to
    strong. The `finalists` best are measured again at the end. Without a `seed` one is drawn; the
    plan has it. `workers` processes work, None as many as there are processors, or a dask cluster
    with the `scheduler` at an address: they change nothing but how long it takes.

    With a `folder` the records are kept there, and with `resume` a search that was interrupted goes
    on. `progress` is told how far it is. Raises MissingExtraError without the extra `evolve`,
    EvolutionError, AimError, MethodError, KeepError, OriginalError and PlayerSpecError for what
    cannot be searched for, RecordsError for the folder, and what `Game.variant` does.
    KeyboardInterrupt leaves a folder that can be resumed.
    """
    need_libraries()
    place = None if folder is None else Path(folder) / RECORDS
    if seed is None and resume and place is not None:
        seed = kept_seed(Path(folder or ""))
    loaded, name = original_game(game, declared, preset)
    wanted = aims_of(aims)
    chosen, parameters = method_of(method, axes)
    funnel = funnel_of(wanted, axes, games, deals, searchers)
    plan = EvolutionPlan(
        name,
        original_of(loaded).text,
        wanted,
        drawn_seed() if seed is None else seed,
        chosen,
        tuple(axes),
        parameters,
        variation_of(loaded, name, vary, keep, distance),
        funnel,
        candidates,
        generation,
        mates_of(mates),
        reported=tuple(one for one in MEASURES if MEASURES[one].players <= len(funnel.players)),
        finalists=finalists,
    )
    with _executor(workers, scheduler) as executor:
        parts = SearchParts(new_method_of)
        return run(plan, place, executor, parts=parts, resume=resume, progress=progress)


def read_evolution(folder: str | Path) -> Evolution:
    """Return what a finished search found, whose records are in this folder, or below `records`.

    Raises RecordsError for a folder without such records, for damaged ones, and for a search that
    is not finished.
    """
    place = Path(folder)
    return read(place / RECORDS if (place / RECORDS / FILE).exists() else place)


def kept_seed(folder: Path) -> int | None:
    """Return the seed of the search that is kept in a folder; None if there is none."""
    place = folder / RECORDS
    return records_in(place).plan.seed if (place / FILE).exists() else None


def new_method_of(plan: EvolutionPlan) -> SearchMethod:
    """Return the method of a plan, which has seen nothing yet; raises MethodError."""

    def distance(candidate: Candidate) -> int:
        return distance_of(plan.original, candidate.text)

    return new_method(plan.method, plan.aims, distance, plan.axes, dict(plan.parameters))


def need_libraries() -> None:
    """Raise MissingExtraError if a library is missing that searches need."""
    need("polars", "ribs", "pymoo")


def _executor(workers: int | None, scheduler: str | None) -> AbstractContextManager[Executor]:
    if scheduler is not None:
        from cardwright.jobs.cluster import DaskExecutor

        return nullcontext(DaskExecutor(scheduler, workers))
    count = workers or processors()
    if count == 1:
        return nullcontext(SerialExecutor())
    from cardwright.jobs.processes import LastingProcesses

    return LastingProcesses(count)
