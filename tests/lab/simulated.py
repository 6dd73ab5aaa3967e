"""Outcomes with known effects: a deal's luck, which all cells share, the effects, and noise."""

from __future__ import annotations

import numpy as np

from cardwright.arena.plan import GameRef
from cardwright.lab.design import cells
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabPlayer, SelectorList
from cardwright.lab.outcomes import Outcomes
from cardwright.lab.plan import Design, LabPlan, Seating
from cardwright.lab.response import responses

SLOTS = ("pass", "first", "second", "third", "fourth")
RULE = SelectorList(("low",))
GAME = GameRef("hearts", 4, "0" * 64)
MEASURED = responses(4, lowest_wins=True, hearts=True, match=False)


def slot(name: str, levels: int = 2) -> Factor:
    """Return a slot that is played at random, or by rule."""
    rules = [FactorLevel("rule" if n == 1 else f"rule{n}", RULE) for n in range(1, levels)]
    return Factor(name, FactorKind.SLOT, name, (FactorLevel("random", None), *rules))


def plan(
    *factors: Factor,
    design: Design = Design.FACTORIAL,
    opponents: tuple[str, ...] = ("random",),
    **others: object,
) -> LabPlan:
    """Return a plan; by default one of two slots with two levels."""
    given = factors or (slot("pass"), slot("fourth"))
    return LabPlan(
        name="simulated",
        game=GAME,
        tested=LabPlayer("slots"),
        factors=given,
        design=design,
        opponents=tuple(LabPlayer(name, "random") for name in opponents),
        **{"deals": 200, "seed": 7, **others},
    )


def outcomes(
    made: LabPlan,
    effects: object = (),
    *,
    seed: int = 0,
    luck: float = 8.0,
    noise: float = 6.0,
    deals: int | None = None,
) -> Outcomes:
    """Return outcomes in which a factor's levels cost so many points, added up, in each class.

    `effects` has a row for each class, and in it either a number or one for each level above the
    base for each factor; a further function of the cell may be the last of a row. The sums are
    rounded at random, so that their means are exact.
    """
    chance = np.random.default_rng(seed)
    played, many = cells(made), made.deals if deals is None else deals
    seatings = {Seating.ALL: 4, Seating.ROTATE: 1, Seating.PAIRS: 6}[made.seating]
    tested = 2 if made.seating is Seating.PAIRS else 1
    found = []
    for opponents in range(len(made.opponents)):
        row = effects[opponents] if len(effects) else ()
        expected = np.array([_expected(cell, row) for cell in played])
        cards = luck * chance.standard_normal((many, 1))
        shown = 10 + expected + cards + noise * chance.standard_normal((many, len(played)))
        scores = seatings * tested * shown
        points = np.floor(scores + chance.random(scores.shape)).astype(np.int32)
        found.append(_all_responses(points, seatings * tested, chance))
    return Outcomes(played, MEASURED, seatings, tested, tuple(found))


def _expected(cell: tuple[int, ...], row: object) -> float:
    total = 0.0
    for at, effect in enumerate(row):
        if callable(effect):
            total += effect(cell)
        elif cell[at]:
            total += effect if np.isscalar(effect) else effect[cell[at] - 1]
    return total


def _all_responses(points: np.ndarray, games: int, chance: np.random.Generator) -> np.ndarray:
    """Return sums of all responses; those other than points follow these loosely."""
    found = np.zeros((*points.shape, len(MEASURED)), dtype=np.int32)
    mean = points / games
    for at, response in enumerate(MEASURED):
        if response.name == "points":
            found[:, :, at] = points
        elif response.name == "margin":
            found[:, :, at] = games * 26 - 4 * points
        elif response.name == "wins":
            share = np.clip(0.5 - mean / 40, 0.02, 0.98)
            found[:, :, at] = 12 * chance.binomial(games, share)
        else:
            share = np.clip(mean / 60, 0.02, 0.98)
            found[:, :, at] = chance.binomial(games, share)
            if response.name == "place":
                found[:, :, at] += games * response.scale
    return found
