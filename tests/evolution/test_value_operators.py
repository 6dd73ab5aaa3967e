"""The operators that change values: constants, numbers, strings, words, awards and decks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import ConstantValues, VariationDraw, near_number
from cardwright.evolution.variation.parsed_rules import parsed_rules
from cardwright.program.check import check
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Source
from deep import usually
from evolution.structural import BY_NAME
from evolution.varying import library_game, values_of

if TYPE_CHECKING:
    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.program.program import Program


ANY_VALUES = ConstantValues()


def drawn(
    name: str,
    rules: ParsedRules,
    count: int,
    *families: ChangeFamily,
    constants: ConstantValues = ANY_VALUES,
) -> list[tuple[str, str, str]]:
    """Return the text before and after each of some changes, and all of the text that it makes."""
    operator, random = BY_NAME[name], np.random.default_rng(4)
    draw = VariationDraw(rules, frozenset(families or operator.families), random, (), constants)
    proposals = [one for _ in range(count) if (one := operator.propose(draw)) is not None]
    return [
        (rules.source.at(one.span), one.after, apply_edits(rules.text, one.edits))
        for one in proposals
    ]


def checked(text: str) -> Program:
    """Return the program of a text that must pass the check."""
    found = check(Source("changed", text))
    assert found.program is not None, found.diagnostics.errors
    return found.program


def game(text: str) -> ParsedRules:
    """Return a game that has some declarations and some steps."""
    return parsed_rules(
        f"(game {text.partition('|')[0]} (setup (create players 2) (create deck (game iloc STOCK) "
        "(deck (RANK (A, K, Q, J)) (SUIT (HEARTS, SPADES))))) "
        f"{text.partition('|')[2]} (scoring max ((current player) sto SCORE)))"
    )


@settings(max_examples=usually(20, 60))
@given(st.integers(0, 1000), st.lists(st.integers(0, 9), max_size=3), st.integers(0, 2**32))
def test_numbers_are_mostly_near(number: int, others: list[int], seed: int) -> None:
    """A step of up to three, up to four times as much or a quarter, or one of the others."""
    found = near_number(number, others, np.random.default_rng(seed))
    assert abs(found - number) <= 3 or number // 4 <= found <= number * 4 or found in others
    assert found >= 0


def test_steps_of_one_are_the_most_frequent() -> None:
    """Four of ten new numbers are one step away, two more two or three; a step is at least 5 %."""
    for number, unit in ((1000, 50), (7, 1)):
        random = np.random.default_rng(1)
        steps = [abs(near_number(number, [99], random) - number) for _ in range(2000)]
        assert 0.36 < steps.count(unit) / 2000 < 0.48
        assert 0.16 < sum(one in {2 * unit, 3 * unit} for one in steps) / 2000 < 0.3
    assert all(near_number(300, [], np.random.default_rng(seed)) != 299 for seed in range(200))


def test_numbers_of_players_stay() -> None:
    """No number of the set-up but that of decks is changed."""
    material = game("|(do ((inc (game sto N) 5)))")
    assert {before for before, _, _ in drawn("number", material, 30)} == {"5"}


def test_constants_have_values_of_the_list() -> None:
    """Only what the file beside the game lists, and only what goes together."""
    material = game("(declare 3 'N) (declare OFF 'MODE)|(do ((inc (game sto N) 'N)))")
    values = ConstantValues(
        (("N", (1, 3, 8)), ("MODE", ("OFF", "ON"))), requires=("(or (< 'N 5) (== 'MODE ON))",)
    )
    found = {after for _, after, _ in drawn("constant", material, 60, constants=values)}
    assert found == {"1", "ON"}


def test_derived_constants_are_left_alone() -> None:
    """Neither what follows from others, nor what the file says does."""
    material = game("(declare 3 'N) (declare 4 'M) (declare (+ 'N 1) 'O)|(do ((inc (game sto N))))")
    values = ConstantValues(derived=frozenset({"M"}))
    found = drawn("constant", material, 40, constants=values)
    assert {before for before, _, _ in found} == {"3"}


def test_constants_without_a_list_follow_the_rules() -> None:
    """A string becomes one that the rules compare it with; numbers go near; below 0 they stay."""
    material = game(
        "(declare OFF 'MODE) (declare (- 0 6) 'N) (declare (range 1 .. 4) 'R)"
        "|(do (((== 'MODE ON) (inc (game sto N) 'N)) ((== 'MODE AUTO) (shuffle (game iloc B)))))"
    )
    found = drawn("constant", material, 80)
    after = {before: {new for old, new, _ in found if old == before} for before, _, _ in found}
    assert after["OFF"] == {"ON", "AUTO"}
    assert {"(- 0 5)", "(- 0 7)"} <= after["(- 0 6)"]
    assert {"(range 1 .. 5)", "(range 2 .. 4)"} <= after["(range 1 .. 4)"]
    for _, _, text in found:
        checked(text)


def test_lists_change_by_one_item() -> None:
    """An item more or less, another one, or one in another place."""
    material = game("(declare (A, B, C) 'L)|(do ((inc (game sto N) (size 'L))))")
    values = ConstantValues((("L", ("A", "B", "C", "D")),))
    found = {after for _, after, _ in drawn("constant", material, 200, constants=values)}
    assert {"(A, B)", "(B, A, C)", "(A, B, C, D)", "(A, D, C)"} <= found
    assert all(abs(text.count(",") - 2) <= 1 for text in found)


def test_hearts_keeps_to_what_it_requires() -> None:
    """No change of one constant makes a game that the file beside it rules out."""
    material, values = parsed_rules(library_game("hearts").text), values_of("hearts")
    for _, _, text in drawn("constant", material, usually(5, 25), constants=values):
        made = {one.name: one.value for one in checked(text).declared if one.value is not None}
        assert values.allowed(made)


STRINGS = """|(do (
    (set (game str LEAD) NONE)
    ((== (game str LEAD) (cardatt SUIT (top (game iloc STOCK)))) (set (game str TRUMP) ALL))
    ((== (cardatt SUIT (top (game iloc STOCK))) HEARTS) (set (game str LEAD) SOME))
    (set ((1 player) sto SCORE) 1)))"""


def test_strings_stay_in_their_group() -> None:
    """A suit becomes a suit, a storage one of the same owner, a word one that is stored there."""
    found = drawn("string", game(STRINGS), 80)
    pairs = {(before, after) for before, after, _ in found}
    assert ("HEARTS", "SPADES") in pairs
    assert ("LEAD", "TRUMP") in pairs
    assert ("NONE", "SOME") in pairs
    assert ("SUIT", "RANK") in pairs
    assert not pairs & {("HEARTS", "A"), ("SCORE", "LEAD"), ("NONE", "HEARTS"), ("NONE", "ALL")}


def test_words_follow_from_the_table() -> None:
    """Operators and words become others for which the table has a row that gives the same."""
    material = game(
        "|(do (((<= (game sto N) (+ 1 2)) (move (top (game iloc STOCK)) (bottom (game vloc P)))) "
        "(cycle next previous)))"
    )
    found = drawn("word", material, 300, ChangeFamily.STEPS)
    texts = {after for _, after, _ in found}
    assert {"(< (game sto N) (+ 1 2))", "(!= (game sto N) (+ 1 2))", "(- 1 2)"} <= texts
    assert {"(top (game vloc P))", "(bottom (game iloc STOCK))", "current"} <= texts
    assert not any("hloc" in text for text in texts)
    passed = [text for _, _, text in found if check(Source("changed", text)).program is not None]
    assert len(passed) > len(found) / 2


def test_the_other_end_may_win() -> None:
    """In the scoring max becomes min."""
    material = game("|(do ((inc (game sto N))))")
    assert ("max", "min") in {
        (before, after) for before, after, _ in drawn("word", material, 20, ChangeFamily.SCORING)
    }


def test_steps_outside_a_choice_stay_for_all() -> None:
    """An `any` there would do the same as `all`, with a warning."""
    text = "|(do ((all player 'P (inc ('P sto SCORE)))))"
    assert "any" not in {after[1:4] for _, after, _ in drawn("word", game(text), 60)}
    inside = "|(choice ((all player 'P (inc ('P sto SCORE)))))"
    assert "any" in {after[1:4] for _, after, _ in drawn("word", game(inside), 60)}


AWARDS = "|(do ((set (game points W) (((SUIT : HEARTS) (RANK : Q) 5) ((RANK : A) (* 2 3))))))"


def test_awards_change_in_each_way() -> None:
    """Deleted, put in, exchanged, negated, for fewer cards, and for more; all pass the check."""
    found = drawn("award", game(AWARDS), 300)
    assert all(checked(text) for _, _, text in found[:60])
    after = {text for _, text, _ in found}
    assert "" in after
    assert "((RANK : A) (- 0 (* 2 3)))" in after
    assert "((SUIT : HEARTS) (RANK : Q) (* 2 3)) ((RANK : A) 5)" in after
    assert "((RANK : Q) 5)" in after
    assert "((RANK : A) (SUIT : SPADES) (* 2 3))" in after
    assert "((RANK : K) (* 2 3))" in after


DEALT = (
    "|(do ((all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND))))) "
    "(repeat 2 (shuffle (game iloc STOCK)))))"
)


def test_decks_have_other_cards_and_all_are_dealt() -> None:
    """Eight cards for two players, four each: with more or fewer cards, as many as there are."""
    sizes = set()
    for _, _, text in drawn("deck", game(DEALT), 60):
        program = checked(text)
        sizes.add(len(program.cards))
        assert f"(repeat {len(program.cards) // 2} (move" in text
        assert "(repeat 2 (shuffle" in text
    assert {4, 6, 8, 10, 12, 16} == sizes


def test_new_cards_are_known_ones() -> None:
    """New values are those of a usual pack, and none twice in a list."""
    found = drawn("deck", game(DEALT), 80)
    values = {after for _, after, _ in found if after.startswith("(HEARTS")}
    assert "(HEARTS, CLUBS)" in values or "(HEARTS, DIAMONDS, SPADES)" in values
    for program in (checked(text) for _, _, text in found):
        kinds = [tuple(card.attributes.values()) for card in program.cards]
        assert len(set(kinds)) in {len(kinds), len(kinds) // 2}


@pytest.mark.parametrize("name", ["spades", "lostcities", "knaves", "skat"])
def test_decks_of_library_games_stay_decks(name: str) -> None:
    """Nested attributes, several decks and decks that are repeated change and pass the check."""
    found = drawn("deck", parsed_rules(library_game(name).text), usually(3, 6))
    assert found
    for _, _, text in found:
        checked(text)
