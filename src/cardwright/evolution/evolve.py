"""Searches from Python: one call that looks for games near one, and what it found."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.plan import game_of
from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.errors import EvolutionError, OriginalError
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.catalogue import new_method
from cardwright.evolution.methods.map_elites import MapAxis
from cardwright.evolution.pipeline import FunnelPlan
from cardwright.evolution.plan import CANDIDATES, FINALISTS, GENERATION, EvolutionPlan, Mate
from cardwright.evolution.records import SearchFolder
from cardwright.evolution.search import SearchParts, read_search, run_search
from cardwright.evolution.variation.operator import ConstantValues
from cardwright.evolution.variation.rule_text import distance as distance_of
from cardwright.evolution.variation.rule_text import kept_texts
from cardwright.evolution.variation.vary import Variation
from cardwright.extras import need
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.seeds import drawn_seed
from cardwright.game.settings import settings_of
from cardwright.jobs.executor import processors
from cardwright.jobs.folder import FILE
from cardwright.jobs.job import executor
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import tried_spec
from cardwright.program.check import check
from cardwright.program.plain import constant_text
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from cardwright.arena.plan import GameLike
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.plan import Parameter
    from cardwright.evolution.results import Evolution
    from cardwright.evolution.search import TellEvolution
    from cardwright.jobs.executor import Executor
    from cardwright.program.constants import Constant

    AimLike: TypeAlias = Aim | str


def original_of(game: Game) -> Candidate:
    """Return the rules of a game as a candidate; without presets or values, its play is the same.

    What its constants have been set to stands in the text, in the formatter's layout, with the
    comments of the file. Raises OriginalError for a game that was loaded with another number of
    the first player than the text itself would give.
    """
    source, edits = game.program.source, []
    changed = {
        one.span: constant_text(one.value)
        for one in game.program.declared
        if one.value is not None and one.value != one.default
    }
    form = read(source, Diagnostics(source)).form
    for item in form.items if form is not None else ():
        if isinstance(item, Form) and is_word(item.head, "declare"):
            value, name = item.items[1:]
            if name.span in changed:
                edits.append(Edit(value.span, changed[name.span]))
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
    listed = [texts] if isinstance(texts, Aim | str) else list(texts)
    aims = tuple(one if isinstance(one, Aim) else Aim.parse(one) for one in listed)
    if not aims:
        raise EvolutionError(
            "there is nothing to aim at: name an aim, such as `length 40..60` or `luck min`. "
            f"There are these measures: {', '.join(MEASURES)}"
        )
    return aims


def _families(words: str | Iterable[str]) -> frozenset[ChangeFamily]:
    """Return the families of changes that are named."""
    listed = [words] if isinstance(words, str) else list(words)
    if not listed or ALL in listed:
        return frozenset(ChangeFamily)
    known = [family.value for family in ChangeFamily]
    for word in listed:
        if word not in known:
            raise EvolutionError(f"{word!r} cannot be varied; there are {', '.join((*known, ALL))}")
    return frozenset(map(ChangeFamily, listed))


def _mate(game: GameLike) -> Mate:
    loaded = game_of(game)
    return Mate(loaded.name if isinstance(game, Game) else str(game), original_of(loaded).text)


def _searching_players(specs: Sequence[str], measures: Iterable[str]) -> tuple[str, ...]:
    """Return players as specs; raises EvolutionError if measures are unknown or need more."""
    players = tuple(str(tried_spec(one, FULL_TRUST)) for one in specs)
    for name in measures:
        if name not in MEASURES:
            raise EvolutionError(f"there is no measure {name!r}; there are: {', '.join(MEASURES)}")
        needed = MEASURES[name].players
        if needed > len(players):
            many = "a searching player" if needed == 1 else f"{needed} searching players"
            raise EvolutionError(
                f"{name} needs {many}, from weak to strong, such as `pimc:rollouts=5`: name them"
            )
    return players


def _method(text: str) -> tuple[str, tuple[tuple[str, Parameter], ...]]:
    """Return the name of a method and its parameters: `map:cells=8,crossed=0.3`."""
    name, _, rest = text.partition(":")
    parameters: dict[str, Parameter] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = (one.strip() for one in part.partition("="))
        try:
            number = float(value)
        except ValueError:
            key = ""
        if not key or key in parameters:
            raise EvolutionError(
                f"{part!r} is no parameter of a method; write `map:cells=8`, each of them once"
            )
        parameters[key] = int(value) if value.lstrip("+-").isdecimal() else number
    return name.strip(), tuple(sorted(parameters.items()))


ALL = "all"
"""The word for all families of changes."""

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
    need("polars", "ribs", "pymoo")
    if seed is None and resume and folder is not None:
        seed = kept_seed(Path(folder))
    if isinstance(game, Game):
        if declared or preset:
            raise EvolutionError(
                f"{game.name} is loaded already: give its name or path to set its constants"
            )
        loaded, name = game, game.name
    else:
        name, chosen = split_preset(str(game))
        loaded = Game.variant(name, dict(declared or {}), chosen or preset)
    if distance is not None and distance < 1:
        raise EvolutionError(f"the largest distance from the original is 1 or more, not {distance}")
    if games < 1 or deals < 1:
        raise EvolutionError("a candidate is measured by 1 game or more, and 1 deal or more")
    wanted, original = _aims(aims), original_of(loaded).text
    mapped = [MapAxis.parse(axis).measure for axis in axes]
    players = _searching_players(searchers, [*(aim.measure for aim in wanted), *mapped])
    kept_texts(original, tuple(keep))
    constants = ConstantValues.of(settings_of(name))
    plan = EvolutionPlan(
        name,
        original,
        wanted,
        drawn_seed() if seed is None else seed,
        *_method(method or ("map" if axes else "climb")),
        axes=tuple(axes),
        variation=Variation(_families(vary), tuple(keep), distance, constants=constants),
        funnel=FunnelPlan(games=games, deals=deals, players=players),
        candidates=candidates,
        generation=generation,
        mates=tuple(map(_mate, mates)),
        reported=tuple(one for one in MEASURES if MEASURES[one].players <= len(players)),
        finalists=finalists,
    )
    place = None if folder is None else Path(folder) / RECORDS
    with _executor(workers, scheduler) as workplace:
        parts = SearchParts(new_method_of, trust=FULL_TRUST)
        return run_search(plan, place, workplace, parts=parts, resume=resume, progress=progress)


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
