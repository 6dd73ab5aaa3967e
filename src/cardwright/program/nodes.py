"""Typed nodes: what a program is once every form is understood.

Every node is frozen, knows its kind and its place in the source, and holds its operands in the
order in which they are written. Variables are resolved to slots, declared constants to their
values. `children` lets one walk serve every pass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.cards import LocationKind
    from cardwright.program.kinds import Kind
    from cardwright.syntax.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """A form that is understood: what kind of value it gives, and where it stands."""

    kind: Kind
    span: Span


@dataclass(frozen=True, slots=True)
class Bad(Node):
    """A form that was reported; it fits everywhere, so that one mistake gives one message."""


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable: the slot that holds its value, and its name for people."""

    slot: int
    name: str


# Integers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number written out."""

    value: int


class Operator(Enum):
    """Arithmetic on integers."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "//"
    REMAINDER = "%"
    POWER = "^"


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """An operator applied to two operands, or to more from left to right."""

    operands: tuple[Node, ...]
    operator: Operator


@dataclass(frozen=True, slots=True)
class Triangle(Node):
    """The sum of the integers from 1 to n."""

    number: Node


@dataclass(frozen=True, slots=True)
class Fibonacci(Node):
    """The n-th Fibonacci number, counted from fib 0 = 0."""

    number: Node


@dataclass(frozen=True, slots=True)
class Random(Node):
    """A uniform integer between two bounds, both included; without `high`, from 0 to `low`."""

    low: Node
    high: Node | None


@dataclass(frozen=True, slots=True)
class Size(Node):
    """The number of items of a collection."""

    collection: Node


@dataclass(frozen=True, slots=True)
class Score(Node):
    """The points of one card."""

    card: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """The points of all cards of a location, added up."""

    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class ExtremeScore(Node):
    """The largest or smallest points among the cards of a location."""

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Total(Node):
    """An integer added up over the items of a collection."""

    collection: Node
    variable: Variable
    value: Node


@dataclass(frozen=True, slots=True)
class NumberOf(Node):
    """The number by which a file calls a player or a team (`pid`, `tid`)."""

    owner: Node


# Strings and storages ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A name written out."""

    value: str


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """The value of a card's attribute, or the empty string."""

    key: Node
    card: Node


class StorageKind(Enum):
    """The three name spaces of stored values that every owner has."""

    INTEGER = "sto"
    STRING = "str"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Storage(Node):
    """A stored value: an integer, a string or a point map of an owner, under a name."""

    owner: Node
    name: Node
    storage: StorageKind


