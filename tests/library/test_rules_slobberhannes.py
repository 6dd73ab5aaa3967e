"""Slobberhannes as its rules say, checked without asking the engine what is legal or who wins."""

from functools import partial
from itertools import pairwise
from typing import TypeAlias

import pytest
from library_playing import (
    Play,
    assert_suit_followed,
    assert_winners_lead,
    by_number,
    codes,
    hand,
    interpreted,
    offered,
    put,
    put_in_order,
    seeds,
    shuffled,
    tricks,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, State

SEEDS = range(40)
SEEDS_FOR_TIES = 8
"""If two ranks were equal, lots would be drawn, and some of these seeds would tell."""

ORDER = "789TJQKA"
PACK = sorted(rank + suit for rank in ORDER for suit in "CDHS")
OWN_SUITS = ["AC KC QC JC TC 9C 8C 7C", "AD KD QD JD TD 9D 8D 7D"]
OWN_SUITS += ["AH KH QH JH TH 9H 8H 7H", "AS KS QS JS TS 9S 8S 7S"]
"""Hands with which player 1 wins every trick."""

Deals: TypeAlias = list[tuple[list[list[Play]], State]]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("slobberhannes")


@pytest.fixture(scope="module")
def deals(game: Game) -> Deals:
    """For every seed the tricks and the last state."""
    return [tricks(game, seed) for seed in SEEDS]


def dealt(hands: list[str], **declared: int) -> State:
    return ordered("slobberhannes", " ".join(hands), **declared).start(0)


def played(hands: list[str], leads: str, **declared: int) -> State:
    """Play a deal in which everybody plays the cards in the order of the hand.

    Leads are the seats that are expected to lead.
    """
    state = dealt(hands, **declared)
    return put_in_order(state, [each.split() for each in hands], leads)


def result(rounds: list[list[Play]]) -> tuple[int, ...]:
    """What everybody pays for the first trick, the last, and the one with the queen of clubs."""
    with_queen = next(trick for trick in rounds if any(play.card == "QC" for play in trick))
    takers = [winner(trick, ORDER) for trick in (rounds[0], rounds[-1], with_queen)]
    return tuple((0, 1, 2, 4)[takers.count(seat)] for seat in range(4))


def test_the_deal(game: Game) -> None:
    """All 32 cards from seven up are dealt, eight each; player 1 leads."""
    assert sorted(codes(game.cards)) == PACK
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(8)])
        assert not pack
        assert state.player == 0
        assert offered(state) == hand(state, 0)


def test_suit_must_be_followed(deals: Deals) -> None:
    """Who holds the suit led plays any card of it; who does not may play anything."""
    free = 0
    for rounds, _ in deals:
        for trick in rounds:
            assert_suit_followed(trick)
            for play in trick[1:]:
                same = any(card[1] == trick[0].card[1] for card in play.hand)
                free += not same and len(play.hand) > 1
    assert free > 50


def test_the_winner_of_a_trick_leads_the_next(deals: Deals) -> None:
    """The highest card of the suit led wins; player 1 leads first, and the others follow."""
    for rounds, _ in deals:
        assert len(rounds) == 8
        assert {len(trick) for trick in rounds} == {4}
        assert_winners_lead(rounds, partial(winner, order=ORDER))


def test_the_order_of_the_cards() -> None:
    """Ace, king, queen, jack, ten, nine, eight, seven.

    Every second club is with player 1, the others with player 2; players 3 and 4 have none.
    """
    clubs = [rank + "C" for rank in ORDER]
    diamonds = OWN_SUITS[1].split()
    mine, next_ones = [*clubs[::2], *diamonds[:4]], [*clubs[1::2], *diamonds[4:]]
    hands = [" ".join(cards) for cards in (mine, next_ones)] + OWN_SUITS[2:]
    game = ordered("slobberhannes", " ".join(hands))
    for seed in range(SEEDS_FOR_TIES):
        for low, best in pairwise(clubs):
            led, other = (low, best) if low in mine else (best, low)
            state = put(game.start(seed), f"{led} {other} AH AS")
            assert state.player == (0 if best == led else 1)


def test_an_ace_of_another_suit_wins_nothing() -> None:
    """The lowest club wins the trick it was led to, if nobody else has a club."""
    assert put(dealt(OWN_SUITS), "7C AD AH AS").player == 0


def test_scores(deals: Deals) -> None:
    """First trick, last trick and queen of clubs are one point each, and all three are four."""
    seen = set()
    for rounds, state in deals:
        assert state.scores == result(rounds)
        assert sum(state.scores) == (4 if 4 in state.scores else 3)
        seen |= set(state.scores)
    assert seen == {0, 1, 2, 4}


