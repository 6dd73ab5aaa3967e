"""Observations: what a seat sees as numbers at fixed places, and the meaning of each place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from cardwright.compiler.native import NativeProgram
    from cardwright.compiler.plan import Frames
    from cardwright.program.cards import Location, LocationKind, OwnerId
    from cardwright.program.kinds import ValueKind

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"

OBSERVATION_VERSION = 2
"""The version of all layouts: it changes whenever the columns of any game do."""


class Block(NamedTuple):
    """The columns of a location: the first for its counts, and for its cards if they are seen."""

    counts: int
    cards: int | None


class Cycles(NamedTuple):
    """The first columns of the cycles of players, outermost first, and of those of teams.

    A cycle has a column for each member that may be current, then one for each that may be queued.
    The teams' outermost cycle has none.
    """

    players: int
    teams: int


class StringColumns(NamedTuple):
    """The columns of a stored string: the first, and the strings that have one each, in order."""

    first: int
    texts: tuple[str, ...]


class MadeBlocks(NamedTuple):
    """The columns of locations made in play: the first, how many locations, the columns of each.

    A location begins with a column for each of `sorts`: what owners, kinds and names there are.
    """

    first: int
    most: int
    width: int
    sorts: tuple[tuple[OwnerId, LocationKind, str], ...]


class PickColumns(NamedTuple):
    """The columns of what a recalled choice picked besides cards, from the first of the choice.

    A string has one for each of `texts`, and a player or a team for each that there is. An integer
    has one, and so has a location: its number, from 1, among those known before the game.
    """

    kind: ValueKind
    first: int
    texts: tuple[str, ...]


class RecalledColumns(NamedTuple):
    """The columns for the latest choices: the first, and how many each of them has.

    A choice begins with a column for each seat. From there are counted the column of each branch of
    the game's choices, those of what it picks, and the first of those for cards.
    """

    first: int
    width: int
    branches: tuple[int, ...]
    picks: tuple[PickColumns, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Where everything that a seat may see is among the columns of a program.

    `deciding` is the first of the columns for whose turn it is. Choices are known by the blocks
    that enclose them (`BlockPlan`). Owners are relative to the observer.
    """

    native: NativeProgram
    deciding: int
    choices: dict[Frames, int]
    cycles: Cycles
    integers: dict[tuple[OwnerId, str], int]
    strings: dict[tuple[OwnerId, str], StringColumns]
    places: dict[Location, Block]
    made: MadeBlocks
    backs: dict[str, int]
    """How many cards there are of each back."""
    recalled: RecalledColumns


@dataclass(frozen=True, slots=True, eq=False)
class ObservationLayout:
    """What each number of an observation of a game is; the same for all seats and both engines.

    Owners are relative to the observer (`Relative`). A number of an observation times its `scales`
    is the number of the game; `low` and `high` bound the observed numbers, infinite where no bound
    is proved.
    """

    columns: tuple[str, ...]
    scales: Numbers
    low: Numbers
    high: Numbers
    _map: ColumnMap
    history: int
    """How many of the latest choices are observed."""
    version: int = OBSERVATION_VERSION

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __eq__(self, other: object) -> bool:
        """Return whether this is the layout of the same rules, with as many choices."""
        if not isinstance(other, ObservationLayout):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int]:
        return self._map.native.program.digest, self.history, self.version

    def __repr__(self) -> str:
        name = self._map.native.program.source.name
        return f"<ObservationLayout of {name}, version {self.version}, {self.size} columns>"
