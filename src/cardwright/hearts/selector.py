"""Selectors: what they are, and the registry of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.hearts.cards import Cards

    Choose = Callable[..., Cards]


class ParameterSpec(Enum):
    """The kind of parameters that a selector takes."""

    NOTHING = "no parameters"
    NUMBER = "a number"
    SUIT = "one suit"
    SUITS = "any number of suits"


@dataclass(frozen=True)
class Selector:
    """A selector by its name: what it does, and what parameters it takes."""

    name: str
    choose: Choose
    takes: ParameterSpec
    about: str
    least: int = 0
    most: int = 0


SELECTORS: dict[str, Selector] = {}
"""All selectors by name."""


def selector(
    takes: ParameterSpec = ParameterSpec.NOTHING, least: int = 0, most: int = 0
) -> Callable[[Choose], Choose]:
    """Register a function as a selector; a number as its parameter is from `least` to `most`."""

    def note(choose: Choose) -> Choose:
        name = choose.__name__.rstrip("_")
        about = (choose.__doc__ or "").split("\n", 1)[0]
        SELECTORS[name] = Selector(name, choose, takes, about, least, most)
        return choose

    return note
