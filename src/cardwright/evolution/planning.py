"""Plans of searches from what people say: games by name, aims as text, names of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.game_like import game_of
from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.funnel.plan import FunnelPlan
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.axis import MapAxis
from cardwright.evolution.original import original_of
from cardwright.evolution.plan import Mate
from cardwright.evolution.variation.constant_values import ConstantValues
from cardwright.evolution.variation.keep import kept_texts
from cardwright.evolution.variation.vary import Variation
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.settings import settings_of
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import tried_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright.arena.game_like import GameLike
    from cardwright.evolution.plan import Parameter
    from cardwright.program.constants import Constant

    AimLike: TypeAlias = Aim | str
    Parameters: TypeAlias = tuple[tuple[str, Parameter], ...]

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
    return FunnelPlan(games=games, deals=deals, players=specs, trust=FULL_TRUST)


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
