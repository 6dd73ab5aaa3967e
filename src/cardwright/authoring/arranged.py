"""Arranged deals: games whose shuffles come out so that facts hold at the decision after them.

The game deals by its own rules. What is arranged is the order of the cards that it shuffles: it is
played once to see which card of the pack goes where, and again with cards exchanged in the pack.
Facts that are no places of cards, such as the suit of a card that was turned up, are met by trying
one shuffle after the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cardwright.authoring.position import from_top, is_ordered, names
from cardwright.english import counted
from cardwright.game.engines import reference_engine
from cardwright.game.game import State
from cardwright.interpreter.stream import Stream
from cardwright.program.cards import Location

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableSequence, Sequence
    from typing import Any, TypeAlias

    from cardwright.authoring.position import Fact
    from cardwright.game.game import Game
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import World

    Orders: TypeAlias = list[list[int]]

_TRIES = 200
"""Shuffles that are tried until all facts hold."""

_EXCHANGES = 4
"""How often cards are exchanged in one pack: a deal may depend on the cards that it deals."""


class StackedStream(Stream):
    """A stream whose shuffles come out in given orders, as far as they are of the same cards.

    It draws what any stream does, so that all else is as it would be. `seen` are the orders in
    which shuffles came out, those excepted that belong to options that were only considered.
    """

    __slots__ = ("orders", "seen", "world")

    def __init__(self, words: Words, world: World, orders: Orders) -> None:
        self.words = words
        self.world = world
        self.orders = orders
        self.seen: Orders = []

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Permute a list of cards as the next of the given orders says."""
        super().shuffle(items)
        if self.world.journal is not None:
            return
        number = len(self.seen)
        if number < len(self.orders) and sorted(self.orders[number]) == sorted(items):
            items[:] = self.orders[number]
        self.seen.append(list(items))


def start(game: Game, seed: int, facts: Sequence[Fact]) -> State:
    """Start a game so that facts hold at its first decision.

    Raises PositionFileError if they do not in any deal that was tried, and GameError.
    """
    engine = reference_engine(game.program, game.limits)

    def run(words: Words, orders: Orders) -> tuple[State, Orders]:
        state = State(game, engine.start(seed), seed)
        return _with_stacked(state, words, orders, state.advance)

    return _Arrangement(game, facts).state(run, Stream(seed).words)


def play(state: State, index: int, facts: Sequence[Fact]) -> State:
    """Return the state after a choice, so that facts hold at the decision that follows.

    Raises PositionFileError if they do not after any shuffle that was tried, and GameError.
    """

    def run(words: Words, orders: Orders) -> tuple[State, Orders]:
        after = state.copy()

        def go() -> None:
            after.advance()  # options are built from the stream
            after.play(index)

        return _with_stacked(after, words, orders, go)

    return _Arrangement(state.game, facts).state(run, state._board.world().stream.words)


def _with_stacked(
    state: State, words: Words, orders: Orders, run: Callable[[], None]
) -> tuple[State, Orders]:
    """Run a state with shuffles in given orders; it goes on with an ordinary stream."""
    world = state._board.world()
    world.stream = stream = StackedStream(words, world, orders)
    run()
    world.stream = Stream.at(stream.words)
    return state, stream.seen


class _Wanted(NamedTuple):
    """Cards that a fact wants in a place, by their names from the top."""

    fact: Fact
    place: Location
    names: list[str]

    def targets(self, state: State) -> list[tuple[int, str]]:
        """Return the cards there that should be others, each with the name that it should have.

        In an ordered location the cards that are named lie on top, the first topmost.
        """
        held = [int(card.id) for card in from_top(state, self.place)]
        there = names(state.game, from_top(state, self.place))
        if len(self.names) > len(held):
            raise self.fact.entry.wrong(
                f"{self.fact} has {counted(len(held), 'card')} at this decision, "
                f"not {len(self.names)}",
                "the deal is that of the game: it says how many cards go where",
            )
        if is_ordered(state, self.place):
            return [(held[at], name) for at, name in enumerate(self.names) if there[at] != name]
        left, free = list(self.names), []
        for card, name in zip(held, there, strict=True):
            if name in left:
                left.remove(name)
            else:
                free.append(card)
        return list(zip(free, left, strict=False))

    def kept(self, state: State) -> Iterator[int]:
        """Yield the cards that already lie where they are wanted."""
        away = {card for card, _ in self.targets(state)}
        held, wanted = from_top(state, self.place), list(self.names)
        if is_ordered(state, self.place):
            held = held[: len(wanted)]
        for card, name in zip(held, names(state.game, held), strict=True):
            if card.id not in away and name in wanted:
                wanted.remove(name)
                yield int(card.id)


