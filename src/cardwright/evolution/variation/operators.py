"""All operators, and how often each is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.variation.awards import AwardOperator
from cardwright.evolution.variation.constants import ConstantOperator
from cardwright.evolution.variation.decks import DeckOperator
from cardwright.evolution.variation.literals import StringOperator
from cardwright.evolution.variation.numbers import NumberOperator
from cardwright.evolution.variation.stages import BlockOrderOperator, EndOperator
from cardwright.evolution.variation.steps import (
    DeleteOperator,
    DoubleOperator,
    LogicOperator,
    MoveOperator,
    NegateOperator,
    SwapBranchesOperator,
    SwapOperandsOperator,
    UnguardOperator,
)
from cardwright.evolution.variation.subforms import (
    ConditionOperator,
    CopyOperator,
    GuardOperator,
    SubformOperator,
)
from cardwright.evolution.variation.transplant import (
    CardsOperator,
    GraftOperator,
    ScoringOperator,
    TransplantOperator,
)
from cardwright.evolution.variation.words import WordOperator

if TYPE_CHECKING:
    from cardwright.evolution.variation.constant_values import ConstantValues
    from cardwright.evolution.variation.operator import VariationOperator


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
