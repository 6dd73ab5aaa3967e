"""The plain model of the league's rules: it is what others are compared with."""

from __future__ import annotations

import random
from statistics import mean

from plain_league import (
    QUEEN,
    at_random,
    legal,
    play_round,
    referee_game,
    score,
    tricks,
    winner,
)

CLUB, OTHER_CLUB, DIAMOND, SPADE, HEART = 5, 9, 20, 27, 40


def test_suit_is_followed() -> None:
    """With a card of the suit led only those; without one anything."""
    hand = [HEART, CLUB, QUEEN, OTHER_CLUB]
    assert legal(hand, [1], False, False) == [CLUB, OTHER_CLUB]
    assert legal(hand, [DIAMOND], False, False) == hand


def test_first_trick() -> None:
    """The two of clubs is led; penalties on it are legal in the program, not in its description."""
    assert legal([HEART, CLUB, 0], [], True, False) == [0]
    hand = [HEART, DIAMOND, QUEEN]
    assert legal(hand, [0], True, False, "code") == hand
    assert legal(hand, [0], True, False, "readme") == [DIAMOND]
    assert legal([HEART, QUEEN], [0], True, False, "readme") == [HEART, QUEEN]
    assert legal(hand, [CLUB], False, False, "readme") == hand


def test_leading_hearts() -> None:
    """Not before a penalty card was played, unless there are none but penalty cards."""
    assert legal([HEART, QUEEN, CLUB], [], False, False) == [QUEEN, CLUB]
    assert legal([HEART, QUEEN, CLUB], [], False, True) == [HEART, QUEEN, CLUB]
    assert legal([HEART, QUEEN], [], False, False) == [HEART, QUEEN]


def test_winner() -> None:
    assert winner([(2, CLUB), (3, HEART), (0, OTHER_CLUB), (1, DIAMOND)]) == 0
    assert winner([(2, OTHER_CLUB), (3, HEART), (0, CLUB), (1, 51)]) == 2


def test_a_round_of_first_cards() -> None:
    """Cards are passed on in turn, arrive behind the others, and not before all are chosen."""
    hands = [list(range(13 * seat, 13 * seat + 13)) for seat in range(4)]
    choices = play_round(hands, lambda seat, hand, cards: 0, 1)
    assert choices[:5] == [(0, 0), (1, 13), (2, 26), (3, 39), (0, 1)]
    assert choices[12:16] == [(1, 0), (2, 29), (3, 42), (0, 3)]
    # Seat 1 got three clubs and led the two; seat 0, which kept the others, won with its first.
    assert tricks(choices)[1][0] == (0, 4)
    assert sum(score(choices)) in (26, 78)


def test_random_games_are_those_that_are_known() -> None:
    """Random games by the program's rules: 11.5 rounds, and 3.48 cards to choose from."""
    counts = []
    rng = random.Random(1)

    def choose(seat: int, hand: list[int], cards: list[int]) -> int:
        counts.append((len(hand), len(cards), hand is cards))
        return rng.randrange(len(cards))

    games = [referee_game(rng, choose) for _ in range(100)]
    assert abs(mean(map(len, games)) - 11.5) < 0.4
    assert abs(mean(cards for _, cards, passing in counts if not passing) - 3.48) < 0.04
    for rounds in games:
        totals = [sum(one) for one in zip(*map(score, rounds), strict=True)]
        before = [sum(one) for one in zip(*map(score, rounds[:-1]), strict=True)]
        assert max(before) < 100 <= max(totals)
        for choices in rounds:
            assert sorted(card for _, card in choices[12:]) == list(range(52))
            assert sum(score(choices)) in (26, 78)


def test_random_games_need_only_their_seed() -> None:
    first, second = random.Random(3), random.Random(3)
    assert referee_game(first, at_random(first)) == referee_game(second, at_random(second))
