"""What is known about the evaluation of a program's forms before it runs.

All answers are conservative: bounds may be too wide, `draws` and `fails` may say yes where nothing
ever happens, and None means unknown. They decide where the compiler may change the order in which
things are evaluated. No state is looked at: what holds, holds in every state of every game, which
is what tells this from `cardwright.program.abstract_state`.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.program import integers, nodes as n
from cardwright.program.abstract_state import ANY_INTEGER, ZERO, Interval, applied, hull
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS
from cardwright.program.nodes import Failure, StatePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.program.program import Program

LONGEST = 1 << 20
"""No collection has more items than this; sums over collections are bounded by it."""

_ALL_KINDS = frozenset(LocationKind)
_HOLDING = {ValueKind.CARD, ValueKind.LOCATION, ValueKind.LOCATIONS}
_FEW = 64
"""Most values that an integer or a string is tracked for."""

_MOST_STEP = 1 << 12
_DRIFT = 1 << 60
"""How far a stored integer can go by additions of at most `_MOST_STEP`: further would take days of
nothing else, even at a billion of them a second."""

_ANYTHING = "it can be any integer of the language"
_OWNER = "an owner is neither a bounded value nor a location"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never analysed",
    n.Action: "it gives no value",
    n.Control: "it gives no value",
    n.Award: "it is handled where a point map is bounded",
    n.Condition: "conditions are only asked whether they may fail",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.Total: _ANYTHING,
    n.Table: _OWNER,
    n.TurnOwner: _OWNER,
    n.Numbered: _OWNER,
    n.OwnerOf: _OWNER,
    n.TeamOf: _OWNER,
    n.Everyone: _OWNER,
    n.Actual: "the real card behind a reference may lie anywhere",
    n.Range: "its items are bounded where a variable iterates over them",
}
"""The classes of nodes about whose values nothing is known, with the reason."""


class EffectAnalysis:
    """What is known about the forms of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.binders = program.binders
        self.points_sites = [node for node in program.nodes() if isinstance(node, n.SetPoints)]
        self._bounding: set[int] = set()
        self._follows = True
        self._stored: dict[tuple[str, ...] | None, Interval] = {}
        self._draws: dict[int, bool] = {}
        self._fails: dict[int, bool] = {}
        self._kept: list[n.Node] = []

    def _is_let(self, variable: n.Variable) -> bool:
        return isinstance(self.binders[variable.slot], n.Let)

    # Values -------------------------------------------------------------------------------

    def bounds(self, node: n.Node) -> Interval:
        """Return bounds of an integer form."""
        match node:
            case n.Storage(storage=n.StorageKind.INTEGER) if self._follows:
                return self.stored_bounds(self.strings(node.name))
            case n.Number(value=value):
                return Interval(value, value)
            case n.Variable(slot=slot):
                return self.item_bounds(self.binders[slot])
            case n.Size():
                return Interval(0, LONGEST)
            case n.NumberOf():
                return Interval(0, self.program.players + 1)
            case n.Arithmetic():
                return self.arithmetic_bounds(node) or ANY_INTEGER
            case n.Random(low=low, high=high):
                first = ZERO if high is None else self.bounds(low)
                return Interval(first.low, max(first.low, self.bounds(high or low).high))
            case n.Score() | n.Sum() | n.ExtremeScore():
                worth = self.points_bound(node.points)
                if worth is None:
                    return ANY_INTEGER
                if isinstance(node, n.ExtremeScore):
                    return Interval(min(-worth, -1), max(worth, 2**31 - 1))
                times = LONGEST if isinstance(node, n.Sum) else 1
                return Interval(-worth * times, worth * times)
        return ANY_INTEGER

    def item_bounds(self, binder: n.Node) -> Interval:
        """Return bounds of the integer in the variable that a form binds."""
        if isinstance(binder, n.Let):
            return self.bounds(binder.value)
        collection = n.unfiltered(getattr(binder, "collection", binder))
        if isinstance(collection, n.Range):
            first, last = self.bounds(collection.low).low, self.bounds(collection.high).high
            return Interval(first, max(first, last))  # of no values at all, any bounds hold
        return ANY_INTEGER

    def arithmetic_bounds(self, node: n.Arithmetic) -> Interval | None:
        """Return the bounds of a sum, difference, product or remainder; None if it may fail."""
        first, *rest = map(self.bounds, node.operands)
        for operand in rest:
            result = applied(node.operator, first, operand)
            if result is None or not result.fits:
                return None
            first = result
        return first

    def points_bound(self, storage: n.Node) -> int | None:
        """Return a bound on any card's points under a point map; None if it may exceed 64 bits."""
        worst = 0
        for site in self.sites_of(storage):
            if id(site) in self._bounding:
                return None  # its points are computed from its own map
            self._bounding.add(id(site))
            points = [award.points for award in site.awards if isinstance(award, n.Award)]
            worst = max(worst, sum(self.bounds(each).size for each in points))
            self._bounding.remove(id(site))
        return worst if worst * LONGEST <= integers.LARGEST else None

    def sites_of(self, storage: n.Node) -> list[n.SetPoints]:
        """Return the forms that may have set a point map."""
        assert isinstance(storage, n.Storage)
        names = self.strings(storage.name)
        return [site for site in self.points_sites if self._may_be(site.storage, names)]

    def _may_be(self, storage: n.Node, names: tuple[str, ...] | None) -> bool:
        assert isinstance(storage, n.Storage)
        own = self.strings(storage.name)
        return own is None or names is None or bool(set(own) & set(names))

    def stored_bounds(self, names: tuple[str, ...] | None) -> Interval:
        """Return bounds of the integers stored under some names, by what is ever put there.

        What is put there is bounded without looking at other stored integers.
        """
        if names not in self._stored:
            with self._without_stored():
                self._stored[names] = self._written(names)
        return self._stored[names]

    def _written(self, names: tuple[str, ...] | None) -> Interval:
        put, down, up = ZERO, False, False
        for node in self.program.nodes():
            match node:
                case n.Set(
                    storage=n.Storage(storage=n.StorageKind.INTEGER) as storage, value=value
                ):
                    if self._may_be(storage, names):
                        put = hull(put, self.bounds(value))
                case n.Increase(storage=storage, amount=amount) if self._may_be(storage, names):
                    by = Interval(1, 1) if amount is None else self.bounds(amount)
                    low, high = by if node.sign > 0 else (-by.high, -by.low)
                    down, up = down or low < 0, up or high > 0
                    if by.size > _MOST_STEP:
                        return ANY_INTEGER
            if put.size > _DRIFT:
                return ANY_INTEGER
        return Interval(put.low - _DRIFT * down, put.high + _DRIFT * up)

    @contextmanager
    def _without_stored(self) -> Iterator[None]:
        """Take a stored integer for any integer."""
        before, self._follows = self._follows, False
        yield
        self._follows = before

    def integers(self, node: n.Node) -> tuple[int, ...] | None:
        """Return the values that an integer form can have, if they are few and known.

        Nothing is known of stored integers here: a place with such an index is found in play.
        """
        with self._without_stored():
            low, high = self.bounds(node)
        return tuple(range(low, high + 1)) if high - low < _FEW else None

    def strings(self, node: n.Node) -> tuple[str, ...] | None:
        """Return the values that a string form can have, if they are known."""
        match node:
            case n.Text(value=value):
                return (value,)
            case n.Variable():
                bound = self.program.bound_to(node)
                if self._is_let(node):
                    return self.strings(bound)
                collection = n.unfiltered(bound)
                return collection.values if isinstance(collection, n.Strings) else None
            case n.Attribute(key=n.Text(value=key)):
                values = (card.attributes.get(key, "") for card in self.program.cards)
                return tuple(dict.fromkeys(("", *values)))
        return None

    def stored_strings(self, name: str) -> tuple[str, ...] | None:
        """Return the strings that can ever be stored under a name, if they are known."""
        strings: dict[str, None] = {}
        for node in self.program.nodes():
            match node:
                case n.Set(storage=n.Storage(storage=n.StorageKind.STRING) as storage, value=value):
                    values = self.strings(value) if self._may_be(storage, (name,)) else ()
                    if values is None:
                        return None
                    strings |= dict.fromkeys(values)
        return tuple(strings)

    # Locations ----------------------------------------------------------------------------

    def kinds(self, node: n.Node, *, moved: bool = False) -> frozenset[LocationKind]:
        """Return the kinds of location that a card or location form can name.

        `moved` says that a card in a variable may have moved since it was found.
        """
        match node:
            case n.Place(place=kind) | n.Indexed(place=kind):
                return frozenset((kind,))
            case n.Variable(kind=ValueKind.CARD):
                bound = self.program.bound_to(node)
                held = (variable.kind in _HOLDING for variable in _variables(bound))
                moved |= self._is_let(node) and any(held)  # it may lie elsewhere by now
                kinds = self.kinds(bound)
                return _ALL_KINDS if moved or LocationKind.MEMORY in kinds else kinds
            case n.Variable():
                return self.kinds(self.program.bound_to(node))
        sources = n.card_sources(node)
        if not sources:
            return _ALL_KINDS
        kinds = frozenset().union(*(self.kinds(source, moved=moved) for source in sources))
        keeps = isinstance(node, n.Combine | n.Partition | n.Filter | n.EachLocation | n.Element)
        return _ALL_KINDS if moved and not keeps and LocationKind.MEMORY in kinds else kinds

    def is_real(self, node: n.Node) -> bool:
        """Return whether a form names a real location, not a group of cards from several."""
        match node:
            case n.Place():
                return True
            case n.Variable():
                real = self.is_real if self._is_let(node) else self.real_members
                return real(self.program.bound_to(node))
            case n.Element(locations=members):
                return self.real_members(members)
        return False

    def real_members(self, node: n.Node) -> bool:
        """Return whether the elements of a set of locations are real locations."""
        match n.unfiltered(node):
            case n.EachLocation(location=location):
                return self.is_real(location)
            case n.Indexed():
                return True
            case n.Variable() as variable:
                return self.real_members(self.program.bound_to(variable))
        return False

    def mentions(self, node: n.Node, slot: int) -> bool:
        """Return whether a form reads a variable."""
        return any(variable.slot == slot for variable in _variables(node))

    # Effects ------------------------------------------------------------------------------

    def draws(self, node: n.Node) -> bool:
        """Return whether a form may draw from the game's stream."""
        if id(node) not in self._draws:
            self._kept.append(node)
            self._draws[id(node)] = node.traits.draws or any(map(self.draws, n.children(node)))
        return self._draws[id(node)]

    def fails(self, node: n.Node) -> bool:
        """Return whether a form may break a rule."""
        if id(node) not in self._fails:
            self._kept.append(node)
            self._fails[id(node)] = self._may_fail(node) or any(map(self.fails, n.children(node)))
        return self._fails[id(node)]

    def overflows(self, node: n.Node) -> bool:
        """Return whether an integer form may itself overflow, or divide by zero."""
        if isinstance(node, n.Arithmetic):
            return self.arithmetic_bounds(node) is None
        if isinstance(node, n.Increase):
            return self.bounds(node.storage) == ANY_INTEGER
        assert isinstance(node, n.Total)
        return self.bounds(node.value).size * LONGEST > integers.LARGEST

    def pure(self, *nodes: n.Node) -> bool:
        """Return whether forms neither draw nor fail, so that their order is unobservable."""
        return not any(self.draws(node) or self.fails(node) for node in nodes)

    def late(self, node: n.Node) -> bool:
        """Return whether finding a later element of a set of locations may draw or break a rule."""
        match node:
            case n.EachLocation(location=inner) | n.Filter(test=inner):
                return self.noticed(node, inner) or self.late(node.collection)
            case n.Variable() | n.Partition() | n.Subsets() | n.Runs() | n.Tuples() | n.Indexed():
                return False  # all of them are evaluated before the first is used
        return node.kind is ValueKind.LOCATIONS

    def noticed(self, loop: n.Node, body: n.Node) -> bool:
        """Return whether it is observable when the rounds of a loop are made."""
        return self.program.rounds.counted(loop) or not self.pure(body)

    def _may_fail(self, node: n.Node) -> bool:
        if node.traits.may_fail is Failure.POSSIBLE or self.program.rounds.counted(node):
            return True
        return node.traits.may_fail is Failure.BY_VALUES and self._fails_by_values(node)

    def _fails_by_values(self, node: n.Node) -> bool:
        """Return whether a form may break a rule for the values that its operands can have."""
        match node:
            case n.Arithmetic() | n.Total() | n.Increase():
                return self.overflows(node)
            case n.Combine(operation=n.SetOperation.UNION):
                return self.program.rounds.cards(node) >= MOST_CARDS
            case n.Combine(parts=parts):  # sets of locations need memory that may run out
                return any(part.kind is ValueKind.LOCATIONS for part in parts)
            case n.Score(card=card):
                return not self._is_card(card) or self.points_bound(node.points) is None
            case n.Sum() | n.ExtremeScore():
                return self.points_bound(node.points) is None
            case n.SetPoints():
                return self.points_bound(node.storage) is None
            case n.Numbered(number=number):
                low, high = (end - self.program.base for end in self.bounds(number))
                players = node.kind is ValueKind.PLAYER
                count = self.program.players if players else len(self.program.teams)
                return low < 0 or high >= count
            case n.Range(low=low, high=high):
                return self.bounds(high).high - self.bounds(low).low >= 1_000_000
            case n.Place(name=name, index=index):
                return self.strings(name) is None or (
                    index is not None and self.integers(index) is None
                )
            case n.Let(value=value):
                return value.kind is ValueKind.CARD and not self._is_card(value)
            case n.Move(card=n.Variable(), target=n.End(location=n.Place(place=place))):
                return place is LocationKind.MEMORY
        return True

    # Groups that have cards ---------------------------------------------------------------

    def _is_card(self, node: n.Node) -> bool:
        """Return whether a reference always names a card: a variable, or an end of a group."""
        match node:
            case n.End(location=n.Variable(slot=slot)):
                taken = slot in self._taken and id(node) not in self._before_actions
                return slot in self._never_empty and not taken
        return isinstance(node, n.Variable)

    @cached_property
    def _before_actions(self) -> frozenset[int]:
        """The identities of what the branches of choices evaluate before their first action."""
        choices = (node for node in self.program.nodes() if isinstance(node, n.Choice))
        links = (link for choice in choices for step in choice.steps for link in n.links(step)[0])
        return frozenset(id(node) for link in links for node in n.walk(n.evaluated(link)))

    @cached_property
    def _never_empty(self) -> frozenset[int]:
        """The slots of variables that denote groups with cards, unless they lose some.

        What a filter tests has cards, and so has what it leaves.
        """
        return frozenset(slot for slot, node in self.binders.items() if self._has_cards(node))

    @cached_property
    def _taken(self) -> frozenset[int]:
        """The slots of variables in actions that take cards out of groups."""
        nodes = filter(self.takes, self.program.nodes())
        return frozenset(variable.slot for node in nodes for variable in _variables(node))

    def _has_cards(self, binder: n.Node) -> bool:
        """Return whether a group that a form binds to its variable has cards."""
        match binder:
            case n.Filter():
                return binder.kind is ValueKind.LOCATIONS
            case n.ForEach(collection=groups) | n.Quantifier(collection=groups):
                if isinstance(groups, n.Filter):
                    return groups.kind is ValueKind.LOCATIONS and not self.real_members(groups)
                return isinstance(groups, n.Partition)
        return False

    @cached_property
    def filled(self) -> frozenset[int]:
        """The slots of variables that denote a list of cards which is never empty at first."""
        return frozenset(slot for slot, node in self.binders.items() if self._fills(node))

    def _fills(self, binder: n.Node) -> bool:
        """Return whether the value that a form binds to its variable has cards."""
        match n.unfiltered(binder.collection) if isinstance(binder, n.ForEach) else None:
            case n.Partition() | n.Runs():
                return True
            case n.Subsets():
                return self.program.base == 1
        return False

    @cached_property
    def reorders_groups(self) -> bool:
        """Whether the program shuffles a group of cards that is no real location."""
        return any(
            isinstance(node, n.Shuffle) and self.takes(node) for node in self.program.nodes()
        )

    @cached_property
    def takes_from_groups(self) -> bool:
        """Whether the program takes cards out of groups of cards, by their position say."""
        return any(map(self.takes, self.program.nodes()))

    def takes(self, node: n.Node) -> bool:
        """Return whether an action takes cards out of a group of cards, or reorders it."""
        match node:
            case n.Shuffle(location=location):
                return not self.is_real(location)
            case n.Move(card=card):
                card = n.unwrapped(card)
                return not isinstance(card, n.Variable) and not any(
                    map(self.is_real, n.card_sources(card))
                )
            case n.Swap() | n.Remember() | n.Forget():
                return False
        return bool(node.traits.writes & StatePart.CARDS)

    # Steps --------------------------------------------------------------------------------

    def sure(self, node: n.Node) -> bool:
        """Return whether a step always has an effect and breaks no rule: it need not be tried."""
        return not self.fails(node) and self.always_acts(node)

    def chooses(self, node: n.Node) -> bool:
        """Return whether a step contains an `any` that makes options."""
        return any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node))

    def always_acts(self, node: n.Node) -> bool:
        """Return whether a step always has an effect when it runs."""
        match node:
            case n.Do(steps=steps):
                return any(map(self.always_acts, steps))
            case n.Let(body=body) | n.ForEach(collection=n.Everyone(others=False), body=body):
                return self.always_acts(body)
            case n.ForEach(collection=n.Variable(slot=slot), body=body) if slot in self.filled:
                # If an earlier step has emptied the list, that step had an effect.
                return self.always_acts(body)
            case n.Repeat(count=n.Number(value=count), action=action):
                return count > 0 and self.always_acts(action)
        return node.traits.acts


def _variables(node: n.Node) -> Iterable[n.Variable]:
    return (part for part in n.walk(node) if isinstance(part, n.Variable))
