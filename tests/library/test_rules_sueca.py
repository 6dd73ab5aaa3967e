"""Sueca as its rules say, checked without asking the engine what is legal or who wins."""

from functools import partial
from itertools import pairwise
from typing import TypeAlias

import pytest
from library_playing import (
    Play,
    assert_suit_followed,
    assert_winners_lead,
    code,
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

SEEDS = range(60)
ORDER = "23456QJK7A"
WORTH = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
PACK = sorted(rank + suit for rank in ORDER for suit in "CDHS")

Deals: TypeAlias = list[tuple[str, list[list[Play]], tuple[int, ...]]]


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("sueca")


@pytest.fixture(scope="module")
def deals(game: Game) -> Deals:
    """For every seed the suit of the dealer's turned card, the tricks, and the scores."""
    found = []
    for seed in SEEDS:
        rounds, state = tricks(game, seed)
        found.append((shuffled(game, seed)[0][1], rounds, state.scores))
    return found


def dealt(hands: list[str], turned: str, **declared: int) -> State:
    """Start a deal with these hands; the card turned up is one of the fourth player's."""
    cards = " ".join(hands).replace(turned, "")
    return ordered("sueca", f"{cards} {turned}", **declared).start(0)


def played(hands: list[str], turned: str, leads: str, **declared: int) -> State:
    """Play a deal in which everybody plays the cards in the order of the hand.

    Leads are the seats that are expected to lead.
    """
    state = dealt(hands, turned, **declared)
    return put_in_order(state, [each.split() for each in hands], leads)


def results(rounds: list[list[Play]], trump: str) -> tuple[list[int], list[int]]:
    """The card points and the tricks of both sides."""
    points, won = [0, 0], [0, 0]
    for trick in rounds:
        side = winner(trick, ORDER, trump) % 2
        points[side] += sum(WORTH.get(play.card[0], 0) for play in trick)
        won[side] += 1
    return points, won


def games_won(points: int, won: int, all_tricks: int = 4) -> int:
    if won == 10:
        return all_tricks
    return 2 if points >= 91 else 1 if points >= 61 else 0


def test_the_deal(game: Game) -> None:
    """All forty cards are dealt, ten each; the bottom one is the dealer's and shows the trumps."""
    names = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
    assert sorted(code(card) for card in game.cards) == PACK
    for seed in seeds(20):
        state = game.start(seed)
        bottom = shuffled(game, seed)[0]
        assert [len(hand(state, seat)) for seat in range(4)] == [10] * 4
        assert sorted(sum((hand(state, seat) for seat in range(4)), ())) == PACK
        assert bottom in hand(state, 3)
        assert state.string(None, "TRUMP") == names[bottom[1]]
        assert state.player == 0


def test_everybody_has_seen_the_turned_card(game: Game) -> None:
    """Nobody imagines the dealer's turned card anywhere but in the dealer's hand."""
    state = game.start(5)
    bottom = shuffled(game, 5)[0]
    for seed in seeds(10):
        for seat in range(3):
            assert bottom in hand(state.determinise(seat, Stream(seed), "known"), 3)


def test_suit_must_be_followed(deals: Deals) -> None:
    """Who holds the suit led plays any card of it; who does not may play anything."""
    ruffs = discards = 0
    for trump, rounds, _ in deals:
        for trick in rounds:
            lead = trick[0].card[1]
            assert_suit_followed(trick)
            for play in trick[1:]:
                same = any(card[1] == lead for card in play.hand)
                ruffs += play.card[1] == trump != lead
                trumps = [card for card in play.hand if card[1] == trump]
                discards += bool(not same and trumps and play.card not in trumps)
    assert ruffs > 50
    assert discards > 50


def test_the_winner_of_a_trick_leads_the_next(deals: Deals) -> None:
    """The highest trump wins, else the highest card of the suit led; player 1 leads first."""
    for trump, rounds, _ in deals:
        assert len(rounds) == 10
        assert {len(trick) for trick in rounds} == {4}
        assert_winners_lead(rounds, partial(winner, order=ORDER, trump=trump))


def test_the_order_of_the_cards(deals: Deals) -> None:
    """In each suit ace beats seven beats king beats jack beats queen beats six, down to two."""
    beaten = set()
    for _, rounds, _ in deals:
        for trick, after in pairwise(rounds):
            best = next(play.card for play in trick if play.seat == after[0].seat)
            beaten |= {(best[0], play.card[0]) for play in trick if play.card[1] == best[1]}
    assert beaten >= {(high, low) for low, high in pairwise(ORDER)}
    assert all(ORDER.index(high) >= ORDER.index(low) for high, low in beaten)


def test_a_seven_takes_the_king() -> None:
    """The seven is second to the ace alone, and the jack beats the queen."""
    hands = [
        "KC QD 3H 4H 5H 6H QH JH KH 7H",
        "7C JD 4C 5C 6C QC JC 2H AH 2C",
        "3C 2D AD 7D KD 3S 4S 5S 6S QS",
        "AC 3D 4D 5D 6D JS KS 7S AS 2S",
    ]
    state = dealt(hands, "2S")
    assert put(state.copy(), "KC 7C 3C AC").player == 3
    assert put(state.copy(), "QD JD 2D 3D").player == 1
    assert put(state, "QD JD KD 3D").player == 2


def test_the_lowest_trump_beats_an_ace() -> None:
    """Trumps are those of the dealer's turned card: here the two takes the ace of hearts."""
    hands = [
        "AH 2C 3C 4C 5C 6C QC JC KC 7C",
        "AD 2D 3D 4D 5D 6D QD JD KD 7D",
        "2H 3H 4H 5H 6H QH JH KH 7H AC",
        "3S 4S 5S 6S QS JS KS 7S AS 2S",
    ]
    state = put(dealt(hands, "KS"), "AH AD 2H 2S")
    assert state.player == 3


def test_scores(deals: Deals) -> None:
    """More than 60 points are a game, more than 90 two; both partners have the side's games."""
    seen = set()
    for trump, rounds, scores in deals:
        points, won = results(rounds, trump)
        assert sum(points) == 120
        games = [games_won(*side) for side in zip(points, won, strict=True)]
        assert scores == (*games, *games)
        seen |= {tuple(games)}
    assert seen >= {(1, 0), (0, 1), (2, 0), (0, 2)}


def test_card_points_as_scores() -> None:
    """With CARDPOINTS the sides' card points are the scores, and add up to 120."""
    game = interpreted("sueca", CARDPOINTS=1)
    for seed in seeds(8):
        rounds, state = tricks(game, seed)
        points, _ = results(rounds, shuffled(game, seed)[0][1])
        assert state.scores == (*points, *points)


@pytest.mark.parametrize(
    ("seed", "most", "games"),
    [(2, 60, (0, 0)), (116, 61, (1, 0)), (36, 90, (1, 0)), (88, 91, (2, 0))],
)
def test_the_limits(game: Game, seed: int, most: int, games: tuple[int, int]) -> None:
    """Exactly 60 points are nothing, 61 and 90 one game, 91 two. The seeds have such deals."""
    rounds, state = tricks(game, seed)
    points, _ = results(rounds, shuffled(game, seed)[0][1])
    assert max(points) == most
    sides = games if points[0] == most else games[::-1]
    assert state.scores == (*sides, *sides)


def test_all_tricks() -> None:
    """All ten tricks are four games, or ALLTRICKS, for both partners."""
    hands = [
        "AC 7C KC JC QC 6C 5C 4C 3C 2C",
        "AD 7D KD JD QD 6D 5D 4D 3D 2D",
        "AH 7H KH JH QH 6H 5H 4H 3H 2H",
        "AS 7S KS JS QS 6S 5S 4S 3S 2S",
    ]
    assert played(hands, "KS", "0" + "3" * 9).scores == (0, 4, 0, 4)
    assert played(hands, "KS", "0" + "3" * 9, ALLTRICKS=3).scores == (0, 3, 0, 3)


def test_all_points_are_not_all_tricks() -> None:
    """Who loses a trick of low cards has all 120 points, but only two games."""
    hands = [
        "AC 7C KC JC QC 6C 5C 4C 3C 2H",
        "AD 7D KD JD QD 6D 5D 4D 3D 5H",
        "AH 7H KH JH QH 6H 2D 2S 3S 3H",
        "2C AS 7S KS JS QS 6S 5S 4S 4H",
    ]
    assert played(hands, "2C", "0" * 10).scores == (2, 0, 2, 0)
    assert played(hands, "2C", "0" * 10, CARDPOINTS=1).scores == (120, 0, 120, 0)
    hands[1], hands[2] = hands[1].replace("5H", "3H"), hands[2].replace(" 3H", " 5H")
    assert played(hands, "2C", "0" * 10).scores == (4, 0, 4, 0)
