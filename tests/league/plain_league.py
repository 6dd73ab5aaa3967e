"""The Hearts League in plain Python: its rules as slow and obvious functions, for comparison.

A card is 13 * suit + rank, suits clubs, diamonds, spades, hearts. A round is written down as 64
choices, pairs of seat and card: twelve cards passed on, in turn, and 52 played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Round = list[tuple[int, int]]
    Choose = Callable[[int, list[int], list[int]], int]
    """Returns an index, given the seat, the whole hand, and the legal cards."""

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
TWO_OF_CLUBS = 0
QUEEN = 36
DIRECTIONS = (1, 3, 2)
"""How many seats on the cards go that are passed, round by round."""


def suit(card: int) -> int:
    return card // 13


def penalty(card: int) -> bool:
    return card == QUEEN or suit(card) == HEARTS


def points(card: int) -> int:
    if card == QUEEN:
        return 13
    return 1 if suit(card) == HEARTS else 0


def legal(
    hand: list[int], trick: list[int], first_trick: bool, broken: bool, rules: str = "code"
) -> list[int]:
    """Return the cards that may be played, in the order of the hand.

    `broken` says whether a penalty card has been played in this round. By the rules "readme" no
    penalty card may be played to the first trick unless there is nothing else; by "code" it may.
    """
    if trick:
        following = [card for card in hand if suit(card) == suit(trick[0])]
        if following:
            return following
        harmless = [card for card in hand if not penalty(card)]
        if first_trick and rules == "readme" and harmless:
            return harmless
        return list(hand)
    if first_trick:
        return [TWO_OF_CLUBS]
    if broken or all(penalty(card) for card in hand):
        return list(hand)
    return [card for card in hand if suit(card) != HEARTS]


def winner(trick: list[tuple[int, int]]) -> int:
    """Return the seat that takes a trick of seats and cards."""
    led = suit(trick[0][1])
    best_seat, best_card = trick[0]
    for seat, card in trick[1:]:
        if suit(card) == led and card > best_card:
            best_seat, best_card = seat, card
    return best_seat


def tricks(choices: Round) -> list[list[tuple[int, int]]]:
    """Return the 13 tricks of a round."""
    return [choices[at : at + 4] for at in range(12, 64, 4)]


def score(choices: Round) -> list[int]:
    """Return the points of a round, with the moon."""
    taken = [0, 0, 0, 0]
    for trick in tricks(choices):
        taken[winner(trick)] += sum(points(card) for _, card in trick)
    if 26 in taken:
        return [0 if one == 26 else 26 for one in taken]
    return taken


def play_round(
    hands: list[list[int]], choose: Choose, direction: int, rules: str = "code"
) -> Round:
    """Play one round with these hands, which are used up."""
    choices: Round = []
    passed: list[list[int]] = [[], [], [], []]
    for _ in range(3):
        for seat in range(4):
            card = hands[seat].pop(choose(seat, hands[seat], hands[seat]))
            passed[seat].append(card)
            choices.append((seat, card))
    for seat in range(4):
        hands[(seat + direction) % 4] += passed[seat]
    lead = next(seat for seat in range(4) if TWO_OF_CLUBS in hands[seat])
    broken = False
    for number in range(13):
        trick: list[tuple[int, int]] = []
        for after in range(4):
            seat = (lead + after) % 4
            cards = legal(hands[seat], [card for _, card in trick], number == 0, broken, rules)
            card = cards[choose(seat, hands[seat], cards)]
            hands[seat].remove(card)
            trick.append((seat, card))
            broken = broken or penalty(card)
        choices += trick
        lead = winner(trick)
    return choices


def referee_game(rng: random.Random, choose: Choose, rules: str = "code") -> list[Round]:
    """Play a game to its end: the rounds up to the one after which somebody has 100 points."""
    totals = [0, 0, 0, 0]
    rounds: list[Round] = []
    while max(totals) < 100:
        deck = list(range(52))
        rng.shuffle(deck)
        hands = [deck[13 * seat : 13 * seat + 13] for seat in range(4)]
        rounds.append(play_round(hands, choose, DIRECTIONS[len(rounds) % 3], rules))
        totals = [one + more for one, more in zip(totals, score(rounds[-1]), strict=True)]
    return rounds


def at_random(rng: random.Random) -> Choose:
    """Return a way to choose: any legal card."""
    return lambda seat, hand, cards: rng.randrange(len(cards))
