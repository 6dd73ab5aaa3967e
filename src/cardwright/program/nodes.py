"""Typed nodes: the program once every form is understood.

Every node is frozen, knows its kind and its place in the source, and holds its operands in the
order in which they are written. Variables are resolved to slots, declared constants to their
values. `children` lets one walk serve every pass.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

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
    Failure.POSSIBLE,
    draws=True,
    reads=StatePart.EVERYTHING,
    writes=StatePart.EVERYTHING,
    loops=True,
)

PURE = Traits()
"""A form that only gives a value: it cannot fail, draw, or read what changes."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Node:
    """A form that is understood: the kind of value it gives, and its place.

    `traits` says what engines and analyses must expect when a form is evaluated. A class that does
    not say may do anything.
    """

    traits: ClassVar[Traits] = ANY_TRAITS
    operand_names: ClassVar[tuple[str, ...]] = ()
    """The names of the fields beyond the kind of value and the place."""

    kind: ValueKind
    span: Span

    def __init_subclass__(cls, traits: Traits | None = None) -> None:
        if traits is not None:
            cls.traits = traits
        dataclass(frozen=True)(cls)
        cls.operand_names = tuple(field.name for field in fields(cls)[2:])


class Expression(Node):
    """A form that gives a value: an integer, a string, an owner, a card or a collection."""


class IntegerExpression(Expression):
    """A form that gives an integer; an analysis that does not know it takes it for any."""


class Condition(Expression):
    """A form that holds or does not."""


class Action(Node):
    """A form that changes the game state."""


class Control(Node):
    """A form that says which steps happen, in which order and how often."""


class ErrorNode(Node):
    """A form with a reported error; it fits everywhere, so that one mistake gives one message."""


class Variable(Expression, traits=PURE):
    """A variable: the slot that holds its value, and its name for people."""

    slot: int
    name: str


# Integers ---------------------------------------------------------------------------------


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


