"""Plans of searches: what they hold, refuse, and are as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import (
    Candidate,
    CandidateChange,
    ChangeFamily,
    Departure,
    DepartureReason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.pipeline import FunnelPlan
from cardwright.evolution.plan import EvolutionPlan, Mate
from cardwright.evolution.variation.operator import ConstantValues
from cardwright.evolution.variation.vary import Variation
from cardwright.jobs.files import pack, to_json, unpack
from cardwright.statistics.intervals import Estimate
from evolution.pretend import PLAN

CONSTANTS = ConstantValues(
    (("PASS", range(4)), ("DEALING", ("SINGLY", "BLOCKS")), ("TEN", (1, 2))),
    frozenset({"JOKERS", "DECK"}),
    ("(> 'PASS 1)",),
)

FULL = EvolutionPlan(
    "leduc",
    "(game)\n",
    (
        Aim("length", "range", 40, 60.5, 2.0),
        Aim("luck", "min"),
        Aim("draws", "range", high=math.inf),
    ),
    reported=("branching",),
    seed=2**127 + 1,
    method="map",
    axes=("length 10..60", "luck"),
    parameters=(("cells", 8), ("crossed", 0.25)),
    variation=Variation(
        frozenset({ChangeFamily.DECK, ChangeFamily.CONSTANTS}), ("(a b)",), 12, constants=CONSTANTS
    ),
    funnel=FunnelPlan(players=("random", "pimc:budget=8")),
    mates=(Mate("agram", "(game 2)\n"),),
)

numbers = st.floats(allow_nan=False, allow_infinity=False)
estimates = st.builds(Estimate, numbers, st.none() | numbers, st.none() | numbers, st.integers(0))
changes = st.builds(
    CandidateChange,
    st.text(),
    st.sampled_from(ChangeFamily),
    st.integers(1),
    st.text(),
    st.text(),
    st.text(),
)
candidates = st.builds(
    Candidate, st.text(), st.lists(st.text()).map(tuple), st.lists(changes).map(tuple)
)
departures = st.builds(
    Departure, st.sampled_from(FunnelStep), st.sampled_from(DepartureReason), st.text()
)
evaluated = st.builds(
    Evaluated,
    st.none() | candidates,
    st.none() | departures,
    st.text(),
    st.dictionaries(st.text(), estimates),
)


def test_a_plan_is_the_same_after_a_way_through_json() -> None:
    for plan in (FULL, PLAN):
        assert EvolutionPlan.of_data(json.loads(to_json(plan.data()))) == plan


def test_equal_plans_have_equal_texts() -> None:
    """Whatever the order of a set is in this process."""
    other = replace(FULL.variation, families=frozenset([ChangeFamily.CONSTANTS, ChangeFamily.DECK]))
    assert to_json(replace(FULL, variation=other).data()) == to_json(FULL.data())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "this is not the plan of a search: Expected `object`"),
        ({}, "missing required field"),
        ({**PLAN.data(), "variation": {"families": ["colours"]}}, "Invalid enum value 'colours'"),
    ],
)
def test_what_is_no_plan_is_told(data: Any, said: str) -> None:
    with pytest.raises(EvolutionError, match=said):
        EvolutionPlan.of_data(data)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"aims": ()}, "a search needs an aim, such as `length 40..60`"),
        (
            {"aims": (Aim("length", "max"), Aim("length", "min"))},
            "length is named twice among the aims",
        ),
        ({"axes": ("luck", "luck 0..1")}, "luck is named twice among the measures of the map"),
        ({"mates": (Mate("a", ""), Mate("a", ""))}, "a is named twice among the mates"),
        ({"seed": -1}, "a seed is an integer of 0 or more, not -1"),
        ({"candidates": 0}, "a search has 1 to 10,000,000 candidates, not 0"),
        ({"generation": 0}, "1 to 10,000 candidates in a generation, not 0"),
        ({"finalists": -1}, "0 to 10,000 finalists, not -1"),
        ({"final_times": 0}, "1 to 1,000 times as many games"),
        ({"mating": 1.5}, "the share of crossings is from 0 to 1, not 1.5"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(EvolutionError, match=said):
        replace(PLAN, **changes)


def test_generations_have_all_candidates() -> None:
    for candidates_, generation in ((25, 10), (20, 10), (1, 10), (10, 1)):
        plan = replace(PLAN, candidates=candidates_, generation=generation)
        sizes = [plan.size(number) for number in range(1, plan.generations + 1)]
        assert sum(sizes) == candidates_
        assert all(0 < size <= generation for size in sizes)


def test_measures_are_those_of_the_aims_and_of_the_map() -> None:
    assert FULL.measures == ("length", "luck", "draws")
    assert FULL.searching.measures == FULL.measures
    assert FULL.final.measures == ("length", "luck", "draws", "branching")


def test_finalists_play_other_games_and_more_of_them() -> None:
    search, final = FULL.searching, FULL.final
    assert search.seed != final.seed
    assert (final.games, final.deals) == (5 * search.games, 5 * search.deals)
    assert replace(FULL, seed=1).searching.seed != search.seed


@given(evaluated)
def test_an_evaluated_candidate_is_the_same_after_a_way_through_data(one: Evaluated) -> None:
    """With all it has, and as JSON can hold it."""
    assert unpack(pack(one), Evaluated) == one
