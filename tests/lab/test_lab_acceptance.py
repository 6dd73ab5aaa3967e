"""The experiment that the lab was made for, in small: five lists of a player, by rule or by chance.

The full one is `cardwright lab factorial --preset standard --set ROUNDS=1 --set BREAKS=PENALTY
--deals 100000`; docs/lab.md has what comes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from experiments import FIVE, hearts, plan, slot

import deep
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.effects import effects
from cardwright.lab.run import fitting, run
from deep import usually

if TYPE_CHECKING:
    from cardwright.lab.findings import Findings, Statistic

RANDOM, RULE = 0, 1
DEALS = usually(150, 1_500)
WIDER = (1_500 / DEALS) ** 0.5
"""How much wider intervals are than those of 1,500 deals, for which bounds are given here."""


@pytest.fixture(scope="module")
def found() -> Findings:
    """Return what many deals in all four seats say, against `random` and against `rule`."""
    made = plan(*map(slot, FIVE), game=hearts(BREAKS="PENALTY"), deals=DEALS, seed=11)
    return effects(made, run(made, executor=fitting(made)))


def mains(found: Findings, opponents: int, name: str) -> dict[str, Statistic]:
    """Return the main effects on a response by the names of the slots."""
    number = found.response_number(name)
    assert number is not None
    return {
        found.contrasts[effect.contrast].name: effect.found
        for effect in found.effects_of(opponents, number, ContrastReading.MAIN)
    }


def cell(found: Findings, label: str, opponents: int) -> float:
    """Return the mean points of a cell."""
    (mean,) = (
        mean.estimate.mean
        for mean in found.means
        if (found.labels[mean.cell], mean.opponents, mean.response) == (label, opponents, 0)
    )
    return mean


@pytest.mark.slow
def test_against_random_players_passing_counts_most_and_leading_least(found: Findings) -> None:
    """The order known from a replica: pass, fourth, third, second, first."""
    effects = mains(found, RANDOM, "points")
    order = sorted(effects, key=lambda name: effects[name].value)
    known = ["pass", "fourth", "third", "second", "first"]
    assert order == known if deep.asked else order[0] == known[0]
    assert effects["pass"].value == pytest.approx(-2.38, abs=0.3 * WIDER)
    assert effects["pass"].value < 2 * effects["first"].value
    clear = effects.values() if deep.asked else [effects["pass"]]
    assert all(effect.clear(found.level) for effect in clear)


def test_leading_by_rule_against_rule_players_brings_points_and_hardly_wins(
    found: Findings,
) -> None:
    points, wins = mains(found, RULE, "points"), mains(found, RULE, "wins")
    assert points["first"].value == pytest.approx(-2.24, abs=0.3 * WIDER)
    assert points["first"].value < 2 * points["fourth"].value
    others = (wins[name].value for name in ("pass", "second", "third", "fourth"))
    assert abs(wins["first"].value) < 0.012 * WIDER
    assert min(others) > 0.024 / WIDER


@pytest.mark.deep
def test_a_good_pass_leaves_less_to_save(found: Findings) -> None:
    """Against random players passing well and playing well overlap: their interaction costs."""
    number = found.response_number("points")
    assert number == 0
    both = {
        found.contrasts[effect.contrast].name: effect.found
        for effect in found.effects_of(RANDOM, 0, ContrastReading.INTERACTION)
    }
    for name in ("pass × second", "pass × third", "pass × fourth"):
        assert both[name].value > 0.1
        assert both[name].clear(found.level)


def test_a_player_of_chance_among_three_is_even(found: Findings) -> None:
    """6.64 points a deal: 26, or 78 where the moon is shot, between four players."""
    assert cell(found, "base", RANDOM) == pytest.approx(6.64, abs=0.4 * WIDER)
    assert cell(found, "base", RULE) == pytest.approx(14.75, abs=0.4 * WIDER)
    assert cell(found, "all", RULE) == pytest.approx(6.8, abs=0.3 * WIDER)
