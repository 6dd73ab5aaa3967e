"""Selectors: each picks the candidate cards that fit one idea.

A selector takes the table, the candidates and its parameters, and returns some of the candidates in
order, or none. It is a pure function. The first line of its docstring is its user documentation.

The queen is that of spades, and the high spades are ace and king, unless the game's constants say
otherwise: see `HeartsFamily.queen`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from cardwright.hearts.cards import HEARTS, Cards, suit_mask
from cardwright.hearts.rule import rule_card_at, rule_lay, rule_pass
from cardwright.hearts.table import DecisionKind, HeartsView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Choose = Callable[..., Cards]
    Holds = Callable[[HeartsView], bool]


class ParameterSpec(Enum):
    """The kind of parameters that a selector takes."""

    NOTHING = "no parameters"
    NUMBER = "a number"
    SUIT = "one suit"
    SUITS = "any number of suits"


@dataclass(frozen=True)
class Selector:
    """A selector by its name: what it does, and what parameters it takes."""

    name: str
    choose: Choose
    takes: ParameterSpec
    about: str
    least: int = 0
    most: int = 0


SELECTORS: dict[str, Selector] = {}
"""All selectors by name."""


def selector(
    takes: ParameterSpec = ParameterSpec.NOTHING, least: int = 0, most: int = 0
) -> Callable[[Choose], Choose]:
    """Register a function as a selector; a number as its parameter is from `least` to `most`."""

    def registered(choose: Choose) -> Choose:
        name = choose.__name__.rstrip("_")
        about = (choose.__doc__ or "").split("\n", 1)[0]
        SELECTORS[name] = Selector(name, choose, takes, about, least, most)
        return choose

    return registered


def no_points(table: HeartsView) -> bool:
    """The trick has no penalty so far."""
    return table.stake <= 0


def points(table: HeartsView) -> bool:
    """The trick already has a penalty."""
    return table.stake > 0


def last(table: HeartsView) -> bool:
    """The player is the last to play to the trick."""
    return table.last


def first_trick(table: HeartsView) -> bool:
    """No trick of the deal has been taken yet."""
    return not any(table.taken)


def broken(table: HeartsView) -> bool:
    """Hearts may be led."""
    return table.broken


def queen_out(table: HeartsView) -> bool:
    """Another player may hold the queen."""
    return table.queen_out


def queen_held(table: HeartsView) -> bool:
    """The queen is in the hand."""
    return table.family.queen in table.hand


def high_spade_on_table(table: HeartsView) -> bool:
    """Ace or king of spades has been played to the trick."""
    return any(table.family.above_queen >> card & 1 for card in table.trick)


CONDITIONS: dict[str, Holds] = {
    condition.__name__: condition
    for condition in (
        *(no_points, points, last, first_trick, broken),
        *(queen_out, queen_held, high_spade_on_table),
    )
}
"""All conditions by name; a condition's docstring says when it holds."""

# Any card, by rank and suit --------------------------------------------------------------------


@selector()
def any_(table: HeartsView, cards: Cards) -> Cards:
    """All candidates."""
    return cards


@selector()
def highest(table: HeartsView, cards: Cards) -> Cards:
    """The candidates of the highest rank."""
    return _least(cards, lambda card: -(card & 15))


@selector()
def lowest(table: HeartsView, cards: Cards) -> Cards:
    """The candidates of the lowest rank."""
    return _least(cards, lambda card: card & 15)


@selector(ParameterSpec.SUIT)
def highest_of(table: HeartsView, cards: Cards, suit: int) -> Cards:
    """The highest candidate of a suit."""
    return highest(table, _of_suits(cards, (suit,)))


@selector(ParameterSpec.SUIT)
def lowest_of(table: HeartsView, cards: Cards, suit: int) -> Cards:
    """The lowest candidate of a suit."""
    return lowest(table, _of_suits(cards, (suit,)))


@selector()
def highest_heart(table: HeartsView, cards: Cards) -> Cards:
    """The highest heart."""
    return highest_of(table, cards, HEARTS)


