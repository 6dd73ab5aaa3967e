"""Inference from a choice: the cards that a player cannot have had, given its choice.

A player that does not follow suit has no card of it. Nothing here knows of suits: an option exists
by the conditions and collections of its step, and with some card in the player's hand these may not
have the values that they must have had. See `cardwright.game.abstract_world` for how much can be
known of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.game import abstract_items
from cardwright.game.abstract_world import AbstractWorld
from cardwright.game.bounds import DOUBT, Truth, either
from cardwright.program import nodes as n
from cardwright.program.cards import Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cardwright.game.abstract_world import Forms
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId

    Rest = Callable[[int], Truth]


class Excluded(NamedTuple):
    """A card that cannot lie at a place."""

    card: CardId
    place: Location


class Taken(NamedTuple):
    """What an observer knows about a pick: its `any`, and its item, which may be DOUBT.

    The item of a location is a `Location`, that of a group of cards the tuple of them.
    """

    node: n.ForEach
    item: Any


def shown(
    world: World,
    step: n.Node,
    taken: tuple[Taken, ...],
    hidden: Mapping[Location, Callable[[], Sequence[CardId]]],
    forms: Forms,
) -> Iterator[Excluded]:
    """Yield which of the candidates for hidden places cannot have been there, given a choice.

    The world is at the decision, `step` is the step of the choice from which the option came. The
    proof uses only open cards and what was taken, so it holds for all seats that know as much about
    the option.
    """
    assumed = AbstractWorld(world, forms)
    walk = _Walk(assumed, taken)
    named = {card for one in taken for card in _cards(one.item, one.node)}
    for place, candidates in hidden.items():
        held = tuple(sorted(card for card in named if world.where[card] == place))
        assumed.assume(place, held)
        if walk.possible(step) or not assumed.consulted:
            continue
        room = len(world.piles[place].cards) - len(held)
        for card in candidates() if room else ():
            if card not in held:
                assumed.assume(place, (*held, card))
                if walk.possible(step) is False:
                    yield Excluded(card, place)


def _cards(item: Any, node: n.ForEach) -> tuple[CardId, ...]:
    """Return the cards that an item names."""
    if item is DOUBT:
        return ()
    kind = ITEM_KINDS[node.collection.kind]
    if kind is ValueKind.CARD:
        return (item,)
    return item if kind is ValueKind.LOCATION and not isinstance(item, Location) else ()


class _Walk:
    """The path from a step of a choice to an option with certain picks."""

    def __init__(self, assumed: AbstractWorld, taken: tuple[Taken, ...]) -> None:
        self._assumed = assumed
        self._taken = taken

    def possible(self, step: n.Node) -> Truth:
        """Return whether the step has an option with these picks, and does something in it."""
        return self._explore(step, 0, lambda _: False)

    def _explore(self, node: n.Node, at: int, rest: Rest) -> Truth:
        """Explore as the interpreter does, from the next pick."""
        match node:
            case n.Do(steps=steps):
                return self._sequence(steps, at, rest)
            case n.When(test=test, body=body):
                truth = self._assumed.truth(test)
                if truth is None:
                    ways = (self._explore(body, at, rest), rest(at))
                    return False if ways == (False, False) else None
                return self._explore(body, at, rest) if truth else rest(at)
            case n.Let(variable=variable, value=value, body=body):
                self._assumed.env[variable.slot] = abstract_items.value(self._assumed, value)
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
        assumed = self._assumed
        ways: list[Truth] = []
        if at < len(self._taken) and self._taken[at].node is node:
            item = self._taken[at].item
            held = abstract_items.takes(assumed, node.collection, item)
            if held is not False:
                kind = ITEM_KINDS[node.collection.kind]
                assumed.env[node.variable.slot] = abstract_items.bound(assumed, kind, item)
                way = self._explore(node.body, at + 1, rest)
                ways.append(way if held or way is False else None)
        else:
            # Another branch of the tree: possible only if there is nothing to take here.
            ways.append(None if rest(at) is not False else False)
        return either(ways)
