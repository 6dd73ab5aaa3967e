"""Typed nodes: the program once every form is understood.

Every node is frozen, knows its kind and its place in the source, and holds its operands in the
order in which they are written. Variables are resolved to slots, declared constants to their
values. `children` lets one walk serve every pass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from cardwright.program.cards import OPEN_KINDS
from cardwright.program.traits import ANYTHING, Failure, StatePart, Traits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.cards import LocationKind
    from cardwright.program.kinds import ValueKind
    from cardwright.syntax.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """A form that is understood: the kind of value it gives, and its place.

    `traits` says what engines and analyses must expect when a form is evaluated. A class that does
    not say may do anything.
    """

    traits: ClassVar[Traits] = ANYTHING

    kind: ValueKind
    span: Span


@dataclass(frozen=True, slots=True)
class Expression(Node):
    """A form that gives a value: an integer, a string, an owner, a card or a collection."""


@dataclass(frozen=True, slots=True)
class Condition(Expression):
    """A form that holds or does not."""


@dataclass(frozen=True, slots=True)
class Action(Node):
    """A form that changes the game state."""


@dataclass(frozen=True, slots=True)
class Control(Node):
    """A form that says which steps happen, in which order and how often."""


@dataclass(frozen=True, slots=True)
class Bad(Node):
    """A form with a reported error; it fits everywhere, so that one mistake gives one message."""


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A variable: the slot that holds its value, and its name for people."""

    traits = Traits()

    slot: int
    name: str


# Integers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number written out."""

    traits = Traits()

    value: int


class Operator(Enum):
    """Arithmetic on integers."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "//"
    REMAINDER = "%"
    POWER = "^"
    MAXIMUM = "max"
    MINIMUM = "min"


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """An operator applied to two operands, or to more from left to right."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    operands: tuple[Node, ...]
    operator: Operator


@dataclass(frozen=True, slots=True)
class Triangle(Expression):
    """The sum of the integers from 1 to n."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    number: Node


@dataclass(frozen=True, slots=True)
class Fibonacci(Expression):
    """The n-th Fibonacci number, counted from fib 0 = 0."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    number: Node


@dataclass(frozen=True, slots=True)
class Random(Expression):
    """A uniform integer between two bounds, both included; without `high`, from 0 to `low`."""

    traits = Traits(may_fail=Failure.POSSIBLE, draws=True)

    low: Node
    high: Node | None


@dataclass(frozen=True, slots=True)
class Size(Expression):
    """The number of items of a collection."""

    traits = Traits()

    collection: Node


@dataclass(frozen=True, slots=True)
class Score(Expression):
    """The points of one card."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    card: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """The points of all cards of a location, added up."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class ExtremeScore(Expression):
    """The largest or smallest points among the cards of a location."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Total(Expression):
    """An integer added up over the items of a collection."""

    traits = Traits(may_fail=Failure.BY_VALUES, loops=True)

    collection: Node
    variable: Variable
    value: Node


@dataclass(frozen=True, slots=True)
class NumberOf(Expression):
    """The number by which a file calls a player or a team (`pid`, `tid`)."""

    traits = Traits()

    owner: Node


# Strings and storages ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Expression):
    """A name written out."""

    traits = Traits()

    value: str


@dataclass(frozen=True, slots=True)
class Attribute(Expression):
    """The value of a card's attribute, or the empty string."""

    traits = Traits()

    key: Node
    card: Node


class StorageKind(Enum):
    """The three namespaces of stored values that every owner has."""

    INTEGER = "sto"
    STRING = "str"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Storage(Expression):
    """A stored value: an integer, a string or a point map of an owner, under a name."""

    traits = Traits(reads=StatePart.STORED)

    owner: Node
    name: Node
    storage: StorageKind


# Conditions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth(Condition):
    """A condition that is known before the game."""

    traits = Traits()

    value: bool