@selector()
def lowest_heart(table: HeartsView, cards: Cards) -> Cards:
    """The lowest heart."""
    return lowest_of(table, cards, HEARTS)


@selector(ParameterSpec.NUMBER, 2, 14)
def keep_low_hearts(table: HeartsView, cards: Cards, below: int = 6) -> Cards:
    """All candidates except hearts below a rank (6)."""
    return tuple(card for card in cards if card >> 4 != HEARTS or card & 15 >= below)


@selector()
def rule(table: HeartsView, cards: Cards) -> Cards:
    """What the plain rules choose from the candidates."""
    if not cards:
        return ()
    if table.kind is DecisionKind.LAY:
        return rule_lay(cards, 1, table.family.costs)
    if table.kind is DecisionKind.PASS:
        # The rule player counts the spades of its whole hand, and here some may be gone. If all
        # that went was its choice, then either nothing risky is left, or only risky spades went, or
        # it held enough of them: so counting every card gone as a spade gives its decision.
        gone = max(table.count - table.to_go, 0)
        return rule_pass(cards, 1, table.family, table.spades + gone)
    return (rule_card_at(table, cards),)


# Spades and the queen --------------------------------------------------------------------------


@selector(ParameterSpec.NUMBER, 1, 99)
def queen_spades(table: HeartsView, cards: Cards, fewer: int = 99) -> Cards:
    """The queen, if fewer than n spades are held (any number)."""
    return _in(cards, table.family.queen_mask) if table.spades < fewer else ()


@selector(ParameterSpec.NUMBER, 1, 99)
def high_spades(table: HeartsView, cards: Cards, fewer: int = 4) -> Cards:
    """Ace and king of spades, if fewer than n spades are held (4)."""
    return _in(cards, table.family.above_queen) if table.spades < fewer else ()


@selector()
def flush_queen(table: HeartsView, cards: Cards) -> Cards:
    """On lead, spades below the queen while another player has it."""
    queen = table.family.queen
    if queen is None or table.trick or not table.queen_out:
        return ()
    return tuple(card for card in cards if card >> 4 == queen >> 4 and card < queen)


# Suits by length -------------------------------------------------------------------------------


@selector(ParameterSpec.SUITS)
def void_suit(table: HeartsView, cards: Cards, *suits: int) -> Cards:
    """Candidates of suits, any or those named, that can be emptied at this decision.

    That is, in passing, all cards of the suit can still be passed; in play, the card is the last.
    """
    held = _lengths(table)
    return tuple(card for card in _of_suits(cards, suits) if held[card >> 4] <= table.to_go)


@selector(ParameterSpec.SUITS)
def shortest_suit(table: HeartsView, cards: Cards, *suits: int) -> Cards:
    """Like `void_suit`, but only of the shortest such suit."""
    return _by_length(table, void_suit(table, cards, *suits))


@selector(ParameterSpec.SUITS)
def short_suit(table: HeartsView, cards: Cards, *suits: int) -> Cards:
    """Candidates of the shortest suit in hand, of any or of those named."""
    return _by_length(table, _of_suits(cards, suits))


@selector(ParameterSpec.SUITS)
def long_suit(table: HeartsView, cards: Cards, *suits: int) -> Cards:
    """Candidates of the longest suit in hand, of any or of those named."""
    return _by_length(table, _of_suits(cards, suits), -1)


# The trick -------------------------------------------------------------------------------------


@selector()
def duck(table: HeartsView, cards: Cards) -> Cards:
    """The highest candidate that loses to the card winning the trick; nothing on lead."""
    return highest(table, _losing(table, cards))


@selector()
def duck_lowest(table: HeartsView, cards: Cards) -> Cards:
    """The lowest candidate that loses to the card winning the trick; nothing on lead."""
    return lowest(table, _losing(table, cards))


