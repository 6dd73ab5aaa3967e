"""Methods of search, on a landscape of known shape."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from landscapes import candidate, distance_from, judged, numbers_of, searched

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import Departure, DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.errors import MethodError
from cardwright.evolution.methods.catalogue import METHODS, new_method
from cardwright.evolution.methods.map_elites import MapAxis, ends
from cardwright.evolution.methods.method import EliteMap, Judged, ParetoFront
from cardwright.evolution.methods.ranked import selected
from cardwright.extras import MissingExtraError

START = (3, 3, 3)
GOAL = (14, 9, 4)
AIMS = (Aim("x", "range", 14, 14), Aim("y", "range", 9, 9), Aim("z", "range", 4, 4))
AXES = {"map": ("x 0..20", "y 0..20")}


def near_goal(numbers):
    """A score for each number: minus its distance from the goal."""
    return tuple(-float(abs(a - b)) for a, b in zip(numbers, GOAL, strict=True))


def new(name, **parameters):
    return new_method(name, AIMS, distance_from(START), AXES.get(name, ()), parameters)


def best(told):
    return max(one.total for one in told)


class TestSearch:
    @pytest.mark.parametrize("name", ["climb", "lexicase", "map", "front"])
    def test_it_finds_the_optimum(self, name):
        """The optimum, 18 steps of two away, is found in 2,000 candidates, once."""
        method = new(name)
        searched(method, START, near_goal, 100)
        assert max(one.total for one in method.elites()) == 0
        assert [numbers_of(one.evaluated.candidate) for one in method.elites()].count(GOAL) == 1

    def test_random_search_stays_near_the_original(self):
        """Random search asks for the original alone, so its candidates are one change away."""
        method = new("random")
        told = searched(method, START, near_goal, 100)
        assert best(told) == near_goal((5, 3, 3))[0] + near_goal(START)[1] + near_goal(START)[2]
        assert method.elites()[0].total == best(told)

    @pytest.mark.parametrize("name", METHODS)
    def test_it_follows_from_what_it_was_told(self, name):
        """A method that is told the same again asks the same, though it was never asked before."""
        method = new(name)
        told = searched(method, START, near_goal, 12)
        other = new(name)
        other.tell(told[:1])
        for at in range(1, len(told), 20):
            other.tell(told[at : at + 20])
        asked = [one.ask(30, np.random.default_rng(5)) for one in (method, other)]
        assert asked[0] == asked[1]
        assert method.elites() == other.elites()
        assert method.landscape() == other.landscape()

    @pytest.mark.parametrize("name", METHODS)
    def test_no_global_chance(self, name):
        """Neither numpy's global generator nor Python's is used, or changes anything."""
        runs = []
        for seed in (1, 2):
            np.random.seed(seed)
            before = np.random.get_state()[1].tolist()
            runs.append([one.evaluated for one in searched(new(name), START, near_goal, 8)])
            assert np.random.get_state()[1].tolist() == before
        assert runs[0] == runs[1]

    @pytest.mark.parametrize("name", METHODS)
    def test_other_chance_is_another_search(self, name):
        """With other generators, other candidates are asked for or made."""
        runs = [searched(new(name), START, near_goal, 4, seed) for seed in (0, 1)]
        assert runs[0] != runs[1]

    @pytest.mark.parametrize("name", METHODS)
    def test_an_original_that_leaves(self, name):
        """Where the original itself leaves the funnel, it is varied until something passes."""
        start = (0, 0, 0)
        method = new(name)
        method.tell([judged(candidate((-1, 0, 0)), near_goal)])
        assert {parents[0].text for parents in method.ask(5, np.random.default_rng())} == {"-1 0 0"}
        assert not method.elites()
        method.tell([judged(candidate(start), near_goal)])
        assert [one.evaluated.candidate.text for one in method.elites()] == ["0 0 0"]

    def test_ties_go_to_the_nearer(self):
        """Among candidates of equal worth, the elites have those nearer to the original first."""
        method = new("climb")
        flat = [judged(candidate((n, n, n)), lambda _: (0.0,)) for n in (3, 9, 5, 4, 7)]
        method.tell(flat[:1])
        method.tell(flat[1:])
        order = [numbers_of(one.evaluated.candidate)[0] for one in method.elites()]
        assert order == [3, 4, 5, 7, 9]

    def test_only_the_best_are_kept(self):
        """The elites are as many as asked for: the best of all that was told."""
        method = new("random", keep=3)
        told = searched(method, START, near_goal, 3)
        totals = {one.evaluated.candidate.text: one.total for one in told if one.scores}
        found = [one.total for one in method.elites()]
        assert found == sorted(totals.values(), reverse=True)[:3]


class TestClimb:
    def test_a_climb_that_is_stuck_starts_anew(self):
        """From a hill that is not the highest, a climb goes back to the original."""
        method = new("climb", patience=40, few=1, fresh=0)
        method.tell([judged(candidate(START), near_goal)])
        method.tell([judged(candidate((9, 9, 9)), near_goal)])
        asked = []
        for _ in range(3):
            asked.append(method.ask(1, np.random.default_rng(0))[0][0].text)
            method.tell([judged(candidate((-1, 0, 0)), near_goal)] * 20)
        assert asked == ["9 9 9", "9 9 9", "3 3 3"]
        assert method.elites()[0].evaluated.candidate.text == "9 9 9"

    def test_some_are_variations_of_the_original(self):
        """However far a climb has gone, the share `fresh` of the candidates begins anew."""
        method = new("climb", few=1, fresh=0.25)
        method.tell([judged(candidate(START), near_goal)])
        method.tell([judged(candidate((9, 9, 9)), near_goal)])
        asked = [one[0].text for one in method.ask(2_000, np.random.default_rng(0))]
        assert asked.count("3 3 3") == pytest.approx(500, abs=80)
        assert asked.count("9 9 9") == 2_000 - asked.count("3 3 3")

    @pytest.mark.parametrize(("price", "parent"), [(0.4, "3 3 3"), (0.3, "4 4 4")])
    def test_distance_has_a_price(self, price, parent):
        """A candidate three units away that is better by 1 is climbed on if they cost less."""
        method = new("climb", few=1, fresh=0, price=price)
        method.tell([judged(candidate((3, 3, 3)), lambda _: (0.0,))])
        method.tell([judged(candidate((4, 4, 4)), lambda _: (1.0,))])
        assert method.ask(1, np.random.default_rng(0))[0][0].text == parent
        assert method.elites()[0].evaluated.candidate.text == "4 4 4"

    def test_a_path_is_open_again(self):
        """A climb may pass what an earlier one found, though that leaves the funnel as known."""
        method = new("climb", patience=40, few=1, fresh=0)
        method.tell([judged(candidate(START), near_goal)])
        method.tell([judged(candidate((9, 9, 9)), near_goal)])
        method.tell([judged(candidate((-1, 0, 0)), near_goal)] * 40)
        left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN)
        method.tell([Judged(Evaluated(candidate((9, 9, 8)), left, "9 9 9"))])
        assert method.ask(1, np.random.default_rng(0))[0][0].text == "9 9 9"


class TestLexicase:
    def test_specialists_are_chosen(self):
        """Each candidate that is best in an aim is chosen; one that is second in all never is."""
        scores = np.array([[0.0, -9, -9], [-9, 0, -9], [-9, -9, 0], [-5, -5, -5], [-9, -9, -9]])
        random = np.random.default_rng(0)
        picks = [selected(scores, random) for _ in range(300)]
        assert {pick for pick in picks if picks.count(pick) > 60} == {0, 1, 2}
        assert 3 not in picks

    def test_what_is_near_the_best_stays(self):
        """Within the median deviation of an aim, the next aim decides."""
        scores = np.array([[0.0, -5], [-1, 0], [-2, -6], [-3, -6], [-4, -6]])
        random = np.random.default_rng(0)
        assert {selected(scores, random) for _ in range(50)} == {1}


class TestMap:
    def test_it_fills_more_cells_than_random_search(self):
        """In as many candidates, the map fills three times the cells that random search does."""
        method = new("map")
        searched(method, START, near_goal, 50)
        rival = new("map")
        for one in searched(new("random", keep=1_000), START, near_goal, 50):
            rival.tell([one])
        assert len(method.landscape().cells) > 3 * len(rival.landscape().cells)

    def test_cells_hold_the_best_of_their_measures(self):
        """An elite lies in its cell, and nothing else told in that cell has a better total."""
        method = new("map", cells=5)
        told = searched(method, START, near_goal, 30)
        found = method.landscape()
        assert isinstance(found, EliteMap)
        assert found.shape.edges == ((0.0, 4.0, 8.0, 12.0, 16.0, 20.0),) * 2
        tops = {}
        for one in told:
            if one.scores:
                place = tuple(min(n // 4, 4) for n in numbers_of(one.evaluated.candidate)[:2])
                tops[place] = max(tops.get(place, one.total), one.total)
        assert {found.cells[one.candidate.name]: one.total for one in method.elites()} == tops
        assert len(found.cells) == len(tops)
        assert found.coverage == len(tops) / 25

    def test_ends_are_estimated(self):
        """Ends that are not given follow from the first candidates; until then there is no map."""
        method = new_method(
            "map", AIMS, distance_from(START), ("x", "y 0..10"), {"measured": 30, "cells": 4}
        )
        method.tell([judged(candidate(START), near_goal)])
        assert method.landscape() is None
        method.tell([judged(candidate((n, 5, 3)), near_goal) for n in range(10, 51)])
        shape = method.landscape().shape
        assert shape.cells == (4, 4)
        assert shape.edges[1] == (0, 2.5, 5, 7.5, 10)
        low, high = np.quantile([3, *range(10, 51)], (0.05, 0.95))
        assert shape.edges[0][0] == 0
        assert shape.edges[0][-1] == pytest.approx(high + (high - low) / 2)

    @pytest.mark.parametrize(
        ("low", "high"), [(None, None), (5.0, None), (None, 2.0), (50.0, None), (None, -3.0)]
    )
    @pytest.mark.parametrize("values", [[4.0] * 9, [0.0] * 9, [-2.0, 8.0, 5.0]])
    def test_estimated_ends_rise(self, low, high, values):
        """Whatever was measured and given, an axis has a length."""
        found = ends(MapAxis("x", 10, low, high), np.array(values))
        assert found[0] < found[1]
        assert low is None or found[0] == low
        assert high is None or found[1] == high

    def test_what_lacks_a_measure_is_left_out(self):
        """A candidate without a measure of an axis has no cell, and breaks nothing."""
        method = new_method("map", AIMS, distance_from(START), ("x 0..9", "luck 0..1"))
        method.tell([judged(candidate(START), near_goal)])
        assert method.landscape() is None or not method.landscape().cells


class TestFront:
    def test_the_front_is_not_dominated(self):
        """No candidate told is better than a member in an aim without being worse in another."""

        def worth(numbers):
            x, y, z = numbers
            return (-abs(x - 9.0) - z, -abs(y - 9.0) - z, -abs(x + y - 9.0) - z)

        method = new("front", size=20)
        told = searched(method, START, worth, 40)
        front = method.landscape()
        assert isinstance(front, ParetoFront)
        assert front.aims == ("x", "y", "z")
        assert len(front.members) > 3
        scores = {one.scores for one in told if one.scores}

        def beaten(one):
            return any(
                other != one and all(a >= b for a, b in zip(other, one, strict=True))
                for other in scores
            )

        assert [one.candidate.name for one in method.elites()] == list(front.members)
        best = {one.scores for one in method.elites()}
        assert best == {one for one in scores if not beaten(one)}

    def test_members_are_in_order(self):
        """Members come in falling order of their scores, each once."""
        method = new("front")
        searched(method, START, near_goal, 10)
        scores = [one.scores for one in method.elites()]
        assert scores == sorted(scores, reverse=True)
        names = [one.evaluated.candidate.name for one in method.elites()]
        assert len(names) == len(set(names))


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "aims", "axes", "parameters", "message"),
        [
            ("clim", AIMS, (), {}, "there is no method 'clim'; did you mean 'climb'?"),
            ("map", AIMS, ("x",), {}, "needs 2 to 3 measures for the axes of its map, not 1"),
            ("map", AIMS, ("x", "x"), {}, "x is named twice among the axes of the map"),
            ("map", AIMS, ("x", "y 3..2"), {}, "the axis y of the map ends at 2"),
            ("map", AIMS, ("x", "y 3"), {}, "'y 3' is not an axis of a map"),
            ("climb", AIMS, ("x", "y"), {}, "the method climb makes no map"),
            ("front", AIMS[:1], (), {}, "needs 2 aims or more, not 1: add one"),
            ("random", (), (), {}, "needs an aim, not 0: add one"),
            ("climb", AIMS, (), {"fow": 3}, "no parameter 'fow'; did you mean 'few'?"),
            ("climb", AIMS, (), {"few": 2.5}, "is a whole number, not 2.5"),
            ("climb", AIMS, (), {"few": 0}, "is from 1 to 1,000,000, not 0"),
            ("lexicase", AIMS, (), {"crossed": float("nan")}, "is from 0.0 to 1.0, not nan"),
            ("lexicase", AIMS, (), {"crossed": "x"}, "is a number, not 'x'"),
        ],
    )
    def test_wrong_calls(self, name, aims, axes, parameters, message):
        """What cannot be is a wrong call, and its message says what could be."""
        with pytest.raises(MethodError) as raised:
            new_method(name, aims, distance_from(START), axes, parameters)
        assert message in str(raised.value)
        assert raised.value.wrong_call

    def test_a_missing_library(self, monkeypatch):
        """A method whose library is missing says how to install it before anything is played."""
        monkeypatch.setitem(sys.modules, "pymoo.core.population", None)
        with pytest.raises(MissingExtraError, match="evolve"):
            new("front")

    @pytest.mark.parametrize("name", METHODS)
    def test_parents_before_the_original(self, name):
        """A method that was not told of the original has no parents."""
        with pytest.raises(ValueError, match="told of the original"):
            new(name).ask(1, np.random.default_rng(0))
