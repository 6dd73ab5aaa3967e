"""Searches from Python: one call that looks for games near one, and what it found."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.plan import game_of
from cardwright.english import counted_or_a, listed
from cardwright.evolution.aim import Aim, measure_named
from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.errors import EvolutionError, OriginalError
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.catalogue import new_method
from cardwright.evolution.methods.map_elites import MapAxis
from cardwright.evolution.pipeline import FunnelPlan
from cardwright.evolution.plan import EvolutionPlan, Mate
from cardwright.evolution.records import SearchFolder
from cardwright.evolution.search import SearchParts, read_search, run_search
from cardwright.evolution.settings import ALL, SearchSettings
from cardwright.evolution.variation.operator import ConstantValues
from cardwright.evolution.variation.rule_text import distance as distance_of, kept_texts
from cardwright.evolution.variation.vary import Variation
from cardwright.extras import need
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.seeds import drawn_seed
from cardwright.game.settings import settings_of
from cardwright.jobs.executor import processors
from cardwright.jobs.folder import FILE
from cardwright.jobs.job import executor
from cardwright.jobs.settings import filled
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import tried_spec
from cardwright.program.check import check
from cardwright.program.plain import given_values
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from typing import Unpack

    from cardwright.arena.plan import GameLike
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.plan import Parameter
    from cardwright.evolution.results import Evolution
    from cardwright.jobs.executor import Executor

    AimLike: TypeAlias = Aim | str


def original_of(game: Game) -> Candidate:
    """Return the rules of a game as a candidate; without presets or values, its play is the same.

    What its constants have been set to stands in the text, in the formatter's layout, with the
    comments of the file. Raises OriginalError for a game that was loaded with another number of
    the first player than the text itself would give.
    """
    source = game.program.source
    edits = starmap(Edit, given_values(game.program).items())
    text = format_source(Source(source.name, apply_edits(source.text, edits)))
    made = check(Source(source.name, text)).program
    if made is None or made.base != game.program.base:
        raise OriginalError(
            f"{game.name} was loaded with its players numbered from {game.program.base}, which its "
            "text does not say; load it without that number"
        )
    return Candidate(text)


def _aims(texts: AimLike | Iterable[AimLike]) -> tuple[Aim, ...]:
    """Return aims, given as such or as texts."""
    given = [texts] if isinstance(texts, Aim | str) else list(texts)
    aims = tuple(aim if isinstance(aim, Aim) else Aim.parse(aim) for aim in given)
    if not aims:
        raise EvolutionError(
            "there is nothing to aim at: name an aim, such as `length 40..60` or `luck min`. "
            f"There are these measures: {', '.join(MEASURES)}"
        )
    return aims


def _families(words: str | Iterable[str]) -> frozenset[ChangeFamily]:
    """Return the families of changes that are named."""
    given = [words] if isinstance(words, str) else list(words)
    if not given or ALL in given:
        return frozenset(ChangeFamily)
    known = [family.value for family in ChangeFamily]
    for word in given:
        if word not in known:
            raise EvolutionError(f"{word!r} cannot be varied; choose from {listed((*known, ALL))}")
    return frozenset(map(ChangeFamily, given))


def _mate(game: GameLike) -> Mate:
    loaded = game_of(game)
    return Mate(loaded.name if isinstance(game, Game) else str(game), original_of(loaded).text)


def _searching_players(specs: Iterable[str], measures: Iterable[str]) -> tuple[str, ...]:
    """Return players as specs; raises EvolutionError if measures are unknown or need more."""
    players = tuple(str(tried_spec(spec, FULL_TRUST)) for spec in specs)
    for name in measures:
        needed = measure_named(name).players
        if needed > len(players):
            raise EvolutionError(
                f"{name} needs {counted_or_a(needed, 'searching player')}, from weak to strong: "
                "name them, such as `pimc:rollouts=5`"
            )
    return players


def _method(text: str) -> tuple[str, tuple[tuple[str, Parameter], ...]]:
    """Return the name of a method and its parameters: `map:cells=8,crossed=0.3`."""
    name, _, rest = text.partition(":")
    parameters: dict[str, Parameter] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        try:
            number = float(value)
        except ValueError:
            key = ""
        if not key or key in parameters:
            raise EvolutionError(
                f"{part!r} is not a parameter of a method; write `map:cells=8`, each of them once"
            )
        parameters[key] = int(value) if value.lstrip("+-").isdecimal() else number
    return name.strip(), tuple(sorted(parameters.items()))


RECORDS = "records"
"""The folder, in that of a search, with its records; a report stands beside it."""


def evolve(
    game: GameLike, aims: AimLike | Iterable[AimLike], /, **settings: Unpack[SearchSettings]
) -> Evolution:
    """Look for games near one that are better in stated ways: the command `cardwright evolve`.

    `aims` say what is wanted of measures, as in `length 40..60` or `luck min`; for the keywords see
    `SearchSettings`. Raises MissingExtraError without the extra `evolve`, EvolutionError, AimError,
    MethodError, KeepError, OriginalError and PlayerSpecError for what cannot be searched for,
    RecordsError for the folder, and what `Game.variant` does. KeyboardInterrupt leaves a folder
    that can be resumed.
    """
    need("polars", "pymoo")
    given = filled(SearchSettings, settings)
    folder, resume = settings.get("folder"), given["resume"]
    plan = _plan(game, _aims(aims), given, None if folder is None or not resume else Path(folder))
    place = None if folder is None else Path(folder) / RECORDS
    with _executor(settings.get("workers", 1), given["scheduler"]) as workplace:
        parts = SearchParts(new_method_of, trust=FULL_TRUST)
        progress = settings.get("progress")
        return run_search(plan, place, workplace, parts=parts, resume=resume, progress=progress)


def _plan(
    game: GameLike, aims: tuple[Aim, ...], given: SearchSettings, begun: Path | None
) -> EvolutionPlan:
    """Return the plan of a search, with the seed of the one that was begun in a folder."""
    declared, preset = given.get("declared"), given.get("preset")
    if isinstance(game, Game):
        if declared or preset:
            raise EvolutionError(
                f"{game.name} is loaded already: give its name or path to set its constants"
            )
        loaded, name = game, game.name
    else:
        name, chosen = split_preset(str(game))
        loaded = Game.variant(name, dict(declared or {}), chosen or preset)
    axes, keep, distance = tuple(given.get("axes") or ()), tuple(given["keep"]), given["distance"]
    if distance is not None and distance < 1:
        raise EvolutionError(f"the largest distance from the original is 1 or more, not {distance}")
    if given["games"] < 1 or given["deals"] < 1:
        raise EvolutionError("a candidate is measured by 1 game or more, and 1 deal or more")
    original = original_of(loaded).text
    mapped = [MapAxis.parse(axis).measure for axis in axes]
    players = _searching_players(given["searchers"], [*(aim.measure for aim in aims), *mapped])
    kept_texts(original, keep)
    constants = ConstantValues.of(settings_of(name))
    seed = given["seed"]
    if seed is None and begun is not None:
        seed = kept_seed(begun)
    return EvolutionPlan(
        name,
        original,
        aims,
        drawn_seed() if seed is None else seed,
        *_method(given["method"] or ("map" if axes else "climb")),
        axes=axes,
        variation=Variation(_families(given["vary"]), keep, distance, constants=constants),
        funnel=FunnelPlan(games=given["games"], deals=given["deals"], players=players),
        candidates=given["candidates"],
        generation=given["generation"],
        mates=tuple(map(_mate, given["mates"])),
        reported=tuple(
            measure for measure in MEASURES if MEASURES[measure].players <= len(players)
        ),
        finalists=given["finalists"],
    )


def read_evolution(folder: str | Path) -> Evolution:
    """Return what a finished search found, whose records are in this folder, or below `records`.

    Raises RecordsError for a folder without such records, for damaged ones, and for a search that
    is not finished.
    """
    place = Path(folder)
    return read_search(place / RECORDS if (place / RECORDS / FILE).exists() else place)


def kept_seed(folder: Path) -> int | None:
    """Return the seed of the search that is kept in a folder; None if there is none."""
    there = SearchFolder.kept(folder / RECORDS)
    return None if there is None else there.plan.seed


def new_method_of(plan: EvolutionPlan) -> SearchMethod:
    """Return the method of a plan, which has seen nothing yet; raises MethodError."""

    def distance(candidate: Candidate) -> int:
        return distance_of(plan.original, candidate.text)

    return new_method(plan.method, plan.aims, distance, plan.axes, dict(plan.parameters))


def _executor(workers: int | None, scheduler: str | None) -> AbstractContextManager[Executor]:
    count = workers or processors()
    if scheduler is None and count > 1:
        from cardwright.jobs.processes import LastingProcesses

        return LastingProcesses(count)
    return nullcontext(executor(None, workers, scheduler))
