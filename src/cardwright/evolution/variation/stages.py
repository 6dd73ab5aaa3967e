"""Operators on stages and blocks: their order, and what ends a stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import Proposal
from cardwright.evolution.variation.steps import RULES, conditions, moved, pick, replaced
from cardwright.evolution.variation.subforms import HALF, matched
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite


@dataclass(frozen=True, slots=True)
class BlockOrderOperator:
    """Plays a stage or a block earlier or later."""

    name: str = "order"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to move a stage or a block, or to exchange two of one list."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: one.role == "ITEM" and one.repeated and len(material.siblings(one)) > 1,
        )
        site = pick(sites, random)
        if site is None:
            return None
        if random.random() < HALF:
            return moved(material, site, random)
        other = pick([one for one in material.siblings(site) if one is not site], random)
        if other is None or material.written(other) == material.written(site):
            return None
        edits = Edit(site.span, material.written(other)), Edit(other.span, material.written(site))
        return Proposal(site.family, edits, site.span, material.written(other))


@dataclass(frozen=True, slots=True)
class EndOperator:
    """Changes what ends a stage."""

    name: str = "end"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to end a stage by another condition, or by one more or one less."""
        sites = material.chosen(self.name, families, lambda one: _is_end(material, one))
        site = pick(sites, random)
        if site is None:
            return None
        parts = [one for one in material.children(site) if one.gives is ValueKind.BOOLEAN]
        if parts and isinstance(site.node, n.Logic) and random.random() < HALF:
            return replaced(site, material.written(parts[int(random.integers(len(parts)))]))
        found, text = matched(material, [site], conditions(material, tuple(ChangeFamily)), random)
        if found is None:
            return None
        if random.random() < HALF:
            return replaced(site, text)
        word = "and" if random.random() < HALF else "or"
        return replaced(site, f"({word} {material.written(site)} {text})")


def _is_end(material: Material, site: RuleSite) -> bool:
    """Return whether a site is the condition that ends a stage."""
    if site.parent is None or not isinstance(material.sites[site.parent].node, n.Stage):
        return False
    return site.role == "BOOLEAN"
