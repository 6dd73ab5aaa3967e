"""Operators that put a part of the rules in the place of another, or beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.alignment import words_of
from cardwright.evolution.variation.naming import UnfitError, fitted
from cardwright.evolution.variation.steps import RULES, conditions, inserted, pick, replaced
from cardwright.program.kinds import ValueKind
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.operator import Proposal
    from cardwright.evolution.variation.site import RuleSite

_STEPS = frozenset({"STEP"})
_CONTROL = ValueKind.BODY | ValueKind.BLOCK


def same_game(
    material: Material, part: RuleSite, place: RuleSite, random: np.random.Generator
) -> str | None:
    """Return the text of a part of the same game for another place; None if it does not fit.

    Variables that are not in scope there become others of the same kind.
    """
    if part is place or words_of(part.item) == words_of(place.item):
        return None
    try:
        found = fitted(material, part.item, material, place.visible(), random)
    except UnfitError:
        return None
    return found.text


def parts_for(material: Material, place: RuleSite) -> Sequence[RuleSite]:
    """Return the forms of a game that give what a place accepts."""
    wanted = place.accepts
    if not wanted & ~_CONTROL:
        wanted = place.gives
    return material.chosen(
        f"giving {wanted.value}",
        tuple(ChangeFamily),
        lambda one: isinstance(one.item, Form) and bool(one.gives) and not one.gives & ~wanted,
    )


@dataclass(frozen=True, slots=True)
class SubformOperator:
    """Puts a copy of another form of the same game in the place of one."""

    name: str = "subform"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to replace a form by one that gives the same kind."""
        for _ in range(TRIES):
            site = pick(material.chosen(self.name, families, replaceable), random)
            part = None if site is None else pick(parts_for(material, site), random)
            if site is None or part is None:
                return None
            text = same_game(material, part, site, random)
            if text is not None:
                return replaced(site, text)
        return None


def replaceable(site: RuleSite) -> bool:
    """Return whether a site is a form or a variable, and not a block or a stage of its own."""
    if isinstance(site.item, Atom):
        return is_atom(site.item, AtomKind.VARIABLE) and bool(site.gives)
    return site.role != "ITEM" and site.gives not in {ValueKind.AWARD, ValueKind.STRINGS}


@dataclass(frozen=True, slots=True)
class CopyOperator:
    """Does a step of the same game in another place as well."""

    name: str = "copy"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to add a copy of a step beside another one."""
        sites = material.chosen(self.name, families, is_listed_step)
        parts = material.chosen(self.name, tuple(ChangeFamily), is_listed_step)
        site, text = matched(material, sites, parts, random)
        if site is None:
            return None
        return inserted(site, text, before=random.random() < HALF)


HALF = 0.5

TRIES = 8
"""How many pairs of a part and a place are drawn until one fits."""


def matched(
    material: Material,
    sites: Sequence[RuleSite],
    parts: Sequence[RuleSite],
    random: np.random.Generator,
) -> tuple[RuleSite | None, str]:
    """Return a place and the text of a part that fits there; no place if none was found."""
    for _ in range(TRIES):
        site, part = pick(sites, random), pick(parts, random)
        if site is None or part is None:
            break
        text = same_game(material, part, site, random)
        if text is not None:
            return site, text
    return None, ""


def is_listed_step(site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a list."""
    return site.repeated and site.role in _STEPS


@dataclass(frozen=True, slots=True)
class ConditionOperator:
    """Makes a condition of the same game a further one, or an alternative, in another place."""

    name: str = "condition"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to join a condition to another by `and` or `or`."""
        sites, parts = conditions(material, families), conditions(material, tuple(ChangeFamily))
        site, text = matched(material, sites, parts, random)
        if site is None:
            return None
        word = "and" if random.random() < HALF else "or"
        return replaced(site, f"({word} {material.written(site)} {text})")


@dataclass(frozen=True, slots=True)
class GuardOperator:
    """Does a step only under a condition that the game has elsewhere."""

    name: str = "guard"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to put a condition before a step."""
        sites = material.chosen(self.name, families, _can_wait)
        site, text = matched(material, sites, conditions(material, tuple(ChangeFamily)), random)
        return None if site is None else replaced(site, f"({text} {material.written(site)})")


def _can_wait(site: RuleSite) -> bool:
    return is_listed_step(site) and not site.gives & ValueKind.CONDITIONAL
