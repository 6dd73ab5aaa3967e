"""Crossover: what two versions of a game differ in, and how a part gets names of another game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.variation.crossover import crossed, differences, of_one_game
from cardwright.evolution.variation.naming import UnfitError, fitted
from cardwright.evolution.variation.operator import VariationDraw
from cardwright.evolution.variation.parsed_rules import ParsedRules, parsed_rules
from cardwright.evolution.variation.rule_text import words_of
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source
from deep import usually
from evolution.structural import ALONE, GAMES, changed, game, of_text, proposed, sound

if TYPE_CHECKING:
    from cardwright.syntax.tree import Form

ALL = frozenset(ChangeFamily)


def drawn(material: ParsedRules, random: np.random.Generator) -> ParsedRules:
    """Return a version of a game, with one change by any operator."""
    while True:
        operator = ALONE[int(random.integers(len(ALONE)))]
        proposal = proposed(operator, material, random)
        if proposal is not None:
            text = changed(material, proposal)
            if sound(text):
                return parsed_rules(text)


@settings(max_examples=usually(2, 6))
@given(name=st.sampled_from(GAMES), other=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
def test_differences_lead_to_the_other_text(name: str, other: str, seed: int) -> None:
    """All differences together make one text into the other, of the same game or of another."""
    random = np.random.default_rng(seed)
    first = drawn(game(name), random)
    for second in (drawn(drawn(game(name), random), random), game(other)):
        found = differences(first.source, first.form, second.source, second.form)
        text = apply_edits(first.text, [edit for one in found for edit in one.edits])
        assert words_of(parsed_rules(text).form) == words_of(second.form)
        assert bool(found) == (words_of(first.form) != words_of(second.form))


def test_a_moved_step_is_one_difference() -> None:
    """A step that goes here and comes there is one change, which is never made by half."""
    one = of_text(RULES.format(steps=f"(do ({INC} {SET} {PASS}))"))
    other = of_text(RULES.format(steps=f"(do ({SET} {PASS} {INC}))"))
    (found,) = differences(one.source, one.form, other.source, other.form)
    assert len(found.edits) == 2


INC, SET, PASS = "(inc (game sto X))", "(set (game sto Y) 7)", "(shuffle (game iloc STOCK))"
RULES = """
(game
  (declare 3 'HANDSIZE)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K, Q)))))
  {steps}
  (scoring max ((current player) sto SCORE)))
"""


@pytest.mark.parametrize("seed", range(6))
def test_a_child_has_the_changes_of_both(seed: int) -> None:
    """Two versions with a change each, in different places, give the version with both."""
    original = game("whist")
    one = parsed_rules(original.text.replace("(declare 13 'HANDSIZE)", "(declare 9 'HANDSIZE)"))
    other = parsed_rules(original.text.replace("(scoring max", "(scoring min"))
    assert original.text not in {one.text, other.text}
    random = np.random.default_rng(seed)
    found = crossed(VariationDraw(one, ALL, random), (other,), original)
    assert changed(one, *found) == one.text.replace("(scoring max", "(scoring min")
    assert [each.source for each in found] == [other.name]


@settings(max_examples=usually(2, 6))
@given(name=st.sampled_from(GAMES), seed=st.integers(0, 2**32))
def test_crossed_versions_differ_from_their_parents(name: str, seed: int) -> None:
    """A child is neither of its parents; a game crossed with itself gives nothing."""
    original, random = game(name), np.random.default_rng(seed)
    one, other = (drawn(drawn(original, random), random) for _ in range(2))
    for known in (original, None):
        draw = VariationDraw(one, ALL, random)
        assert crossed(draw, (one,), known) == ()
        found = crossed(draw, (other,), known)
        if found:
            words = words_of(form_of(changed(one, *found)))
            assert words not in {words_of(one.form), words_of(other.form)}


def form_of(text: str) -> Form:
    """Return the form of a text that need not pass the check."""
    source = Source("child", text)
    form = read(source, Diagnostics(source)).form
    assert form is not None
    return form


def test_games_are_told_apart() -> None:
    """A version of a game is one of its own, also after some changes; another game is not."""
    random = np.random.default_rng(1)
    for name in GAMES:
        assert of_one_game(game(name), drawn(drawn(game(name), random), random))
        assert [other for other in GAMES if of_one_game(game(name), game(other))] == [name]


def test_parents_are_crossed_by_variation() -> None:
    """A candidate of two parents has changes from the second, which is named as a parent."""
    original = Candidate(game("whist").text)
    one = Candidate(original.text.replace("(declare 13 'HANDSIZE)", "(declare 9 'HANDSIZE)"))
    other = Candidate(original.text.replace("(scoring max", "(scoring min"))
    found = varied(original, (one, other), Variation(changes=1.0), np.random.default_rng(2))
    assert found is not None
    assert found.parents == (one.name, other.name)
    assert [change.operator for change in found.changes] == ["cross"]
    foreign = Candidate(game("crazyeights").text)
    found = varied(original, (one, foreign), Variation(changes=1.0), np.random.default_rng(2))
    assert found is not None
    assert found.parents == (one.name, foreign.name)
    assert {change.operator for change in found.changes} <= {
        "transplant", "graft", "scoring", "cards"
    }  # fmt: skip


# Names -------------------------------------------------------------------------------------------

GIVER = RULES.format(
    steps="""
  (do ((set (game points WORTH) (((RANK : A) 4)))))
  (stage player (end (== (game sto X) 'HANDSIZE))
    (do ((any player 'Q (all ((current player) iloc HAND) 'C
      (set ('Q sto BID) (+ (score 'C using (game points WORTH)) 'HANDSIZE)))))))
"""
)
TAKER = """
(game
  (setup (create players 2) (create deck (game iloc DECK) (deck (PIP (ONE, TWO, ACE)))))
  (do ((all player 'P (any ((current player) iloc CARDS) 'C (set ('P sto TRICKS) 2)))))
  (scoring max ((current player) sto TRICKS)))
"""


def step(material: ParsedRules, word: str) -> tuple[ParsedRules, int]:
    """Return the first site of a text that begins so."""
    return material, next(
        one.index for one in material.sites if material.written(one).startswith(word)
    )


def test_names_of_the_other_game_are_taken() -> None:
    """Storages, locations, attributes, values and constants become those that are here."""
    giver, at = step(of_text(GIVER), "(any player")
    taker, place = step(of_text(TAKER), "(all player")
    site = taker.sites[place]
    found = fitted(giver, giver.sites[at].item, taker, site.visible(), np.random.default_rng(0))
    assert "'HANDSIZE" not in found.text
    assert "iloc CARDS" in found.text
    assert "sto TRICKS" in found.text
    assert " ".join(found.steps[0].split()) == "(set (game points WORTH) (((PIP : ONE) 4)))"


@pytest.mark.parametrize("seed", range(8))
def test_no_variable_is_captured_or_hidden(seed: int) -> None:
    """What a part binds gets a name of its own where that name has a meaning already."""
    giver, at = step(of_text(GIVER), "(all ((current player) iloc HAND)")
    taker, place = step(of_text(TAKER), "(set ('P sto TRICKS)")
    site = taker.sites[place]
    assert set(site.visible()) == {"'P", "'C"}
    random = np.random.default_rng(seed)
    found = fitted(giver, giver.sites[at].item, taker, site.visible(), random)
    binder = found.text.split()[5].strip(")")
    assert binder.startswith("'")
    assert binder not in site.visible()
    assert f"score {binder} using" in found.text
    assert "'P sto TRICKS" in found.text


def test_what_has_no_counterpart_does_not_fit() -> None:
    """A card of the other game is no variable here, and nothing stands for it."""
    giver, at = step(of_text(GIVER), "(score 'C")
    with pytest.raises(UnfitError, match="nothing here is like 'C"):
        fitted(giver, giver.sites[at].item, of_text(TAKER), {}, np.random.default_rng(0))
