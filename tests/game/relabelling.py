"""Histories that lead to sampled worlds, found by the interpreter.

A world that was sampled by where cards may lie differs from the true one by which hidden cards lie
where. So does a history that leads to it: cards exchange their parts where both lie at a place that
a seat does not see. After a shuffle they have been in other places of its order since; after a
choice another one was made.
"""

from __future__ import annotations

from itertools import chain, combinations
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from retracing import Replay, signature

from cardwright.game.information.knowledge import Witnesses
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.world import Fault
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cardwright.game.game import Game
    from cardwright.game.option import SeenDecision
    from cardwright.interpreter.effects import BuiltOption
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Location

TRIES = 40
"""Ways to make exchanges that are tried."""


class TrueChoice(NamedTuple):
    """A choice of the true game: where the cards lay, how many shuffles were done, who saw what."""

    option: BuiltOption
    seen: Sequence[SeenDecision]
    where: Sequence[Location]
    shuffles: int


class Exchange(NamedTuple):
    """Two cards take each other's part from a choice and from a shuffle on, by their numbers."""

    choice: int
    shuffle: int
    left: int
    right: int


class TrueGame:
    """A game as it was played, of which histories are made that a seat cannot tell from it."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.replay = Replay(game, seed)
        self.choices: list[TrueChoice] = []
        self._witnesses = Witnesses(game.program)

    def play(self, index: int) -> None:
        option, world = self.replay.options[index], self.replay.world
        seen = self.replay.seen(option)
        self.choices.append(TrueChoice(option, seen, [*world.where], len(world.done)))
        self.replay.play(option)

    def leads_to(self, world: World, seat: int) -> bool:
        """Return whether a history is found that leads to a world, and is the same for a seat."""
        key, wanted = self.replay.key(seat), signature(world)
        for number in range(TRIES):
            chance = Random(number)
            names = renamed(self.replay.world, world, chance)
            exchanges = self._exchanges(names, seat, chance)
            replay = exchanges is not None and self._with(exchanges, seat)
            if replay and replay.key(seat) == key and signature(replay.world) == wanted:
                return True
        return False

    def _exchanges(
        self, names: Mapping[int, int], seat: int, chance: Random
    ) -> list[Exchange] | None:
        """Return exchanges that bring about all names, the last one first; None if none do."""
        names, found = dict(names), []
        while names:
            ways = [
                exchange
                for cycle in cycles(names)
                for left, right in combinations(sorted(cycle), 2)
                if (exchange := self._exchange(left, right, seat)) is not None
            ]
            if not ways:
                return None
            chance.shuffle(ways)
            last = max(ways, key=lambda way: way[:2])
            found.append(last)
            left, right = last.left, last.right
            names[left], names[right] = names[right], names[left]
            names = {card: name for card, name in names.items() if card != name}
        return found

    def _exchange(self, left: int, right: int, seat: int) -> Exchange | None:
        """Return the last exchange of two cards that may be made; None if there is none."""
        shuffles = self.replay.world.done
        both = [at for at, order in enumerate(shuffles) if left in order and right in order]
        if both:
            since = (made for made, true in enumerate(self.choices) if true.shuffles > both[-1])
            first = next(since, len(self.choices))
        else:
            first = -1
        for made in range(len(self.choices) - 1, first, -1):
            true = self.choices[made]
            picked = {card for pick in true.option.picks for card in picked_cards(pick)}
            here, there = true.where[left], true.where[right]
            if here == there and picked & {left, right} and not self._witnesses[here][seat]:
                return Exchange(made, true.shuffles, left, right)
        return Exchange(first, both[-1], left, right) if both else None

    def _with(self, exchanges: Sequence[Exchange], seat: int) -> Replay | None:
        """Play the game with exchanges; None where it cannot go on as the seat has seen it."""
        latest = sorted(exchanges, key=lambda one: one[:2], reverse=True)

        def named(card: int, *, choice: int = -1, shuffle: int = -1) -> int:
            for one in latest:
                if (one.choice <= choice or one.shuffle <= shuffle) and card in one[2:]:
                    card = one.left + one.right - card
            return card

        orders = [
            tuple(named(card, shuffle=at) for card in order)
            for at, order in enumerate(self.replay.world.done)
        ]
        try:
            replay = Replay(self.game, self.seed, orders)
            for made, true in enumerate(self.choices):
                wanted = _meant(true.option, lambda card, made=made: named(card, choice=made))
                alike = _alike(replay, wanted, true.option, true.seen[seat], seat)
                if alike is None:
                    return None
                replay.play(alike)
        except Fault:
            return None
        return replay


def _meant(option: BuiltOption, named: Callable[[int], int]) -> Hashable:
    """Return what an option does, with other names for the cards that it picks."""
    picks = (
        frozenset(map(named, cards)) if (cards := picked_cards(pick)) else pick.item
        for pick in option.picks
    )
    return option.branch, tuple(picks)


def _alike(
    replay: Replay, wanted: Hashable, option: BuiltOption, seen: SeenDecision, seat: int
) -> BuiltOption | None:
    """Return the option of a replay that a seat sees as it saw another; None if there is none.

    One with the wanted cards comes first, and then one with what has their places.
    """
    if replay.decides != seen.seat:
        return None
    options = replay.options
    exact = [one for one in options if _meant(one, int) == wanted]
    ordinals = [pick.ordinal for pick in option.picks]
    placed = (one for one in options if [pick.ordinal for pick in one.picks] == ordinals)
    every = chain(exact, placed, options)
    return next((one for one in every if replay.seen(one)[seat] == seen), None)


def renamed(true: World, other: World, chance: Random) -> dict[int, int]:
    """Return for each card of a world that lies elsewhere in another the card in its place.

    Those that have left a place and those that came for them are paired by chance, so that no two
    cards of a place are in a cycle.
    """
    names: dict[int, int] = {}
    others = {pile.location: set(pile.cards) for pile in other.touched()}
    for pile in true.touched():
        if pile.location.kind is not LocationKind.MEMORY:
            before, after = set(pile.cards), others[pile.location]
            came = sorted(after - before)
            chance.shuffle(came)
            names |= dict(zip(sorted(before - after), came, strict=True))
    while pairs := [
        (left, right)
        for cycle in cycles(names)
        for left, right in combinations(sorted(cycle), 2)
        if true.where[left] == true.where[right]
    ]:
        left, right = chance.choice(pairs)
        names[left], names[right] = names[right], names[left]
    return names


def cycles(names: Mapping[int, int]) -> list[set[int]]:
    """Return the sets of cards that change places among each other."""
    found, left = [], set(names)
    while left:
        card, cycle = min(left), set()
        while card not in cycle:
            cycle.add(card)
            card = names[card]
        left -= cycle
        found.append(cycle)
    return found
