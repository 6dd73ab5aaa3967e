"""Crossover of two versions of the same game: changes of both in one, where they do not meet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.alignment import RuleDifference, atoms_of, differences
from cardwright.evolution.variation.operator import Proposal
from cardwright.evolution.variation.section_family import family_of
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.syntax.diagnostic import Edit
    from cardwright.syntax.source import Span
    from cardwright.syntax.tree import Form

_VERSIONS = 0.85
"""Games that share this part of their words are versions of one game; of those of the library no
two share more than 0.82."""


_HALF = 0.5


def of_one_game(one: Material, other: Material) -> bool:
    """Return whether two texts are versions of the same game, by the words that they share."""
    left, right = _counts(one), _counts(other)
    return (left & right).total() >= _VERSIONS * max(left.total(), right.total())


@lru_cache(maxsize=64)
def _counts(material: Material) -> Counter[str]:
    return Counter(atom.text for atom in atoms_of(material.form))


@dataclass(frozen=True, slots=True)
class CrossoverOperator:
    """Takes over what is different in another version of the same game.

    With the `original` of both, only what the other changed is taken; without it, what this version
    changed may be undone as well, as nothing tells which of the two is new.
    """

    original: Material | None = None
    name: str = "cross"
    families: frozenset[ChangeFamily] = frozenset(ChangeFamily)

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return one difference of a mate that is a version of the same game."""
        found = self.crossed(material, mates, families, random)
        return found[int(random.integers(len(found)))] if found else None

    def crossed(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> tuple[Proposal, ...]:
        """Return about half of the differences of such a mate, which can be made together.

        The mate and the material differ from the result if there are enough of them. Returns
        nothing if no mate is another version of the game.
        """
        alike = [one for one in mates if one.text != material.text and of_one_game(one, material)]
        if not alike:
            return ()
        mate = alike[int(random.integers(len(alike)))]
        news, complete = self._news(material, mate)
        proposals = [
            Proposal(family, one.edits, *_shown(one), source=mate.name)
            for one in news
            if (family := family_of(material, one.edits[0].span)) in families
        ]
        if not proposals or (complete and len(news) == 1):
            return ()
        chosen = [one for one in proposals if random.random() < _HALF]
        if complete and len(chosen) == len(news):
            chosen.pop(int(random.integers(len(chosen))))
        return tuple(chosen) or (proposals[int(random.integers(len(proposals)))],)

    def _news(self, first: Material, second: Material) -> tuple[tuple[RuleDifference, ...], bool]:
        """Return what can be taken over from the second, and whether all of it gives the second."""
        origin = self.original
        if origin is None or first.text == origin.text:
            return _between(first, second), True
        own = _between(origin, first)
        known = {_said(one) for one in own}
        theirs = [one for one in _between(origin, second) if _said(one) not in known]
        new = [one for one in theirs if not any(one.meets(other) for other in own)]
        if not new:
            return (), False
        # Both sets of changes are places in the original; the text of the first has its own.
        both = _parsed(apply_edits(origin.text, _edits((*own, *new))))
        if both is None:
            return (), False
        return differences(first.source, first.form, *both), False


@lru_cache(maxsize=256)
def _between(one: Material, other: Material) -> tuple[RuleDifference, ...]:
    return differences(one.source, one.form, other.source, other.form)


def _edits(found: Sequence[RuleDifference]) -> list[Edit]:
    return [edit for one in found for edit in one.edits]


def _said(one: RuleDifference) -> tuple[tuple[Span, str], ...]:
    """Return a difference without regard to how its new text is laid out."""
    return tuple((edit.span, " ".join(edit.text.split())) for edit in one.edits)


def _shown(one: RuleDifference) -> tuple[Span, str]:
    """Return the place and the new text of a difference, as people are told."""
    edit = max(one.edits, key=lambda edit: len(edit.text))
    return edit.span, edit.text.strip()


def _parsed(text: str) -> tuple[Source, Form] | None:
    source = Source("candidate", text)
    reading = read(source, Diagnostics(source))
    return None if reading.form is None else (source, reading.form)
