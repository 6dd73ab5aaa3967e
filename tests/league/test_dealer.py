from __future__ import annotations

import functools
import operator

import numpy as np
import pytest

from cardwright.interpreter.stream import Stream
from cardwright.league.block import ROUND
from cardwright.league.bot import RandomBot
from cardwright.league.bot_runtime import MASKS, take_up
from cardwright.league.dealer import MOST_ROUNDS, Dealer
from cardwright.league.kernels import deals
from cardwright.league.play import BotController, BotPenalties, play_match
from cardwright.league.settings import BotLimits, LeagueRules


@pytest.fixture(scope="module", params=LeagueRules)
def dealer(request):
    return Dealer(request.param)


def random_table():
    return [BotController(RandomBot(), BotPenalties(), BotLimits()) for _ in range(4)]


def test_every_hand_has_thirteen_cards_and_all_are_dealt(dealer):
    dealer.start(5, state=False)
    hands = dealer.hands()
    assert sorted(hands) == list(range(52))
    assert dealer.due & 3 == 0
    assert MASKS[dealer.due >> 2] == tuple(range(13))
    assert dealer.totals() == [0, 0, 0, 0]


def test_hands_are_those_of_the_librarys_game(dealer):
    dealer.start(11, state=True)
    suits = ["CLUBS", "DIAMONDS", "SPADES", "HEARTS"]
    ranks = ["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"]
    ranks += ["J", "Q", "K", "A"]
    for seat in range(4):
        cards = [card.attributes for card in dealer.state.cards(seat, "iloc", "HAND")]
        numbers = [13 * suits.index(one["SUIT"]) + ranks.index(one["RANK"]) for one in cards]
        assert list(dealer.hands()[13 * seat : 13 * seat + 13]) == numbers


def test_random_games_are_those_that_random_bots_play(dealer):
    seeds = np.array([[3, 4], [5, 2**63 + 9], [2**64 - 1, 0]], np.uint64)
    plays, rounds = dealer.random_games(seeds)
    one_by_one = [
        play_match(dealer, random_table(), 0, cards, chances, state=False)
        for cards, chances in seeds.tolist()
    ]
    assert plays.tobytes() == b"".join(one_by_one)
    assert rounds.tolist() == [len(one) // ROUND for one in one_by_one]


def test_a_game_with_a_state_is_the_same_as_one_without(dealer):
    for seed in (1, 2):
        with_state = play_match(dealer, random_table(), 0, seed, 7, state=True)
        assert with_state == play_match(dealer, random_table(), 0, seed, 7, state=False)


def test_hands_after_passing_are_those_of_the_engine(dealer):
    """The order of hands decides what an index means, so it is compared card by card."""
    stream = Stream(8)
    dealer.start(21, state=False)
    for number in range(3):
        hands = [list(dealer.hands()[13 * seat : 13 * seat + 13]) for seat in range(4)]
        given = [[] for _ in range(4)]
        for _ in range(12):
            seat, legal = dealer.due & 3, MASKS[dealer.due >> 2]
            index = stream.below(len(legal))
            given[seat].append(hands[seat].pop(legal[index]))
            dealer.play(index)
        for seat in range(4):
            take_up(hands[(seat + (1, 3, 2)[number]) % 4], given[seat])
        assert list(dealer.hands()) == functools.reduce(operator.iadd, hands, [])
        for _ in range(52):
            dealer.play(0)


def test_the_longest_game_fits_in_the_memory_for_random_ones():
    # Before the last round nobody has 100 points, and 26 are shared out in every round at least.
    assert MOST_ROUNDS == 4 * 99 // 26 + 1


def test_what_is_due_refuses_options_that_are_not_in_the_order_of_the_hand(dealer, monkeypatch):
    dealer.start(1, state=False)
    with pytest.raises(AssertionError, match="not the cards of the hand in its order"):
        dealer._arrive(deals.DISORDER)
