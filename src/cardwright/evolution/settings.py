"""Settings of a search: what `evolve` takes as keywords, and its command as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping  # noqa: TC003 - options are made of them
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import Annotated, Any, TypedDict

from cardwright.jobs.settings import DEALS, GAMES, RESUME, SCHEDULER, SEED, WORKERS, RunSetting

ALL = "all"
"""The word for all families of changes."""

FAMILIES = ("constants", "scoring", "deck", "steps", ALL)
MOST_CANDIDATES = 10**7
MOST_OF_A_GENERATION = 10**4


class SearchSettings(TypedDict, total=False):
    """Keywords of `evolve`.

    With `axes`, two or three measures, the best game is kept for each combination of their values.
    `method` is the name of a method, perhaps with parameters, as in `map:cells=8`. `vary` names
    families of changes (`constants`, `scoring`, `deck`, `steps`), `keep` has forms that must stay,
    `distance` is the largest distance from the original in tokens, and `mates` are games whose
    parts may come in.

    `candidates` are made in generations of `generation`, and measured by `games` random games and,
    if an aim or axis needs it, by `deals` deals of each of the `searchers`, players from weak to
    strong. The `finalists` best are measured again at the end. Without a `seed` one is drawn; the
    plan has it. `declared` are constants of the game, and `preset` names some.

    `workers` (1) processes work, None as many as there are processors, or a dask cluster with the
    `scheduler` at an address: they change nothing but how long it takes. With a `folder` the
    records are kept there, and with `resume` a search that was interrupted goes on. `progress` is
    told how far it is, by `EvolutionProgress`.
    """

    axes: Iterable[str]
    method: Annotated[
        str | None,
        RunSetting(
            "How candidates are searched for: random, climb, lexicase, map or front, perhaps with "
            "parameters, as in map:cells=8.",
            usual="map with --map, or else climb",
            metavar="METHOD",
        ),
    ]
    vary: Annotated[
        Iterable[str],
        RunSetting(
            "What may be changed: constants, scoring, deck, steps or all. Can be repeated.",
            (),
            ALL,
            metavar="FAMILY",
            choices=FAMILIES,
        ),
    ]
    keep: Annotated[
        Iterable[str],
        RunSetting(
            "A form of the rules that must stay as it is, in RECYCLE. Can be repeated.",
            (),
            metavar="FORM",
        ),
    ]
    distance: Annotated[
        int | None,
        RunSetting(
            "The largest distance from the original, in tokens that differ.",
            usual="any",
            metavar="N",
            least=1,
        ),
    ]
    mates: Annotated[
        Iterable[Any],
        RunSetting(
            "Another game, whose parts may come in. Can be repeated.",
            (),
            option="--mate",
            metavar="GAME",
        ),
    ]
    candidates: Annotated[
        int,
        RunSetting("How many candidates are made in all.", 1_000, least=1, most=MOST_CANDIDATES),
    ]
    generation: Annotated[
        int,
        RunSetting(
            "How many candidates are made before the method learns of them.",
            50,
            least=1,
            most=MOST_OF_A_GENERATION,
        ),
    ]
    finalists: Annotated[
        int,
        RunSetting(
            "How many of the best are measured again at the end, by five times as many new games.",
            20,
            least=0,
            most=MOST_OF_A_GENERATION,
        ),
    ]
    games: Annotated[int, GAMES.about("Each candidate is measured by so many random ones.", 200)]
    searchers: Annotated[
        Iterable[str],
        RunSetting(
            "A searching player, for measures that need one. Can be repeated, from weak to strong.",
            (),
            option="--searcher",
            metavar="SPEC",
        ),
    ]
    deals: Annotated[int, DEALS.about("Of each --searcher and candidate.", 20)]
    seed: Annotated[int | None, SEED]
    declared: Mapping[str, Any] | None
    preset: str | None
    workers: Annotated[int | None, WORKERS.about("Candidates.")]
    scheduler: Annotated[str | None, SCHEDULER]
    folder: str | Path | None
    resume: Annotated[bool, RESUME.about("The search in --out.")]
    progress: Callable[[Any], object] | None
