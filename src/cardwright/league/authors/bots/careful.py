"""Careful: look at the trick on the table, and get rid of dangerous cards when it is safe.

New here: the module `hearts_cards`, which knows cards and tricks, and a plan for each situation: to
lead, to follow suit, and to discard when the suit is not in hand.
"""

from hearts_cards import QUEEN, SPADES, beats, by_suit, passing, points, rank, suit, trick


def getSluff(gameState):
    """Pass on the card that is worst to keep."""
    worst = max(gameState.legalMoves, key=lambda card: badness(gameState, card))
    return gameState.legalMoves.index(worst)


def getPlay(gameState):
    """Play by a plan for the situation."""
    legal = gameState.legalMoves
    table = trick(gameState)
    if not table:
        card = to_lead(gameState)
    elif suit(legal[0]) == suit(table[0]):
        card = to_follow(gameState, table)
    else:
        # We cannot follow suit, so whatever we play now goes to somebody else.
        card = max(legal, key=lambda one: badness(gameState, one))
    return legal.index(card)


def to_lead(gameState):
    """Lead a low card; with spades only below the queen, which may bring her out."""

    def danger(card):
        return 20 if suit(card) == SPADES and card >= QUEEN else rank(card)

    return min(gameState.legalMoves, key=danger)


def to_follow(gameState, table):
    """Play the highest card that does not win, or else decide how to win."""
    legal = gameState.legalMoves
    losing = [card for card in legal if not beats(gameState, card)]
    if losing:
        # The queen, under the king or ace of another, is what we like best.
        return QUEEN if QUEEN in losing else max(losing)
    # All our cards are higher than those on the table. The last to play wins in any case, and so
    # gets rid of the highest card; others may still be overtaken and play the lowest. But whoever
    # plays the queen here takes her, so she comes last of all.
    others = [card for card in legal if card != QUEEN] or legal
    last = len(table) == 3
    return max(others) if last else min(others)


def badness(gameState, card):
    """Say how much we would like to be rid of a card, as a number."""
    cards = by_suit(gameState.hand)[suit(card)]
    if suit(card) == SPADES and card >= QUEEN:
        # The queen, and what may catch her, is safe in hand if lower spades are there to follow.
        guards = [one for one in cards if one < QUEEN]
        if passing(gameState) and len(guards) >= 4:
            return 0
        return 100 if card == QUEEN else 50
    if suit(card) == SPADES and passing(gameState):
        return -20  # low spades protect against the queen
    # High cards are bad, hearts are points, and short suits are soon gone: then we can discard.
    return rank(card) + 3 * points(card) - len(cards)
