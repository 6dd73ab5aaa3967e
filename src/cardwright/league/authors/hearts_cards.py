"""Cards and tricks of Hearts, for bots of the league: `import hearts_cards`, or copy what you need.

A card is a number, 13 * suit + rank: clubs 0 to 12, diamonds 13 to 25, spades 26 to 38, hearts 39
to 51, each from the two up to the ace. A seat is a number from 0 to 3. Functions with a `state`
take the argument of your `getPlay` or `getSluff`, and do not change it. This file needs only
Python, and is deterministic and stateless.
"""

from __future__ import annotations

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUITS = "CDSH"
RANKS = "23456789TJQKA"

TWO_OF_CLUBS = 0
QUEEN = 36
"""The queen of spades, 13 points."""


class GameState:
    """What a bot gets; this class is here so that your editor can complete names."""

    hand: list[int]
    legalMoves: list[int]  # noqa: N815 - the names are the league's
    lead: int | None
    playHistory: list[list[int]] | None  # noqa: N815
    roundPoints: list[int]  # noqa: N815
    gamePoints: list[int]  # noqa: N815
    whichPlayer: int  # noqa: N815
    sluffDirection: int  # noqa: N815
    sluffedByYou: list[int]  # noqa: N815
    sluffedToYou: list[int] | None  # noqa: N815


# Cards ---------------------------------------------------------------------------------------


def card(name: str) -> int:
    """Return the card with a name: a rank of 23456789TJQKA and a suit of CDSH.

    >>> card("2C"), card("QS"), card("ah")
    (0, 36, 51)
    """
    rank, suit = name[:-1].upper(), name[-1:].upper()
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise ValueError(f"{name!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}")
    return 13 * SUITS.index(suit) + RANKS.index(rank)


def name(card: int) -> str:
    """Return the name of a card.

    >>> name(36)
    'QS'
    """
    return RANKS[rank(card)] + SUITS[suit(card)]


def names(cards: list[int]) -> str:
    """Return the names of cards.

    >>> names([0, 36, 51])
    '2C QS AH'
    """
    return " ".join([name(other) for other in cards])


def suit(card: int) -> int:
    """Return the suit of a card: CLUBS, DIAMONDS, SPADES or HEARTS."""
    return card // 13


def rank(card: int) -> int:
    """Return the rank of a card: 0 for a two, 12 for an ace."""
    return card % 13


def points(card: int) -> int:
    """Return the points that a card costs its taker.

    >>> points(card("QS")), points(card("2H")), points(card("AS"))
    (13, 1, 0)
    """
    if card == QUEEN:
        return 13
    return 1 if suit(card) == HEARTS else 0


def by_suit(cards: list[int]) -> list[list[int]]:
    """Return four lists, the cards of each suit from the lowest up.

    >>> by_suit([40, 12, 0, 36])
    [[0, 12], [], [36], [40]]
    """
    suits: list[list[int]] = [[], [], [], []]
    for other in sorted(cards):
        suits[suit(other)].append(other)
    return suits


def winner(lead: int, cards: list[int]) -> int:
    """Return the seat that wins a trick; it may have fewer than four cards, but at least one.

    `cards` are in the order in which they were played, the first one by the seat `lead`.

    >>> winner(2, [card("9D"), card("AS"), card("TD"), card("3D")])
    0
    """
    best = max([other for other in cards if suit(other) == suit(cards[0])])
    return (lead + cards.index(best)) % 4


# The round so far ----------------------------------------------------------------------------


def passing(state: GameState) -> bool:
    """Say whether cards are being passed, so that nothing has been played in this round."""
    return state.sluffedToYou is None


