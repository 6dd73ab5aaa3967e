"""Gong Zhu as its rules say: a model of them is asked what is legal, who wins and what counts."""

from dataclasses import dataclass
from functools import partial

import pytest
from library_playing import (
    FULL_PACK,
    Play,
    assert_winners_lead,
    by_number,
    codes,
    decisions,
    hand,
    interpreted,
    offered,
    picked,
    put_in_order,
    seeds,
    shuffled,
    winner,
)
from ordered_pack import ordered

from cardwright import Game, State

SEEDS = range(60)
PIG, SHEEP, TEN, ACE = GREAT = ("QS", "JD", "TC", "AH")
COST = {"A": 50, "K": 40, "Q": 30, "J": 20} | dict.fromkeys("T98765", 10) | dict.fromkeys("432", 0)
DOWN = "AKQJT98765432"
SUITS = [" ".join(rank + suit for rank in DOWN) for suit in "SHDC"]
"""Hands with which player 1 wins every trick, leading spades; each shows one of the great cards."""

ALONE = [
    "AC 2S KC QC JC 9C 8C 7C 6C 5C 4C 2H 2D",
    "TC AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
    "3C AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
    "2C AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
]
"""Player 1 wins the first trick with the ten of clubs, player 3 all others with all other cards."""


@dataclass(frozen=True)
class Deal:
    """One game: what everybody showed, the tricks, and the last state."""

    shown: list[tuple[str, ...]]
    rounds: list[list[Play]]
    state: State


def played(game: Game, seed: int) -> Deal:
    """Play a game at random; a hand in it holds the cards that lie open as well."""
    shown: list[tuple[str, ...]] = []
    plays = []
    asked = 4 * int(game.declared.get("EXPOSE", 1) == 1)
    for state, option in decisions(game, seed):
        assert state.player is not None
        seat, chosen = state.player, offered(state)
        if len(shown) < asked:
            assert seat == len(shown)
            cards = picked(option, "SET")
            shown.append(
                codes(game.cards[card] for card in cards) if isinstance(cards, tuple) else ()
            )
            continue
        held = hand(state, seat) + codes(state.cards(seat, "vloc", "SHOWN"))
        card = chosen[option.index]
        assert card is not None
        plays.append(Play(seat, held, chosen, card))
    return Deal(shown, [plays[i : i + 4] for i in range(0, len(plays), 4)], state)


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("gongzhu")


@pytest.fixture(scope="module")
def deals(game: Game) -> list[Deal]:
    return [played(game, seed) for seed in SEEDS]


def result(taken: list[str], shown: list[str], pigturns: str = "SLAM") -> int:
    """Return what the cards taken are worth."""
    hearts = [card for card in taken if card[1] == "H"]
    score = 200 if len(hearts) == 13 else -sum(COST[card[0]] for card in hearts)
    score *= 1 + (ACE in shown)
    if SHEEP in taken:
        score += 100 * (1 + (SHEEP in shown))
    if PIG in taken:
        turned = len(hearts) == 13 and (
            pigturns == "HEARTS" or (pigturns == "SLAM" and {SHEEP, TEN} <= set(taken))
        )
        score += (100 if turned else -100) * (1 + (PIG in shown))
    if TEN in taken:
        alone = PIG not in taken and SHEEP not in taken and not hearts
        score = 50 * (1 + (TEN in shown)) if alone else score * 2 * (1 + (TEN in shown))
    return score


def piles(rounds: list[list[Play]]) -> list[list[str]]:
    """Return the cards that everybody has taken."""
    taken: list[list[str]] = [[], [], [], []]
    for trick in rounds:
        taken[winner(trick)] += [play.card for play in trick]
    return taken


def dealt(hands: list[str], show: str = "0000", **declared: int | str) -> State:
    """Deal these hands; each player chooses this option of those for showing cards."""
    state = ordered("gongzhu", " ".join(hands), **declared).start(0)
    for seat, option in enumerate(show):
        assert state.player == seat
        state.play(int(option))
    return state


def finished(state: State, hands: list[str], leads: str) -> tuple[float, ...]:
    return put_in_order(state, [each.split() for each in hands], leads).scores


def test_the_deal(game: Game) -> None:
    """All 52 cards are dealt, thirteen each."""
    assert sorted(codes(game.cards)) == FULL_PACK
    for seed in seeds(10):
        state, pack = game.start(seed), shuffled(game, seed)
        for seat in range(4):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(13)])


def test_great_cards_may_be_shown(game: Game) -> None:
    """Everybody is asked, from player 1 on, and may show any of the great cards in hand."""
    several = 0
    for seed in SEEDS:
        state = game.start(seed)
        for seat in range(4):
            assert state.player == seat
            great = [card for card in hand(state, seat) if card in GREAT]
            assert state.option_count == 2 ** len(great)
            several += len(great) > 1
            state.play(state.option_count - 1)
            assert sorted(codes(state.cards(seat, "vloc", "SHOWN"))) == sorted(great)
    assert several > 20


