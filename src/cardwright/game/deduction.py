"""Deduction from a choice: the cards that a player cannot have had, given its choice.

A player that does not follow suit has no card of it. Nothing here knows of suits: an option exists
by the conditions and collections of its step, and with some card in the player's hand these may not
have the values that they must have had. They are evaluated on what everybody knows, so that a
definite result holds in every world with the same open cards and stored values in which the assumed
cards lie where they are assumed to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.values import NOTHING_HIGHEST, NOTHING_LOWEST
from cardwright.program import nodes as n
from cardwright.program.abstract_state import (
    ANY_INTEGER,
    AbstractState,
    Cell,
    Interval,
    Truth,
    UnclearError,
    Words,
    joined,
    negation,
)
from cardwright.program.cards import OPEN_KINDS, CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.known_values import conceals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardwright.interpreter.effects import Pick
    from cardwright.interpreter.world import World

    Forms: TypeAlias = dict[int, tuple[int, ...] | None]
    Rest: TypeAlias = Callable[[int], Truth]

Item = TypeVar("Item")

_ANYTHING = "nothing is known about its value: it is in doubt"
_GROUPS = "groups that depend on hidden cards are not formed: picks from them are in doubt"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never played",
    n.Action: "what comes after an action in a step is not evaluated",
    n.Award: "point maps are read as they are in the world",
    n.Choice: "its steps are evaluated one by one, each for its own options",
    n.Stage: "it holds no conditions of an option",
    n.Fork: "it holds no conditions of an option",
    n.BestCard: "ties between cards are broken at random",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.Position: _ANYTHING,
    n.Element: _ANYTHING,
    n.Sequence: _ANYTHING,
    n.EndRun: _ANYTHING,
    n.EachLocation: _GROUPS,
    n.Partition: _GROUPS,
    n.Runs: _GROUPS,
    n.Tuples: _GROUPS,
    n.Indexed: _GROUPS,
}
"""The classes of nodes that are not evaluated, with the reason: doubt is always safe."""


DOUBT: Final[Any] = object()
"""What a variable holds, or a pick takes, if that is unknown."""


def shown(
    world: World,
    step: n.Node,
    taken: tuple[Pick, ...],
    hidden: Mapping[Location, Callable[[], Sequence[CardId]]],
    forms: Forms,
) -> Iterator[tuple[CardId, Location]]:
    """Yield which of the candidates for hidden places cannot have been there, given a choice.

    The world is at the decision, `step` is the step of the choice from which the option came, and
    `taken` its picks as some seats know them: an item that they do not is DOUBT. The
    proof uses only open cards and what was taken, so it holds for all seats that know as much about
    the option.
    """
    known = _Choosing(world, forms, taken)
    named = {card for pick in taken for card in picked_cards(pick)}
    for place, candidates in hidden.items():
        held = tuple(sorted(card for card in named if world.where[card] == place))
        known.assume(place, held)
        if known.possible(step) or not known.consulted:
            continue
        room = len(world.piles[place].cards) - len(held)
        for card in candidates() if room else ():
            if card not in held:
                known.assume(place, (*held, card))
                if known.possible(step) is False:
                    yield card, place


class Bag(NamedTuple):
    """Cards of a location: some for sure, and from `least` to `most` out of those in `maybe`.

    In an ordered bag all cards are sure, and in their order.
    """

    sure: tuple[CardId, ...]
    maybe: tuple[CardId, ...] = ()
    least: int = 0
    most: int = 0
    ordered: bool = False

    @property
    def size(self) -> Interval:
        """The number of cards."""
        return Interval(len(self.sure) + self.least, len(self.sure) + self.most)

    def has(self, card: CardId) -> Truth:
        """Return whether a card is in it."""
        if card in self.sure:
            return True
        return None if self.most and card in self.maybe else False

    def any(self, sure: Iterable[Truth], maybe: Iterable[Truth]) -> Truth:
        """Return whether a test holds for a card, by its results for sure and other cards."""
        of_sure = joined(sure, every=False)
        if of_sure or not self.most:
            return of_sure
        results = list(maybe)
        if self.least > sum(result is not True for result in results):
            return True
        of_maybe = False if all(result is False for result in results) else None
        return joined((of_sure, of_maybe), every=False)

    def kept(self, sure: Sequence[Truth], maybe: Sequence[Truth]) -> Bag:
        """Return the cards that pass a test, by its results for sure and other cards."""
        passed = tuple(c for c, result in zip(self.sure, sure, strict=True) if result)
        doubtful = tuple(c for c, result in zip(self.sure, sure, strict=True) if result is None)
        others: tuple[CardId, ...] = ()
        least = most = 0
        if self.most:
            pairs = zip(self.maybe, maybe, strict=True)
            others = tuple(card for card, result in pairs if result is not False)
            certain = sum(result is True for result in maybe)
            least = max(0, self.least - (len(self.maybe) - certain))
            most = min(self.most, len(others))
        ordered = self.ordered and not doubtful
        return Bag(passed, others + doubtful, least, most + len(doubtful), ordered)

    def total(self, points: Callable[[CardId], int]) -> Interval:
        """Return the sum of the points of the cards."""
        base = sum(map(points, self.sure))
        low = sorted(map(points, self.maybe))
        high = low[::-1][: self.most]
        low = low[: self.most]
        return Interval(
            base + sum(low[: self.least]) + sum(min(p, 0) for p in low[self.least :]),
            base + sum(high[: self.least]) + sum(max(p, 0) for p in high[self.least :]),
        )

    def highest(self, points: Callable[[CardId], int], nothing: int) -> Interval:
        """Return the highest points of a card, or `nothing` if there is none."""
        possible = [points(card) for card in self.maybe] if self.most else []
        if self.sure:
            sure = max(map(points, self.sure))
            return Interval(sure, max([sure, *possible]))
        possible += [] if self.least else [nothing]
        return Interval(min(possible), max(possible))


class _Choosing(AbstractState[Bag]):
    """What everybody knows about a world in which an option with certain picks was chosen.

    Some cards can be assumed to lie in one place. `forms` caches what is found about the forms of a
    program, for all worlds of the program. Whatever is not evaluated is in doubt: an unknown card
    is DOUBT, none is None.
    """

    def __init__(self, world: World, forms: Forms, taken: tuple[Pick, ...]) -> None:
        self.world = world
        self.program = world.rules.program
        self.env = {}
        self.unseen = tuple(
            CardId(card) for card, place in enumerate(world.where) if place.kind not in OPEN_KINDS
        )
        self._forms = forms
        self._taken = taken
        self._results: dict[tuple[Any, ...], dict[CardId, Truth]] = {}
        self._place: Location | None = None
        self._cards: tuple[CardId, ...] = ()
        self._others = self.unseen
        self.consulted = False

    def assume(self, place: Location | None, cards: tuple[CardId, ...]) -> None:
        """Assume that some cards lie in a place, and nothing else about hidden cards.

        From here on `consulted` says whether anything depended on the cards of the place.
        """
        self._place, self._cards, self.consulted = place, cards, False
        self._others = tuple(card for card in self.unseen if card not in cards)

    # What is known --------------------------------------------------------------------------

    def held(self, slot: int) -> Any:
        """Return what a variable holds."""
        value = self.env[slot]
        if value is DOUBT:
            raise UnclearError
        return value

    def bound(self, slot: int, value: Any) -> _Choosing:
        """Put a value into a variable."""
        self.env[slot] = value
        return self

    def _cycle(self, *, team: bool) -> tuple[int, int | None]:
        cycle = (self.world.teams if team else self.world.players)[-1]
        return cycle.current, cycle.queued

    def _integer_at(self, cell: Cell) -> Interval:
        stored = self.world.integers.get(cell, 0)
        return Interval(stored, stored)

    def _words_at(self, cell: Cell) -> Words:
        return frozenset((self.world.strings.get(cell, ""),))

    def _cards_at(self, place: Location) -> Bag:
        pile = self.world.piles.get(place)
        if pile is None or not pile.cards:
            return Bag((), ordered=True)
        if place.kind in OPEN_KINDS:
            return Bag(tuple(pile.cards), ordered=True)
        sure = self._cards if place == self._place else ()
        self.consulted |= place == self._place
        rest = len(pile.cards) - len(sure)
        return Bag(sure, self._others if rest else (), rest, rest)

    @property
    def anything(self) -> Bag:
        """Any cards at all."""
        every = tuple(card.id for card in self.program.cards)
        return Bag((), every, 0, 2 * len(every))

    # Doubt ----------------------------------------------------------------------------------

    def owners(self, node: n.Node) -> tuple[int, ...]:
        """Return the owner that a form names."""
        return (_only(super().owners(node)),)

    def places(self, node: n.Place) -> list[Location]:
        """Return the location that a form names."""
        return [_only(super().places(node))]

    def integer(self, node: n.Node) -> Interval:
        """Return the bounds of an integer form."""
        before = self.consulted
        try:
            bounds = super().integer(node)
        except UnclearError:
            bounds = Interval(0, ANY_INTEGER.high) if isinstance(node, n.Size) else ANY_INTEGER
        if isinstance(node, n.Size) and isinstance(node.collection, n.Place):
            self.consulted = before  # the number of cards does not depend on which they are
        return bounds

    def words(self, node: n.Node) -> Words:
        """Return the string that a form gives; None if it is unknown."""
        try:
            return super().words(node)
        except UnclearError:
            return None

    def truth(self, node: n.Node) -> Truth:
        """Return whether a condition holds; None if that is unknown."""
        try:
            return super().truth(node)
        except UnclearError:
            return None

    def locations(self, node: n.Node) -> list[Bag]:
        """Return the cards of a location."""
        try:
            return super().locations(node)
        except UnclearError:
            return [self.anything]

    def _snapshots(self, node: n.Node) -> list[Any]:
        return [self.card(node)] if node.kind is ValueKind.CARD else list(self.locations(node))

    # Cards ----------------------------------------------------------------------------------

    def card(self, node: n.Node) -> CardId | None:
        """Return the card that a form names, None for none."""
        match node:
            case n.Variable(slot=slot):
                held: CardId | None = self.held(slot)
                return held
            case n.Actual(card=inner):
                return self.card(inner)
            case n.End(location=location, top=top):
                bag = self.locations(location)[0]
                if bag.ordered:
                    return bag.sure[-1 if top else 0] if bag.sure else None
        raise UnclearError

    def _same_card(self, node: n.Equal) -> Truth:
        return self.card(node.left) == self.card(node.right)

    def _holders(self, card: n.Node) -> tuple[int, ...]:
        held = self.card(card)
        where = None if held is None else self.world.where[held]
        if where is None or where.kind not in OPEN_KINDS or where.owner >= self.program.players:
            raise UnclearError
        return (where.owner,)

    def _attribute(self, card: n.Node, keys: frozenset[str]) -> Words:
        held = self.card(card)
        if held is None:
            return frozenset(("",))
        return frozenset(self.program.cards[held].attributes.get(key, "") for key in keys)

    def _points(self, node: n.Score | n.Sum | n.ExtremeScore) -> Interval:
        (cell,) = self.cells(node.points)
        stored = self.world.points.get(cell)
        points = stored.worth if stored else _nothing
        if isinstance(node, n.Score):
            card = self.card(node.card)
            return ANY_INTEGER if card is None else Interval(points(card), points(card))
        bag = self.locations(node.location)[0]
        if isinstance(node, n.Sum):
            return bag.total(points)
        if node.highest:
            return bag.highest(points, NOTHING_HIGHEST)
        low, high = bag.highest(lambda card: -points(card), -NOTHING_LOWEST)
        return Interval(-high, -low)

    # Groups of cards ------------------------------------------------------------------------

    def size(self, cards: Bag) -> Interval:
        """Return how many cards there are."""
        return cards.size

    def _regrouped(self, cards: Bag) -> Bag:
        return cards._replace(ordered=False)

    def _combined(self, parts: Sequence[Bag], operation: n.SetOperation) -> Bag:
        if operation is not n.SetOperation.UNION:
            raise UnclearError
        return Bag(
            tuple(card for part in parts for card in part.sure),
            tuple(dict.fromkeys(card for part in parts for card in part.maybe)),
            sum(part.least for part in parts),
            sum(part.most for part in parts),
            all(part.ordered for part in parts),
        )

    def _passing(self, node: n.Filter, cards: Bag) -> Bag:
        return cards.kept(*self._tested(node, cards))

    def _any_passes(self, node: n.Quantifier, cards: Bag) -> Truth:
        sure, maybe = self._tested(node, cards)
        if not node.every:
            return cards.any(sure, maybe)
        return negation(cards.any(map(negation, sure), map(negation, maybe)))

    def _tested(self, node: n.Filter | n.Quantifier, bag: Bag) -> tuple[list[Truth], list[Truth]]:
        """Return the results of a test for the sure and the other cards of a bag."""
        test, slot = node.test, node.variable.slot
        outer = self._outer(test, slot)
        known: dict[CardId, Truth] = {}
        if outer is not None:
            key = (id(test), *(self.env[slot] for slot in outer))
            known = self._results.setdefault(key, known)

        def result(card: CardId) -> Truth:
            if card not in known:
                known[card] = self.bound(slot, card).truth(test)
            return known[card]

        others = bag.maybe if bag.most else ()
        return [result(card) for card in bag.sure], [result(card) for card in others]

    def _outer(self, test: n.Node, slot: int) -> tuple[int, ...] | None:
        """Return the other variables on which a test depends; None if on hidden cards too.

        Without hidden cards its results hold whatever is assumed.
        """
        if id(test) not in self._forms:
            nodes = list(n.walk(test))
            inner = {variable.slot for node in nodes if (variable := n.binds(node)) is not None}
            used = {node.slot for node in nodes if isinstance(node, n.Variable)}
            hidden = any(map(conceals, nodes))
            self._forms[id(test)] = None if hidden else tuple(sorted(used - inner - {slot}))
        return self._forms[id(test)]

    # The step of a choice -------------------------------------------------------------------

    def possible(self, step: n.Node) -> Truth:
        """Return whether the step has an option with these picks, and does something in it."""
        return self._explore(step, 0, lambda _: False)

    def _explore(self, node: n.Node, at: int, rest: Rest) -> Truth:
        """Explore as the interpreter does, from the next pick."""
        match node:
            case n.Do(steps=steps):
                return self._sequence(steps, at, rest)
            case n.When(test=test, body=body):
                truth = self.truth(test)
                if truth is None:
                    ways = (self._explore(body, at, rest), rest(at))
                    return False if ways == (False, False) else None
                return self._explore(body, at, rest) if truth else rest(at)
            case n.Let(variable=variable, value=value, body=body):
                try:
                    self.env[variable.slot] = _only(self.values(value))
                except UnclearError:
                    self.env[variable.slot] = DOUBT
                return self._explore(body, at, rest)
            case n.ForEach(choose=True):
                return self._any(node, at, rest)
        # What comes after an action, or an `all`, is not evaluated.
        return True if at == len(self._taken) else None

    def _sequence(self, steps: tuple[n.Node, ...], at: int, rest: Rest) -> Truth:
        if not steps:
            return rest(at)
        return self._explore(steps[0], at, lambda then: self._sequence(steps[1:], then, rest))

    def _any(self, node: n.ForEach, at: int, rest: Rest) -> Truth:
        """An item is taken, or the collection is empty and the option goes on without one."""
        if at == len(self._taken) or self._taken[at].node is not node:
            # Another branch of the tree: possible only if there is nothing to take here.
            return None if rest(at) is not False else False
        item = self._taken[at].item
        held = self._has_item(node.collection, item)
        if held is False:
            return False
        self.env[node.variable.slot] = self._picked(ITEM_KINDS[node.collection.kind], item)
        way = self._explore(node.body, at + 1, rest)
        return way if held or way is False else None

    def _picked(self, kind: ValueKind, item: Any) -> Any:
        """Return what a variable of a kind holds for a picked item."""
        match kind:
            case ValueKind.INTEGER:
                return ANY_INTEGER if item is DOUBT else Interval(item, item)
            case ValueKind.STRING:
                return None if item is DOUBT else frozenset((item,))
            case ValueKind.TEAM:
                return DOUBT if item is DOUBT else self.program.players + item
            case ValueKind.LOCATION:
                if item is DOUBT:
                    return self.anything
                return self._cards_at(item) if isinstance(item, Location) else _group(item)
        return item

    def _has_item(self, node: n.Node, item: Any) -> Truth:
        """Return whether an item, as `any` picks it, is in a collection."""
        if item is DOUBT:
            return None
        if node.kind is ValueKind.LOCATION:
            return self._has_card(node, item)
        if node.kind is ValueKind.LOCATIONS:
            return None if isinstance(item, Location) else self._has_group(node, item)
        value = self._picked(ITEM_KINDS[node.kind], item)
        try:
            truths = {value in items for items in self.items(node)}
        except UnclearError:
            return None
        return truths.pop() if len(truths) == 1 else None

    def _has_card(self, node: n.Node, card: CardId) -> Truth:
        """Return whether a card is in a location; for a filter this is quicker than its bag."""
        if not isinstance(node, n.Filter):
            return self.locations(node)[0].has(card)
        held = self._has_card(node.collection, card)
        if held is False:
            return False
        passed = self.bound(node.variable.slot, card).truth(node.test)
        return held if passed else passed

    def _has_group(self, node: n.Node, group: tuple[CardId, ...]) -> Truth:
        match node:
            case n.Filter(collection=collection):
                if self._has_group(collection, group) is False:
                    return False
                passed = self.bound(node.variable.slot, _group(group)).truth(node.test)
                return False if passed is False else None
            case n.Subsets(location=location):
                bag = self.locations(location)[0]
                return False if any(bag.has(card) is False for card in group) else None
        return None


def _group(cards: tuple[CardId, ...]) -> Bag:
    return Bag(cards, ordered=True)


def _nothing(_card: CardId) -> int:
    return 0


def _only(found: Sequence[Item]) -> Item:
    """Return the only one of some possibilities."""
    if len(found) != 1:
        raise UnclearError
    return found[0]
