"""First card: the smallest bot there is. It always takes the first card that it may.

A bot is a file with these two functions. Both return an index into gameState.legalMoves: 0 for the
first of these cards, 1 for the second one, and so on.
"""


def getSluff(gameState):
    """Choose a card to pass on; called three times before each round."""
    return 0


def getPlay(gameState):
    """Choose a card to play; called thirteen times a round."""
    return 0