def test_what_may_be_played(deals: list[Deal]) -> None:
    """Suit is followed; a card shown waits for the second trick of its suit, if it can."""
    held_back = 0
    for deal in deals:
        shown = [card for cards in deal.shown for card in cards]
        led: set[str] = set()
        for trick in deal.rounds:
            suit = trick[0].card[1]
            for at, play in enumerate(trick):
                bound = [
                    card
                    for card in play.hand
                    if card in shown
                    and card[1] not in led
                    and any(other[1] == card[1] and other != card for other in play.hand)
                ]
                same = [card for card in play.hand if card[1] == suit]
                if at == 0:
                    may = [card for card in play.hand if card not in bound]
                elif same:
                    may = [card for card in same if card not in bound]
                else:
                    may = list(play.hand)
                assert sorted(map(str, play.offered)) == sorted(may)
                held_back += any(card in bound for card in (same if at else play.hand))
            led.add(suit)
    assert held_back > 50


def test_the_winner_of_a_trick_leads_the_next(deals: list[Deal]) -> None:
    """The highest card of the suit led wins; whoever has the two of spades leads first."""
    for deal in deals:
        assert "2S" in deal.rounds[0][0].hand
        assert len(deal.rounds) == 13
        first = deal.rounds[0][0].seat
        turned = [[Play((p.seat - first) % 4, *_rest(p)) for p in trick] for trick in deal.rounds]
        assert_winners_lead(turned, partial(winner))


def _rest(play: Play) -> tuple[tuple[str, ...], tuple[str | None, ...], str]:
    return play.hand, play.offered, play.card


def test_scores(deals: list[Deal]) -> None:
    """Everybody gets what the cards taken are worth, and the highest score wins."""
    for deal in deals:
        shown = [card for cards in deal.shown for card in cards]
        expected = tuple(result(taken, shown) for taken in piles(deal.rounds))
        assert deal.state.scores == expected
        best = [score == max(expected) for score in expected]
        assert deal.state.wins == pytest.approx(tuple(one / sum(best) for one in best))


def test_without_showing_and_with_the_eldest_hand() -> None:
    """With EXPOSE at 0 nobody is asked; with ELDEST player 1 leads."""
    game = interpreted("gongzhu", EXPOSE=0, OPENING="ELDEST")
    for seed in seeds(6):
        deal = played(game, seed)
        assert not deal.shown
        assert deal.rounds[0][0].seat == 0
        assert deal.state.scores == tuple(result(taken, []) for taken in piles(deal.rounds))


@pytest.mark.parametrize(
    ("show", "pigturns", "score"),
    [
        ("0000", "SLAM", (200 + 100 + 100) * 2),
        ("0000", "NEVER", (200 + 100 - 100) * 2),
        ("0000", "HEARTS", (200 + 100 + 100) * 2),
        ("1000", "SLAM", (200 + 100 + 200) * 2),
        ("0100", "SLAM", (400 + 100 + 100) * 2),
        ("0010", "SLAM", (200 + 200 + 100) * 2),
        ("0001", "SLAM", (200 + 100 + 100) * 4),
        ("1111", "SLAM", (400 + 200 + 200) * 4),
    ],
)
def test_all_cards_for_one(show: str, pigturns: str, score: int) -> None:
    """Player 1 has all spades and takes everything; what was shown counts twice."""
    state = dealt(SUITS, show, PIGTURNS=pigturns)
    assert finished(state, SUITS, "0" * 13) == (score, 0, 0, 0)
    assert state.wins == ((1, 0, 0, 0) if score > 0 else (0, 1 / 3, 1 / 3, 1 / 3))


@pytest.mark.parametrize(
    ("show", "score", "hearts"), [("0000", 50, 200), ("0100", 100, 200), ("0200", 50, 400)]
)
def test_the_transformer_alone(show: str, score: int, hearts: int) -> None:
    """With no other card that counts it wins points, twice as many if it was shown.

    Player 2 may show the ten, the only club of that hand, or the ace of hearts.
    """
    state = dealt(ALONE, show, OPENING="ELDEST")
    assert finished(state, ALONE, "00" + "2" * 11) == (score, 0, hearts + 100 - 100, 0)


@pytest.mark.parametrize(
    ("low", "small", "score"),
    [("2H", 1, 0), ("4H", 1, 0), ("5H", 1, -20), ("2H", 0, 50), ("4H", 0, 50), ("5H", 0, -20)],
)
def test_small_hearts_with_the_transformer(low: str, small: int, score: int) -> None:
    """With a two or four of hearts the ten doubles nothing; without SMALLHEARTS it is alone."""
    hands = [cards.replace(low, "xx").replace("2H", low) for cards in ALONE]
    hands = [cards.replace("xx", "2H") for cards in hands]
    # Player 4 has no club now, and throws the heart to the first trick.
    hands[3] = hands[3].replace("2C", low)
    hands[0] = hands[0].replace(low, "2C")
    state = dealt(hands, OPENING="ELDEST", SMALLHEARTS=small)
    assert finished(state, hands, "00" + "2" * 11)[0] == score


def test_the_pig_turns_with_all_hearts() -> None:
    """Player 3 takes all hearts, the pig and the sheep, but not the ten."""
    for turns, score in (("SLAM", 200), ("NEVER", 200), ("HEARTS", 400)):
        state = dealt(ALONE, PIGTURNS=turns, OPENING="ELDEST")
        assert finished(state, ALONE, "00" + "2" * 11) == (50, 0, score, 0)


def test_other_points() -> None:
    """PIG, SHEEP, ALONE and ALLHEARTS are what the constants say."""
    state = dealt(ALONE, OPENING="ELDEST", PIG=7, SHEEP=30, ALONE=5, ALLHEARTS=1000)
    assert finished(state, ALONE, "00" + "2" * 11) == (5, 0, 1000 + 30 - 7, 0)
