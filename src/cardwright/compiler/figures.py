"""Figures on a compiled program, for people: what its states consist of, how options are found."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.layout import PILE_FIELDS
from cardwright.compiler.lower.bunches import is_assured
from cardwright.compiler.lower.lowering import Lowering
from cardwright.compiler.lower.ways import shared_by_nothing
from cardwright.compiler.plan import ProgramPlan
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.compiler.chains import Chain
    from cardwright.compiler.layout import BoardLayout
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


class FieldFigures(NamedTuple):
    """A field of a state, or of one of its piles, with the padding after it."""

    name: str
    bytes: int


class StateFigures(NamedTuple):
    """What a state consists of: its fields, then piles with fields of their own.

    Of the slots, some have masks alone, and the others piles.
    """

    bytes: int
    fields: tuple[FieldFigures, ...]
    slots: int
    piles: int
    pool_slots: int
    pile_bytes: int
    pile_fields: tuple[FieldFigures, ...]


class Way(Enum):
    """How the options of a branch are found."""

    LISTED = "listed"
    """By loops alone: the actions always do something and break no rule."""
    ASSURED = "assured"
    """By loops, and a few tests say that the actions break no rule; else they are tried."""
    TRIED = "tried"
    """By loops, and then the actions are tried on a copy of the state."""
    EXPLORED = "explored"
    """Every option is tried from the branch's beginning."""


class ChoiceFigures(NamedTuple):
    """A choice: its place in the source, and how the options of each branch are found."""

    span: Span
    branches: tuple[tuple[Span, Way], ...]


def state_figures(program: Program) -> StateFigures:
    """Return what the states of a program consist of."""
    layout = ProgramPlan(program).layout
    fields = layout.board.fields
    piles = [name for name in PILE_FIELDS if name in fields]
    pile = fields[piles[0]].strides[0]
    return StateFigures(
        layout.board.bytes,
        _sizes(layout, [name for name in fields if name not in piles], layout.head),
        layout.places.slots,
        layout.places.slots - layout.forms.pure,
        layout.places.pool,
        pile,
        _sizes(layout, piles, fields[piles[0]].offset + pile),
    )


def _sizes(layout: BoardLayout, names: list[str], end: int) -> tuple[FieldFigures, ...]:
    """Return consecutive fields; empty ones are left out."""
    begins = [layout.board.fields[name].offset for name in names]
    sizes = [after - begin for begin, after in zip(begins, [*begins[1:], end], strict=True)]
    return tuple(FieldFigures(*part) for part in zip(names, sizes, strict=True) if part[1])


def choice_figures(program: Program) -> list[ChoiceFigures]:
    """Return how the options of every choice of a program are found."""
    plan = ProgramPlan(program)
    shared = shared_by_nothing(program, plan.analysis)
    figures = []
    for item in plan.plan.choices:
        assert isinstance(item.node, n.Choice)
        low = Lowering(shared, item.players, item.teams)
        chains = zip(item.node.steps, plan.options[item.pc].chains, strict=True)
        branches = tuple((step.span, _way(low, chain)) for step, chain in chains)
        figures.append(ChoiceFigures(item.node.span, branches))
    return figures


def _way(low: Lowering, chain: Chain | None) -> Way:
    if chain is None:
        return Way.EXPLORED
    if low.analysis.sure(chain.leaf):
        return Way.LISTED
    return Way.ASSURED if is_assured(low, chain.leaf) else Way.TRIED
