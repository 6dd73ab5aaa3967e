"""Rounds that are made to have given scores; the order of play is kept, following suit is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plain_league import QUEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plain_league import Round


def made_round(hearts: Sequence[int], queen: int) -> Round:
    """Return a round in which seats take so many hearts, 13 in all, and one seat the queen.

    The seats take their tricks one after the other, seat 0 first; each trick has one heart in it.
    A trick has a card of each suit, so that its leader wins, but for those in which the next seat
    has to win: these have two clubs, and as many other ones two diamonds instead.
    """
    seats = [seat for seat in range(4) for _ in range(hearts[seat])]
    clubs, diamonds, spades, reds = ([13 * suit + rank for rank in range(13)] for suit in range(4))
    spades.remove(QUEEN)
    queen_trick = seats.index(queen)
    lead = seats[0]
    choices = [(seat, 13 * seat + step) for step in range(3) for seat in range(4)]
    owed = len(set(seats)) - 1
    for number, winner in enumerate(seats):
        spade = QUEEN if number == queen_trick else spades.pop(0)
        heart = reds.pop(0)
        if winner != lead:
            cards = {lead: clubs.pop(0), winner: clubs.pop(0)}
        elif owed:
            cards = {(lead + 1) % 4: diamonds.pop(0), lead: diamonds.pop(0)}
            owed -= 1
        else:
            cards = {lead: clubs.pop(0), (lead + 1) % 4: diamonds.pop(0)}
        left = [seat for seat in range(4) if seat not in cards]
        cards |= {left[0]: spade, left[1]: heart}
        choices += [((lead + after) % 4, cards[(lead + after) % 4]) for after in range(4)]
        lead = winner
    return choices
