"""Factors: what an experiment varies, and the levels to which it sets them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from cardwright.lab.errors import LabError

SLOTS = (
    *("pass", "first", "second", "third", "fourth"),
    *("discard", "discard_second", "discard_third", "discard_fourth"),
)
"""The lists of a hierarchy by name."""

DISCARDS = {slot: f"discard_{slot}" for slot in ("second", "third", "fourth")}
"""The slots that may have discards of their own, and the slots of these discards."""


class FactorKind(StrEnum):
    """What a factor is: see `Factor`."""

    SLOT = "slot"
    SWAP = "swap"
    PARAMETER = "parameter"
    OPTION = "option"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class SelectorList:
    """A list of selectors as it is written, for one slot of a hierarchy.

    `discard` is the list for a seat that cannot follow suit at this position, if that is a
    different one.
    """

    select: tuple[str, ...]
    mode: str = "first-match"
    tie: str = "low"
    discard: SelectorList | None = None


@dataclass(frozen=True, slots=True)
class LabPlayer:
    """A player: either a `spec` such as `ismcts:iterations=100`, or the lists of a hierarchy.

    Lists are kept with a plan, so that it holds all that its results depend on. `name` is for
    people. A slot without a list is played at random.
    """

    name: str
    spec: str | None = None
    lists: tuple[tuple[str, SelectorList], ...] = ()

    def __post_init__(self) -> None:
        if self.spec is not None and self.lists:
            raise LabError(f"the player {self.name} is either a spec or lists, not both")


Value: TypeAlias = "SelectorList | LabPlayer | str | bool | None"
"""What a level sets its factor to: see `Factor`."""


@dataclass(frozen=True, slots=True)
class FactorLevel:
    """One of the settings of a factor."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Factor:
    """What is varied, with its levels; the first is the base, to which others are compared.

    By kind, `target` and the values of levels are:

    - `slot`: a slot of the tested player's hierarchy; a `SelectorList`, or None for random play. A
      `discard` in it sets the slot's list of discards too; without one the slot has no discards of
      its own.
    - `swap`: a slot and a place in its list, as `fourth:0`; True exchanges the steps at that place
      and the next, False does not. Swaps of a slot are applied in the order of the factors.
    - `parameter`: a parameter of the tested player; its value as text.
    - `option`: a constant of the game; its value as text, as in `--set`.
    - `player`: nothing; the whole tested player, a `LabPlayer`.
    """

    name: str
    kind: FactorKind
    target: str
    levels: tuple[FactorLevel, ...]

    def __post_init__(self) -> None:
        if len(self.levels) < 2:
            raise LabError(f"the factor {self.name} needs two levels or more")
        names = [level.name for level in self.levels]
        for name in names:
            if names.count(name) > 1:
                raise LabError(f"the factor {self.name} has two levels {name!r}")
