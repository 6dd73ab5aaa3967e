"""Strings that are written out: another one of the same group in the place of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.operator import Proposal
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import AtomKind, is_atom

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite


@dataclass(frozen=True, slots=True)
class StringOperator:
    """Writes another string of the same group: a suit for a suit, a storage for a storage.

    The groups are those of `Vocabulary`. The keys of awards stay, as ranks are no suits.
    """

    name: str = "string"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.SCORING, ChangeFamily.STEPS})

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another string in the place of one."""

        def suits(site: RuleSite) -> bool:
            named = is_atom(site.item, AtomKind.NAME) and site.role != "KEY"
            return named and bool(material.vocabulary.like(site.span))

        sites = material.chosen(self.name, families, suits)
        if not sites:
            return None
        site = one_of(sites, random)
        text = one_of(material.vocabulary.like(site.span), random)
        return Proposal(site.family, (Edit(site.span, text),), site.span, text)
