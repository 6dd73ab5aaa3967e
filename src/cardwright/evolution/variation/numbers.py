"""Numbers that are written out: another one in the place of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.near_number import near_number
from cardwright.evolution.variation.operator import Proposal
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import Atom, AtomKind, is_atom

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite


@dataclass(frozen=True, slots=True)
class NumberOperator:
    """Changes a number by a small step, doubles or halves it, or takes another of the same file.

    Numbers of players are left alone: their games are others. Those of points and of cards that are
    dealt are changed here too, as what the number stands in decides the family.
    """

    name: str = "number"
    families: frozenset[ChangeFamily] = frozenset(
        {ChangeFamily.SCORING, ChangeFamily.DECK, ChangeFamily.STEPS}
    )

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another number in the place of one; see `near_number`."""
        sites = material.chosen(self.name, families, _is_number)
        if not sites:
            return None
        site = one_of(sites, random)
        number = _value(site)
        changed = near_number(number, material.numbers, random)
        if changed == number:
            return None
        edits = (Edit(site.span, str(changed)),)
        return Proposal(site.family, edits, site.span, str(changed))


def _is_number(site: RuleSite) -> bool:
    return is_atom(site.item, AtomKind.INTEGER)


def _value(site: RuleSite) -> int:
    assert isinstance(site.item, Atom)
    return int(site.item.text)
