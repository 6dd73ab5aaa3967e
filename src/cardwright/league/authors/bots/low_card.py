"""Low card: pass on the highest cards, and play the lowest one.

New here: how to look at cards, and how to turn a card into the index that has to be returned.
"""


def rank(card):
    """Return 0 for a two and 12 for an ace: a card is 13 * suit + rank."""
    return card % 13


def getSluff(gameState):
    """Pass on the highest card. While passing, every card of the hand is legal."""
    highest = max(gameState.legalMoves, key=rank)
    return gameState.legalMoves.index(highest)


def getPlay(gameState):
    """Play the lowest card: who plays low wins few tricks, and so takes few points."""
    lowest = min(gameState.legalMoves, key=rank)
    return gameState.legalMoves.index(lowest)
