"""Knaves as its rules say, checked without asking the engine what is legal or who wins."""

from functools import partial
from itertools import pairwise
from typing import TypeAlias

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    Play,
    assert_suit_followed,
    assert_winners_lead,
    by_number,
    codes,
    finish,
    hand,
    interpreted,
    put,
    put_in_order,
    seeds,
    shuffled,
    tricks,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, State, Stream

SEEDS = range(40)
SEEDS_FOR_TIES = 8
"""If two ranks were equal, lots would be drawn, and some of these seeds would tell."""

SUITS = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
COSTS = {"JH": 4, "JD": 3, "JC": 2, "JS": 1}

Deals: TypeAlias = list[tuple[str, list[list[Play]], State]]


@pytest.fixture(scope="module", params=[3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("knaves", PLAYERS=request.param)


@pytest.fixture(scope="module")
def deals(game: Game) -> Deals:
    """For every seed the trump, which four players do not have, the tricks, and the last state."""
    trumps = [shuffled(game, seed)[0][1] if game.players == 3 else "" for seed in SEEDS]
    return [(trumps[seed], *tricks(game, seed)) for seed in SEEDS]


def result(rounds: list[list[Play]], trump: str, costs: dict[str, int]) -> tuple[int, ...]:
    """One for each trick less what its jacks cost, by seat."""
    scores = [0] * len(rounds[0])
    for trick in rounds:
        lost = sum(costs.get(play.card, 0) for play in trick)
        scores[winner(trick, trump=trump)] += 1 - lost
    return tuple(scores)


def suit(letter: str, without: str = "") -> list[str]:
    """Return a suit from the ace to the two, but for some ranks."""
    return [rank + letter for rank in reversed(ACE_HIGH) if rank not in without]


def dealt(hands: list[str], **declared: int) -> State:
    """Start a deal with these hands; what is left of the pack lies below."""
    return ordered("knaves", " ".join(hands), PLAYERS=len(hands), **declared).start(0)


def long_suit(long: str, first: str, second: str, third: str) -> list[list[str]]:
    """Return four hands: player 1 has all of a suit but the two, and wins twelve tricks with it.

    Left with the two of the second suit, player 1 leads it, and player 3 wins with what is left of
    that suit. Everybody plays the cards in the order of these hands.
    """
    return [
        [*suit(long, "2"), "2" + second],
        ["2" + long, *suit(first, "2")],
        ["2" + first, *suit(second, "2")],
        suit(third),
    ]


def play_out(hands: list[list[str]], leads: str, **declared: int) -> State:
    """Play a deal in which everybody plays the cards in the order of the hand.

    Leads are the seats that are expected to lead.
    """
    state = dealt([" ".join(cards) for cards in hands], **declared)
    return put_in_order(state, hands, leads)


def last(cards: list[str], card: str) -> list[str]:
    """Return a hand with a card kept to the end."""
    return [*(one for one in cards if one != card), card]


def test_three_have_seventeen_cards_and_a_trump() -> None:
    """The 52nd card is turned up for all to see, belongs to nobody, and its suit is trump."""
    game = interpreted("knaves")
    assert sorted(codes(game.cards)) == FULL_PACK
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(3):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(17)])
        assert list(codes(state.cards(None, "vloc", "TURNUP"))) == pack
        assert len(pack) == 1
        assert state.string(None, "TRUMP") == SUITS[pack[0][1]]
        assert state.player == 0


def test_four_have_thirteen_cards_and_no_trump() -> None:
    """Four share the whole pack: nothing is turned up, and no suit is trump."""
    game = interpreted("knaves", PLAYERS=4)
    for seed in seeds(20):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(13)])
        assert not state.cards(None, "vloc", "TURNUP")
        assert state.string(None, "TRUMP") not in SUITS.values()
        assert state.player == 0


def test_suit_must_be_followed(deals: Deals) -> None:
    """The suit led must be followed if possible; without it any card goes, trump or not."""
    ruffs = discards = 0
    for trump, rounds, _ in deals:
        for trick in rounds:
            assert_suit_followed(trick)
            lead = trick[0].card[1]
            for play in trick[1:]:
                same = any(card[1] == lead for card in play.hand)
                ruffs += play.card[1] == trump != lead
                trumps = [card for card in play.hand if card[1] == trump]
                discards += bool(trumps and not same and play.card[1] != trump)
    assert trump == "" or (ruffs > 50 and discards > 50)