class Arithmetic(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """An operator applied to two operands, or to more from left to right."""

    operands: tuple[Node, ...]
    operator: Operator


class Triangle(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The sum of the integers from 1 to n."""

    number: Node


class Fibonacci(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The n-th Fibonacci number, counted from fib 0 = 0."""

    number: Node


class Random(IntegerExpression, traits=Traits(may_fail=Failure.POSSIBLE, draws=True)):
    """A uniform integer between two bounds, both included; without `high`, from 0 to `low`."""

    low: Node
    high: Node | None


class Size(IntegerExpression, traits=PURE):
    """The number of items of a collection."""

    collection: Node


class Score(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The points of one card."""

    card: Node
    points: Node


class Sum(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The points of all cards of a location, added up."""

    location: Node
    points: Node


class ExtremeScore(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The largest or smallest points among the cards of a location."""

    location: Node
    points: Node
    highest: bool


class Total(IntegerExpression, traits=Traits(may_fail=Failure.BY_VALUES, loops=True)):
    """An integer added up over the items of a collection."""

    collection: Node
    variable: Variable
    value: Node


class NumberOf(IntegerExpression, traits=PURE):
    """The number by which a file calls a player or a team (`pid`, `tid`)."""

    owner: Node


# Strings and storages ---------------------------------------------------------------------


class Text(Expression, traits=PURE):
    """A name written out."""

    value: str


class Attribute(Expression, traits=PURE):
    """The value of a card's attribute, or the empty string."""

    key: Node
    card: Node


class StorageKind(Enum):
    """The three namespaces of stored values that every owner has."""

    INTEGER = "sto"
    STRING = "str"
    POINTS = "points"


class Storage(Expression, traits=Traits(reads=StatePart.STORED)):
    """A stored value: an integer, a string or a point map of an owner, under a name."""

    owner: Node
    name: Node
    storage: StorageKind


# Conditions -------------------------------------------------------------------------------


class Truth(Condition, traits=PURE):
    """A condition that is known before the game."""

    value: bool


class Logic(Condition, traits=PURE):
    """Conjunction (`every`) or disjunction of conditions, from left to right, short-circuit."""

    tests: tuple[Node, ...]
    every: bool


class Not(Condition, traits=PURE):
    """The opposite of a condition."""

    test: Node


class Compare(Condition, traits=PURE):
    """An order between two integers: one of < > <= >=."""

    left: Node
    right: Node
    operator: str


class Equal(Condition, traits=PURE):
    """Equality of two values of one kind; cards, players and teams by identity."""

    left: Node
    right: Node
    negated: bool


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


class Table(Expression, traits=PURE):
    """The game table as an owner."""


class TurnOwner(Expression, traits=Traits(reads=StatePart.TURNS)):
    """The current, next or previous player or team; the kind says which of the two."""

    turn: Turn


class Numbered(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The player or team that the file calls by this number."""

    number: Node


class OwnerOf(Expression, traits=Traits(may_fail=Failure.POSSIBLE, reads=StatePart.HOLDERS)):
    """The player whose location holds a card."""

    card: Node


class TeamOf(Expression, traits=PURE):
    """The team of a player."""

    player: Node


# Cards ------------------------------------------------------------------------------------


class End(Expression, traits=PURE):
    """The top (last) or bottom (first) card of a location."""

    location: Node
    top: bool


class Position(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The card at a position of a location, counted from 0 at the bottom."""

    index: Node
    location: Node


class BestCard(Expression, traits=Traits(may_fail=Failure.POSSIBLE, draws=True)):
    """The card of a location with the most, or the least, points; ties are broken at random."""

    location: Node
    points: Node
    highest: bool


class Actual(Expression, traits=PURE):
    """The real card behind a reference."""

    card: Node


# Locations --------------------------------------------------------------------------------


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


class Combine(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """A set operation on locations: several forms, or one that gives a set of locations."""

    parts: tuple[Node, ...]
    operation: SetOperation


class Filter(Expression, traits=Traits(loops=True)):
    """The items of a collection that pass a test; the kind is that of the collection."""

    collection: Node
    variable: Variable
    test: Node


class Element(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """An element of a set of locations: a position from the front, or -1 for the last."""

    locations: Node
    index: int


class Sequence(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The n topmost cards, topmost first, or the n lowest cards of a location."""

    count: Node
    location: Node
    top: bool


class EndRun(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The longest run of consecutive points, of at least `least` cards, at an end of a pile."""

    least: Node
    location: Node
    points: Node
    top: bool


class Sort(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """The cards of a location in ascending order of points."""

    location: Node
    points: Node


# Sets of locations and other collections --------------------------------------------------


class EachLocation(Expression, traits=Traits(loops=True)):
    """One location for each item of a collection."""

    collection: Node
    variable: Variable
    location: Node


class Partition(Expression, traits=Traits(may_fail=Failure.POSSIBLE)):
    """Groups of cards with the same value of an attribute, in order of first appearance."""

    key: Node
    parts: tuple[Node, ...]


class Subsets(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """The subsets of a location, perhaps only those of some size."""

    location: Node
    size: Node | None
    operator: str


class Runs(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Runs of at least `least` consecutive points: the maximal ones, or all stretches."""

    least: Node
    location: Node
    points: Node
    every: bool


class Tuples(Expression, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """All groups of n cards with equal points."""

    count: Node
    location: Node
    points: Node


class Indexed(Expression, traits=Traits(reads=StatePart.CARDS)):
    """The locations of one owner, kind and name that have held a card, at any index."""

    owner: Node
    name: Node
    place: LocationKind


class Everyone(Expression, traits=Traits(reads=StatePart.TURNS)):
    """All players or all teams, or all but the current one."""

    others: bool = False


class Range(Expression, traits=Traits(may_fail=Failure.BY_VALUES)):
    """The integers between two bounds, both included."""

    low: Node
    high: Node


class Strings(Expression, traits=PURE):
    """A list of names."""

    values: tuple[str, ...]


# Actions ----------------------------------------------------------------------------------


_STORES = Traits(Failure.BY_VALUES, writes=StatePart.STORED, acts=True)
_MOVES = Traits(Failure.BY_VALUES, writes=StatePart.CARDS | StatePart.HOLDERS, acts=True)


class Set(Action, traits=_STORES._replace(may_fail=Failure.NEVER)):
    """Store an integer or a string."""

    storage: Node
    value: Node


class Award(Node, traits=PURE):
    """Points for the cards whose attributes have these values."""

    keys: tuple[Node, ...]
    values: tuple[Node, ...]
    points: Node


class SetPoints(Action, traits=_STORES):
    """Store a point map, made of awards."""

    storage: Node
    awards: tuple[Node, ...]


class Increase(Action, traits=_STORES):
    """Add to a stored integer, or subtract from it; by 1 if no amount is given."""

    storage: Node
    amount: Node | None
    sign: int


class Move(Action, traits=_MOVES):
    """Take a card and put it somewhere."""

    card: Node
    target: Node


class Swap(Action, traits=_MOVES._replace(may_fail=Failure.POSSIBLE)):
    """Exchange the places of two cards, or the contents of two locations."""

    left: Node
    right: Node


class Remember(Action, traits=Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)):
    """Put a reference to a card into a memory location."""

    card: Node
    target: Node


class Forget(Action, traits=Traits(may_fail=Failure.POSSIBLE, writes=StatePart.CARDS, acts=True)):
    """Take a reference out of a memory location."""

    card: Node


class Shuffle(Action, traits=Traits(draws=True, writes=StatePart.CARDS, acts=True)):
    """Permute a location at random."""

    location: Node


class Cycle(Action, traits=Traits(writes=StatePart.TURNS, acts=True)):
    """Make a player current at once, or queue a player as the next one."""

    player: Node
    queue: bool


class Pass(Action, traits=Traits(acts=True)):
    """Do nothing, as an option."""


class Repeat(Action, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Do an action a number of times."""

    count: Node
    action: Node


class RepeatAll(Action, traits=Traits(may_fail=Failure.POSSIBLE, loops=True)):
    """Do a move, or a forget, once for every card of the location that its card names."""

    action: Node


# Steps, blocks and stages -----------------------------------------------------------------


class Do(Control, traits=PURE):
    """Steps, in order."""

    steps: tuple[Node, ...]


class When(Control, traits=PURE):
    """A step that happens only if a test holds."""

    test: Node
    body: Node


class ForEach(Control, traits=Traits(loops=True)):
    """A step for every item of a collection; with `choose`, for one of them as an option."""

    collection: Node
    variable: Variable
    body: Node
    choose: bool


class Let(Control, traits=Traits(may_fail=Failure.BY_VALUES)):
    """A step with a value bound to a variable; it is an error to bind no card."""

    value: Node
    variable: Variable
    body: Node


class Choice(Control, traits=Traits(may_fail=Failure.POSSIBLE)):
    """A decision of the current player among the options that the steps give."""

    steps: tuple[Node, ...]


class Stage(
    Control,
    traits=Traits(may_fail=Failure.POSSIBLE, reads=StatePart.TURNS, writes=StatePart.TURNS),
):
    """Turns of a player or team cycle until a condition holds between two turns."""

    end: Node
    items: tuple[Node, ...]
    team: bool


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


def children(node: Node) -> list[Node]:
    """Return the nodes that a node directly holds, in order."""
    children: list[Node] = []
    for name in node.operand_names:
        value = getattr(node, name)
        if isinstance(value, Node):
            children.append(value)
        elif isinstance(value, tuple):
            children += [item for item in value if isinstance(item, Node)]
    return children


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node with its operands changed; the very same one if none of them is another."""
    changed: dict[str, Any] = {}
    for name in node.operand_names:
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
    return getattr(node, "variable", None)


def links(step: Node) -> tuple[list[When | Let | ForEach], Node]:
    """Split a step of a choice into its tests, `let`s and `any`s before it acts, and the rest."""
    links: list[When | Let | ForEach] = []
    while True:
        match step:
            case When() | Let() | ForEach(choose=True):
                links.append(step)
                step = step.body
            case Do(steps=(only,)):
                step = only
            case _:
                return links, step


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
        case Combine() | Partition():
            return node.parts
        case Filter():
            return (node.collection,)
        case Element():
            return (node.locations,)
        case (
            EachLocation() | End() | Position() | BestCard() | Sequence() | EndRun() | Sort()
            | Subsets() | Runs() | Tuples()
        ):  # fmt: skip
            return (node.location,)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, outermost first."""
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        pending += children(found)[::-1]


def draws(node: Node) -> bool:
    """Return whether a form, or anything below it, may draw from the game's stream."""
    return any(inner.traits.draws for inner in walk(node))


def writes(node: Node) -> StatePart:
    """Return which parts of the game state a form may change, with everything below it."""
    parts = StatePart.NOTHING
    for inner in walk(node):
        parts |= inner.traits.writes
    return parts


# Keys of forms: equal for forms that mean the same, anywhere in the source ---------------------


def form_key(form: object, variable: Callable[[Variable], Hashable]) -> Hashable:
    """Return a key of a form, or of one of its operands, given the keys of variables."""
    if isinstance(form, Variable):
        return "variable", variable(form), form.kind
    if isinstance(form, Node):
        operands = (form_key(getattr(form, name), variable) for name in form.operand_names)
        return type(form).__name__, form.kind, *operands
    if isinstance(form, tuple):
        return tuple(form_key(item, variable) for item in form)
    return type(form).__name__, form


def key(node: Node, *slots: int) -> Hashable:
    """Return a key of a form; variables are numbered as they occur, those of `slots` first."""
    numbers = {slot: at for at, slot in enumerate(slots)}
    return form_key(node, lambda variable: numbers.setdefault(variable.slot, len(numbers)))


def written(node: Node) -> Hashable:
    """Return a key of a form that is equal for equal texts."""
    return form_key(node, lambda variable: variable.name)


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
