"""Typed nodes: the program once every form is understood.

Every node is frozen, knows its kind and its place in the source, and holds its operands in the
order in which they are written. Variables are resolved to slots, declared constants to their
values. `children` lets one walk serve every pass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.program.cards import LocationKind
    from cardwright.program.kinds import ValueKind
    from cardwright.syntax.source import Span


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


ANY_TRAITS = Traits(
    may_fail=Failure.POSSIBLE,
    draws=True,
    reads=StatePart.EVERYTHING,
    writes=StatePart.EVERYTHING,
    loops=True,
    acts=False,
)

PURE = Traits()
"""A form that only gives a value: it cannot fail, draw, or read what changes."""


@dataclass(frozen=True, slots=True)
class Node:
    """A form that is understood: the kind of value it gives, and its place.

    `traits` says what engines and analyses must expect when a form is evaluated. A class that does
    not say may do anything.
    """

    traits: ClassVar[Traits] = ANY_TRAITS

    kind: ValueKind
    span: Span

    def __init_subclass__(cls, traits: Traits | None = None) -> None:
        # Called a second time, without arguments, for the class that slots make.
        if traits is not None:
            cls.traits = traits


@dataclass(frozen=True, slots=True)
class Expression(Node):
    """A form that gives a value: an integer, a string, an owner, a card or a collection."""


@dataclass(frozen=True, slots=True)
class IntegerExpression(Expression):
    """A form that gives an integer; an analysis that does not know it takes it for any."""


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
class ErrorNode(Node):
    """A form with a reported error; it fits everywhere, so that one mistake gives one message."""


@dataclass(frozen=True, slots=True)
class Variable(Expression, traits=PURE):
    """A variable: the slot that holds its value, and its name for people."""

    slot: int
    name: str


# Integers ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Expression, traits=PURE):
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
    MAXIMUM = "max"
    MINIMUM = "min"


@dataclass(frozen=True, slots=True)
class Arithmetic(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """An operator applied to two operands, or to more from left to right."""

    operands: tuple[Node, ...]
    operator: Operator


@dataclass(frozen=True, slots=True)
class Triangle(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The sum of the integers from 1 to n."""

    number: Node


