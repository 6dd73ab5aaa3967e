"""Bridge is played and scored as OpenSpiel does.

Both play the same deals, calls and cards, chosen at random. At every decision they must agree on
who decides and on what is legal, and at the end on the scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bridge_model import BIDS
from library_playing import SUITS, bare_options, card_of, hand, picked

import needed
from cardwright import Game, Stream

if TYPE_CHECKING:
    from cardwright import Option, State

pyspiel = needed.module("pyspiel")

RANKS = "23456789TJQKA"
PASS, FIRST_BID = 52, 55


def action(card: str) -> int:
    """Return OpenSpiel's number of a card: four times the rank, plus the suit."""
    return RANKS.index(card[0]) * 4 + "CDHS".index(card[1])


def told(state: State, option: Option) -> int:
    """Return OpenSpiel's number of a call or of a card that is played."""
    if card := card_of(state, option):
        return action(card)
    if named := picked(option, "NAMED"):
        strain = {**SUITS, "NOTRUMP": "NT"}[str(named)]
        return FIRST_BID + BIDS.index(f"{picked(option, 'N')}{strain}")
    return PASS + max(0, option.content.branch - 1)


def dealt(state: State, dealer: int, vulnerable: str) -> Any:
    """Return OpenSpiel's state after the same deal."""
    sides = [vulnerable in ("ALL", side) for side in ("NS", "EW")]
    parameters = {
        "use_double_dummy_result": False,
        "dealer": dealer,
        "dealer_vul": sides[dealer % 2],
        "non_dealer_vul": sides[1 - dealer % 2],
    }
    other = pyspiel.load_game("bridge", parameters).new_initial_state()
    hands = [list(hand(state, seat)) for seat in range(4)]
    for number in range(52):
        other.apply_action(action(hands[number % 4][number // 4]))
    return other


@pytest.mark.parametrize(("dealer", "vulnerable"), [(0, "NONE"), (1, "NS"), (2, "EW"), (3, "ALL")])
def test_boards_are_played_alike(dealer: int, vulnerable: str) -> None:
    game = Game.load("bridge", DEALER=dealer + 1, VULNERABLE=vulnerable)
    for seed in range(25):
        state, stream = game.start(seed), Stream(seed)
        other = dealt(state, dealer, vulnerable)
        while not state.finished:
            assert state.player == other.current_player()
            actions = [told(state, option) for option in bare_options(state)]
            assert sorted(actions) == sorted(other.legal_actions())
            # Passes and low bids are likely, so that all kinds of contracts are played.
            most = (1, 2, 5, len(actions))[stream.below(4)]
            chosen = stream.below(min(most, len(actions)))
            other.apply_action(actions[chosen])
            state.play(chosen)
        assert other.is_terminal()
        assert list(state.scores) == other.returns()
