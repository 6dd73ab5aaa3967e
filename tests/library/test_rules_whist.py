"""Whist as its rules say, checked without asking the engine what is legal or who wins."""

from functools import partial
from itertools import pairwise
from typing import TypeAlias

import pytest
from library_playing import (
    FULL_PACK,
    Play,
    assert_suit_followed,
    assert_winners_lead,
    codes,
    finish,
    hand,
    interpreted,
    seeds,
    shuffled,
    tricks,
    winner,
)

from cardwright import Game, Stream

SEEDS = range(120)

Deals: TypeAlias = list[tuple[str, list[list[Play]], tuple[int, ...]]]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("whist")


@pytest.fixture(scope="module")
def deals(game: Game) -> Deals:
    """For every seed the suit of the last card dealt, the tricks, and the scores."""
    found = []
    for seed in SEEDS:
        rounds, state = tricks(game, seed)
        found.append((shuffled(game, seed)[0][1], rounds, state.scores))
    return found


def test_the_last_card_dealt_makes_trump(game: Game) -> None:
    """All 52 cards are dealt; the last one of the pack goes to player 4 and shows the trumps."""
    names = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
    for seed in seeds(20):
        state = game.start(seed)
        last = shuffled(game, seed)[0]
        assert [len(hand(state, seat)) for seat in range(4)] == [13] * 4
        assert sorted(sum((hand(state, seat) for seat in range(4)), ())) == FULL_PACK
        assert last in hand(state, 3)
        assert state.string(None, "TRUMP") == names[last[1]]
        assert not state.cards(None, "vloc", "TURNUP")


@pytest.mark.slow
def test_suit_must_be_followed(deals: Deals) -> None:
    """Who holds the suit led plays it and may not trump; who does not may play anything."""
    ruffs = 0
    for trump, rounds, _ in deals:
        for trick in rounds:
            lead = trick[0].card[1]
            assert_suit_followed(trick)
            for play in trick[1:]:
                ruffs += play.card[1] == trump != lead
    assert ruffs > 100


def test_the_winner_of_a_trick_leads_the_next(
    deals: Deals,
) -> None:
    """The highest trump wins, else the highest card of the suit led; player 1 leads first."""
    for trump, rounds, _ in deals:
        assert {len(trick) for trick in rounds} == {4}
        assert_winners_lead(rounds, partial(winner, trump=trump))


def test_the_lowest_trump_beats_an_ace_led(
    deals: Deals,
) -> None:
    """A trump takes the trick from a plain ace, however low it is, if no other trump falls."""
    found = 0
    for trump, rounds, _ in deals:
        for trick, after in pairwise(rounds):
            cards = [play.card for play in trick]
            trumps = [play for play in trick if play.card[1] == trump]
            if cards[0][0] == "A" and cards[0][1] != trump and len(trumps) == 1:
                assert after[0].seat == trumps[0].seat
                found += trumps[0].card[0] in "23456"
    assert found >= 3


def test_an_ace_of_a_third_suit_wins_nothing(
    deals: Deals,
) -> None:
    """A card that is neither trump nor of the suit led never takes the trick."""
    found = 0
    for trump, rounds, _ in deals:
        for trick, after in pairwise(rounds):
            for play in trick:
                if play.card[0] == "A" and play.card[1] not in (trump, trick[0].card[1]):
                    assert after[0].seat != play.seat
                    found += 1
    assert found > 20


def test_partners_share_their_tricks(
    deals: Deals,
) -> None:
    """Players 1 and 3 play against 2 and 4; both partners score the tricks of their side."""
    for trump, rounds, scores in deals:
        takers = [winner(trick, trump=trump) for trick in rounds]
        own = [sum(taker % 2 == side for taker in takers) for side in range(2)]
        assert scores == (own[0], own[1], own[0], own[1])
        assert sum(own) == 13


def test_the_better_side_wins(game: Game) -> None:
    """There is no draw in thirteen tricks: one side has more, and half a win for each partner."""
    for seed in seeds(20):
        state = finish(game, seed)
        side = state.scores.index(max(state.scores)) % 2
        assert state.wins == tuple(0.5 if seat % 2 == side else 0 for seat in range(4))


def test_thirteen_tricks(game: Game) -> None:
    """A deal is 52 decisions, after which all cards lie in tricks won, four to a trick."""
    for seed in seeds(20):
        state = finish(game, seed)
        assert len(state.choices) == 52
        piles = [codes(state.cards(seat, "vloc", "TRICKSWON")) for seat in range(4)]
        assert all(len(pile) % 4 == 0 for pile in piles)
        assert sorted(sum(piles, ())) == FULL_PACK


def test_one_card_each() -> None:
    """With HANDSIZE 1 there is one trick, and the dealer's only card shows the trumps."""
    game = interpreted("whist", HANDSIZE=1)
    for seed in seeds(20):
        state = game.start(seed)
        assert state.string(None, "TRUMP")[0] == hand(state, 3)[0][1]
        rounds, end = tricks(game, seed)
        assert len(end.choices) == 4
        taker = winner(rounds[0], trump=hand(state, 3)[0][1])
        assert end.scores == tuple(int(seat % 2 == taker % 2) for seat in range(4))


def test_everybody_has_seen_the_turned_card(game: Game) -> None:
    """No seat takes the last card dealt to be anywhere but with player 4, until it is played."""
    state = game.start(5)
    last = shuffled(game, 5)[0]
    for seed in seeds(10):
        for seat in range(3):
            assert last in hand(state.determinise(seat, Stream(seed), "known"), 3)