def tricks(state: GameState) -> list[tuple[int, list[int]]]:
    """Return all tricks of this round as (lead, cards), in order.

    `lead` is the seat that led, `cards` are in the order in which they were played. While you have
    to play, the last trick is the one in play, which has no cards in it yet if you lead.
    """
    history = state.playHistory
    if passing(state) or history is None:
        return []
    lead = state.whichPlayer
    for seat in range(4):
        if history[seat] and history[seat][0] == TWO_OF_CLUBS:
            lead = seat
    found: list[tuple[int, list[int]]] = []
    number = 0
    while True:
        cards = []
        for step in range(4):
            plays = history[(lead + step) % 4]
            if len(plays) <= number:
                break
            cards.append(plays[number])
        found.append((lead, cards))
        if len(cards) < 4:
            return found
        lead = winner(lead, cards)
        number += 1


def trick(state: GameState) -> list[int]:
    """Return the cards of the trick in play, as they were played; none if you lead, or pass."""
    found = tricks(state)
    return found[-1][1] if found else []


def played(state: GameState) -> list[int]:
    """Return all cards that were played in this round, in order."""
    return [other for _, cards in tricks(state) for other in cards]


def out(state: GameState) -> list[int]:
    """Return all cards that the others have in hand, from the lowest up.

    While cards are being passed, these are all that you neither have nor have passed.
    """
    seen = {*state.hand, *played(state)}
    if passing(state):
        seen.update(state.sluffedByYou)
    return [one for one in range(52) if one not in seen]


def left(state: GameState) -> list[int]:
    """Return the number of cards that each seat has in hand; yours are in `state.hand`."""
    counts = [13, 13, 13, 13]
    for lead, cards in tricks(state):
        for step in range(len(cards)):
            counts[(lead + step) % 4] -= 1
    if passing(state):
        counts[state.whichPlayer] = len(state.hand)
    return counts


def void(state: GameState) -> list[set[int]]:
    """Return, for each seat, the suits in which it has shown a void, by not following suit."""
    found: list[set[int]] = [set(), set(), set(), set()]
    for lead, cards in tricks(state):
        for step, other in enumerate(cards):
            if suit(other) != suit(cards[0]):
                found[(lead + step) % 4].add(suit(cards[0]))
    return found


def known(state: GameState) -> dict[int, int]:
    """Return the cards whose holder you know, each with its seat: those that you have passed."""
    if passing(state):
        return {}
    to = (state.whichPlayer + state.sluffDirection) % 4
    gone = played(state)
    return {one: to for one in state.sluffedByYou if one not in gone}


def hearts_broken(state: GameState) -> bool:
    """Say whether hearts may be led: a heart or the queen of spades has been played."""
    return any(points(one) > 0 for one in played(state))


# The trick in play ---------------------------------------------------------------------------


def to_come(state: GameState) -> list[int]:
    """Return the seats that play to this trick after you, in order."""
    me = state.whichPlayer
    return [(me + step) % 4 for step in range(1, 4 - len(trick(state)))]


def beats(state: GameState, card: int) -> bool:
    """Say whether a card of yours would be the best one of the trick so far."""
    cards = trick(state)
    if not cards:
        return True
    led = suit(cards[0])
    return suit(card) == led and card > max([other for other in cards if suit(other) == led])


def surely_loses(state: GameState, card: int) -> bool:
    """Say whether a card of yours cannot win this trick, wherever the cards lie.

    It cannot if it does not beat the cards on the table, or if you lead, all cards of the suit that
    are still out are higher, and there is at least one: its holder must play it.
    """
    if not beats(state, card):
        return True
    rest = [one for one in out(state) if suit(one) == suit(card)]
    return not trick(state) and bool(rest) and min(rest) > card


def surely_wins(state: GameState, card: int) -> bool:
    """Say whether a card of yours is certain to win this trick, by all that you have seen.

    It is if it beats the cards on the table, and none that comes after you can have a higher one.
    """
    if not beats(state, card):
        return False
    higher = [one for one in out(state) if suit(one) == suit(card) and one > card]
    shown, places = void(state), known(state)
    return not any(
        suit(card) not in shown[seat] and any(places.get(one, seat) == seat for one in higher)
        for seat in to_come(state)
    )
