"""Cards as text and as sets of bits."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from cardwright.hearts.cards import (
    CLUBS,
    HEARTS,
    QUEEN_OF_SPADES,
    SPADES,
    CardTextError,
    cards_of,
    format_card,
    format_hand,
    mask_of,
    parse_card,
    parse_hand,
    suit_mask,
)

CARDS = st.sampled_from([16 * suit + rank for suit in range(4) for rank in range(2, 15)] + [0])


@pytest.mark.parametrize("text", ["QS", "qs", "Q♠", " Qs "])
def test_the_queen_in_all_writings(text: str) -> None:
    assert parse_card(text) == QUEEN_OF_SPADES == 16 * SPADES + 12


def test_tens_and_jokers() -> None:
    assert parse_card("10H") == parse_card("TH") == 16 * HEARTS + 10
    assert parse_card("0C") == 16 * CLUBS


@pytest.mark.parametrize("text", ["", "Q", "S", "1S", "11S", "?S", "QX", "QQ", "0S", "SQ", "QSS"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(CardTextError, match=r"is not a card: write its rank .* like QS"):
        parse_card(text)


def test_errors_in_hands_have_their_place() -> None:
    with pytest.raises(CardTextError, match=r"^column 7 of '2C KD 1S': '1S' is not a card"):
        parse_hand("2C KD 1S")


def test_hands_keep_their_order_and_are_written_sorted() -> None:
    hand = parse_hand("AH, 2C QS,  TD")
    assert [format_card(card) for card in hand] == ["AH", "2C", "QS", "TD"]
    assert format_hand(hand) == "2C TD QS AH"
    assert format_hand(hand, symbols=True) == "2♣ T♦ Q♠ A♥"
    assert parse_hand("") == ()


@given(st.lists(CARDS))
def test_what_is_written_can_be_read(cards: list[int]) -> None:
    for symbols in (False, True):
        assert parse_hand(format_hand(cards, symbols=symbols)) == tuple(sorted(cards))


@given(st.sets(CARDS))
def test_sets_of_bits(cards: set[int]) -> None:
    assert set(cards_of(mask_of(cards))) == cards
    assert list(cards_of(mask_of(cards))) == sorted(cards)
    hearts = {card for card in cards if card >> 4 == HEARTS}
    assert set(cards_of(mask_of(cards) & suit_mask(HEARTS))) == hearts