@dataclass(frozen=True, slots=True)
class Fibonacci(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The n-th Fibonacci number, counted from fib 0 = 0."""

    number: Node


@dataclass(frozen=True, slots=True)
class Random(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE, draws=True)):
    """A uniform integer between two bounds, both included; without `high`, from 0 to `low`."""

    low: Node
    high: Node | None


@dataclass(frozen=True, slots=True)
class Size(IntegerExpression, traits=PURE):
    """The number of items of a collection."""

    collection: Node


@dataclass(frozen=True, slots=True)
class Score(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The points of one card."""

    card: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Sum(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The points of all cards of a location, added up."""

    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class ExtremeScore(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The largest or smallest points among the cards of a location."""

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Total(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES, loops=True)):
    """An integer added up over the items of a collection."""

    collection: Node
    variable: Variable
    value: Node


@dataclass(frozen=True, slots=True)
class NumberOf(IntegerExpression, traits=PURE):
    """The number by which a file calls a player or a team (`pid`, `tid`)."""

    owner: Node


# Strings and storages ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Expression, traits=PURE):
    """A name written out."""

    value: str


@dataclass(frozen=True, slots=True)
class Attribute(Expression, traits=PURE):
    """The value of a card's attribute, or the empty string."""

    key: Node
    card: Node


class StorageKind(Enum):
    """The three namespaces of stored values that every owner has."""

    INTEGER = "sto"
    STRING = "str"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Storage(Expression, traits=Traits(reads=StatePart.STORED)):
    """A stored value: an integer, a string or a point map of an owner, under a name."""

    owner: Node
    name: Node
    storage: StorageKind


# Conditions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth(Condition, traits=PURE):
    """A condition that is known before the game."""

    value: bool


@dataclass(frozen=True, slots=True)
class Logic(Condition, traits=PURE):
    """Conjunction (`every`) or disjunction of conditions, from left to right, short-circuit."""

    tests: tuple[Node, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class Not(Condition, traits=PURE):
    """The opposite of a condition."""

    test: Node


@dataclass(frozen=True, slots=True)
class Compare(Condition, traits=PURE):
    """An order between two integers: one of < > <= >=."""

    left: Node
    right: Node
    operator: str


@dataclass(frozen=True, slots=True)
class Equal(Condition, traits=PURE):
    """Equality of two values of one kind; cards, players and teams by identity."""

    left: Node
    right: Node
    negated: bool


@dataclass(frozen=True, slots=True)
class Quantifier(Condition, traits=Traits(loops=True)):
    """Whether a condition holds for every item, or for any, of a collection; short-circuit."""

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
class Table(Expression, traits=PURE):
    """The game table as an owner."""


@dataclass(frozen=True, slots=True)
class TurnOwner(Expression, traits=Traits(reads=StatePart.TURNS)):
    """The current, next or previous player or team; the kind says which of the two."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Numbered(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The player or team that the file calls by this number."""

    number: Node


@dataclass(frozen=True, slots=True)
class OwnerOf(Expression, traits=Traits(may_fail=Failure.POSSIBLE, reads=StatePart.HOLDERS)):
    """The player whose location holds a card."""

    card: Node


@dataclass(frozen=True, slots=True)
class TeamOf(Expression, traits=PURE):
    """The team of a player."""

    player: Node


# Cards ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class End(Expression, traits=PURE):
    """The top (last) or bottom (first) card of a location."""

    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Position(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The card at a position of a location, counted from 0 at the bottom."""

    index: Node
    location: Node


@dataclass(frozen=True, slots=True)
class BestCard(Expression, traits=Traits(may_fail=Failure.POSSIBLE, draws=True)):
    """The card of a location with the most, or the least, points; ties are broken at random."""

    location: Node
    points: Node
    highest: bool


@dataclass(frozen=True, slots=True)
class Actual(Expression, traits=PURE):
    """The real card behind a reference."""

    card: Node


# Locations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Expression, traits=Traits(may_fail=Failure.BY_VALUES, reads=StatePart.CARDS)):
    """A real location: owner, name, index (0 when left out) and kind."""

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
class Combine(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """A set operation on locations: several forms, or one that gives a set of locations."""

    parts: tuple[Node, ...]
    operation: SetOperation


@dataclass(frozen=True, slots=True)
class Filter(Expression, traits=Traits(loops=True)):
    """The items of a collection that pass a test; the kind is that of the collection."""

    collection: Node
    variable: Variable
    test: Node


@dataclass(frozen=True, slots=True)
class Element(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """An element of a set of locations: a position from the front, or -1 for the last."""

    locations: Node
    index: int


@dataclass(frozen=True, slots=True)
class Sequence(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The n topmost cards, topmost first, or the n lowest cards of a location."""

    count: Node
    location: Node
    top: bool


@dataclass(frozen=True, slots=True)
class EndRun(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The longest run of consecutive points, of at least `least` cards, at an end of a pile."""

    least: Node
    location: Node
    points: Node
    top: bool


@dataclass(frozen=True, slots=True)
class Sort(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The cards of a location in ascending order of points."""

    location: Node
    points: Node


# Sets of locations and other collections --------------------------------------------------


@dataclass(frozen=True, slots=True)
class EachLocation(Expression, traits=Traits(loops=True)):
    """One location for each item of a collection."""

    collection: Node
    variable: Variable
    location: Node


@dataclass(frozen=True, slots=True)
class Partition(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """Groups of cards with the same value of an attribute, in order of first appearance."""

    key: Node
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Subsets(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """The subsets of a location, perhaps only those of some size."""

    location: Node
    size: Node | None
    operator: str


@dataclass(frozen=True, slots=True)
class Runs(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Runs of at least `least` consecutive points: the maximal ones, or all stretches."""

    least: Node
    location: Node
    points: Node
    every: bool


@dataclass(frozen=True, slots=True)
class Tuples(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """All groups of n cards with equal points."""

    count: Node
    location: Node
    points: Node


@dataclass(frozen=True, slots=True)
class Indexed(Expression, traits=Traits(reads=StatePart.CARDS)):
    """The locations of one owner, kind and name that have held a card, at any index."""

    owner: Node
    name: Node
    place: LocationKind


@dataclass(frozen=True, slots=True)
class Everyone(Expression, traits=Traits(reads=StatePart.TURNS)):
    """All players or all teams, or all but the current one."""

    others: bool = False


@dataclass(frozen=True, slots=True)
class Range(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The integers between two bounds, both included."""

    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class Strings(Expression, traits=PURE):
    """A list of names."""

    values: tuple[str, ...]


# Actions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set(Action, traits=Traits(writes=StatePart.STORED, acts=True)):
    """Store an integer or a string."""

    storage: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Award(Node, traits=PURE):
    """Points for the cards whose attributes have these values."""

    keys: tuple[Node, ...]
    values: tuple[Node, ...]
    points: Node


@dataclass(frozen=True, slots=True)
class SetPoints(
    Action,
    traits=Traits(may_fail=Failure.BY_VALUES, writes=StatePart.STORED, acts=True),
):
    """Store a point map, made of awards."""

    storage: Node
    awards: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Increase(
    Action,
    traits=Traits(may_fail=Failure.BY_VALUES, writes=StatePart.STORED, acts=True),
):
    """Add to a stored integer, or subtract from it; by 1 if no amount is given."""

    storage: Node
    amount: Node | None
    sign: int


@dataclass(frozen=True, slots=True)
class Move(
    Action,
    traits=Traits(
        may_fail=Failure.BY_VALUES, writes=StatePart.CARDS | StatePart.HOLDERS, acts=True
    ),
):
    """Take a card and put it somewhere."""

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Swap(
    Action,
    traits=Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS | StatePart.HOLDERS, acts=True),
):
    """Exchange the places of two cards, or the contents of two locations."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Remember(Action, traits=Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)):
    """Put a reference to a card into a memory location."""

    card: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Forget(Action, traits=Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)):
    """Take a reference out of a memory location."""

    card: Node


@dataclass(frozen=True, slots=True)
class Shuffle(Action, traits=Traits(draws=True, writes=StatePart.CARDS, acts=True)):
    """Permute a location at random."""

    location: Node


@dataclass(frozen=True, slots=True)
class Cycle(Action, traits=Traits(writes=StatePart.TURNS, acts=True)):
    """Make a player current at once, or queue a player as the next one."""

    player: Node
    queue: bool


@dataclass(frozen=True, slots=True)
class Pass(Action, traits=Traits(acts=True)):
    """Do nothing, as an option."""


@dataclass(frozen=True, slots=True)
class Repeat(Action, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Do an action a number of times."""

    count: Node
    action: Node


@dataclass(frozen=True, slots=True)
class RepeatAll(Action, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Do a move, or a forget, once for every card of the location that its card names."""

    action: Node


# Steps, blocks and stages -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Do(Control, traits=PURE):
    """Steps, in order."""

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class When(Control, traits=PURE):
    """A step that happens only if a test holds."""

    test: Node
    body: Node


@dataclass(frozen=True, slots=True)
class ForEach(Control, traits=Traits(loops=True)):
    """A step for every item of a collection; with `choose`, for one of them as an option."""

    collection: Node
    variable: Variable
    body: Node
    choose: bool


@dataclass(frozen=True, slots=True)
class Let(Control, traits=Traits(may_fail=Failure.BY_VALUES)):
    """A step with a value bound to a variable; it is an error to bind no card."""

    value: Node
    variable: Variable
    body: Node


@dataclass(frozen=True, slots=True)
class Choice(Control, traits=Traits(may_fail=Failure.POSSIBLE)):
    """A decision of the current player among the options that the steps give."""

    steps: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Stage(
    Control,
    traits=Traits(may_fail=Failure.POSSIBLE, reads=StatePart.TURNS, writes=StatePart.TURNS),
):
    """Turns of a player or team cycle until a condition holds between two turns."""

    end: Node
    items: tuple[Node, ...]
    team: bool


@dataclass(frozen=True, slots=True)
class Fork(Control, traits=PURE):
    """An item of the game or of a stage if a test holds, and perhaps another if it does not.

    The test is made once, when play comes to it. No cycle and no block is begun by it.
    """

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


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node with its operands changed; the very same one if none of them is another."""
    changed: dict[str, Any] = {}
    for name in operands(node):
        old = new = getattr(node, name)
        if isinstance(old, Node):
            new = change(old)
        elif isinstance(old, tuple):
            parts = [change(item) if isinstance(item, Node) else item for item in old]
            if any(part is not item for part, item in zip(parts, old, strict=True)):
                new = tuple(parts)
        if new is not old:
            changed[name] = new
    return replace(node, **changed) if changed else node


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


def links(step: Node) -> tuple[list[When | Let | ForEach], Node]:
    """Split a step of a choice into its tests, `let`s and `any`s before it acts, and the rest."""
    found: list[When | Let | ForEach] = []
    while True:
        match step:
            case When() | Let() | ForEach(choose=True):
                found.append(step)
                step = step.body
            case Do(steps=(only,)):
                step = only
            case _:
                return found, step


def bound_form(binder: Node) -> Node:
    """Return what the variable of a form denotes, or over which collection it iterates."""
    bound: Node = getattr(binder, "value" if isinstance(binder, Let) else "collection")
    return bound


def evaluated(link: When | Let | ForEach) -> Node:
    """Return what a step evaluates before its body."""
    return link.test if isinstance(link, When) else bound_form(link)


def unfiltered(collection: Node) -> Node:
    """Return what a collection is filtered from; the collection itself, if it is not."""
    while isinstance(collection, Filter):
        collection = collection.collection
    return collection


def unwrapped(card: Node) -> Node:
    """Return the form of a card without the `actual` around it."""
    while isinstance(card, Actual):
        card = card.card
    return card


def card_sources(node: Node) -> tuple[Node, ...]:
    """Return the forms from whose cards a form takes its own; none for any other form."""
    match node:
        case Combine(parts=parts) | Partition(parts=parts):
            return parts
        case Filter(collection=inner) | EachLocation(location=inner):
            return (inner,)
        case Element(locations=inner):
            return (inner,)
        case (
            End(location=inner)
            | Position(location=inner)
            | BestCard(location=inner)
            | Sequence(location=inner)
            | EndRun(location=inner)
            | Sort(location=inner)
            | Subsets(location=inner)
            | Runs(location=inner)
            | Tuples(location=inner)
        ):
            return (inner,)
    return ()


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


def draws(node: Node) -> bool:
    """Return whether a form, or anything below it, may draw from the game's stream."""
    return any(inner.traits.draws for inner in walk(node))


def writes(node: Node) -> StatePart:
    """Return which parts of the game state a form may change, with everything below it."""
    found = StatePart.NOTHING
    for inner in walk(node):
        found |= inner.traits.writes
    return found


# The forms by what they give: a `match` that ends with `assert_never` handles every one ---------

IntegerForm: TypeAlias = (
    Variable | Number | Arithmetic | Triangle | Fibonacci | Random | Size | Score | Sum
    | ExtremeScore | Total | NumberOf | Storage
)  # fmt: skip
StringForm: TypeAlias = Variable | Text | Attribute | Storage
ConditionForm: TypeAlias = Variable | Truth | Logic | Not | Compare | Equal | Quantifier
PlayerForm: TypeAlias = Variable | TurnOwner | Numbered | OwnerOf
TeamForm: TypeAlias = Variable | TurnOwner | Numbered | TeamOf
CardForm: TypeAlias = Variable | End | Position | BestCard | Actual
LocationForm: TypeAlias = (
    Variable | Place | Combine | Filter | Element | Sequence | EndRun | Sort
)  # fmt: skip
LocationsForm: TypeAlias = (
    Variable | Filter | EachLocation | Partition | Subsets | Runs | Tuples | Indexed
)  # fmt: skip
ListForm: TypeAlias = Variable | Filter | Everyone | Range | Strings
ActionForm: TypeAlias = (
    Set | SetPoints | Increase | Move | Swap | Remember | Forget | Shuffle | Cycle | Pass | Repeat
    | RepeatAll
)  # fmt: skip
StepForm: TypeAlias = Do | When | ForEach | Let
