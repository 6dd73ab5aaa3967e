"""Determinisation: complete worlds that agree with what one seat sees."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import sees
from cardwright.program.places import in_order

if TYPE_CHECKING:
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId


class KnowledgeMode(StrEnum):
    """What a seat is assumed to know.

    `basic`: the cards that it sees now. `known`: also the cards that everybody saw going into a
    hidden place, as long as they cannot have left it unseen (the level "taken" of later versions of
    the reference). `consistent`: everything that the seat has seen since the game began, and what
    follows from the choices of others; see `cardwright.game.knowledge`.
    """

    BASIC = "basic"
    KNOWN = "known"
    CONSISTENT = "consistent"


def determinise(world: World, seat: int, stream: Stream, mode: KnowledgeMode) -> World:
    """Return a world in which every card that the seat does not know is redealt uniformly.

    Sizes, and the back at each position, stay as they are. The new world draws from a stream of its
    own, seeded from `stream`, so that it reveals nothing of the real game's random stream. For the
    mode `consistent` see `cardwright.game.consistent_worlds`.
    """
    drawn = world.copy()
    places = hidden_positions(drawn, seat)
    if mode is KnowledgeMode.KNOWN:
        places = _without_known(drawn, places)
    _deal(drawn, places, stream)
    for pile in dict.fromkeys(pile for pile, _ in places):
        pile.cards = pile.arranged(pile.cards)
    drawn.stream = Stream(stream.next())
    return drawn


def hidden_positions(world: World, seat: int) -> list[tuple[Pile, int]]:
    """Return the positions not seen: piles by owner, kind, name and index, each from the bottom.

    In a pile without an order, the positions are those of each back in turn, so that they do not
    depend on which cards lie there.
    """
    program = world.rules.program
    numbers = {back: at for at, back in enumerate(dict.fromkeys(c.back for c in program.cards))}
    back = [numbers[card.back] for card in program.cards]

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


def _deal(world: World, places: list[tuple[Pile, int]], stream: Stream) -> None:
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
    for pile, at in places:
        card = next(dealt[backs[pile.cards[at]]])
        pile.cards[at] = card
        world.where[card] = pile.location