def test_the_winner_of_a_trick_leads_the_next(game: Game, deals: Deals) -> None:
    """The highest trump wins, else the highest card of the suit led; player 1 leads first."""
    for trump, rounds, _ in deals:
        assert {len(trick) for trick in rounds} == {game.players}
        assert_winners_lead(rounds, partial(winner, trump=trump))


def test_the_order_of_the_cards() -> None:
    """In a suit aces are high, then king, queen, jack, ten, and so on down to the two.

    Every second club is with player 1, the others with player 2. Player 3 discards.
    """
    spades = suit("S", "2")
    clubs = [rank + "C" for rank in ACE_HIGH]
    mine, next_ones = [*clubs[::2], *suit("D", "234")], [*clubs[1::2], *suit("H", "23")]
    cards = [*mine, *next_ones, "2D", "3D", "4D", "2H", "3H", *spades]
    game = ordered("knaves", " ".join(cards))
    for seed in range(SEEDS_FOR_TIES):
        for low, high in pairwise(clubs):
            led, other = (low, high) if low in mine else (high, low)
            state = put(game.start(seed), f"{led} {other} 2D")
            assert state.player == (0 if high == led else 1)


def three(trump_card: str) -> list[str]:
    """Return three hands that leave a spade to be turned up.

    Player 1 has the clubs, player 2 the diamonds, player 3 the hearts. The spades are dealt out
    in turn, from the ace down; with the jack turned up, player 1 has AS TS 7S 4S.
    """
    spades = [card for card in suit("S") if card != trump_card]
    hands = [suit(letter) for letter in "CDH"]
    for seat in range(3):
        hands[seat] += spades[seat::3]
    return [" ".join(cards) for cards in hands]


def test_the_lowest_trump_beats_an_ace() -> None:
    """A spade is turned up: any spade takes the ace of clubs, and the higher of two spades wins."""
    state = dealt(three("JS"))
    assert state.string(None, "TRUMP") == "SPADES"
    assert put(state.copy(), "AC AD 2S").player == 2
    assert put(state.copy(), "AC 3S AH").player == 1
    assert put(state.copy(), "AC 3S 2S").player == 1
    assert put(state.copy(), "AC 3S 5S").player == 2
    assert put(state.copy(), "2C AD AH").player == 0
    assert put(state.copy(), "4S 3S 2S").player == 0


def test_without_trumps() -> None:
    """With TRUMPS=0 the card turned up means nothing: the ace of clubs beats all spades."""
    state = dealt(three("JS"), TRUMPS=0)
    assert codes(state.cards(None, "vloc", "TURNUP")) == ("JS",)
    assert put(state.copy(), "AC AD 2S").player == 0
    assert put(state.copy(), "2C KS QS").player == 0
    assert put(state.copy(), "4S 3S 5S").player == 2


@pytest.mark.parametrize("trump", "CDHS")
def test_four_players_have_no_trumps_whatever_the_suit(trump: str) -> None:
    """A card of another suit than that led wins nothing, even an ace."""
    long, *others = [trump, *(letter for letter in "CDHS" if letter != trump)]
    hands = [suit(others[0]), suit(long), suit(others[1]), suit(others[2])]
    state = dealt([" ".join(cards) for cards in hands])
    assert put(state, f"2{others[0]} A{long} A{others[1]} A{others[2]}").player == 0


def test_scores(game: Game, deals: Deals) -> None:
    """A trick is one point; jacks of hearts, diamonds, clubs, spades take off 4, 3, 2 and 1."""
    below = 0
    for trump, rounds, state in deals:
        assert state.scores == result(rounds, trump, COSTS)
        below += min(state.scores) < 0
        if game.players == 4:
            assert sum(state.scores) == 13 - 10
    assert below > 5


