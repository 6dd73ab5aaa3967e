"""Factors as a call gives them: tests by name, slots, and `NAME=KIND:TARGET:LEVEL,LEVEL`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cardwright.game.errors import CardwrightError
from cardwright.interfaces.cli.lab_make import slot_factor
from cardwright.lab.factor import SLOTS, Factor, FactorKind, FactorLevel, LabPlayer
from cardwright.lab.factor_table import SWAP_LEVELS
from cardwright.lab.levels import PLAYED, split, who
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import split_specs
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.interfaces.cli.lab_make import LabSetting

TESTS = {f"{slot}Test": slot for slot in PLAYED}
"""The five tests, and the slot that each of them varies."""

_FACTOR = re.compile(r"\s*([^=:]+?)\s*=\s*(\w+)\s*:(.*)", re.DOTALL)


class Named(NamedTuple):
    """A factor as it was given, before the tested player is known."""

    name: str
    kind: FactorKind
    target: str
    levels: tuple[str, ...]

    @property
    def slots(self) -> set[str]:
        """The slots that it varies."""
        return (
            {self.target.partition(":")[0]}
            if self.kind in {FactorKind.SLOT, FactorKind.SWAP}
            else set()
        )


def of_test(text: str, levels: Sequence[str]) -> Named:
    """Return the factor of a test such as `passTest`, or of a slot."""
    slot = TESTS.get(text, text)
    if slot not in SLOTS:
        known = [*TESTS, *SLOTS]
        folded = {name.casefold(): name for name in known}
        advice = advice_on(text, known)
        if text.casefold() in folded:
            advice = f"did you mean {folded[text.casefold()]}?"
        raise click.BadParameter(f"there is no test {text!r}; {advice}", param_hint="'TEST...'")
    return Named(slot, FactorKind.SLOT, slot, tuple(levels))


def of_text(text: str) -> Named:
    """Return the factor that `--factor` names."""
    match = _FACTOR.fullmatch(text)
    if match is None:
        raise _bad(f"{text!r} is not a factor; write NAME=KIND:TARGET:LEVEL,LEVEL, for example "
                   "moon=option:MOON:PLUS,MINUS")  # fmt: skip
    name, kind, rest = match.groups()
    if kind not in list(FactorKind):
        advice = advice_on(kind, FactorKind)
        raise _bad(f"there is no kind of factor {kind!r}; {advice}")
    if kind == FactorKind.PLAYER:
        return Named(name, FactorKind.PLAYER, "", tuple(split_specs(rest)))
    if kind == FactorKind.SWAP:
        return Named(name, FactorKind.SWAP, rest.strip(), ())
    target, colon, levels = rest.partition(":")
    if not colon:
        raise _bad(f"{text!r} has no levels; write {name}={kind}:{target.strip()}:LEVEL,LEVEL")
    return Named(name, FactorKind(kind), target.strip(), tuple(split(levels)))


def slots_of(named: Iterable[Named]) -> set[str]:
    """Return all slots that factors vary."""
    return set[str]().union(*(one.slots for one in named))


def check_player(options: dict[str, Any], named: Iterable[Named]) -> None:
    """Raise an error if a parameter is varied and no player was named."""
    for one in named:
        if one.kind is FactorKind.PARAMETER and options["player"] is None:
            raise click.UsageError(
                f"{one.target} is a parameter of a player: name the tested player by --player, for "
                "example --player ismcts"
            )


def factor_of(made: LabSetting, named: Named) -> Factor:
    """Return a factor."""
    levels: tuple[FactorLevel, ...]
    try:
        match named.kind:
            case FactorKind.SLOT:
                return slot_factor(made, named.target, named.levels, named.name)
            case FactorKind.SWAP:
                levels = SWAP_LEVELS
            case FactorKind.PLAYER:
                players: list[LabPlayer] = [who(text, FULL_TRUST) for text in named.levels]
                levels = tuple(FactorLevel(one.name, one) for one in players)
            case _:
                levels = tuple(FactorLevel(text, text) for text in named.levels)
        return Factor(named.name, named.kind, named.target, levels)
    except CardwrightError as error:
        raise _bad(f"{named.name}: {error}") from None


def _bad(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="'--factor'")