class _Arrangement:
    """Facts that are to hold: cards in places, and all others."""

    def __init__(self, game: Game, facts: Sequence[Fact]) -> None:
        """Take the facts; raises PositionFileError for more cards of a name than there are."""
        self._called = dict(
            zip((int(card.id) for card in game.cards), names(game, game.cards), strict=True)
        )
        self._facts = facts
        self._wanted: list[_Wanted] = []
        left = Counter(self._called.values())
        for fact in facts:
            place = fact.subject(game)
            if not isinstance(place, Location) or isinstance(fact.value(), int):
                continue
            wanted = _Wanted(fact, place, names(game, fact.cards(game)[0]))
            self._wanted.append(wanted)
            for name in wanted.names:
                left[name] -= 1
                if left[name] < 0:
                    message = f"{name} is wanted in more places than there are such cards"
                    raise fact.entry.wrong(message)

    def state(self, run: Callable[[Words, Orders], tuple[State, Orders]], words: Words) -> State:
        """Return the first state that is as wanted, of tries that begin with other streams."""
        stream = Stream.at(words)
        for _ in range(_TRIES):
            orders: Orders = []
            for _ in range(_EXCHANGES):
                state, orders = run(words, orders)
                if not self._exchange(state, orders):
                    break
            failed = list(self._failed(state))
            if not failed:
                return state
            words = Stream(stream.next()).words
        fact, actual = failed[0]
        raise fact.entry.wrong(
            f"in none of {_TRIES} deals is {fact} like this: in the last, {actual}",
            "the rules may not allow it, or say it of a later decision",
        )

    def _failed(self, state: State) -> Iterator[tuple[Fact, str]]:
        """Yield the facts that do not hold, with what is found; cards not named may be any."""
        wanted = {id(cards.fact): cards for cards in self._wanted}
        for fact in self._facts:
            if id(fact) in wanted:
                if wanted[id(fact)].targets(state):
                    yield fact, "others"
            elif (difference := fact.difference(state)) is not None:
                yield fact, difference[1]

    def _exchange(self, state: State, orders: Orders) -> bool:
        """Exchange cards in the orders of shuffles so that they go where facts want them.

        Return whether any was.
        """
        called = self._called
        kept = {card for wanted in self._wanted for card in wanted.kept(state)}
        now: dict[int, int] = {card: card for card in called}  # what lies where a card lay
        changed = False
        for wanted in self._wanted:
            for spot, name in wanted.targets(state):
                card = next(held for held in called if called[held] == name and held not in kept)
                kept.add(card)
                old = now[spot]
                if card == old:
                    continue
                self._swap(orders, card, old, wanted.fact)
                where = next(at for at, held in now.items() if held == card)
                now[spot], now[where] = card, old
                changed = True
        return changed

    def _swap(self, orders: Orders, card: int, other: int, fact: Fact) -> None:
        """Exchange two cards in the last shuffle that had both."""
        for order in reversed(orders):
            if card in order and other in order:
                at, to = order.index(card), order.index(other)
                order[at], order[to] = other, card
                return
        raise fact.entry.wrong(
            f"{self._called[card]} cannot be dealt to {fact}: no shuffle brings it there",
            "cards that are not shuffled lie where the rules put them",
        )
