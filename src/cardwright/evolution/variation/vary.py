"""One new candidate from others: random changes until the rules pass the check."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardwright.evolution.candidate import ONLY_STYLE, Candidate, ChangeFamily
from cardwright.evolution.variation import cards, steps, transplant, values
from cardwright.evolution.variation.crossover import crossed, of_one_game
from cardwright.evolution.variation.operator import RULES, ConstantValues, VariationDraw
from cardwright.evolution.variation.parsed_rules import parsed_rules
from cardwright.evolution.variation.rule_text import (
    distance,
    keeps,
    kept_spans,
    kept_texts,
    program_tokens,
    touches,
)
from cardwright.program.check import IncrementalCache, messages
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.operator import OperatorFunction, Proposal
    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.syntax.diagnostic import Code

_DRAWS = 10
"""Most proposals drawn for one change, where operators have none or it is in the way of others."""

_UNDONE = 0.15
"""How many of the changes of a version of the original undo an earlier one.

Chance alone hardly finds back what stood there before. So of several changes, those that did no
good would stay, and hide what better ones do.
"""

_Item = TypeVar("_Item")


class VariationOperator(NamedTuple):
    """One way to change rules.

    `name` says what it changes and is written in each change, `families` are those of its changes,
    and `weight` is how often it is drawn among those of a family. A `foreign` one takes parts of
    other games: it is drawn first where there are any, and never otherwise.
    """

    name: str
    propose: OperatorFunction
    weight: float
    families: frozenset[ChangeFamily] = RULES
    foreign: bool = False


_CONSTANTS, _SCORING, _DECK = (
    frozenset({family})
    for family in (ChangeFamily.CONSTANTS, ChangeFamily.SCORING, ChangeFamily.DECK)
)
_WORDED = frozenset({ChangeFamily.SCORING, ChangeFamily.STEPS})

OPERATORS = (
    VariationOperator("constant", values.constant, 4, _CONSTANTS),
    VariationOperator("number", values.number, 5),
    VariationOperator("string", values.string, 3, _WORDED),
    VariationOperator("word", values.word, 5, _WORDED),
    VariationOperator("award", cards.award, 3, _SCORING),
    VariationOperator("deck", cards.deck, 5, _DECK),
    VariationOperator("delete", steps.delete, 2),
    VariationOperator("double", steps.double, 1),
    VariationOperator("move", steps.move, 1),
    VariationOperator("branches", steps.swap_branches, 1),
    VariationOperator("operands", steps.swap_operands, 1),
    VariationOperator("negate", steps.negate, 2),
    VariationOperator("logic", steps.logic, 1),
    VariationOperator("unguard", steps.unguard, 2),
    VariationOperator("subform", steps.subform, 3),
    VariationOperator("copy", steps.copy, 1),
    VariationOperator("condition", steps.condition, 1),
    VariationOperator("guard", steps.guard, 1),
    VariationOperator("order", steps.order, 1),
    VariationOperator("end", steps.end, 1),
    VariationOperator("transplant", transplant.transplant, 4, foreign=True),
    VariationOperator("graft", transplant.graft, 3, foreign=True),
    VariationOperator("scoring", transplant.scoring, 1, _SCORING, foreign=True),
    VariationOperator("cards", transplant.cards, 1, _DECK, foreign=True),
)
"""All operators. Those that change a value are drawn as often as those that change what is done:
they break rules less often, and most of what people try at the table is of that kind."""


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
    candidates = (attempt.candidate() for _ in range(variation.tries))
    return next((candidate for candidate in candidates if candidate is not None), None)


class _Attempt:
    """Draws changes of one parent, and makes candidates of them."""

    def __init__(
        self,
        original: Candidate,
        parents: Sequence[Candidate],
        variation: Variation,
        random: np.random.Generator,
    ) -> None:
        self.original = parsed_rules(original.text)
        self.parents = parents
        self.variation = variation
        self.random = random
        self.rules = parsed_rules(parents[0].text)
        others = [parsed_rules(parent.text) for parent in parents[1:]]
        self.versions = [other for other in others if of_one_game(other, self.rules)]
        self.games = [other for other in others if other not in self.versions]
        self.kept = kept_texts(original.text, variation.keep)
        self.spans = kept_spans(self.rules.form, self.kept)
        warnings = self.original.examined.checked.diagnostics.warnings
        self.allowed = frozenset(warning.code for warning in warnings)

    def candidate(self) -> Candidate | None:
        """Return a candidate with some changes; None if it does not pass."""
        count = self.random.geometric(1 / max(1.0, self.variation.changes))
        drawn: list[tuple[str, Proposal]] = []
        if self.versions:
            every = crossed(self._draw(), self.versions, self.original)
            drawn = [("cross", edit) for edit in every if not touches(edit.edits, self.spans)]
        for at in range(count - bool(drawn)):
            one = self._drawn(drawn, foreign=bool(self.games) and not at)
            if one is not None:
                drawn.append(one)
        text = self._accepted([proposal for _, proposal in drawn]) if drawn else None
        if text is None:
            return None
        drawn.sort(key=lambda one: one[1].span)
        changes = tuple(proposal.change(name, self.rules) for name, proposal in drawn)
        sources = {change.source for change in changes}
        others = dict.fromkeys(parent.name for parent in self.parents[1:] if parent.name in sources)
        return Candidate(text, (self.parents[0].name, *others), changes)

    def _draw(self, family: ChangeFamily | None = None) -> VariationDraw:
        families = self.variation.families if family is None else frozenset({family})
        return VariationDraw(
            self.rules, families, self.random, self.games, self.variation.constants
        )

    def _drawn(
        self, before: Sequence[tuple[str, Proposal]], *, foreign: bool
    ) -> tuple[str, Proposal] | None:
        """Draw one more change, by its operator's name, that leaves those before it alone."""
        changed = self.rules.text != self.original.text
        undo = changed and not foreign and self.random.random() < _UNDONE
        for _ in range(1 if undo else _DRAWS):
            if undo:
                name, proposal = "undo", self._undone()
            else:
                family = self._family()
                operator = self._operator(family, foreign=foreign)
                if operator is None:
                    continue
                name, proposal = operator.name, operator.propose(self._draw(family))
            if proposal is None or touches(proposal.edits, self.spans):
                continue
            if not undo and proposal.after == self.rules.source.at(proposal.span):
                continue  # names that were made to fit can make it what it was
            if _compatible(proposal, [other for _, other in before]):
                return name, proposal
        return None

    def _undone(self) -> Proposal | None:
        """Draw a place of the first parent where the text of the original comes back."""
        draw = self._draw()
        proposal = draw.any_of(crossed(draw, [self.original]))
        return None if proposal is None else replace(proposal, source="")

    def _family(self) -> ChangeFamily:
        """Draw a family, the more often the more sites it has, as the logarithm of their number.

        So the few constants of a game, on which much depends, are not lost among its many steps.
        """
        families = [family for family in ChangeFamily if family in self.variation.families]
        weights = [math.log2(self.rules.counts[family] + 2) for family in families]
        return self._weighted(families, weights)

    def _operator(self, family: ChangeFamily, *, foreign: bool) -> VariationOperator | None:
        rows = [row for row in OPERATORS if family in row.families]
        if foreign:
            rows = [row for row in rows if row.foreign] or rows
        elif not self.games:
            rows = [row for row in rows if not row.foreign]
        return self._weighted(rows, [row.weight for row in rows]) if rows else None

    def _weighted(self, items: Sequence[_Item], weights: Sequence[float]) -> _Item:
        """Draw an item in proportion to its weight."""
        left = self.random.random() * sum(weights)
        for item, weight in zip(items, weights, strict=True):
            left -= weight
            if left < 0:
                return item
        return items[-1]

    def _accepted(self, proposals: Sequence[Proposal]) -> str | None:
        """Return the text with these changes, if it passes; what costs least is looked at first."""
        edits = [edit for proposal in proposals for edit in proposal.edits]
        text = apply_edits(self.rules.text, edits)
        if program_tokens(text) == program_tokens(self.rules.text) or not keeps(text, self.kept):
            return None
        most = self.variation.most
        if most is not None and distance(self.original.text, text, most) > most:
            return None
        if not passes(text, self.rules, self.allowed):
            return None
        try:
            return format_source(Source("candidate", text))
        except UnformattableError:
            return None


def passes(text: str, parent: ParsedRules, allowed: Collection[Code] = frozenset()) -> bool:
    """Return whether a text passes the check, soon if it is almost that of the parent.

    It has no warning but those about style and those allowed, so that the check of the pipeline
    will not turn it away: to draw another one costs less than a candidate.
    """
    recall = IncrementalCache()
    recall.last = parent.recall.last
    report = messages(Source("candidate", text), recall)
    codes = {warning.code for warning in report.warnings} - ONLY_STYLE
    return not report.errors and codes <= set(allowed)


def _compatible(proposal: Proposal, others: Sequence[Proposal]) -> bool:
    """Return whether the edits of a proposal touch none of those before it."""
    taken = [edit.span for other in others for edit in other.edits]
    return not any(
        edit.span.start <= span.end and span.start <= edit.span.end
        for edit in proposal.edits
        for span in taken
    )
