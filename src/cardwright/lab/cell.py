"""Cells: the level of each factor in a cell, and the game that the cell plays."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.lab.errors import LabError
from cardwright.lab.factor import DISCARDS, FactorKind, SelectorList
from cardwright.program.constants import parse_value

if TYPE_CHECKING:
    from cardwright.lab.factor import Factor, FactorLevel
    from cardwright.lab.plan import Cell, LabPlan


def levels_of(plan: LabPlan, cell: Cell) -> list[tuple[Factor, FactorLevel]]:
    """Return each factor with its level in a cell."""
    pairs = zip(plan.factors, cell, strict=True)
    return [(factor, factor.levels[number]) for factor, number in pairs]


def text_of(factor: Factor, level: FactorLevel) -> str:
    """Return the value of a level that is a string; raises LabError if it is not one."""
    if not isinstance(level.value, str):
        raise LabError(f"the level {level.name} of the factor {factor.name} is not a string")
    return level.value


def label(plan: LabPlan, cell: Cell) -> str:
    """Return the levels of a cell in words, such as `pass=rule, first=random`."""
    return ", ".join(f"{factor.name}={level.name}" for factor, level in levels_of(plan, cell))


def check_factors(plan: LabPlan) -> None:
    """Raise LabError if two factors set the same thing."""
    seen: dict[tuple[FactorKind, str], str] = {}
    for factor in plan.factors:
        # All players are one target, whatever it says.
        target = "" if factor.kind is FactorKind.PLAYER else factor.target
        other = seen.setdefault((factor.kind, target), factor.name)
        if other != factor.name:
            what = f"{factor.kind} {target}".rstrip()
            raise LabError(f"the factors {other} and {factor.name} both set the {what}")
    for slot, discards in DISCARDS.items():
        one, two = seen.get((FactorKind.SLOT, slot)), seen.get((FactorKind.SLOT, discards))
        if one and two:
            (factor,) = (factor for factor in plan.factors if factor.name == one)
            if any(isinstance(level.value, SelectorList) and level.value.discard
                   for level in factor.levels):  # fmt: skip
                raise LabError(f"the factors {one} and {two} both set the slot {discards}")


def game_of(plan: LabPlan, cell: Cell) -> GameRef:
    """Return the game of a cell; raises LabError for options with which it cannot be played."""
    options = tuple(
        (factor.target, text_of(factor, level))
        for factor, level in levels_of(plan, cell)
        if factor.kind is FactorKind.OPTION
    )
    return _variant(plan.game, options) if options else plan.game


@lru_cache(maxsize=4096)
def _variant(game: GameRef, options: tuple[tuple[str, str], ...]) -> GameRef:
    told = ", ".join(f"{name}={text}" for name, text in options)
    try:
        declared = {**dict(game.declared), **{name: parse_value(text) for name, text in options}}
        found = GameRef.of(game.name, declared, game.preset, game.base, engine=game.engine)
    except (CardwrightError, ValueError) as error:
        raise LabError(f"{game.name} cannot be played with {told}: {error}") from None
    if found.players != game.players:
        raise LabError(
            f"{game.name} has {found.players} seats with {told}, and {game.players} without: the "
            "number of seats cannot be a factor; make an experiment for each number"
        )
    return found
