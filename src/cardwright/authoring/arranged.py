"""Arranged deals: games whose shuffles come out so that facts hold at the decision after them.

The game deals by its own rules. What is arranged is the order of the cards that it shuffles: it is
played once to see which card of the pack goes where, and again with cards exchanged in the pack.
Facts that are no places of cards, such as the suit of a card that was turned up, are met by trying
one shuffle after the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.authoring.position import StoredValue, from_top, is_ordered, names
from cardwright.game.engines import reference_engine
from cardwright.game.game import State
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableSequence, Sequence
    from typing import Any, TypeAlias

    from cardwright.authoring.position import Fact
    from cardwright.game.game import Game
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Location

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
        board = engine.start(seed)
        state = State(game, board, seed)
        return _with_stacked(state, words, orders, state.advance)

    _check_enough(game, facts)
    return _arranged(run, _words(Stream(seed).words), facts)


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

    _check_enough(state.game, facts)
    return _arranged(run, _words(state._board.world().stream.words), facts)


def _check_enough(game: Game, facts: Sequence[Fact]) -> None:
    """Raise PositionFileError if facts name a card more often than there are such cards."""
    left = Counter(names(game, game.cards))
    for fact in facts:
        if isinstance(fact.subject(game), StoredValue) or isinstance(fact.value(), int):
            continue
        for name in names(game, fact.cards(game)[0]):
            left[name] -= 1
            if left[name] < 0:
                raise fact.entry.wrong(f"{name} is wanted in more places than there are such cards")


def _words(first: Words) -> Iterator[Words]:
    """Yield the states in which the stream begins, one for each try."""
    yield first
    stream = Stream.at(first)
    for _ in range(_TRIES - 1):
        yield Stream(stream.next()).words


def _with_stacked(
    state: State, words: Words, orders: Orders, run: Callable[[], None]
) -> tuple[State, Orders]:
    """Run a state with shuffles in given orders; it goes on with an ordinary stream."""
    world = state._board.world()
    world.stream = stream = StackedStream(words, world, orders)
    run()
    world.stream = Stream.at(stream.words)
    return state, stream.seen


def _arranged(
    run: Callable[[Words, Orders], tuple[State, Orders]],
    tries: Iterator[Words],
    facts: Sequence[Fact],
) -> State:
    failed: tuple[Fact, str] | None = None
    for words in tries:
        orders: Orders = []
        for _ in range(_EXCHANGES):
            state, orders = run(words, orders)
            if not _exchange(state, orders, facts):
                break
        differences = [(fact, found) for fact in facts if (found := _difference(state, fact))]
        if not differences:
            return state
        failed = differences[0]
    assert failed is not None
    fact, found = failed
    raise fact.entry.wrong(
        f"in none of {_TRIES} deals is {fact.owner}.{fact.name} like this: in the last, {found}",
        "the rules may not allow it, or say it of a later decision",
    )


def _difference(state: State, fact: Fact) -> str:
    """Return what is found where a fact does not hold; cards that are not named may be any."""
    subject = fact.subject(state.game)
    if isinstance(subject, StoredValue) or isinstance(fact.value(), int):
        difference = fact.difference(state)
        return "" if difference is None else difference[1]
    return "" if not list(_targets(state, subject, fact)) else "others"


def _targets(state: State, place: Location, fact: Fact) -> Iterator[tuple[int, str]]:
    """Yield the cards of a location that should be others, each with the name that it should have.

    In an ordered location the cards that are named lie on top, the first topmost.
    """
    held = [int(card.id) for card in from_top(state, place)]
    there = names(state.game, from_top(state, place))
    wanted = names(state.game, fact.cards(state.game)[0])
    if len(wanted) > len(held):
        raise fact.entry.wrong(
            f"{fact.owner}.{fact.name} has {len(held)} cards at this decision, not {len(wanted)}",
            "the deal is that of the game: it says how many cards go where",
        )
    if is_ordered(state, place):
        yield from ((held[at], name) for at, name in enumerate(wanted) if there[at] != name)
        return
    left = list(wanted)
    free = []
    for card, name in zip(held, there, strict=True):
        if name in left:
            left.remove(name)
        else:
            free.append(card)
    yield from zip(free, left, strict=False)


def _exchange(state: State, orders: Orders, facts: Sequence[Fact]) -> bool:
    """Exchange cards in the orders of shuffles so that they go where facts want them.

    Return whether any was.
    """
    game = state.game
    called = dict(zip((int(card.id) for card in game.cards), names(game, game.cards), strict=True))
    kept = {card for fact in facts for card in _kept(state, fact)}
    now: dict[int, int] = {card: card for card in called}  # what lies where a card lay
    changed = False
    for fact in facts:
        place = fact.subject(game)
        if isinstance(place, StoredValue) or isinstance(fact.value(), int):
            continue
        for spot, name in list(_targets(state, place, fact)):
            free = (card for card in called if called[card] == name and card not in kept)
            wanted, old = next(free), now[spot]
            kept.add(wanted)
            if wanted == old:
                continue
            _swap(orders, wanted, old, fact, called)
            where = next(at for at, card in now.items() if card == wanted)
            now[spot], now[where] = wanted, old
            changed = True
    return changed


def _kept(state: State, fact: Fact) -> Iterator[int]:
    """Yield the cards that already lie where a fact wants them."""
    place = fact.subject(state.game)
    if isinstance(place, StoredValue) or isinstance(fact.value(), int):
        return
    away = {card for card, _ in _targets(state, place, fact)}
    held = from_top(state, place)
    wanted = names(state.game, fact.cards(state.game)[0])
    if is_ordered(state, place):
        held = held[: len(wanted)]
    for card, name in zip(held, names(state.game, held), strict=True):
        if card.id not in away and name in wanted:
            wanted.remove(name)
            yield int(card.id)


def _swap(orders: Orders, one: int, other: int, fact: Fact, called: dict[int, str]) -> None:
    """Exchange two cards in the last shuffle that had both."""
    for order in reversed(orders):
        if one in order and other in order:
            at, to = order.index(one), order.index(other)
            order[at], order[to] = other, one
            return
    raise fact.entry.wrong(
        f"{called[one]} cannot be dealt to {fact.owner}.{fact.name}: no shuffle brings it there",
        "cards that are not shuffled lie where the rules put them",
    )