@selector()
def win_cheap(table: HeartsView, cards: Cards) -> Cards:
    """The lowest candidate that wins the trick, the queen only if forced; nothing on lead."""
    return lowest(table, _spare_queen(table, _in(cards, table.beating)))


@selector()
def win_high(table: HeartsView, cards: Cards) -> Cards:
    """Last to play, if the trick has no penalty: the highest that wins it, except the queen."""
    if not table.last or table.stake > 0:
        return ()
    return highest(table, _in(cards, table.beating & ~table.family.queen_mask))


@selector()
def avoid_points(table: HeartsView, cards: Cards) -> Cards:
    """Candidates that would cost nothing if the trick ended with them."""
    costs = table.family.costs
    return tuple(
        card
        for card in cards
        if (table.trick and not table.beating >> card & 1) or table.stake + costs[card] <= 0
    )


@selector()
def dump(table: HeartsView, cards: Cards) -> Cards:
    """Following suit, of the penalty cards that lose to the card winning the trick the dearest."""
    costs = table.family.costs
    losing = [card for card in _losing(table, cards) if card >> 4 == table.led and costs[card] > 0]
    return _least(losing, lambda card: -costs[card])


@selector()
def least_cost(table: HeartsView, cards: Cards) -> Cards:
    """If every candidate wins the trick, those that cost least; nothing on lead and in hearts."""
    if not table.trick or table.led == HEARTS or _losing(table, cards):
        return ()
    return _cheapest(table, cards)


@selector()
def lay_cheap(table: HeartsView, cards: Cards) -> Cards:
    """In exchange for a widow, the candidates that cost least: they count as taken."""
    return _cheapest(table, cards) if table.kind is DecisionKind.LAY else ()


# Bonus cards -----------------------------------------------------------------------------------


@selector()
def take_bonus(table: HeartsView, cards: Cards) -> Cards:
    """The highest candidate that wins a trick worth having, in which bonuses outweigh penalties.

    A bonus card is used for that only if nobody can beat it: by the last player, or if no higher
    card of its suit is unseen, in which case it is also led.
    """
    if table.kind is not DecisionKind.PLAY:
        return ()
    costs = table.family.costs
    winning = _in(cards, table.beating) if table.trick else cards
    return highest(
        table,
        tuple(
            card
            for card in winning
            if table.stake + costs[card] < 0
            and (table.last or costs[card] >= 0 or not _unseen_above(table, card))
        ),
    )


@selector()
def keep_bonus(table: HeartsView, cards: Cards) -> Cards:
    """All candidates except bonus cards, to pass or to play."""
    return () if table.kind is DecisionKind.LAY else _in(cards, ~table.family.bonuses)


# Leads -----------------------------------------------------------------------------------------


@selector(ParameterSpec.NUMBER, 1, 13)
def safe_lead(table: HeartsView, cards: Cards, least: int = 1) -> Cards:
    """On lead, cards below at least n unseen cards of their suit (1)."""
    if table.trick:
        return ()
    return tuple(card for card in cards if _unseen_above(table, card) >= least)


@selector()
def bleed_hearts(table: HeartsView, cards: Cards) -> Cards:
    """On lead, the highest heart below some unseen heart, to draw hearts from the others."""
    return highest(table, _of_suits(safe_lead(table, cards), (HEARTS,)))


# The moon --------------------------------------------------------------------------------------


@selector(ParameterSpec.NUMBER, 1, 999)
def block_moon(table: HeartsView, cards: Cards, least: int = 4) -> Cards:
    """Candidates that win points, if one opponent has all points so far and at least n (4).

    Nothing, unless the trick has a penalty and that opponent is winning it.
    """
    takers = [seat for seat, cost in enumerate(table.points) if cost > 0]
    if takers in ([], [table.seat]) or len(takers) > 1 or table.winner not in takers:
        return ()
    if table.points[takers[0]] < least or table.stake <= 0:
        return ()
    return _spare_queen(table, _in(cards, table.beating))


