"""What the tests of structural operators share: games, and what became of a proposal."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cardwright.evolution.variation.operator import RULES, VariationDraw
from cardwright.evolution.variation.parsed_rules import ParsedRules, parsed_rules
from cardwright.evolution.variation.vary import OPERATORS
from cardwright.game.find import find
from cardwright.program.check import check
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.candidate import ChangeFamily
    from cardwright.evolution.variation.operator import Proposal
    from cardwright.evolution.variation.vary import VariationOperator

WITH_OTHERS = tuple(one for one in OPERATORS if one.foreign)
"""The operators that take something from other games."""

VALUES = ("constant", "number", "string", "word", "award", "deck")
ALONE = tuple(one for one in OPERATORS if not one.foreign and one.name not in VALUES)
"""The operators on steps and conditions, which need no other rules."""

BY_NAME = {one.name: one for one in OPERATORS}

GAMES = ("agram", "crazyeights", "cuckoo", "goofspiel", "leduc", "nothanks", "sevens", "whist")
"""Small games of several kinds."""


@cache
def game(name: str) -> ParsedRules:
    """Return a game of the library as parsed rules."""
    return parsed_rules(format_source(find(name)))


def of_text(text: str) -> ParsedRules:
    """Return rules, in the formatter's layout, as parsed rules."""
    return parsed_rules(format_source(Source("rules", text)))


def proposed(
    operator: VariationOperator,
    rules: ParsedRules,
    random: np.random.Generator,
    donors: Sequence[ParsedRules] = (),
    families: Collection[ChangeFamily] = RULES,
) -> Proposal | None:
    """Return what an operator proposes."""
    return operator.propose(VariationDraw(rules, frozenset(families), random, donors))


def changed(material: ParsedRules, *proposals: Proposal) -> str:
    """Return the text with the changes of these proposals, in the formatter's layout."""
    edits = [edit for one in proposals for edit in one.edits]
    return format_source(Source("changed", apply_edits(material.text, edits)))


def sound(text: str) -> bool:
    """Return whether a text passes the check."""
    return check(Source("changed", text)).program is not None