@pytest.mark.parametrize("jack", COSTS)
def test_each_jack_costs_its_taker(jack: str) -> None:
    """Player 3 wins one trick, the last, with a jack in it; player 1 all others.

    It is 12 points for player 1's tricks less the other three jacks, and 1 point less the one jack
    for player 3. Who has no trick has no points, though jacks have left that hand.
    """
    long, first, third = (letter for letter in "CDHS" if letter != jack[1])
    hands = long_suit(long, first, jack[1], third)
    hands[2] = last(hands[2], jack)
    state = play_out(hands, "0" * 13)
    assert state.scores == (12 - 10 + COSTS[jack], 0, 1 - COSTS[jack], 0)


def test_a_jack_is_paid_for_by_the_winner_of_the_trick() -> None:
    """The jacks of diamonds and spades are thrown on the last trick, which player 3 wins."""
    hands = long_suit("C", "D", "H", "S")
    hands[1] = ["2C", *last(hands[1][1:], "JD")]
    hands[3] = last(hands[3], "JS")
    state = play_out(hands, "0" * 13)
    # Player 3's last card is 3H: player 1 has led 2H.
    assert state.scores == (12 - 6, 0, 1 - 4, 0)


def test_all_the_tricks() -> None:
    """Thirteen tricks with all four jacks are three points: each trick of four counts one."""
    hands = [suit("C"), suit("D"), suit("H"), suit("S")]
    state = play_out(hands, "0" * 13)
    assert state.scores == (3, 0, 0, 0)
    assert state.wins == (1, 0, 0, 0)


@pytest.mark.parametrize(("turned", "total"), [("JH", 11), ("JD", 10), ("JS", 8), ("2S", 7)])
def test_a_jack_turned_up_costs_nobody(turned: str, total: int) -> None:
    """Three players share 17 tricks, less the jacks that are in play."""
    pack = [card for card in FULL_PACK if card != turned]
    hands = [" ".join(pack[seat::3]) for seat in range(3)]
    state = finish(ordered("knaves", " ".join(hands)), 1)
    assert codes(state.cards(None, "vloc", "TURNUP")) == (turned,)
    assert sum(state.scores) == total


def test_the_highest_score_wins(deals: Deals) -> None:
    """Players with the same highest score share the win."""
    shared = 0
    for _, _, state in deals:
        best = [score == max(state.scores) for score in state.scores]
        assert state.wins == tuple(one / sum(best) for one in best)
        assert state.ranks == tuple(
            sum(other > score for other in state.scores) for score in state.scores
        )
        shared += sum(best) > 1
    assert shared > 0


def test_every_card_is_played_once(game: Game, deals: Deals) -> None:
    """A deal is 51 or 52 decisions, and all cards played end with the winners of the tricks."""
    for trump, rounds, state in deals:
        assert len(state.choices) == {3: 51, 4: 52}[game.players]
        assert len(rounds) == {3: 17, 4: 13}[game.players]
        piles: list[list[str]] = [[] for _ in range(game.players)]
        for trick in rounds:
            piles[winner(trick, trump=trump)] += [play.card for play in trick]
        for seat in range(game.players):
            assert sorted(codes(state.cards(seat, "vloc", "TRICKSWON"))) == sorted(piles[seat])
        turned = codes(state.cards(None, "vloc", "TURNUP"))
        assert sorted([*turned, *(card for pile in piles for card in pile)]) == FULL_PACK


@pytest.mark.parametrize("players", [3, 4])
def test_other_costs(players: int) -> None:
    """Each jack may cost something else."""
    game = interpreted(
        "knaves",
        PLAYERS=players,
        JACKHEARTS=0,
        JACKDIAMONDS=100,
        JACKCLUBS=1,
        JACKSPADES=20,
    )
    costs = {"JH": 0, "JD": 100, "JC": 1, "JS": 20}
    for seed in seeds(4):
        rounds, state = tricks(game, seed)
        trump = shuffled(game, seed)[0][1] if players == 3 else ""
        assert state.scores == result(rounds, trump, costs)


def test_everybody_knows_the_card_turned_up() -> None:
    """Nobody imagines the card turned up in a hand."""
    state = interpreted("knaves").start(5)
    turned = codes(state.cards(None, "vloc", "TURNUP"))
    for seed in seeds(10):
        for seat in range(3):
            imagined = state.determinise(seat, Stream(seed), "known")
            assert codes(imagined.cards(None, "vloc", "TURNUP")) == turned
