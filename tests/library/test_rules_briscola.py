"""Briscola as its rules say: a model of them is asked who wins, who draws what, and who scores."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from library_playing import decisions, interpreted, picked, seeds

from cardwright import Game, State, Stream
from cardwright.program.cards import Card

SEEDS = range(30)
RANKS = dict(
    zip(
        ["TWO", "FOUR", "FIVE", "SIX", "SEVEN", "J", "KNIGHT", "K", "THREE", "A"],
        "24567JNK3A",
        strict=True,
    )
)
SUITS = {"CUPS": "U", "COINS": "D", "CLUBS": "C", "SWORDS": "S"}
ORDER = "24567JNK3A"
WORTH = {"A": 11, "3": 10, "K": 4, "N": 3, "J": 2}


def code(card: Card) -> str:
    return RANKS[card.attributes["RANK"]] + SUITS[card.attributes["SUIT"]]


def codes(cards: Iterable[Card]) -> list[str]:
    return [code(card) for card in cards]


def hand(state: State, seat: int) -> list[str]:
    return codes(state.cards(seat, "iloc", "HAND"))


def best(cards: list[str], trump: str) -> int:
    """Return which card of a trick wins it."""
    suit = trump if any(card[1] == trump for card in cards) else cards[0][1]
    return max(
        (at for at, card in enumerate(cards) if card[1] == suit),
        key=lambda at: ORDER.index(cards[at][0]),
    )


@pytest.fixture(scope="module", params=[2, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("briscola", PLAYERS=request.param)


def shuffled(game: Game, seed: int) -> list[str]:
    pack = codes(game.cards)
    Stream(seed).shuffle(pack)
    return pack


def test_the_pack(game: Game) -> None:
    """Forty cards, of 120 points together."""
    assert sorted(codes(game.cards)) == sorted(r + s for r in ORDER for s in "UDCS")
    assert sum(WORTH.get(card[0], 0) for card in codes(game.cards)) == 120


def test_games_go_as_the_rules_say(game: Game) -> None:
    """Any card may be played; trumps win; the winner draws first and leads; all cards count."""
    for seed in SEEDS:
        pack = shuffled(game, seed)
        hands = [[pack.pop() for _ in range(3)] for _ in range(game.players)]
        pack.insert(0, pack.pop())
        trump, seat = pack[0][1], 0
        points, trick = [0, 0], list[str]()
        for state, option in decisions(game, seed):
            assert state.player == seat
            assert sorted(hand(state, seat)) == sorted(hands[seat])
            assert state.option_count == len(hands[seat])
            card = picked(option, "CARD")
            assert isinstance(card, int)
            trick.append(code(game.cards[card]))
            hands[seat].remove(trick[-1])
            seat = (seat + 1) % game.players
            if len(trick) == game.players:
                seat = (seat + best(trick, trump)) % game.players
                points[seat % 2] += sum(WORTH.get(card[0], 0) for card in trick)
                trick.clear()
                for step in range(game.players if pack else 0):
                    hands[(seat + step) % game.players].append(pack.pop())
        assert not pack
        assert len(state.choices) == 40
        assert state.scores == tuple(points * (game.players // 2))
        assert sum(points) == 120
        assert state.wins[0] == ((points[0] > points[1]) + (points[0] >= points[1])) / game.players


def test_the_trump_is_seen_until_it_is_drawn(game: Game) -> None:
    """The card turned up lies open under the stock and is the last to be drawn."""
    for seed in seeds(5):
        for state, _ in decisions(game, seed):
            stock = state.cards(None, "iloc", "STOCK")
            assert len(state.cards(None, "vloc", "TURNUP")) == (
                len(state.choices) < 40 - 3 * game.players
            )
            assert stock or len(state.choices) >= 40 - 4 * game.players


@pytest.mark.parametrize("trump", "UDCS")
def test_the_order_of_the_cards(trump: str) -> None:
    """From two up to seven, jack, knight, king, three, ace, in trumps as in the other suits."""
    for low, high in pairwise(ORDER):
        for suit in "UDCS":
            assert best([low + suit, high + suit], trump) == 1
            assert best([high + suit, low + suit], trump) == 0