def test_all_three() -> None:
    """One player takes everything and pays four points; the three others share the win."""
    state = played(OWN_SUITS, "0" * 8)
    assert state.scores == (4, 0, 0, 0)
    assert state.ranks == (3, 0, 0, 0)
    assert state.wins == (0, 1 / 3, 1 / 3, 1 / 3)


def seven_tricks(queen: int) -> list[str]:
    """Return four hands: player 1 wins all tricks but the last with spades, the last is player 3's.

    The seven of hearts is led to it, and player 3 has the eight left. Player 4 has all clubs and
    throws the queen on the trick with this number, counted from 1.
    """
    clubs = ["AC", "KC", "JC", "TC", "9C", "8C", "7C"]
    clubs.insert(queen - 1, "QC")
    return [
        "AS KS QS JS TS 9S 8S 7H",
        "7S AD KD QD JD TD 9D 8D",
        "7D AH KH QH JH TH 9H 8H",
        " ".join(clubs),
    ]


@pytest.mark.parametrize("queen", range(1, 8))
def test_the_first_trick_and_the_queen(queen: int) -> None:
    """Player 1 wins the first trick, and the queen with it or later; player 3 wins the last.

    Two of the three are two points, be it in one trick or in two. The winner of the trick pays for
    the queen, not who throws it, and the other queens cost nothing.
    """
    assert played(seven_tricks(queen), "0" * 8).scores == (2, 0, 1, 0)


def test_the_last_trick_and_the_queen() -> None:
    """The queen of clubs falls in the last trick: its winner pays for both."""
    assert played(seven_tricks(8), "0" * 8).scores == (1, 0, 2, 0)


def test_the_first_trick_and_the_last() -> None:
    """Player 1 wins these two, without the queen: there is nothing extra to pay.

    Player 2 wins the six tricks between with diamonds, and the queen is thrown on the first of
    them.
    """
    hands = [
        "AH 7D KS QS JS TS 9S AS",
        "8S AD KD QD JD TD 9D 7S",
        "KH 8D QH JH TH 9H 8H 7H",
        "AC QC KC JC TC 9C 8C 7C",
    ]
    assert played(hands, "00111111", EXTRA=50).scores == (2, 1, 0, 0)


ONE_EACH = [
    "AS 7D KS QS JS TS 9S 8S",
    "7S AD KD QD JD TD 9D 7H",
    "AH 8D KH QH JH TH 9H 8H",
    "AC QC KC JC TC 9C 8C 7C",
]
"""Player 1 wins the first trick, player 2 the next six, one with the queen, player 3 the last."""


def test_one_for_each() -> None:
    """Three players pay for one thing each, and the fourth wins."""
    state = played(ONE_EACH, "00111111")
    assert state.scores == (1, 1, 1, 0)
    assert state.wins == (0, 0, 0, 1)


def test_other_costs() -> None:
    """What each of the three costs, and all three besides, can be set."""
    costs = {"FIRSTTAKEN": 2, "QUEEN": 5, "LASTTAKEN": 30, "EXTRA": 100}
    assert played(ONE_EACH, "00111111", **costs).scores == (2, 5, 30, 0)
    assert played(OWN_SUITS, "0" * 8, **costs).scores == (137, 0, 0, 0)
    assert played(OWN_SUITS, "0" * 8, EXTRA=0).scores == (3, 0, 0, 0)


def test_the_extra_depends_on_tricks_not_on_points() -> None:
    """Who has all three pays the extra even if two of them cost nothing."""
    state = played(OWN_SUITS, "0" * 8, FIRSTTAKEN=0, QUEEN=0)
    assert state.scores == (2, 0, 0, 0)


def test_the_lowest_score_wins(deals: Deals) -> None:
    """Players with the same lowest score share the win."""
    for _, state in deals:
        best = [score == min(state.scores) for score in state.scores]
        assert state.wins == pytest.approx(tuple(one / sum(best) for one in best))
        assert state.ranks == tuple(
            sum(other < score for other in state.scores) for score in state.scores
        )


def test_every_card_is_played_once(deals: Deals) -> None:
    """A deal is 32 decisions, and all cards end with the winners of the tricks."""
    for rounds, state in deals:
        assert len(state.choices) == 32
        piles: list[list[str]] = [[], [], [], []]
        for trick in rounds:
            piles[winner(trick, ORDER)] += [play.card for play in trick]
        assert sorted(card for pile in piles for card in pile) == PACK
        for seat in range(4):
            assert sorted(codes(state.cards(seat, "vloc", "TRICKSWON"))) == sorted(piles[seat])
