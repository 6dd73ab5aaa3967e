"""Variants of a game: which values of its options can be combined."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError, override_text
from cardwright.study.games import StudiedGame, as_constant, distinct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from cardwright.program.constants import Constant

    Grid: TypeAlias = Mapping[str, Sequence[Constant]]


@dataclass(frozen=True)
class Combination:
    """Values that are varied, as `NAME=VALUE`, and why a game cannot be played with them."""

    words: str
    reason: str


def combinations(
    game: str, grid: Grid, overrides: Mapping[str, Constant], preset: str | None
) -> tuple[list[StudiedGame], list[Combination]]:
    """Return a game for each combination, in the order of the options, and those left out.

    The combination that changes nothing comes first, if it is there: others are compared with it.

    Combinations are left out that the facts of the game forbid, or with which its rules are
    invalid. A name that is not a constant of the game is an error in every combination: then the
    first is raised.
    """
    found, left, first = [], [], None
    for values in product(*grid.values()):
        chosen = dict(zip(grid, map(as_constant, values), strict=True))
        words = " ".join(f"{name}={override_text(value)}" for name, value in chosen.items())
        try:
            found.append(StudiedGame.of(game, {**overrides, **chosen}, preset, words))
        except CardwrightError as error:
            first = first or error
            left.append(Combination(words, str(error).split("\n", 1)[0]))
    if first is not None and not found:
        raise first
    return distinct(_usual_first(found, game, overrides, preset)), left


def _usual_first(
    variants: Sequence[StudiedGame],
    game: str,
    overrides: Mapping[str, Constant],
    preset: str | None,
) -> list[StudiedGame]:
    try:
        usual = StudiedGame.of(game, overrides, preset).ref.digest
    except CardwrightError:  # it cannot be played without what is varied
        return list(variants)
    return sorted(variants, key=lambda one: one.ref.digest != usual)
