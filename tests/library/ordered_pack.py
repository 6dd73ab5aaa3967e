"""Library games whose pack is laid in order instead of being shuffled."""

from __future__ import annotations

from library_playing import RANKS, SUITS

from cardwright import Game
from cardwright.game.find import find
from cardwright.syntax.source import Source

SHUFFLE = "(shuffle (game iloc STOCK))"


def ordered(name: str, pack: str, **declared: int | str) -> Game:
    """Return a library game that deals these cards first, from the top, and does not shuffle.

    The cards not named lie below, in the order in which the game makes them.
    """
    ranks = {short: long for long, short in RANKS.items()}
    suits = {short: long for long, short in SUITS.items()}
    moves = "\n".join(
        f"(move (top (filter (game iloc STOCK) 'X"
        f" (and (== (cardatt RANK 'X) {ranks[card[0]]}) (== (cardatt SUIT 'X) {suits[card[1]]}))))"
        f" (top (game iloc STOCK)))"
        for card in reversed(pack.split())
    )
    text = find(name).text
    assert text.count(SHUFFLE) == 1
    source = Source(f"{name}-ordered", text.replace(SHUFFLE, moves))
    # Each is played a few times only: compiling it would take far longer than that.
    return Game.from_source(source, declared=declared, engine="interpreter")
