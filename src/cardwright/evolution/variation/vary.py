"""One new candidate from others: random changes until the rules pass the check."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ONLY_STYLE, Candidate, ChangeFamily
from cardwright.evolution.variation.cards import AwardOperator, DeckOperator
from cardwright.evolution.variation.crossover import CrossoverOperator, of_one_game
from cardwright.evolution.variation.operator import by_weight
from cardwright.evolution.variation.parsed_rules import parsed_rules
from cardwright.evolution.variation.rule_text import (
    distance,
    keeps,
    kept_spans,
    kept_texts,
    program_tokens,
    touches,
)
from cardwright.evolution.variation.steps import (
    BlockOrderOperator,
    ConditionOperator,
    CopyOperator,
    DeleteOperator,
    DoubleOperator,
    EndOperator,
    GuardOperator,
    LogicOperator,
    MoveOperator,
    NegateOperator,
    SubformOperator,
    SwapBranchesOperator,
    SwapOperandsOperator,
    UnguardOperator,
)
from cardwright.evolution.variation.transplant import (
    CardsOperator,
    GraftOperator,
    ScoringOperator,
    TransplantOperator,
)
from cardwright.evolution.variation.values import (
    ConstantOperator,
    ConstantValues,
    NumberOperator,
    StringOperator,
    WordOperator,
)
from cardwright.program.check import IncrementalCache, messages
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.candidate import CandidateChange
    from cardwright.evolution.variation.operator import Proposal, VariationOperator
    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.syntax.diagnostic import Code


@dataclass(frozen=True, slots=True)
class WeightedOperator:
    """An operator, and how often it is drawn among those of a family.

    A `foreign` one takes parts of other games: it is drawn first where there are any, and never
    otherwise.
    """

    operator: VariationOperator
    weight: float
    foreign: bool = False


@lru_cache(maxsize=8)
def operators(constants: ConstantValues) -> tuple[WeightedOperator, ...]:
    """Return all operators; constants get values among those given.

    Those that change a value are drawn as often as those that change what is done: they break rules
    less often, and most of what people try at the table is of that kind.
    """
    return (
        WeightedOperator(ConstantOperator(constants), 4),
        WeightedOperator(NumberOperator(), 5),
        WeightedOperator(StringOperator(), 3),
        WeightedOperator(WordOperator(), 5),
        WeightedOperator(AwardOperator(), 3),
        WeightedOperator(DeckOperator(), 5),
        WeightedOperator(DeleteOperator(), 2),
        WeightedOperator(DoubleOperator(), 1),
        WeightedOperator(MoveOperator(), 1),
        WeightedOperator(SwapBranchesOperator(), 1),
        WeightedOperator(SwapOperandsOperator(), 1),
        WeightedOperator(NegateOperator(), 2),
        WeightedOperator(LogicOperator(), 1),
        WeightedOperator(UnguardOperator(), 2),
        WeightedOperator(SubformOperator(), 3),
        WeightedOperator(CopyOperator(), 1),
        WeightedOperator(ConditionOperator(), 1),
        WeightedOperator(GuardOperator(), 1),
        WeightedOperator(BlockOrderOperator(), 1),
        WeightedOperator(EndOperator(), 1),
        WeightedOperator(TransplantOperator(), 4, foreign=True),
        WeightedOperator(GraftOperator(), 3, foreign=True),
        WeightedOperator(ScoringOperator(), 1, foreign=True),
        WeightedOperator(CardsOperator(), 1, foreign=True),
    )


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
        self.material = parsed_rules(parents[0].text)
        mates = [parsed_rules(parent.text) for parent in parents[1:]]
        self.versions = [one for one in mates if of_one_game(one, self.material)]
        self.games = [one for one in mates if one not in self.versions]
        self.kept = kept_texts(original.text, variation.keep)
        self.spans = kept_spans(self.material.form, self.kept)
        warnings = parsed_rules(original.text).examined.checked.diagnostics.warnings
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
        operator = CrossoverOperator(parsed_rules(self.original.text))
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
        operator, origin = CrossoverOperator(name="undo"), parsed_rules(self.original.text)
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


def passes(text: str, parent: ParsedRules, allowed: Collection[Code] = frozenset()) -> bool:
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
