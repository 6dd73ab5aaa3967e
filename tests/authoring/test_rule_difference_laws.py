"""Laws of what is told of two versions: nothing of equal rules, something of all others."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright.authoring.rule_difference import ChangeKind, explained
from cardwright.evolution.candidate import Candidate
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.game.find import find
from cardwright.game.settings import settings_of
from cardwright.program import nodes as n
from cardwright.program.check import check
from cardwright.program.program import Program
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source, Span
from deep import usually

GAMES = ("agram", "crazyeights", "kuhn", "nothanks", "sevens", "pairs", "cuckoo", "leduc")
SLOW = settings(
    max_examples=usually(5, 25), derandomize=True, suppress_health_check=list(HealthCheck)
)


def plain(value: object, slots: dict[int, int]) -> Any:
    """Return a typed tree as tuples, without places and names of variables."""
    match value:
        case n.Variable():
            return "variable", value.kind.value, slots.setdefault(value.slot, len(slots))
        case n.Node():
            rest = (field.name for field in fields(value) if field.name not in {"span", "kind"})
            return type(value).__name__, *(plain(getattr(value, name), slots) for name in rest)
        case tuple():
            return tuple(plain(item, slots) for item in value)
        case Span():
            return None
    return value


def meaning(text: str) -> Any:
    """Return what a text of rules comes to, in a form that does not depend on how it is written.

    This is another way than that of what is tested: through the whole check, and settled.
    """
    program = check(Source("x", text)).program
    assert isinstance(program, Program)
    slots: dict[int, int] = {}
    return (
        [(one.name, one.value) for one in program.declared],
        program.players,
        program.teams,
        program.base,
        [(tuple(card.attributes.items()), card.back) for card in program.cards],
        program.absent,
        [(plain(deck.location, slots), deck.cards) for deck in program.decks],
        program.highest_wins,
        plain((*program.items, program.score), slots),
        sorted(str([plain(part, slots) for part in parts]) for _, parts in program.labels),
    )


@SLOW
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_every_change_is_told_in_a_sentence(game: str, seed: int) -> None:
    """Of random mutants: each that means something else has a sentence that can be read."""
    original = Candidate(format_source(find(game)))
    mutant = varied(original, [original], Variation(), np.random.default_rng(seed))
    if mutant is None:
        return
    found = explained(original.text, mutant.text, settings_of(game).words)
    if meaning(original.text) != meaning(mutant.text):
        assert found, mutant.changes
    for change in found:
        assert re.fullmatch(r"[^a-z ].*\.", change.sentence), change.sentence
        assert "  " not in change.sentence
        assert "None" not in change.sentence
        assert change.before != change.after or change.kind is ChangeKind.MOVED, change
    assert explained(mutant.text, mutant.text) == ()


@SLOW
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.data())
def test_new_names_of_variables_and_another_layout_are_not_told(
    game: str, seed: int, data: st.DataObject
) -> None:
    """Every bound variable gets another name, comments go, and lines are broken elsewhere."""
    text = format_source(find(game))
    declared = set(re.findall(r"\(declare[^\n]*?'(\w+)\)", text)) | {"HOLDS"}
    declared |= {name for name in re.findall(r"'(\w+)", text) if f"'{name})\n" in text}
    bound = sorted(set(re.findall(r"'(\w+)", text)) - declared)
    chosen = data.draw(st.sets(st.sampled_from(bound))) if bound else set()
    for name in chosen:
        text = re.sub(rf"'{name}\b", f"'OTHER{name}{seed % 7}", text)
    without = re.sub(r";[^\n]*", "", text)
    if check(Source("x", without)).program is not None:
        assert explained(find(game).text, " ".join(without.split())) == ()


@SLOW
@given(st.sampled_from(GAMES), st.data())
def test_a_new_name_of_a_place_or_a_stored_value_is_all_that_is_told(
    game: str, data: st.DataObject
) -> None:
    text = find(game).text
    names = sorted(set(re.findall(r"(?:[hivo]loc|sto|points) ([A-Z]+)\)", text)))
    name = data.draw(st.sampled_from(names))
    renamed = re.sub(rf"((?:[hivo]loc|sto|str|points) ){name}\b", r"\1UNUSED", text)
    found = explained(text, renamed)
    assert found
    assert {change.kind for change in found} == {ChangeKind.RENAMED}
