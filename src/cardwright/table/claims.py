"""Claims: the rest of a deal of tricks whose result is the same, however it is played.

What is claimed is proved from what the seat sees, and nothing else: for every way in which the
cards that it does not see can lie, and every order of play. There are two proofs. Either nothing
that is left counts; or every card of the seat that leads beats every card that others may hold, so
that it wins this trick, and by the same argument all that follow. Which card beats which is tried
by the rules themselves, in worlds where others hold the cards they are to play.

What the rules must be like for that follows from their program (`TrickFacts`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from cardwright.interpreter import machine
from cardwright.interpreter.effects import Moved
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault, sees
from cardwright.program.cards import CardId, Location, LocationKind
from cardwright.program.places import in_order
from cardwright.table.trick_facts import HAND, TRICK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.interpreter.effects import BuiltOption, Pile
    from cardwright.interpreter.world import World
    from cardwright.table.referee import Referee, RefereeRules
    from cardwright.table.scene_maker import HandPlaces

_FEWEST = 2
"""The fewest cards of a hand for which there is anything to claim."""

WINS_ALL = "you take all the tricks that are left, whatever is played"
NOTHING_COUNTS = "no card that is left counts, whatever is played"
CLAIMED = {WINS_ALL: "all the tricks that are left", NOTHING_COUNTS: "no card that is left counts"}
"""What may be claimed, and how others are told of it."""


def claim_of(rules: RefereeRules, hands: HandPlaces, referee: Referee, seat: int) -> str | None:
    """Return what the seat that is due may claim, in words; None if nothing is proved."""
    tricks, world, options = rules.trick_facts, referee.world, referee.pending(seat).built
    own = _held(world, hands, seat)
    if len(own) < _FEWEST or not _lay(options, hands, {seat}):
        return None
    elsewhere = _elsewhere(world, hands, seat)
    if tricks.draws and elsewhere:
        return None
    unseen = [card for pile in (*elsewhere, *_others(world, hands, seat)) for card in pile.cards]
    lying = (CardId(at) for at, place in enumerate(world.where) if place.name == TRICK)
    if tricks.worth is not None and not _counts(world, tricks.worth, {*own, *unseen, *lying}):
        return NOTHING_COUNTS
    all_leads = not referee.tricks.cards and len(options) == len(own)
    if not (tricks.best_wins and tricks.adds_up and all_leads):
        return None
    trial = _LeadTrial(rules, hands, world, seat, sorted(unseen), elsewhere, len(own))
    return WINS_ALL if trial.all_win(options) else None


def plays_tricks(referee: Referee, hands: HandPlaces) -> bool:
    """Return whether the pending decision is only which card to lay to a trick."""
    if referee.due is None:
        return False
    players = set(range(referee.rules.game.players))
    return _lay(referee.pending(referee.due).built, hands, players)


def _lay(options: Sequence[BuiltOption], hands: HandPlaces, seats: set[int]) -> bool:
    """Return whether each option lays a card of a hand of some seats to a trick, and no more."""
    for option in options:
        moves = [one for one in option.effects if isinstance(one, Moved)]
        if len(moves) != 1 or moves[0].target.name != TRICK:
            return False
        if moves[0].source.owner not in seats or not _is_hand(moves[0].source, hands):
            return False
    return True


def _is_hand(place: Location, hands: HandPlaces) -> bool:
    """Return whether a place is a hand, which may lie open, as that of dummy."""
    return place.name == HAND or hands.holds(place, place.owner)


def _held(world: World, hands: HandPlaces, seat: int) -> list[CardId]:
    """Return the cards of a seat's hand."""
    piles = (pile for pile in world.touched() if pile.location.owner == seat)
    return [card for pile in piles if _is_hand(pile.location, hands) for card in pile.cards]


def _others(world: World, hands: HandPlaces, seat: int) -> list[Pile]:
    """Return the hands of the others, which may lie open."""
    players = world.rules.program.players
    owned = (pile for pile in world.touched() if pile.location.owner != seat)
    return [
        pile for pile in owned if pile.location.owner < players and _is_hand(pile.location, hands)
    ]


