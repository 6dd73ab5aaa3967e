"""Agram as its rules say, checked without asking the engine what is legal or who wins."""

import pytest
from library_playing import (
    FULL_PACK,
    by_number,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    seeds,
    shuffled,
    tricks,
    winner,
)

from cardwright import Game

PACK = [card for card in FULL_PACK if card[0] in "3456789T" or card in ("AC", "AD", "AH")]


@pytest.fixture(scope="module", params=[2, 3, 4, 5])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("agram", PLAYERS=request.param)


def test_the_pack_has_three_aces(game: Game) -> None:
    """Thirty-five cards: three to ten in four suits, and the aces without that of spades."""
    assert len(PACK) == 35
    assert sorted(codes(game.cards)) == PACK


def test_six_cards_each_are_dealt_from_the_top(game: Game) -> None:
    """Every player is dealt six cards; the rest stay in the stock, unseen."""
    for seed in seeds(5):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(game.players):
            assert list(hand(state, seat)) == by_number(game, [pack.pop() for _ in range(6)])
        assert list(codes(state.cards(None, "iloc", "STOCK"))) == pack
        assert len(pack) == 35 - 6 * game.players


def test_suit_must_be_followed(game: Game) -> None:
    """The leader may play anything; the others the suit led, or anything if they have none."""
    for seed in seeds(30):
        for trick in tricks(game, seed)[0]:
            lead = trick[0].card[1]
            assert trick[0].offered == trick[0].hand
            for play in trick[1:]:
                same = tuple(card for card in play.hand if card[1] == lead)
                assert play.offered == (same or play.hand)


def test_the_highest_card_of_the_suit_led_wins_and_leads(game: Game) -> None:
    """There is no trump: a higher card of another suit, an ace even, does not take the trick."""
    aces = 0
    for seed in range(40):
        leader = 0
        for trick in tricks(game, seed)[0]:
            assert [p.seat for p in trick] == [
                (leader + i) % game.players for i in range(game.players)
            ]
            leader = winner(trick)
            lead = trick[0].card[1]
            aces += any(p.card[0] == "A" and p.card[1] != lead for p in trick)
    assert aces >= 5


def test_an_ace_beats_a_ten(game: Game) -> None:
    """The ace of the suit led wins against the ten of that suit."""
    found = 0
    for seed in seeds(120):
        rounds, state = tricks(game, seed)
        for number, trick in enumerate(rounds):
            cards = [play.card for play in trick]
            suit = cards[0][1]
            if "A" + suit in cards and "T" + suit in cards:
                found += 1
                taker = trick[cards.index("A" + suit)].seat
                if number + 1 < len(rounds):
                    assert rounds[number + 1][0].seat == taker
                else:
                    assert state.scores[taker] == 1
    assert found >= 2


def test_only_the_last_trick_counts(game: Game) -> None:
    """The winner of the sixth trick has 1, everybody else 0, whoever won the other five."""
    others = 0
    for seed in range(30):
        rounds, state = tricks(game, seed)
        assert len(rounds) == 6
        last = winner(rounds[-1])
        assert state.scores == tuple(int(seat == last) for seat in range(game.players))
        assert state.ranks == tuple(int(seat != last) for seat in range(game.players))
        others += winner(rounds[0]) != last
    assert others >= 10


def test_nothing_is_scored_before_the_last_trick(game: Game) -> None:
    """As long as a card is in hand nobody has scored."""
    for seed in seeds(20):
        for state, _ in decisions(game, seed):
            assert not any(state.integer(seat, "SCORE") for seat in range(game.players))


def test_six_decisions_a_player(game: Game) -> None:
    """Everybody plays six cards, which end in the discard pile; the stock is never touched."""
    for seed in seeds(20):
        state = finish(game, seed)
        assert len(state.choices) == 6 * game.players
        assert len(state.cards(None, "vloc", "DISCARD")) == 6 * game.players
        stock = codes(state.cards(None, "iloc", "STOCK"))
        assert list(stock) == shuffled(game, seed)[: len(stock)]
        assert len(stock) == 35 - 6 * game.players


def test_another_size_of_hand() -> None:
    """HANDSIZE sets how many cards are dealt, and so how many tricks there are."""
    state = finish(interpreted("agram", PLAYERS=5, HANDSIZE=7), 1)
    assert len(state.choices) == 35
    assert not state.cards(None, "iloc", "STOCK")
