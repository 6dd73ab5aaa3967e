"""Counting: remember what was played, and weigh for each card what it may cost.

New here: which cards are still out and who cannot have them, the chance to win a trick with a card,
the points that will then be in it, and what to do about a player who is about to take all points.
The numbers below were found by playing: change one and let both versions meet.
"""

import hearts_cards as cards
from hearts_cards import HEARTS, QUEEN, SPADES, points, rank, suit

RISK = 1.8
"""Points taken now count more than points that may be taken later: these are a mere guess."""

TRICK = (0.5, 1.5, 3.0)
"""What it costs to win the first, the second or a later trick of a suit, in points."""

HEARTS_TRICK = 3.0
"""The same for any trick of hearts."""

MOON = 18
"""A player who alone has so many points may get all of them."""


def getSluff(gameState):
    """Pass on the card that is worst to keep."""
    legal = gameState.legalMoves
    return legal.index(max(legal, key=lambda card: badness(legal, card)))


def getPlay(gameState):
    """Play the card that costs least: points taken now, less those that are avoided later."""
    view = CountedCards(gameState)
    legal = gameState.legalMoves
    return legal.index(min(legal, key=view.cost))


def badness(hand, card):
    """Say how much we would like to pass a card on: high cards and short suits first."""
    same = cards.by_suit(hand)[suit(card)]
    if suit(card) == SPADES:
        if card < QUEEN:
            return -20  # low spades protect against the queen
        guards = [one for one in same if one < QUEEN]
        return 0 if len(guards) >= 4 else 100 if card == QUEEN else 50
    return rank(card) + 3 * points(card) - len(same)


def burden(mine, theirs):
    """Estimate how many points our cards of one suit will cost, which are in rising order.

    Each time the suit is led we play one of them, the lowest ones first, and win if all others are
    lower. The suit is led until nobody else has any: about three of their cards go in each trick.
    """
    cost = 0.0
    tricks = -(-len(theirs) // 3)
    for number, card in enumerate(mine):
        if card == QUEEN:
            cost += 12 / (1 + number)
        elif number < tricks:
            lower = [one for one in theirs if one < card]
            price = HEARTS_TRICK if suit(card) == HEARTS else TRICK[min(number, 2)]
            cost += price * (len(lower) / len(theirs)) ** 3
            if suit(card) == SPADES and card > QUEEN and QUEEN in theirs:
                cost += 8 / (1 + number)
    return cost


class CountedCards:
    """What can be concluded from the round so far."""

    def __init__(self, gameState):
        self.state = gameState
        self.me = gameState.whichPlayer
        self.trick = cards.trick(gameState)
        self.to_come = cards.to_come(gameState)
        self.void = cards.void(gameState)
        self.hand = cards.by_suit(gameState.hand)
        self.out = cards.by_suit(cards.out(gameState))
        self.queen_is_out = QUEEN in self.out[SPADES]
        self.shooter = self.find_shooter()

    def find_shooter(self):
        """Return the seat of another player who alone has taken points, and not few."""
        taken = self.state.roundPoints
        for seat in range(4):
            if seat != self.me and taken[seat] >= MOON and taken[seat] == sum(taken):
                return seat
        return None

    def cost(self, card):
        """Return what it costs to play this card now."""
        chance = self.chance_to_win(card)
        cost = RISK * chance * self.points_if_won(card) - self.relief(card)
        if not self.trick and suit(card) == SPADES and card < QUEEN:
            cost += self.cost_of_low_spade()
        if self.shooter is not None:
            cost += self.cost_of_moon(card, chance)
        return cost

    def relief(self, card):
        """Return how much less our cards of this suit cost without this one."""
        mine, theirs = self.hand[suit(card)], self.out[suit(card)]
        rest = [one for one in mine if one != card]
        return burden(mine, theirs) - burden(rest, theirs)

    def may_follow(self, led):
        """Return the other seats that may have cards of a suit."""
        return [seat for seat in range(4) if seat != self.me and led not in self.void[seat]]

    def chance_to_win(self, card):
        """Estimate the chance that this card wins the trick."""
        if not cards.beats(self.state, card):
            return 0.0
        theirs = self.out[suit(card)]
        higher = [one for one in theirs if one > card]
        if not higher:
            return 1.0
        holders = self.may_follow(suit(card))
        # Who comes after us beats this card only if there is no lower one in that hand.
        each = len(theirs) / max(len(holders), 1)
        forced = (len(higher) / len(theirs)) ** each
        chance = 1.0
        for seat in self.to_come:
            if seat in holders:
                chance *= 1 - forced
        return chance

    def points_if_won(self, card):
        """Estimate the points of the trick if this card wins it."""
        total = points(card) + sum(points(one) for one in self.trick)
        led = suit(self.trick[0]) if self.trick else suit(card)
        holders = self.may_follow(led)
        for seat in self.to_come:
            # The chance that this seat has none of the suit, and discards.
            empty = 1.0
            if seat in holders:
                empty = (1 - 1 / len(holders)) ** len(self.out[led])
            total += 0.8 * empty
            if led == HEARTS:
                total += 1 - empty
            if self.queen_is_out and SPADES not in self.void[seat]:
                if led != SPADES:
                    total += empty * 13 / 3
                elif card > QUEEN:
                    total += 13 / 3
        return total

    def cost_of_low_spade(self):
        """Return what is to be added if we lead a spade below the queen."""
        if QUEEN in self.hand[SPADES]:
            return 3.0  # we need it ourselves
        if self.queen_is_out and max(self.hand[SPADES]) < QUEEN:
            return -2.0  # it may bring the queen out, and we cannot catch her
        return 0.0

    def cost_of_moon(self, card, chance):
        """Return what is to be added while somebody is about to take all points."""
        if chance == 0 and points(card) and self.winning() == self.shooter:
            return 6.0  # do not help
        if points(card) or any(points(one) for one in self.trick):
            return -10.0 * chance  # one trick with points, and the danger is over
        return 0.0

    def winning(self):
        """Return the seat that wins the trick as it stands; None if we lead."""
        if not self.trick:
            return None
        return cards.winner((self.me - len(self.trick)) % 4, self.trick)
