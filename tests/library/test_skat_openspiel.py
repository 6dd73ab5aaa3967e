"""The tricks of skat are played and counted as OpenSpiel does.

OpenSpiel's players name games instead of bidding, never play from the hand, and score points
instead of the values of games. So forehand plays in both, with the skat; at every decision both
must agree on who plays and on the legal cards, and at the end on the declarer's points.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from library_playing import bare_options, card_of, codes, hand, picked

import needed
from cardwright import Game, Stream

if TYPE_CHECKING:
    from cardwright import State

pyspiel = needed.module("pyspiel")

RANKS, SUITS = "789QKTAJ", "DHSC"
GAMES = {"DIAMONDS": 33, "HEARTS": 34, "SPADES": 35, "CLUBS": 36, "GRAND": 37, "NULL": 38}


def action(card: str) -> int:
    """Return OpenSpiel's number of a card: eight times the suit, plus the rank, the jack last."""
    return SUITS.index(card[1]) * len(RANKS) + RANKS.index(card[0])


def dealt(state: State, name: str) -> Any:
    """Return OpenSpiel's state after the same deal, in which forehand names a game."""
    other = pyspiel.load_game("skat").new_initial_state()
    hands = [hand(state, seat) for seat in range(3)]
    skat = codes(state.cards(None, "iloc", "SKAT"))
    pack = [hands[seat][:3] for seat in range(3)] + [skat]
    pack += [hands[seat][3:7] for seat in range(3)] + [hands[seat][7:] for seat in range(3)]
    for card in chain(*pack):
        other.apply_action(action(card))
    other.apply_action(GAMES[name])
    return other


def begun(game: Game, seed: int) -> State:
    """Return a deal in which forehand plays for 18 and has taken up the skat."""
    state = game.start(seed)
    for branch in (2, 2, 0):  # two passes and a bid
        branches = [option.content.branch for option in bare_options(state)]
        state.play(branches.index(branch))
    return state


@pytest.mark.parametrize("name", GAMES)
def test_deals_are_played_alike(name: str) -> None:
    game = Game.load("skat")
    for seed in range(60):
        state, stream = begun(game, seed), Stream(seed)
        other = dealt(state, name)
        state.play(1)
        laid = stream.below(state.option_count)
        for card in dict(state.contents()[laid].picks)["'CARDS"]:
            other.apply_action(action(codes([game.cards[card]])[0]))
        state.play(laid)
        named = [(picked(o, "NAMED") or "NULL", o.content.branch) for o in bare_options(state)]
        state.play(named.index((name, 1 if name == "NULL" else 0)))
        while not state.finished:
            assert state.player == other.current_player()
            cards = [action(card_of(state, option) or "") for option in bare_options(state)]
            assert sorted(cards) == sorted(other.legal_actions())
            chosen = stream.below(len(cards))
            other.apply_action(cards[chosen])
            state.play(chosen)
        assert other.is_terminal()
        if name == "NULL":
            assert (state.scores[0] > 0) == (other.returns()[0] > 0)
        else:
            assert state.integer(0, "POINTS") == round(60 + 120 * other.returns()[0])