def _elsewhere(world: World, hands: HandPlaces, seat: int) -> list[Pile]:
    """Return the piles of cards that a seat does not see and nobody holds, in a fixed order."""
    program = world.rules.program
    found = [
        pile
        for pile in world.touched()
        if pile.cards
        and not sees(program, seat, pile.location)
        and not (pile.location.owner < program.players and _is_hand(pile.location, hands))
    ]
    return sorted(found, key=lambda pile: in_order(pile.location))


def _counts(world: World, maps: frozenset[str], cards: set[CardId]) -> bool:
    """Return whether any of some cards is worth anything; True where that is not known yet."""
    found = [points for (_, name), points in world.points.items() if name in maps]
    return len(found) != len(maps) or any(points.worth(card) for points in found for card in cards)


@dataclass
class _LeadTrial:
    """Tries out who wins, in worlds where each of the others holds the one card it is to play.

    `cards` are how many the seat has, `unseen` those that others may have.
    """

    rules: RefereeRules
    hands: HandPlaces
    world: World
    seat: int
    unseen: list[CardId]
    elsewhere: list[Pile]
    cards: int
    others: list[int] = field(init=False)

    def __post_init__(self) -> None:
        count = self.rules.game.players
        self.others = [(self.seat + step) % count for step in range(1, count)]

    def all_win(self, options: Sequence[BuiltOption]) -> bool:
        """Return whether each card that is led beats every unseen card, as tried by the rules.

        Every lead is tried once before any is tried again: mostly one that loses is found so.
        """
        size, groups = len(self.others), -(-len(self.unseen) // len(self.others))
        if len(self.unseen) < size:
            return False
        for group in range(groups):
            # The last cards are tried with others again.
            at = min(group * size, len(self.unseen) - size)
            for option in options:
                cards = self._like(option)[at : at + size]
                if not (self._wins(option, cards) and self._wins(option, cards[::-1])):
                    return False
        return True

    def _like(self, option: BuiltOption) -> list[CardId]:
        """Return the unseen cards, those first that are like the card that is led.

        Of its suit, and late in the deck, they mostly are what beats it: then one trial is enough.
        """
        cards = self.world.rules.program.cards
        led = [one.card for one in option.effects if isinstance(one, Moved)]
        own = {item for card in led for item in cards[card].attributes.items()}
        shared = {card: len(own & cards[card].attributes.items()) for card in self.unseen}
        return sorted(self.unseen, key=lambda card: (shared[card], card), reverse=True)

    def _wins(self, option: BuiltOption, cards: list[CardId]) -> bool:
        world, limits = self._dealt(cards), self.rules.game.limits
        try:
            machine.carry_out(world, option)
            for _ in self.others:
                options = machine.advance(world, limits)
                if not options or not _lay(options, self.hands, {*self.others}):
                    return False
                machine.carry_out(world, options[0])
            options = machine.advance(world, limits)
        except Fault:
            return False
        # The others have no cards left, for which rules may end the deal and begin the next one.
        whole = not any(place.name == TRICK for place in world.where)
        left = len(_held(world, self.hands, self.seat)) == self.cards - 1
        return whole and left and bool(options) and _lay(options or [], self.hands, {self.seat})

    def _dealt(self, cards: list[CardId]) -> World:
        """Return a copy of the world in which each of the others holds one of some cards.

        It is the same for all worlds that the seat cannot tell apart.
        """
        world = self.world.copy()
        held = dict(zip(self.others, cards, strict=True))
        aside = world.pile(Location(world.rules.program.table, LocationKind.HIDDEN, "claimed"))
        left = iter([card for card in self.unseen if card not in cards])
        for pile in self.elsewhere:
            _lie(world, world.pile(pile.location), list(islice(left, len(pile.cards))))
        for pile in _others(world, self.hands, self.seat):
            _lie(world, pile, [held[pile.location.owner]])
        _lie(world, aside, list(left))
        world.stream = Stream(0)
        return world


def _lie(world: World, pile: Pile, cards: list[CardId]) -> None:
    """Let cards lie in a pile, and no others."""
    pile.cards = pile.arranged(cards)
    for card in cards:
        world.where[card] = pile.location