# Conditions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """A condition that is known before the game."""

    value: bool


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """Conjunction (`every`) or disjunction of conditions, from left to right, short-circuit."""

    tests: tuple[Node, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class Not(Node):
    """The opposite of a condition."""

    test: Node


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """An order between two integers: one of < > <= >=."""

    left: Node
    right: Node
    operator: str


@dataclass(frozen=True, slots=True)
class Equal(Node):
    """Equality of two values of one kind; cards, players and teams by identity."""

    left: Node
    right: Node
    negated: bool


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """Whether a condition holds for every item, or for any, of a collection; short-circuit."""

    collection: Node
    variable: Variable
    test: Node
    every: bool


# Owners -----------------------------------------------------------------------------------


class Turn(Enum):
    """A place in a cycle, seen from whoever is current."""

    CURRENT = "current"
    NEXT = "next"
    PREVIOUS = "previous"


@dataclass(frozen=True, slots=True)
class Table(Node):
    """The game table as an owner."""


@dataclass(frozen=True, slots=True)
class TurnOwner(Node):
    """The current, next or previous player or team; the kind says which of the two."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Numbered(Node):
    """The player or team that the file calls by this number."""

    number: Node


@dataclass(frozen=True, slots=True)
class OwnerOf(Node):
    """The player whose location holds a card."""

    card: Node


@dataclass(frozen=True, slots=True)
class TeamOf(Node):
    """The team of a player."""

    player: Node


# Cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class End(Node):
    """The top (last) or bottom (first) card of a location."""

    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Position(Node):
    """The card at a position of a location, counted from 0 at the bottom."""

    index: Node
    location: Node


@dataclass(frozen=True, slots=True)
class BestCard(Node):
    """The card of a location with the most, or the least, points; ties are drawn by lot."""

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Actual(Node):
    """The real card behind a reference."""

    card: Node


# Locations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Node):
    """A real location: owner, name, index (0 when left out) and kind."""

    owner: Node
    name: Node
    index: Node | None
    place: LocationKind


class SetOperation(Enum):
    """What may be made of the cards of several locations."""

    UNION = "union"
    INTERSECT = "intersect"
    DISJUNCTION = "disjunction"


@dataclass(frozen=True, slots=True)
class Combine(Node):
    """A set operation on locations: several forms, or one that gives a set of locations."""

    parts: tuple[Node, ...]
    operation: SetOperation


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """The items of a collection that pass a test; the kind is that of the collection."""

    collection: Node
    variable: Variable
    test: Node


@dataclass(frozen=True, slots=True)
class Element(Node):
    """An element of a set of locations: a position from the front, or -1 for the last."""

    locations: Node
    index: int


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """The n topmost cards, topmost first, or the n lowest cards of a location."""

    count: Node
    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class EndRun(Node):
    """The longest run of consecutive points, of at least `least` cards, at an end of a pile."""

    least: Node
    location: Node
    points: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Sort(Node):
    """The cards of a location in ascending order of points."""

    location: Node
    points: Node


# Sets of locations and other collections --------------------------------------------------


@dataclass(frozen=True, slots=True)
class EachLocation(Node):
    """One location for each item of a collection."""

    collection: Node
    variable: Variable
    location: Node


@dataclass(frozen=True, slots=True)
class Partition(Node):
    """Groups of cards with the same value of an attribute, in order of first appearance."""

    key: Node
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Subsets(Node):
    """The subsets of a location, perhaps only those of some size."""

    location: Node
    size: Node | None
    operator: str


@dataclass(frozen=True, slots=True)
class Runs(Node):
    """Runs of at least `least` consecutive points: the maximal ones, or all stretches."""

    least: Node
    location: Node
    points: Node
    every: bool


@dataclass(frozen=True, slots=True)
class Tuples(Node):
    """All groups of n cards with equal points."""

    count: Node
    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """The locations of one owner, kind and name that have held a card, at any index."""

    owner: Node
    name: Node
    place: LocationKind


@dataclass(frozen=True, slots=True)
class Everyone(Node):
    """All players or all teams, or all but the current one."""

    others: bool = False


@dataclass(frozen=True, slots=True)
class Range(Node):
    """The integers between two bounds, both included."""

    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class Strings(Node):
    """A list of names."""

    values: tuple[str, ...]


# Actions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set(Node):
    """Store an integer or a string."""

    storage: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Award(Node):
    """Points for the cards whose attributes have these values."""

    keys: tuple[Node, ...]
    values: tuple[Node, ...]
    points: Node


@dataclass(frozen=True, slots=True)
class SetPoints(Node):
    """Store a point map, made of awards."""

    storage: Node
    awards: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Increase(Node):
    """Add to a stored integer, or subtract from it; by 1 if no amount is given."""

    storage: Node
    amount: Node | None
    sign: int


@dataclass(frozen=True, slots=True)
class Move(Node):
    """Take a card and put it somewhere."""

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Swap(Node):
    """Exchange the places of two cards, or the contents of two locations."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """Put a reference to a card into a memory location."""

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Forget(Node):
    """Take a reference out of a memory location."""

    card: Node


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """Permute a location at random."""

    location: Node


@dataclass(frozen=True, slots=True)
class Cycle(Node):
    """Make a player current at once, or queue a player as the next one."""

    player: Node
    queue: bool


@dataclass(frozen=True, slots=True)
class Pass(Node):
    """Do nothing, as an option."""


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """Do an action a number of times."""

    count: Node
    action: Node


@dataclass(frozen=True, slots=True)
class RepeatAll(Node):
    """Do a move, or a forget, once for every card of the location that its card names."""

    action: Node


# Steps, blocks and stages -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Do(Node):
    """Steps, one after the other."""

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class When(Node):
    """A step that happens only if a test holds."""

    test: Node
    body: Node


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """A step for every item of a collection; with `choose`, for one of them as an option."""

    collection: Node
    variable: Variable
    body: Node
    choose: bool


@dataclass(frozen=True, slots=True)
class Let(Node):
    """A step with a value bound to a variable."""

    value: Node
    variable: Variable
    body: Node


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """A decision of the current player among the options that the steps give."""

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Stage(Node):
    """Turns of a player or team cycle until a condition holds between two turns."""

    end: Node
    items: tuple[Node, ...]
    team: bool


_OPERANDS: dict[type[Node], tuple[str, ...]] = {}


def operands(node: Node) -> tuple[str, ...]:
    """Return the names of what a node has beyond its kind of value and its place."""
    kind = type(node)
    names = _OPERANDS.get(kind)
    if names is None:
        names = tuple(field.name for field in fields(kind) if field.name not in {"kind", "span"})
        _OPERANDS[kind] = names
    return names


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes that a node directly holds, in order."""
    for name in operands(node):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, outermost first."""
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        pending.extend(reversed(list(children(found))))