@selector(ParameterSpec.NUMBER, 1, 100)
def stop_moon(table: HeartsView, cards: Cards, percent: int = 60) -> Cards:
    """What stops an opponent who alone has n % (60) of the moon's points and nobody else any.

    On lead, penalty cards that nobody can beat. If that opponent is winning the trick: with points
    in it, the highest candidate that wins it, the queen only if forced; else cards without points.
    """
    shooter = _shooter(table, percent)
    if shooter is None or table.kind is not DecisionKind.PLAY:
        return ()
    counts = table.family.moon
    if not table.trick:
        return tuple(card for card in cards if counts[card] and not _unseen_above(table, card))
    if table.winner != shooter:
        return ()
    winning = _spare_queen(table, _in(cards, table.beating))
    if winning and any(counts[card] for card in table.trick):
        return highest(table, winning)
    return tuple(card for card in cards if not counts[card])


@selector(ParameterSpec.NUMBER, 1, 100)
def shoot(table: HeartsView, cards: Cards, percent: int = 70) -> Cards:
    """Cards that win tricks, if nobody else has points and n % of the hand (70) should win.

    The cards that should win are those that would when led. In passing, all others are picked.
    """
    if any(cost > 0 for seat, cost in enumerate(table.points) if seat != table.seat):
        return ()
    sure = [card for card in table.hand if _master(table, card)]
    if 100 * len(sure) < percent * len(table.hand):
        return ()
    if table.kind is not DecisionKind.PLAY:
        return tuple(card for card in cards if card not in sure)
    if not table.trick:
        return tuple(card for card in cards if card in sure)
    return highest(table, _in(cards, table.beating))


# Helpers ----------------------------------------------------------------------------------------


def _in(cards: Cards, mask: int) -> Cards:
    return tuple(card for card in cards if mask >> card & 1)


def _of_suits(cards: Cards, suits: Iterable[int]) -> Cards:
    """Return the cards of some suits; all cards if no suit is named."""
    wanted = tuple(suits)
    return tuple(card for card in cards if not wanted or card >> 4 in wanted)


def _lengths(table: HeartsView) -> list[int]:
    return [sum(card >> 4 == suit for card in table.hand) for suit in range(4)]


def _least(cards: Iterable[int], measure: Callable[[int], int]) -> Cards:
    measured = [(measure(card), card) for card in cards]
    least = min((value for value, _ in measured), default=0)
    return tuple(card for value, card in measured if value == least)


def _by_length(table: HeartsView, cards: Cards, sign: int = 1) -> Cards:
    held = _lengths(table)
    return _least(cards, lambda card: sign * held[card >> 4])


def _losing(table: HeartsView, cards: Cards) -> Cards:
    return _in(cards, ~table.beating) if table.trick else ()


def _cheapest(table: HeartsView, cards: Cards) -> Cards:
    return _least(cards, table.family.costs.__getitem__)


def _shooter(table: HeartsView, percent: int) -> int | None:
    """Return the only seat that has cards of the moon, if it is another with enough; else None."""
    counts = table.family.moon
    taken = [sum(map(counts.__getitem__, cards)) for cards in table.taken]
    seats = [seat for seat, points in enumerate(taken) if points]
    if len(seats) != 1 or seats[0] == table.seat:
        return None
    (seat,) = seats
    return seat if 100 * taken[seat] >= percent * table.family.moon_total else None


def _spare_queen(table: HeartsView, cards: Cards) -> Cards:
    return _in(cards, ~table.family.queen_mask) or cards


def _unseen_above(table: HeartsView, card: int) -> int:
    return (table.unseen & suit_mask(card >> 4) & -(2 << card)).bit_count()


def _master(table: HeartsView, card: int) -> bool:
    """Say whether a card should win when it is led.

    That is, no unseen card of its suit is higher, or fewer unseen cards are higher than the player
    holds itself: those will have been drawn by then.
    """
    own = sum(1 for other in table.hand if other >> 4 == card >> 4 and other > card)
    above = _unseen_above(table, card)
    return above == 0 or above < own
