"""Polignac as its rules say, checked without asking the engine what is legal or who wins."""

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

ORDER = "789TAJQK"
ACE_HIGH = "789TJQKA"
PACK = sorted(rank + suit for rank in ORDER for suit in "CDHS")
COSTS = {"JC": 1, "JD": 1, "JH": 1, "JS": 2}
OWN_SUITS = ["KC QC JC AC TC 9C 8C 7C", "KD QD JD AD TD 9D 8D 7D"]
OWN_SUITS += ["KH QH JH AH TH 9H 8H 7H", "KS QS JS AS TS 9S 8S 7S"]
"""Hands with which player 1 wins every trick."""

Deals: TypeAlias = list[tuple[list[list[Play]], State]]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("polignac")


@pytest.fixture(scope="module")
def deals(game: Game) -> Deals:
    """For every seed the tricks and the last state."""
    return [tricks(game, seed) for seed in SEEDS]


def dealt(hands: list[str], **declared: int) -> State:
    return ordered("polignac", " ".join(hands), **declared).start(0)


def played(state: State, hands: list[str], leads: str) -> State:
    """Play a deal in which everybody plays the cards in the order of the hand.

    Leads are the seats that are expected to lead.
    """
    return put_in_order(state, [each.split() for each in hands], leads)


def result(
    rounds: list[list[Play]], costs: dict[str, int], first: int = 0, last: int = 0
) -> tuple[int, ...]:
    """What everybody pays for the jacks taken, and for the first and the last trick."""
    scores = [0] * 4
    for trick in rounds:
        scores[winner(trick, ORDER)] += sum(costs.get(play.card, 0) for play in trick)
    scores[winner(rounds[0], ORDER)] += first
    scores[winner(rounds[-1], ORDER)] += last
    return tuple(scores)


def long_suit(jack: str) -> list[str]:
    """Return four hands: player 1 has all of a suit but the seven, and wins seven tricks with it.

    Left with the seven of a third suit, player 1 leads it, and player 3 wins with the last card of
    that suit; player 4 throws the jack. Everybody plays the cards in the order of these hands.
    """
    long, second, third = (suit for suit in "CDHS" if suit != jack[1])
    down = "KQJAT98"
    hands = [
        [*(rank + long for rank in down), "7" + third],
        ["7" + long, *(rank + second for rank in down)],
        ["7" + second, *(rank + third for rank in down)],
        [*(rank + jack[1] for rank in ORDER if rank != "J"), jack],
    ]
    return [" ".join(cards) for cards in hands]


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


@pytest.mark.parametrize(("high", "order"), [(0, ORDER), (1, ACE_HIGH)])
def test_the_order_of_the_cards(high: int, order: str) -> None:
    """King, queen, jack, ace, ten, nine, eight, seven; with ACEHIGH aces are above kings.

    Every second club is with player 1, the others with player 2; players 3 and 4 have none.
    """
    clubs = [rank + "C" for rank in order]
    diamonds = OWN_SUITS[1].split()
    mine, next_ones = [*clubs[::2], *diamonds[:4]], [*clubs[1::2], *diamonds[4:]]
    hands = [" ".join(cards) for cards in (mine, next_ones)] + OWN_SUITS[2:]
    game = ordered("polignac", " ".join(hands), ACEHIGH=high)
    for seed in range(SEEDS_FOR_TIES):
        for low, best in pairwise(clubs):
            led, other = (low, best) if low in mine else (best, low)
            state = put(game.start(seed), f"{led} {other} KH KS")
            assert state.player == (0 if best == led else 1)


def test_a_king_of_another_suit_wins_nothing() -> None:
    """The lowest club wins the trick it was led to, if nobody else has a club."""
    hands = ["7C KC QC JC AC TC 9C 8C", *OWN_SUITS[1:]]
    assert put(dealt(hands), "7C KD KH KS").player == 0


def test_scores(deals: Deals) -> None:
    """A jack costs its taker one, that of spades two: five points in every deal."""
    for rounds, state in deals:
        assert state.scores == result(rounds, COSTS)
        assert sum(state.scores) == 5


@pytest.mark.parametrize(("jack", "cost"), COSTS.items())
def test_each_jack(jack: str, cost: int) -> None:
    """Whoever wins the trick pays for the jack in it, not who leads or who throws it."""
    hands = long_suit(jack)
    state = played(dealt(hands), hands, "0" * 8)
    assert state.scores == (5 - cost, 0, cost, 0)


