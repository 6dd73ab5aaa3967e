"""Operators on forms, steps and stages: what each of them proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.parsed_rules import parsed_rules
from cardwright.evolution.variation.rule_text import words_of
from deep import usually
from evolution.structural import (
    ALONE,
    BY_NAME,
    GAMES,
    WITH_OTHERS,
    changed,
    game,
    of_text,
    proposed,
    sound,
)

if TYPE_CHECKING:
    from cardwright.evolution.variation.vary import VariationOperator

ALL = frozenset(ChangeFamily)

FRAME = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K, Q)))))
  {}
  (scoring max ((current player) sto SCORE)))
"""


def results(name: str, text: str) -> set[str]:
    """Return what an operator makes of the items of a small game, in 60 draws."""
    material = of_text(FRAME.format(text))
    random = np.random.default_rng(3)
    found = [proposed(BY_NAME[name], material, random, (), ALL) for _ in range(60)]
    made = [parsed_rules(changed(material, one)).form.items[2] for one in found if one is not None]
    return {words_of(item) for item in made}


@pytest.mark.parametrize("operator", [*ALONE, *WITH_OTHERS], ids=lambda one: one.name)
@settings(max_examples=usually(1, 3))
@given(name=st.sampled_from(GAMES), other=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
def test_proposals_pass_and_differ(
    operator: VariationOperator, name: str, other: str, seed: int
) -> None:
    """Nearly all proposals pass the check; all differ from the text, and say in which family."""
    material, mates = game(name), (game(other),) if other != name else ()
    random = np.random.default_rng(seed)
    made = []
    for _ in range(3):
        proposal = proposed(operator, material, random, mates, operator.families)
        if proposal is not None:
            text = changed(material, proposal)
            made.append(sound(text))
            assert text != material.text
            assert proposal.family in operator.families
            assert proposal.edits
    assert made.count(False) <= 1


@pytest.mark.parametrize("family", ChangeFamily)
@pytest.mark.parametrize("operator", [*ALONE, *WITH_OTHERS], ids=lambda one: one.name)
def test_proposals_are_of_the_families_asked_for(
    operator: VariationOperator, family: ChangeFamily
) -> None:
    """An operator proposes changes of the families that are wanted, and no others."""
    random = np.random.default_rng(4)
    for name in GAMES[:2]:
        for _ in range(4):
            found = proposed(operator, game(name), random, (game("whist"),), {family})
            assert found is None or found.family is family


@pytest.mark.parametrize("operator", [*ALONE, *WITH_OTHERS], ids=lambda one: one.name)
def test_chance_is_handed_in(operator: VariationOperator) -> None:
    """The same generator gives the same proposal."""
    mates = (game("whist"), game("leduc"))
    one, other = (
        [proposed(operator, game("agram"), random, mates, ALL) for _ in range(6)]
        for random in (np.random.default_rng(9), np.random.default_rng(9))
    )
    assert one == other


INC = "(inc (game sto X))"
DEC = "(dec (game sto X) 2)"


def test_a_step_is_deleted() -> None:
    """Of two steps one goes; the last one of a list stays."""
    assert results("delete", f"(do ({INC} {DEC}))") == {
        f"(do ({INC}))",
        f"(do ({DEC}))",
    }
    assert not results("delete", f"(do ({INC}))")


def test_one_of_two_conditions_goes() -> None:
    """Without one of its two conditions an `and` is the other one."""
    one, other = "(== (game sto X) 1)", "(> (game sto Y) 2)"
    found = results("delete", f"(do (((and {one} {other}) {INC})))")
    assert found == {f"(do (({one} {INC})))", f"(do (({other} {INC})))"}


def test_a_step_is_doubled() -> None:
    """A step stands twice; one that changes nothing the second time is left alone."""
    found = results("double", f"(do ({INC} (set (game sto Y) 1)))")
    assert found == {f"(do ({INC} {INC} (set (game sto Y) 1)))"}


def test_a_step_is_moved() -> None:
    """Steps of a list change places; options of a choice are in no order."""
    assert results("move", f"(do ({INC} {DEC}))") == {f"(do ({DEC} {INC}))"}
    assert not results("move", f"(choice ({INC} {DEC}))")


def test_branches_are_swapped() -> None:
    """What is done if a condition holds is done otherwise."""
    test = "(== (game sto X) 1)"
    found = results("branches", f"(do (({test} {INC} else {DEC})))")
    assert found == {f"(do (({test} {DEC} else {INC})))"}


def test_operands_are_swapped_where_their_order_matters() -> None:
    """A difference is turned round, a sum is not."""
    found = results("operands", "(do ((set (game sto X) (- 3 (+ 1 2)))))")
    assert found == {"(do ((set (game sto X) (- (+ 1 2) 3))))"}


@pytest.mark.parametrize(
    ("test", "opposite"),
    [
        ("(== (game sto X) 1)", "(!= (game sto X) 1)"),
        ("(< (game sto X) 1)", "(>= (game sto X) 1)"),
        ("(not (any player 'P (== ('P sto X) 1)))", "(any player 'P (== ('P sto X) 1))"),
    ],
)
def test_a_condition_is_negated(test: str, opposite: str) -> None:
    """An operator becomes its opposite, and a `not` goes."""
    assert f"(do (({opposite} {INC})))" in results("negate", f"(do (({test} {INC})))")


def test_and_becomes_or() -> None:
    """What had to hold for all holds for any, and the other way round."""
    test = "({} (== (game sto X) 1) (== (game sto Y) 1))"
    found = results("logic", f"(do (({test.format('and')} {INC})))")
    assert found == {f"(do (({test.format('or')} {INC})))"}


def test_a_condition_goes() -> None:
    """A step is done whether its condition holds or not."""
    found = results("unguard", f"(do (((== (game sto X) 1) {INC})))")
    assert found == {f"(do ({INC}))"}


def test_blocks_change_places() -> None:
    """Within a stage blocks are played in another order."""
    text = "(stage player (end (== (game sto X) 9)) (do ({})) (do ({})))"
    found = results("order", text.format(INC, DEC))
    assert found == {text.format(DEC, INC)}


def test_the_end_of_a_stage_changes() -> None:
    """A stage ends by a condition that the game has elsewhere, alone or with its own."""
    end, other = "(== (game sto X) 9)", "(> (game sto Y) 2)"
    text = f"(stage player (end {{}}) (do (({other} {INC}))))"
    assert results("end", text.format(end)) == {
        text.format(other),
        text.format(f"(and {end} {other})"),
        text.format(f"(or {end} {other})"),
    }
