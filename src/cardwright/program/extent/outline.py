"""Outlines: what is known of a state when its cards are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.program.interval_arithmetic import Between
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Hashable

    from cardwright.program import nodes as n
    from cardwright.program.cards import LocationKind

    Cell: TypeAlias = tuple[int, str]
    Words: TypeAlias = frozenset[str] | None
    Worths: TypeAlias = tuple[Between, ...]

NONE = Between(0, 0)


class UnclearError(Exception):
    """Nothing can be said: the program uses a form that outlines do not follow, or is too large."""


class OutlineSpot(NamedTuple):
    """A location as an outline knows it: owner, kind, name and index."""

    owner: int
    kind: LocationKind
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class OneCard:
    """A card in a variable: where it may lie."""

    spots: frozenset[OutlineSpot]


@dataclass(frozen=True, slots=True)
class Heap:
    """A location: `spots` whole, if `size` is None, or some cards of them, this many."""

    spots: tuple[OutlineSpot, ...]
    size: Between | None = None

    @property
    def real(self) -> bool:
        """Whether it is a location itself, not a group of cards."""
        return self.size is None and len(self.spots) == 1


@dataclass(frozen=True, slots=True)
class Groups:
    """Some groups of cards, of which each is like `like`; it is not known how many."""

    like: Heap


@dataclass(slots=True)
class StateOutline:
    """What is known of a state.

    `cards` has how many cards lie at a spot, `integers`, `strings` and `worths` (points by card)
    what is stored, `players` and `teams` the cycles: who is current, and who is queued or None.
    `env` has what variables hold. `acted` says that the option under way has had an effect.
    """

    cards: dict[OutlineSpot, Between]
    integers: dict[Cell, Between]
    strings: dict[Cell, Words]
    worths: dict[Cell, Worths]
    players: tuple[tuple[int, int | None], ...] = ((0, None),)
    teams: tuple[tuple[int, int | None], ...] = ((0, None),)
    decisions: int = 0
    acted: bool = False
    env: dict[int, Any] | None = None

    def copy(self) -> StateOutline:
        """Return an independent outline."""
        return StateOutline(
            self.cards.copy(), self.integers.copy(), self.strings.copy(), self.worths.copy(),
            self.players, self.teams, self.decisions, self.acted, dict(self.env or {}),
        )  # fmt: skip

    def key(self) -> Hashable:
        """Return what distinguishes this outline from others, variables left out."""
        return (
            *self.turn(),
            frozenset(item for item in self.cards.items() if item[1] != NONE),
            frozenset(item for item in self.integers.items() if item[1] != NONE),
            frozenset(self.strings.items()),
            frozenset(self.worths.items()),
        )

    def turn(self) -> tuple[Hashable, ...]:
        """Return whose turn it is, and how many decisions were made."""
        return self.players, self.teams, self.decisions

    def held(self, spot: OutlineSpot) -> Between:
        """Return how many cards lie at a spot."""
        return self.cards.get(spot, NONE)

    def size(self, heap: Heap) -> Between:
        """Return how many cards a heap has."""
        if heap.size is not None:
            return heap.size
        counts = [self.held(spot) for spot in heap.spots]
        return Between(sum(one.low for one in counts), sum(one.high for one in counts))

    def joined(self, other: StateOutline) -> StateOutline:
        """Return an outline of all states of both, whose turns are the same."""
        made = self.copy()
        for spot in self.cards.keys() | other.cards.keys():
            made.cards[spot] = hull(self.held(spot), other.held(spot))
        for cell in self.integers.keys() | other.integers.keys():
            one, two = self.integers.get(cell, NONE), other.integers.get(cell, NONE)
            made.integers[cell] = hull(one, two)
        for name in self.strings.keys() | other.strings.keys():
            words = [each.strings.get(name, frozenset(("",))) for each in (self, other)]
            left, right = words
            made.strings[name] = None if left is None or right is None else left | right
        for cell in self.worths.keys() | other.worths.keys():
            nothing = (NONE,) * len(self.worths.get(cell) or other.worths[cell])
            first, second = self.worths.get(cell, nothing), other.worths.get(cell, nothing)
            made.worths[cell] = tuple(map(hull, first, second))
        return made


def hull(one: Between, other: Between) -> Between:
    """Return the bounds of a number that is within one of two bounds."""
    return Between(min(one.low, other.low), max(one.high, other.high))


def is_integer(node: n.Node) -> bool:
    """Say whether a form gives an integer."""
    return node.kind is ValueKind.INTEGER
