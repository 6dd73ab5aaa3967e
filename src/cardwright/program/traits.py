"""What the evaluation of a form may do, as each class of nodes declares it.

Engines and analyses ask this before they move, repeat or omit an evaluation, so what is not known
has to count as possible: a class that declares nothing has the traits `ANYTHING`. Traits describe a
form itself, without its operands, which have their own.
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
    """The parts of a game's state."""

    CARDS = auto()
    """Which cards or references locations hold, and in which order."""
    HOLDERS = auto()
    """Which location a card is in."""
    STORED = auto()
    """Stored integers, strings and point maps."""
    TURNS = auto()
    """Who is current and who is next."""

    NOTHING = 0
    EVERYTHING = CARDS | HOLDERS | STORED | TURNS


class Traits(NamedTuple):
    """What the evaluation of a form may do; by default it only gives a value.

    `draws` says that it may draw from the game's stream, `loops` that it iterates over items,
    groups or repetitions, which engines may have to count. `acts` says that it always has an
    effect, so that an option that consists of it need not be tried.
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
