"""What the tests of structural operators share: games, and what became of a proposal."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cardwright.evolution.variation.parsed_rules import ParsedRules, parsed_rules
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
from cardwright.game.find import find
from cardwright.program.check import check
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from cardwright.evolution.variation.operator import Proposal, VariationOperator

ALONE: tuple[VariationOperator, ...] = (
    DeleteOperator(),
    DoubleOperator(),
    MoveOperator(),
    SwapBranchesOperator(),
    SwapOperandsOperator(),
    NegateOperator(),
    LogicOperator(),
    UnguardOperator(),
    SubformOperator(),
    CopyOperator(),
    ConditionOperator(),
    GuardOperator(),
    BlockOrderOperator(),
    EndOperator(),
)
"""The operators that need no other rules."""

WITH_OTHERS: tuple[VariationOperator, ...] = (
    TransplantOperator(),
    GraftOperator(),
    ScoringOperator(),
    CardsOperator(),
)
"""The operators that take something from other games."""

GAMES = ("agram", "crazyeights", "cuckoo", "goofspiel", "leduc", "nothanks", "sevens", "whist")
"""Small games of several kinds."""


@cache
def game(name: str) -> ParsedRules:
    """Return a game of the library as material."""
    return parsed_rules(format_source(find(name)))


def of_text(text: str) -> ParsedRules:
    """Return rules, in the formatter's layout, as material."""
    return parsed_rules(format_source(Source("rules", text)))


def changed(material: ParsedRules, *proposals: Proposal) -> str:
    """Return the text with the changes of these proposals, in the formatter's layout."""
    edits = [edit for one in proposals for edit in one.edits]
    return format_source(Source("changed", apply_edits(material.text, edits)))


def sound(text: str) -> bool:
    """Return whether a text passes the check."""
    return check(Source("changed", text)).program is not None