def test_all_jacks_for_one() -> None:
    """Who wins all tricks pays for all four jacks; the three others share the win."""
    state = played(dealt(OWN_SUITS), OWN_SUITS, "0" * 8)
    assert state.scores == (5, 0, 0, 0)
    assert state.ranks == (3, 0, 0, 0)
    assert state.wins == (0, 1 / 3, 1 / 3, 1 / 3)


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


def test_other_costs() -> None:
    """The jacks, the first and the last trick cost what the constants say."""
    game = interpreted("polignac", JACK=3, POLIGNAC=20, FIRSTTAKEN=50, LASTTAKEN=100)
    for seed in seeds(6):
        rounds, state = tricks(game, seed)
        assert state.scores == result(rounds, {"JC": 3, "JD": 3, "JH": 3, "JS": 20}, 50, 100)
        assert sum(state.scores) == 3 * 3 + 20 + 50 + 100


def test_a_polignac_that_costs_nothing() -> None:
    """POLIGNAC is what the jack of spades costs in all, even less than the others."""
    state = played(dealt(OWN_SUITS, JACK=2, POLIGNAC=0), OWN_SUITS, "0" * 8)
    assert state.scores == (6, 0, 0, 0)


PASS, CALL = 0, 1


def test_there_is_no_general_by_default(game: Game) -> None:
    """Nobody is asked for the general: the first decision is a lead."""
    assert game.start(1).option_count == 8


def test_everybody_is_asked_for_the_general_once() -> None:
    """Player 1 is asked first; if nobody announces it, player 1 leads, and jacks cost as usual."""
    state = dealt(OWN_SUITS, GENERAL=5)
    for seat in range(4):
        assert state.player == seat
        assert offered(state) == (None, None)
        state.play(PASS)
    assert state.player == 0
    assert offered(state) == tuple(by_number(state.game, OWN_SUITS[0].split()))
    played(state, OWN_SUITS, "0" * 8)
    assert len(state.choices) == 4 + 32
    assert state.scores == (5, 0, 0, 0)


@pytest.mark.parametrize("caller", range(4))
def test_the_first_announcement_counts(caller: int) -> None:
    """When somebody has announced the general nobody else is asked, and player 1 leads."""
    state = dealt(OWN_SUITS, GENERAL=5)
    for seat in range(caller):
        assert state.player == seat
        state.play(PASS)
    assert state.player == caller
    state.play(CALL)
    assert state.player == 0
    assert offered(state) == tuple(by_number(state.game, OWN_SUITS[0].split()))
    played(state, OWN_SUITS, "0" * 8)
    assert len(state.choices) == caller + 1 + 32
    # Player 1 takes all tricks, with all the jacks: the promise of another is broken.
    scores = [5, 0, 0, 0]
    scores[caller] = 5
    assert state.scores == ((0, 5, 5, 5) if caller == 0 else tuple(scores))


def test_a_general_that_is_kept() -> None:
    """The others pay, and nothing else costs anything, neither jacks nor tricks."""
    state = dealt(OWN_SUITS, GENERAL=7, FIRSTTAKEN=20, LASTTAKEN=30)
    state.play(CALL)
    assert played(state, OWN_SUITS, "0" * 8).scores == (0, 7, 7, 7)
    assert state.wins == (1, 0, 0, 0)


def test_a_general_of_another_than_the_leader() -> None:
    """Player 3 announces the general, takes player 1's lead, and wins all other tricks."""
    hands = ["7H JC AC TC 9C 8C 7C QC", OWN_SUITS[1], "KH QH JH AH TH 9H 8H KC", OWN_SUITS[3]]
    state = dealt(hands, GENERAL=5)
    for choice in (PASS, PASS, CALL):
        state.play(choice)
    assert played(state, hands, "02222222").scores == (5, 5, 0, 5)


def test_a_general_broken_in_the_last_trick() -> None:
    """Seven tricks are not enough: the promise is paid for, and all the rest as usual.

    Player 1 wins seven tricks with the other three jacks, player 3 the last with that of spades.
    """
    hands = long_suit("JS")
    state = dealt(hands, GENERAL=7, FIRSTTAKEN=20, LASTTAKEN=30)
    state.play(CALL)
    assert played(state, hands, "0" * 8).scores == (7 + 3 + 20, 0, 2 + 30, 0)
