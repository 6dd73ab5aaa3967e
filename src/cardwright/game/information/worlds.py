"""Worlds that a seat cannot tell from the true one, drawn by the interpreter.

`determinise` goes by what the seat sees, `ConsistentWorlds` by what it knows. Machine code draws
the same worlds from the same streams.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING

from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.whereabouts import Backs
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import sees
from cardwright.program.places import in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.board import Redeal
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location

# How consistent worlds are drawn, as `cardwright.compiler.kernels.worlds` does; on the
# quality of the draws see there.
_BURN_IN = 8
_SWEEPS = 2
_SHORTEST, _LONGEST = 3, 8
_TRIES = 8


def drawn_worlds(world: World, redeal: Redeal, stream: Stream) -> Callable[[], World]:
    """Return what draws worlds that a seat cannot tell from a world, one after the other."""
    if redeal.histories is not None:
        chain, own = redeal.histories, Stream(stream.next())

        def drawn() -> World:
            found = chain.world(own).world().copy()
            found.stream = Stream(stream.next())
            return found

        return drawn
    if redeal.knowledge is not None:
        return ConsistentWorlds(world, redeal.knowledge, stream).next
    return partial(determinise, world, redeal.seat, stream, redeal.mode)


def determinise(world: World, seat: int, stream: Stream, mode: KnowledgeMode) -> World:
    """Return a world in which every card that the seat does not know is redealt uniformly.

    Sizes, and the back at each position, stay as they are. The new world draws from a stream of its
    own, seeded from `stream`, so that it reveals nothing of the real game's random stream.
    """
    drawn = world.copy()
    places = hidden_positions(drawn, seat)
    if mode is KnowledgeMode.KNOWN:
        places = _without_known(drawn, places)
    cards = _dealt(drawn, places, stream)
    return _laid(drawn, [(pile.location, at) for pile, at in places], cards, stream)


def _laid(
    world: World, places: list[tuple[Location, int]], cards: list[CardId], stream: Stream
) -> World:
    """Lay cards at some positions of a world, which gets a stream of its own; return it."""
    for (place, at), card in zip(places, cards, strict=True):
        world.piles[place].cards[at] = card
        world.where[card] = place
    for place in dict.fromkeys(place for place, _ in places):
        pile = world.piles[place]
        pile.cards = pile.arranged(pile.cards)
    world.stream = Stream(stream.next())
    return world


def hidden_positions(world: World, seat: int) -> list[tuple[Pile, int]]:
    """Return the positions not seen: piles by owner, kind, name and index, each from the bottom.

    In a pile without an order, the positions are those of each back in turn, so that they do not
    depend on which cards lie there.
    """
    program = world.rules.program
    back = Backs(program).of

    def positions(pile: Pile) -> list[int]:
        every = range(len(pile.cards))
        return [*every] if pile.ordered else sorted(every, key=lambda at: back[pile.cards[at]])

    piles = [pile for pile in world.touched() if not sees(program, seat, pile.location)]
    piles.sort(key=lambda pile: in_order(pile.location))
    return [(pile, at) for pile in piles for at in positions(pile)]


def _without_known(world: World, places: list[tuple[Pile, int]]) -> list[tuple[Pile, int]]:
    """Put known cards at the lowest positions of their back, and return the positions left."""
    backs = [card.back for card in world.rules.program.cards]
    left: list[tuple[Pile, int]] = []
    for pile in dict.fromkeys(pile for pile, _ in places):
        known: dict[str, deque[CardId]] = {}
        for card in pile.known:
            known.setdefault(backs[card], deque()).append(card)
        # The cards displaced by them are dealt elsewhere with the others: the lists only name
        # cards.
        free: dict[str, deque[CardId]] = {}
        for card in pile.cards:
            if card not in pile.known:
                free.setdefault(backs[card], deque()).append(card)
        for at, card in enumerate(pile.cards):
            back = backs[card]
            if known.get(back):
                pile.cards[at] = known[back].popleft()
            else:
                pile.cards[at] = free[back].popleft()
                left.append((pile, at))
    return left


def _dealt(world: World, places: list[tuple[Pile, int]], stream: Stream) -> list[CardId]:
    """Deal the cards of some positions over these positions, each to one with its back.

    The cards are taken in order of number before they are permuted, so that the deal depends on
    what the seat does not know only through the stream.
    """
    backs = [card.back for card in world.rules.program.cards]
    packs: dict[str, list[CardId]] = {}
    for card in sorted(pile.cards[at] for pile, at in places):
        packs.setdefault(backs[card], []).append(card)
    for pack in packs.values():
        stream.shuffle(pack)
    dealt = {back: iter(pack) for back, pack in packs.items()}
    return [next(dealt[backs[pile.cards[at]]]) for pile, at in places]


class ConsistentWorlds:
    """A chain of worlds that a seat cannot tell from the true one by what it knows.

    Every world is a copy of the true one with the cards redealt that the seat does not see.
    """

    def __init__(self, world: World, knowledge: Knowledge, stream: Stream) -> None:
        self._world = world
        self._stream = stream
        backs = [card.back for card in world.rules.program.cards]
        hidden = hidden_positions(world, knowledge.seat)
        self._places: list[tuple[Location, int]] = [(pile.location, at) for pile, at in hidden]
        lying = [pile.cards[at] for pile, at in hidden]
        numbers = {place: number for number, place in enumerate(knowledge.places)}
        masks = [
            sum(1 << at for at, (place, _) in enumerate(self._places) if mask >> numbers[place] & 1)
            for mask in knowledge.masks
        ]
        alike = {
            back: sum(1 << at for at, card in enumerate(lying) if backs[card] == back)
            for back in set(backs)
        }
        self._same = [alike[backs[card]] for card in range(len(backs))]
        self._may = [mask & same for mask, same in zip(masks, self._same, strict=True)]
        self._cards = self._matched(sorted(lying))
        self._loose = all(self._may[card] == self._same[card] for card in lying)
        self._fresh = True
        for _ in range(1 if self._loose else _BURN_IN):
            self._sweep()

    def _matched(self, pack: list[CardId]) -> list[CardId]:
        """Return a card for each place, by augmenting paths like the kernel `match`."""
        may = self._may
        holder: list[int | None] = [None] * len(pack)
        for first in range(len(pack)):
            tried: set[int] = set()

            def find(place: int, tried: set[int] = tried) -> bool:
                free = [at for at, by in enumerate(holder) if by is None]
                for at in free:
                    if may[pack[at]] >> place & 1:
                        holder[at] = place
                        return True
                for at, by in enumerate(holder):
                    if by is not None and at not in tried and may[pack[at]] >> place & 1:
                        tried.add(at)
                        if find(by):
                            holder[at] = place
                            return True
                return False

            reached = find(first)
            assert reached, "no deal agrees with what the seat knows"
        cards = pack.copy()
        for card, place in zip(pack, holder, strict=True):
            assert place is not None
            cards[place] = card
        return cards

    def _sweep(self) -> None:
        """Propose exchanges, and unless all cards are loose, cycles of some cards."""
        cards, may, below = self._cards, self._may, self._stream.below
        for i in range(len(cards) - 1, 0, -1):
            high = cards[i]
            j = below(i + 1)
            while not self._same[high] >> j & 1:
                j = below(i + 1)
            if may[high] >> j & 1 and may[cards[j]] >> i & 1:
                cards[i], cards[j] = cards[j], high
        if not self._loose:
            for _ in range(len(cards)):
                self._move_round()

    def _move_round(self) -> None:
        """Propose to move some cards in a cycle, like the kernel of that name."""
        cards, may = self._cards, self._may
        bits = self._stream.next() | 1 << (_LONGEST - _SHORTEST)
        length = _SHORTEST + (bits & -bits).bit_length() - 1
        path = [self._stream.below(len(cards))]
        while len(path) < length:
            there = self._way_on(path[-1])
            if there is None or there in path:
                return
            path.append(there)
        moved = [cards[at] for at in path]
        if may[moved[-1]] >> path[0] & 1:
            for card, at in zip(moved, path[1:] + path[:1], strict=True):
                cards[at] = card

    def _way_on(self, here: int) -> int | None:
        """Draw another place where the card of a place may lie."""
        may = self._may[self._cards[here]]
        for _ in range(_TRIES):
            there = self._stream.below(len(self._cards))
            if there != here and may >> there & 1:
                return there
        return None

    def next(self) -> World:
        """Return the next world, which draws from a stream of its own."""
        if not self._fresh:
            for _ in range(1 if self._loose else _SWEEPS):
                self._sweep()
        self._fresh = False
        return _laid(self._world.copy(), self._places, self._cards, self._stream)
