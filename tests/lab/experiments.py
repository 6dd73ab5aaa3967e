"""What tests of experiments share: small plans of Hearts, and of a game that needs no compiling."""

from __future__ import annotations

from functools import cache
from typing import Any

from cardwright.arena.plan import GameRef
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabPlayer, SelectorList
from cardwright.lab.plan import Design, LabPlan, Seating
from cardwright.players.kind import FULL_TRUST

RULE = SelectorList(("rule",))
FIVE = ("pass", "first", "second", "third", "fourth")


@cache
def hearts(preset: str | None = "standard", **declared: Any) -> GameRef:
    """Return Hearts, as a single deal unless something else is said."""
    return GameRef.of("hearts", {"ROUNDS": 1, "END": 0, **declared}, preset)


@cache
def kuhn() -> GameRef:
    return GameRef.of("kuhn", engine="interpreter")


def slot(name: str, *values: SelectorList | None) -> Factor:
    """Return a factor of a slot: left to chance or by rule, unless levels are given."""
    levels = [FactorLevel(f"{at}", value) for at, value in enumerate(values)]
    usual = (FactorLevel("random", None), FactorLevel("rule", RULE))
    return Factor(name, FactorKind.SLOT, name, tuple(levels) or usual)


def option(name: str, *values: str) -> Factor:
    return Factor(
        name, FactorKind.OPTION, name, tuple(FactorLevel(value, value) for value in values)
    )


def player(*specs: str) -> Factor:
    return Factor(
        "player",
        FactorKind.PLAYER,
        "",
        tuple(FactorLevel(one, LabPlayer(one, one)) for one in specs),
    )


def plan(*factors: Factor, opponents: tuple[str, ...] = ("random", "rule"), **more: Any) -> LabPlan:
    """Return a plan: a factorial of Hearts with a tested hierarchy that leaves all to chance."""
    usual = {
        "name": "test",
        "game": hearts(),
        "tested": LabPlayer("base"),
        "factors": factors,
        "design": Design.FACTORIAL,
        "opponents": tuple(LabPlayer(one, one) for one in opponents),
        "deals": 24,
        "seed": 3,
        "seating": Seating.ALL,
        "trust": FULL_TRUST,
    }
    return LabPlan(**{**usual, **more})


def small(**more: Any) -> LabPlan:
    """Return a plan of a game that needs no compiling, with 14 blocks."""
    usual = {"game": kuhn(), "opponents": ("random", "first"), "deals": 40}
    return plan(player("random", "first"), **{**usual, **more})
