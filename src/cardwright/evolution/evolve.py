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
from cardwright.jobs.executor import SerialExecutor, processors
from cardwright.jobs.folder import FILE
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
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from cardwright.arena.plan import GameLike
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.plan import Parameter
    from cardwright.evolution.results import Evolution
    from cardwright.evolution.search import TellEvolution
    from cardwright.jobs.executor import Executor
    from cardwright.program.constants import Constant

    AimLike: TypeAlias = Aim | str
    Parameters: TypeAlias = tuple[tuple[str, Parameter], ...]


def original_of(game: Game) -> Candidate:
    """Return the rules of a game as a candidate; without presets or values, its play is the same.

    What its constants have been set to stands in the text, in the formatter's layout, with the
    comments of the file. Raises OriginalError for a game that was loaded with another number of
    the first player than the text itself would give.
    """
    source = game.program.source
    text = format_source(Source(source.name, apply_edits(source.text, _values(game))))
    made = check(Source(source.name, text)).program
    if made is None or made.base != game.program.base:
        raise OriginalError(
            f"{game.name} was loaded with its players numbered from {game.program.base}, which its "
            "text does not say; load it without that number"
        )
    return Candidate(text)


def _values(game: Game) -> Iterator[Edit]:
    """Yield the edits that write the values which constants have been set to."""
    source = game.program.source
    form = read(source, Diagnostics(source)).form
    changed = {
        one.span: constant_text(one.value)
        for one in game.program.declared
        if one.value is not None and one.value != one.default
    }
    for item in form.items if form is not None else ():
        if isinstance(item, Form) and is_word(item.head, "declare"):
            value, name = item.items[1:]
            if name.span in changed:
                yield Edit(value.span, changed[name.span])


ALL = "all"
"""The word for all families of changes."""


def original_game(
    game: GameLike, declared: Mapping[str, Constant] | None = None, preset: str | None = None
) -> tuple[Game, str]:
    """Return the game to begin with, and what it is called: a name or a path.

    Raises EvolutionError for constants of a game that is loaded already, and what `Game.variant`
    does.
    """
    if isinstance(game, Game):
        if declared or preset:
            raise EvolutionError(
                f"{game.name} is loaded already: give its name or path to set its constants"
            )
        return game, game.name
    name, chosen = split_preset(str(game))
    return Game.variant(name, dict(declared or {}), chosen or preset), name


def aims_of(texts: AimLike | Iterable[AimLike]) -> tuple[Aim, ...]:
    """Return aims, given as such or as texts.

    Raises AimError for other texts, and EvolutionError, with all measures, if there is none.
    """
    listed = [texts] if isinstance(texts, Aim | str) else list(texts)
    found = tuple(one if isinstance(one, Aim) else Aim.parse(one) for one in listed)
    if not found:
        raise EvolutionError(
            "there is nothing to aim at: name an aim, such as `length 40..60` or `luck min`. "
            f"There are these measures: {', '.join(MEASURES)}"
        )
    return found


def families_of(words: str | Iterable[str]) -> frozenset[ChangeFamily]:
    """Return the families of changes that are named; raises EvolutionError for other words."""
    listed = [words] if isinstance(words, str) else list(words)
    if not listed or ALL in listed:
        return frozenset(ChangeFamily)
    known = [family.value for family in ChangeFamily]
    for word in listed:
        if word not in known:
            raise EvolutionError(f"{word!r} cannot be varied; there are {', '.join((*known, ALL))}")
    return frozenset(map(ChangeFamily, listed))


def mates_of(games: Iterable[GameLike]) -> tuple[Mate, ...]:
    """Return games to cross with; raises what `Game.load` does."""
    found = []
    for one in games:
        game = game_of(one)
        name = game.name if isinstance(one, Game) else str(one)
        found.append(Mate(name, original_of(game).text))
    return tuple(found)


def variation_of(
    game: Game,
    name: str,
    vary: str | Iterable[str] = ALL,
    keep: Sequence[str] = (),
    distance: int | None = None,
) -> Variation:
    """Return how candidates of a game are varied.

    Constants have the values that the file beside the game says. Raises EvolutionError, and
    KeepError for forms to keep that the game does not have.
    """
    if distance is not None and distance < 1:
        raise EvolutionError(f"the largest distance from the original is 1 or more, not {distance}")
    kept_texts(original_of(game).text, tuple(keep))
    constants = ConstantValues.of(settings_of(name))
    return Variation(families_of(vary), tuple(keep), distance, constants=constants)


def funnel_of(
    aims: Sequence[Aim], axes: Sequence[str], games: int, deals: int, players: Sequence[str]
) -> FunnelPlan:
    """Return how candidates are measured.

    The players are those that the caller names. Raises EvolutionError for a measure of a map that
    there is not, and for measures that need more searching players than there are; and
    PlayerSpecError.
    """
    if games < 1 or deals < 1:
        raise EvolutionError("a candidate is measured by 1 game or more, and 1 deal or more")
    specs = tuple(str(tried_spec(one, FULL_TRUST)) for one in players)
    names = [*(aim.measure for aim in aims), *(MapAxis.parse(axis).measure for axis in axes)]
    for name in names:
        if name not in MEASURES:
            raise EvolutionError(f"there is no measure {name!r}; there are: {', '.join(MEASURES)}")
        needed = MEASURES[name].players
        if needed > len(specs):
            many = "a searching player" if needed == 1 else f"{needed} searching players"
            raise EvolutionError(
                f"{name} needs {many}, from weak to strong, such as `flat:playouts=16`: name them"
            )
    return FunnelPlan(games=games, deals=deals, players=specs)


def method_of(method: str | None, axes: Sequence[str]) -> tuple[str, Parameters]:
    """Return the name of a method and its parameters: `map:cells=8,crossed=0.3`.

    Without one it is the map where there are axes, and hill climbing where there are none. Raises
    EvolutionError for a text that is not of this form.
    """
    if method is None:
        return ("map" if axes else "climb"), ()
    name, _, rest = method.partition(":")
    found: dict[str, Parameter] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (one.strip() for one in part.partition("="))
        number = _number(value)
        if not equals or not key or number is None or key in found:
            raise EvolutionError(
                f"{part!r} is no parameter of a method; write `map:cells=8`, each of them once"
            )
        found[key] = number
    return name.strip(), tuple(sorted(found.items()))


def _number(text: str) -> float | int | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


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
        parts = SearchParts(new_method_of, trust=FULL_TRUST)
        return run_search(plan, place, executor, parts=parts, resume=resume, progress=progress)


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
