"""One new candidate from others: random changes until the rules pass the check."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import Candidate, ChangeFamily
from cardwright.evolution.funnel.checking import ONLY_STYLE
from cardwright.evolution.variation.constant_values import ConstantValues
from cardwright.evolution.variation.crossover import CrossoverOperator, of_one_game
from cardwright.evolution.variation.distance import distance
from cardwright.evolution.variation.draw import by_weight
from cardwright.evolution.variation.keep import keeps, kept_spans, kept_texts, touches
from cardwright.evolution.variation.material import material_of
from cardwright.evolution.variation.operators import operators
from cardwright.evolution.variation.program_tokens import program_tokens
from cardwright.program.check import IncrementalCache, messages
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.candidate import CandidateChange
    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.operator import Proposal
    from cardwright.evolution.variation.operators import WeightedOperator
    from cardwright.syntax.diagnostic import Code

_DRAWS = 10
"""Most proposals drawn for one change, where operators have none or it is in the way of others."""

_UNDONE = 0.15
"""How many of the changes of a version of the original undo an earlier one.

Chance alone hardly finds back what stood there before. So of several changes, those that did no
good would stay, and hide what better ones do.
"""


@dataclass(frozen=True)
class Variation:
    """How candidates are varied.

    `families` are the changes that may be made. The forms in `keep`, texts that the
    original has, stand in every candidate as often as there. `most` is the largest distance from
    the original, see `distance`; None for any. `changes` is the mean number of changes of a
    candidate, `tries` how many times another is tried where one does not pass the check, or has
    warnings that the original does not have.
    `constants` says which values declared constants may have.
    """

    families: frozenset[ChangeFamily] = frozenset(ChangeFamily)
    keep: tuple[str, ...] = ()
    most: int | None = None
    changes: float = 1.5
    tries: int = 20
    constants: ConstantValues = field(default_factory=ConstantValues)


def varied(
    original: Candidate,
    parents: Sequence[Candidate],
    variation: Variation,
    random: np.random.Generator,
) -> Candidate | None:
    """Return a candidate made from `parents`, or None if no try passes the check.

    Parents after the first give parts to it (crossover): versions of the same game what they have
    changed of the original, other games forms with names made to fit. All chance comes from
    `random`. The places of all changes are those in the text of the first parent. Raises
    KeepError if the original does not have what is to be kept, and MaterialError if the rules of
    the original or of a parent do not pass the check.
    """
    kept_texts(original.text, variation.keep)
    attempt = _Attempt(original, parents, variation, random)
    found = (attempt.candidate() for _ in range(variation.tries))
    return next((candidate for candidate in found if candidate is not None), None)


class _Attempt:
    """Draws changes of one parent, and makes candidates of them."""

    def __init__(
        self,
        original: Candidate,
        parents: Sequence[Candidate],
        variation: Variation,
        random: np.random.Generator,
    ) -> None:
        self.original = original
        self.parents = parents
        self.variation = variation
        self.random = random
        self.material = material_of(parents[0].text)
        mates = [material_of(parent.text) for parent in parents[1:]]
        self.versions = [one for one in mates if of_one_game(one, self.material)]
        self.games = [one for one in mates if one not in self.versions]
        self.kept = kept_texts(original.text, variation.keep)
        self.spans = kept_spans(self.material.form, self.kept)
        warnings = material_of(original.text).examined.checked.diagnostics.warnings
        self.allowed = frozenset(one.code for one in warnings)
        self.operators = operators(variation.constants)

    def candidate(self) -> Candidate | None:
        """Return a candidate with some changes; None if it does not pass."""
        count = self.random.geometric(1 / max(1.0, self.variation.changes))
        drawn = self._crossed()
        for at in range(count - bool(drawn)):
            one = self._drawn(drawn, foreign=bool(self.games) and not at)
            if one is not None:
                drawn.append(one)
        if not drawn:
            return None
        text = self._accepted([proposal for _, proposal in drawn])
        if text is None:
            return None
        drawn.sort(key=lambda one: one[1].span)
        changes = tuple(proposal.change(name, self.material) for name, proposal in drawn)
        return Candidate(text, self._names(changes), changes)

    def _names(self, changes: Sequence[CandidateChange]) -> tuple[str, ...]:
        """Return the names of the first parent, and of those from which there is something."""
        sources = {change.source for change in changes}
        others = dict.fromkeys(one.name for one in self.parents[1:] if one.name in sources)
        return (self.parents[0].name, *others)

    def _crossed(self) -> list[tuple[str, Proposal]]:
        """Draw what is taken over from another version of the same game."""
        if not self.versions:
            return []
        operator = CrossoverOperator(material_of(self.original.text))
        families = self.variation.families
        found = operator.crossed(self.material, self.versions, families, self.random)
        return [(operator.name, one) for one in found if not touches(one.edits, self.spans)]

    def _drawn(
        self, before: Sequence[tuple[str, Proposal]], *, foreign: bool
    ) -> tuple[str, Proposal] | None:
        """Draw one more change, by its operator's name, that leaves those before it alone."""
        changed = self.material.text != self.original.text
        if changed and not foreign and self.random.random() < _UNDONE:
            return self._undone(before)
        for _ in range(_DRAWS):
            family = self._family()
            rows = [row for row in self.operators if family in row.operator.families]
            if foreign:
                rows = [row for row in rows if row.foreign] or rows
            elif not self.games:
                rows = [row for row in rows if not row.foreign]
            if not rows:
                continue
            one = self._chosen(rows).operator
            proposal = one.draw(self.material, self.games, frozenset({family}), self.random)
            if proposal is None or touches(proposal.edits, self.spans):
                continue
            if proposal.after == self.material.source.at(proposal.span):
                continue  # names that were made to fit can make it what it was
            if _compatible(proposal, [other for _, other in before]):
                return one.name, proposal
        return None

    def _undone(self, before: Sequence[tuple[str, Proposal]]) -> tuple[str, Proposal] | None:
        """Draw a place of the first parent where the text of the original comes back."""
        operator, origin = CrossoverOperator(name="undo"), material_of(self.original.text)
        one = operator.draw(self.material, [origin], self.variation.families, self.random)
        if one is None or touches(one.edits, self.spans):
            return None
        one = replace(one, source="")
        return (operator.name, one) if _compatible(one, [other for _, other in before]) else None

    def _family(self) -> ChangeFamily:
        """Draw a family, the more often the more sites it has, as the logarithm of their number.

        So the few constants of a game, on which much depends, are not lost among its many steps.
        """
        sites = self.material.counts
        families = [family for family in ChangeFamily if family in self.variation.families]
        weights = [math.log2(sites.get(family, 0) + 2) for family in families]
        return families[by_weight(weights, self.random)]

    def _chosen(self, rows: Sequence[WeightedOperator]) -> WeightedOperator:
        return rows[by_weight([row.weight for row in rows], self.random)]

    def _accepted(self, proposals: Sequence[Proposal]) -> str | None:
        """Return the text with these changes, if it passes; what costs least is looked at first."""
        variation, parent = self.variation, self.material
        edits = [edit for proposal in proposals for edit in proposal.edits]
        text = apply_edits(parent.text, edits)
        if program_tokens(text) == program_tokens(parent.text) or not keeps(text, self.kept):
            return None
        most = variation.most
        if most is not None and distance(self.original.text, text, most) > most:
            return None
        if not passes(text, parent, self.allowed):
            return None
        try:
            return format_source(Source("candidate", text))
        except UnformattableError:
            return None


def passes(text: str, parent: Material, allowed: Collection[Code] = frozenset()) -> bool:
    """Return whether a text passes the check, soon if it is almost that of the parent.

    It has no warning but those about style and those allowed, so that the funnel's first step will
    not turn it away: to draw another one costs less than a candidate.
    """
    recall = IncrementalCache()
    recall.last = parent.recall.last
    found = messages(Source("candidate", text), recall)
    codes = {one.code for one in found.warnings} - ONLY_STYLE
    return not found.errors and codes <= set(allowed)


def _compatible(proposal: Proposal, others: Sequence[Proposal]) -> bool:
    """Return whether the edits of a proposal touch none of those before it."""
    taken = [edit.span for other in others for edit in other.edits]
    return not any(
        edit.span.start <= span.end and span.start <= edit.span.end
        for edit in proposal.edits
        for span in taken
    )
