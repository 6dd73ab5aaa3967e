"""What the evaluation of a form may do, as each class of nodes declares it.

Engines and analyses ask this before they move, repeat or leave out an evaluation, so what is not
known has to count as possible: `ANYTHING` is what a class is taken for that declares nothing.
Everything here is said of a form itself; its operands speak for themselves.
"""

from __future__ import annotations

from enum import Enum, Flag, auto
from typing import NamedTuple


class Failure(Enum):
    """Whether a form may break a rule of the language."""

    NEVER = "never"
    BY_VALUES = "by values"
    """Only for some values of its operands; the effect analysis knows which."""
    POSSIBLE = "possible"


class StatePart(Flag):
    """The parts of how a game stands."""

    CARDS = auto()
    """Which cards, or references to cards, locations hold, and in which order."""
    HOLDERS = auto()
    """In which location a card lies."""
    STORED = auto()
    """Stored integers, strings and point maps."""
    TURNS = auto()
    """Who is current and who is next."""

    NOTHING = 0
    EVERYTHING = CARDS | HOLDERS | STORED | TURNS


class Traits(NamedTuple):
    """What the evaluation of a form may do; by default nothing but give its value.

    `draws` says that it may draw from the game's stream, `loops` that it makes rounds over items,
    groups or times, which engines may have to count. `acts` says that it always has an effect: an
    option that consists of it need not be tried.
    """

    may_fail: Failure = Failure.NEVER
    draws: bool = False
    reads: StatePart = StatePart.NOTHING
    writes: StatePart = StatePart.NOTHING
    loops: bool = False
    acts: bool = False


ANYTHING = Traits(
    may_fail=Failure.POSSIBLE,
    draws=True,
    reads=StatePart.EVERYTHING,
    writes=StatePart.EVERYTHING,
    loops=True,
    acts=False,
)
