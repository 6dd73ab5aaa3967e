"""Decks: the cards that attributes make, and their order."""

from math import prod

import pytest
from hypothesis import given, strategies as st
from small_programs import checked, errors

from cardwright import Game
from cardwright.program.value_lists import MAX_CARDS
from cardwright.syntax.diagnostic import Code


def cards(deck: str, copies: str = "{}") -> list[dict[str, str]]:
    """Return the attributes of the cards that a deck makes."""
    made = copies.format(f"(create deck (game iloc STOCK) (deck {deck}))")
    result = checked(setup=f"(create players 2) {made}")
    assert errors(result) == []
    assert result.program is not None
    return [dict(card.attributes) for card in result.program.cards]


def values(deck: str) -> list[str]:
    """Return the cards of a deck as their values, in the order of the keys."""
    return [" ".join(card.values()) for card in cards(deck)]


def test_the_first_attribute_varies_slowest() -> None:
    """Cards are all combinations, in the order of the lists."""
    assert values("(RANK (A, K)) (SUIT (H, S))") == ["A H", "A S", "K H", "K S"]


def test_nested_attributes_belong_to_their_value() -> None:
    """Each value brings its own keys along."""
    deck = "(COLOR (RED (SUIT (H, D))) (BLACK (SUIT (C, S)))) (RANK (A))"
    assert values(deck) == ["RED H A", "RED D A", "BLACK C A", "BLACK S A"]


def test_several_nested_keys_are_combined() -> None:
    """Several keys under one value make their product, the first varying slowest."""
    deck = "(KIND (FACE (RANK (J, Q)) (SUIT (H, S))))"
    assert values(deck) == ["FACE J H", "FACE J S", "FACE Q H", "FACE Q S"]


def test_lists_and_branches_may_be_mixed() -> None:
    """Brackets of plain values and of one branch each, in the order written."""
    assert values("(KEY (A, B) (C (SUB (X, Y))) (D))") == ["A", "B", "C X", "C Y", "D"]


def test_nesting_goes_on() -> None:
    """A branch within a branch keeps all keys above it."""
    made = cards("(A (B (C (D (E (F, G))))))")
    assert made == [{"A": "B", "C": "D", "E": "F"}, {"A": "B", "C": "D", "E": "G"}]


def test_a_repeated_deck_is_made_again_and_again() -> None:
    """Copies follow each other; none at all is possible."""
    assert [card["R"] for card in cards("(R (A, B))", "(repeat 2 {})")] == ["A", "B", "A", "B"]
    assert cards("(R (A, B))", "(repeat 0 {})") == []


def test_decks_are_made_in_the_order_written() -> None:
    """A repeated deck before a plain one comes first, and every card keeps its back."""
    setup = (
        "(create players 2) (repeat 2 (create deck BLUE (game iloc X) (deck (R (A))))) "
        "(create deck (game iloc X) (deck (R (B))))"
    )
    program = checked(setup=setup).program
    assert program is not None
    made = [(card.id, card.attributes["R"], card.back) for card in program.cards]
    assert made == [(0, "A", "BLUE"), (1, "A", "BLUE"), (2, "B", "DEFAULT")]
    assert [deck.cards for deck in program.decks] == [(0,), (1,), (2,)]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_a_deck_has_the_product_of_its_lists(sizes: list[int]) -> None:
    """As many cards as combinations; beyond the limit an error, before anything is made."""
    keys = (f"(K{at} ({', '.join(f'V{i}' for i in range(n))}))" for at, n in enumerate(sizes))
    setup = f"(create players 2) (create deck (game iloc X) (deck {' '.join(keys)}))"
    result = checked(setup=setup)
    if prod(sizes) > MAX_CARDS:
        assert errors(result) == ["E504"]
    else:
        assert result.program is not None
        assert len(result.program.cards) == prod(sizes)


@pytest.mark.parametrize("depth", [2, 20, 60])
def test_nested_products_are_counted_before_they_are_made(depth: int) -> None:
    """Products of products stop at the limit too."""
    inner = "(X (A, B, C, D, E, F, G, H, I, J))"
    for at in range(depth):
        inner = f"(K{at} (V {inner} (Y{at} (A, B, C, D, E, F, G, H, I, J, K, L, M, N))))"
    setup = f"(create players 2) (create deck (game iloc X) (deck {inner}))"
    result = checked(setup=setup)
    assert errors(result) == ([] if depth == 2 else ["E504"])


def test_the_limit_is_for_all_decks_together() -> None:
    """A deck that fits alone may be one too many."""
    deck = "(create deck (game iloc X) (deck (R (A, B))))"
    setup = f"(create players 2) (repeat {MAX_CARDS // 2} {deck}) {deck}"
    assert errors(checked(setup=setup)) == ["E504"]


def test_cards_of_a_deck_made_no_times_may_be_named() -> None:
    """Their attributes are not unknown, for other constants would make them; misspelt ones are."""
    text = """(game (declare 0 'JOKERS)
      (setup (create players 1)
        (create deck (game iloc STOCK) (deck (RANK (A, K))))
        (repeat 'JOKERS (create deck (game iloc STOCK) (deck (RANK (JOKER)) (COLOR (RED))))))
      (do ((set (game points W) (((RANK : {rank}) 3) ((COLOR : RED) 1)))
           (inc (game sto X) (sum (game iloc STOCK) using (game points W)))))
      (scoring max (game sto X)))"""
    good = Game.from_text(text.format(rank="JOKER"), engine="interpreter")
    assert not list(good.diagnostics)
    assert len(good.cards) == 2
    wrong = Game.from_text(text.format(rank="JOKR"), engine="interpreter")
    assert [one.code for one in wrong.diagnostics] == [Code.UNKNOWN_VALUE]


@pytest.mark.parametrize(
    "deck", ["7", "()", "(RANK (A)) SUIT", "(RANK (A, K)) ()", "(RANK (A)) 'X"]
)
def test_what_is_no_attribute_is_told_where_it_stands(deck: str) -> None:
    """A word, a number, a variable or an empty bracket where attributes belong is an error."""
    text = f"(create players 2) (create deck (game iloc STOCK) (deck {deck}))"
    (found,) = checked(setup=text).diagnostics.errors
    assert found.code is Code.BAD_DECK
    item = deck.rsplit(")) ", maxsplit=1)[-1]
    assert found.message == f"{item} is not an attribute with its values"