@dataclass(frozen=True, slots=True)
class Logic(Condition):
    """Conjunction (`every`) or disjunction of conditions, from left to right, short-circuit."""

    traits = Traits()

    tests: tuple[Node, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The opposite of a condition."""

    traits = Traits()

    test: Node


@dataclass(frozen=True, slots=True)
class Compare(Condition):
    """An order between two integers: one of < > <= >=."""

    traits = Traits()

    left: Node
    right: Node
    operator: str


@dataclass(frozen=True, slots=True)
class Equal(Condition):
    """Equality of two values of one kind; cards, players and teams by identity."""

    traits = Traits()

    left: Node
    right: Node
    negated: bool


@dataclass(frozen=True, slots=True)
class Quantifier(Condition):
    """Whether a condition holds for every item, or for any, of a collection; short-circuit."""

    traits = Traits(loops=True)

    collection: Node
    variable: Variable
    test: Node
    every: bool


# Owners -----------------------------------------------------------------------------------


class Turn(Enum):
    """A place in a cycle, relative to the current member."""

    CURRENT = "current"
    NEXT = "next"
    PREVIOUS = "previous"


@dataclass(frozen=True, slots=True)
class Table(Expression):
    """The game table as an owner."""

    traits = Traits()


@dataclass(frozen=True, slots=True)
class TurnOwner(Expression):
    """The current, next or previous player or team; the kind says which of the two."""

    traits = Traits(reads=StatePart.TURNS)

    turn: Turn


@dataclass(frozen=True, slots=True)
class Numbered(Expression):
    """The player or team that the file calls by this number."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    number: Node


@dataclass(frozen=True, slots=True)
class OwnerOf(Expression):
    """The player whose location holds a card."""

    traits = Traits(may_fail=Failure.POSSIBLE, reads=StatePart.HOLDERS)

    card: Node


@dataclass(frozen=True, slots=True)
class TeamOf(Expression):
    """The team of a player."""

    traits = Traits()

    player: Node


# Cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class End(Expression):
    """The top (last) or bottom (first) card of a location."""

    traits = Traits()

    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Position(Expression):
    """The card at a position of a location, counted from 0 at the bottom."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    index: Node
    location: Node


@dataclass(frozen=True, slots=True)
class BestCard(Expression):
    """The card of a location with the most, or the least, points; ties are broken at random."""

    traits = Traits(may_fail=Failure.POSSIBLE, draws=True)

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Actual(Expression):
    """The real card behind a reference."""

    traits = Traits()

    card: Node


# Locations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Expression):
    """A real location: owner, name, index (0 when left out) and kind."""

    traits = Traits(may_fail=Failure.BY_VALUES, reads=StatePart.CARDS)

    owner: Node
    name: Node
    index: Node | None
    place: LocationKind


class SetOperation(Enum):
    """Ways to combine the cards of several locations."""

    UNION = "union"
    INTERSECT = "intersect"
    DISJUNCTION = "disjunction"


@dataclass(frozen=True, slots=True)
class Combine(Expression):
    """A set operation on locations: several forms, or one that gives a set of locations."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    parts: tuple[Node, ...]
    operation: SetOperation


@dataclass(frozen=True, slots=True)
class Filter(Expression):
    """The items of a collection that pass a test; the kind is that of the collection."""

    traits = Traits(loops=True)

    collection: Node
    variable: Variable
    test: Node


@dataclass(frozen=True, slots=True)
class Element(Expression):
    """An element of a set of locations: a position from the front, or -1 for the last."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    locations: Node
    index: int


@dataclass(frozen=True, slots=True)
class Sequence(Expression):
    """The n topmost cards, topmost first, or the n lowest cards of a location."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    count: Node
    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class EndRun(Expression):
    """The longest run of consecutive points, of at least `least` cards, at an end of a pile."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    least: Node
    location: Node
    points: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Sort(Expression):
    """The cards of a location in ascending order of points."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    location: Node
    points: Node


# Sets of locations and other collections --------------------------------------------------


@dataclass(frozen=True, slots=True)
class EachLocation(Expression):
    """One location for each item of a collection."""

    traits = Traits(loops=True)

    collection: Node
    variable: Variable
    location: Node


@dataclass(frozen=True, slots=True)
class Partition(Expression):
    """Groups of cards with the same value of an attribute, in order of first appearance."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    key: Node
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Subsets(Expression):
    """The subsets of a location, perhaps only those of some size."""

    traits = Traits(may_fail=Failure.POSSIBLE, loops=True)

    location: Node
    size: Node | None
    operator: str


@dataclass(frozen=True, slots=True)
class Runs(Expression):
    """Runs of at least `least` consecutive points: the maximal ones, or all stretches."""

    traits = Traits(may_fail=Failure.POSSIBLE, loops=True)

    least: Node
    location: Node
    points: Node
    every: bool


@dataclass(frozen=True, slots=True)
class Tuples(Expression):
    """All groups of n cards with equal points."""

    traits = Traits(may_fail=Failure.POSSIBLE, loops=True)

    count: Node
    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Indexed(Expression):
    """The locations of one owner, kind and name that have held a card, at any index."""

    traits = Traits(reads=StatePart.CARDS)

    owner: Node
    name: Node
    place: LocationKind


@dataclass(frozen=True, slots=True)
class Everyone(Expression):
    """All players or all teams, or all but the current one."""

    traits = Traits(reads=StatePart.TURNS)

    others: bool = False


@dataclass(frozen=True, slots=True)
class Range(Expression):
    """The integers between two bounds, both included."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class Strings(Expression):
    """A list of names."""

    traits = Traits()

    values: tuple[str, ...]


# Actions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set(Action):
    """Store an integer or a string."""

    traits = Traits(writes=StatePart.STORED, acts=True)

    storage: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Award(Node):
    """Points for the cards whose attributes have these values."""

    traits = Traits()

    keys: tuple[Node, ...]
    values: tuple[Node, ...]
    points: Node


@dataclass(frozen=True, slots=True)
class SetPoints(Action):
    """Store a point map, made of awards."""

    traits = Traits(may_fail=Failure.BY_VALUES, writes=StatePart.STORED, acts=True)

    storage: Node
    awards: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Increase(Action):
    """Add to a stored integer, or subtract from it; by 1 if no amount is given."""

    traits = Traits(may_fail=Failure.BY_VALUES, writes=StatePart.STORED, acts=True)

    storage: Node
    amount: Node | None
    sign: int


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Take a card and put it somewhere."""

    traits = Traits(
        may_fail=Failure.BY_VALUES, writes=StatePart.CARDS | StatePart.HOLDERS, acts=True
    )

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """Exchange the places of two cards, or the contents of two locations."""

    traits = Traits(
        may_fail=Failure.POSSIBLE, writes=StatePart.CARDS | StatePart.HOLDERS, acts=True
    )

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Remember(Action):
    """Put a reference to a card into a memory location."""

    traits = Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Forget(Action):
    """Take a reference out of a memory location."""

    traits = Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)

    card: Node


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """Permute a location at random."""

    traits = Traits(draws=True, writes=StatePart.CARDS, acts=True)

    location: Node


@dataclass(frozen=True, slots=True)
class Cycle(Action):
    """Make a player current at once, or queue a player as the next one."""

    traits = Traits(writes=StatePart.TURNS, acts=True)

    player: Node
    queue: bool


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing, as an option."""

    traits = Traits(acts=True)


@dataclass(frozen=True, slots=True)
class Repeat(Action):
    """Do an action a number of times."""

    traits = Traits(may_fail=Failure.POSSIBLE, loops=True)

    count: Node
    action: Node


@dataclass(frozen=True, slots=True)
class RepeatAll(Action):
    """Do a move, or a forget, once for every card of the location that its card names."""

    traits = Traits(may_fail=Failure.POSSIBLE, loops=True)

    action: Node


# Steps, blocks and stages -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Do(Control):
    """Steps, in order."""

    traits = Traits()

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class When(Control):
    """A step that happens only if a test holds."""

    traits = Traits()

    test: Node
    body: Node


@dataclass(frozen=True, slots=True)
class ForEach(Control):
    """A step for every item of a collection; with `choose`, for one of them as an option."""

    traits = Traits(loops=True)

    collection: Node
    variable: Variable
    body: Node
    choose: bool


@dataclass(frozen=True, slots=True)
class Let(Control):
    """A step with a value bound to a variable; it is an error to bind no card."""

    traits = Traits(may_fail=Failure.BY_VALUES)

    value: Node
    variable: Variable
    body: Node


@dataclass(frozen=True, slots=True)
class Choice(Control):
    """A decision of the current player among the options that the steps give."""

    traits = Traits(may_fail=Failure.POSSIBLE)

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Stage(Control):
    """Turns of a player or team cycle until a condition holds between two turns."""

    traits = Traits(may_fail=Failure.POSSIBLE, reads=StatePart.TURNS, writes=StatePart.TURNS)

    end: Node
    items: tuple[Node, ...]
    team: bool


@dataclass(frozen=True, slots=True)
class Fork(Control):
    """An item of the game or of a stage if a test holds, and perhaps another if it does not.

    The test is made once, when play comes to it. No cycle and no block is begun by it.
    """

    traits = Traits()

    test: Node
    item: Node
    otherwise: Node | None = None

    @property
    def ways(self) -> tuple[Node, ...]:
        """The items of which one may be played."""
        return (self.item,) if self.otherwise is None else (self.item, self.otherwise)


_OPERANDS: dict[type[Node], tuple[str, ...]] = {}


def operands(node: Node) -> tuple[str, ...]:
    """Return the names of a node's fields beyond its kind of value and its place."""
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


def items_within(items: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the items of a block, and instead of a fork the items of which it plays one."""
    for item in items:
        if isinstance(item, Fork):
            yield from items_within(item.ways)
        else:
            yield item


CARDLESS: tuple[type[Node], ...] = (
    Number, NumberOf, Text, Strings, Range, Storage,
    Table, TurnOwner, Numbered, OwnerOf, TeamOf, Everyone,
)  # fmt: skip
"""Forms that give no cards and read none but through their operands."""


def binds(node: Node) -> Variable | None:
    """Return the variable that a form binds for its operands, if it binds one."""
    variable = getattr(node, "variable", None)
    return variable if isinstance(variable, Variable) else None


def unfiltered(collection: Node) -> Node:
    """Return what a collection is filtered from; the collection itself, if it is not."""
    while isinstance(collection, Filter):
        collection = collection.collection
    return collection


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, outermost first."""
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        # As `children` does, but without its generator: this is where checking takes longest.
        below: list[Node] = []
        for name in operands(found):
            value = getattr(found, name)
            if isinstance(value, Node):
                below.append(value)
            elif isinstance(value, tuple):
                below += [item for item in value if isinstance(item, Node)]
        below.reverse()
        pending += below


def writes(node: Node) -> StatePart:
    """Return which parts of the game state a form may change, with everything below it."""
    found = StatePart.NOTHING
    for inner in walk(node):
        found |= inner.traits.writes
    return found


def conceals(node: Node) -> bool:
    """Return whether a form itself names cards that are not visible to all.

    A form that reads cards without saying from which kind of location may read any.
    """
    if not node.traits.reads & StatePart.CARDS:
        return False
    return getattr(node, "place", None) not in OPEN_KINDS
