"""Figures on a compiled program, for people: what its states consist of, how options are found."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, get_args

from cardwright.compiler import ir
from cardwright.compiler.chains import options
from cardwright.compiler.effect_analysis import EffectAnalysis
from cardwright.compiler.layout import layout
from cardwright.compiler.lower.bunches import is_assured
from cardwright.compiler.lower.lowering import Lowering
from cardwright.compiler.lower.ways import shared_by_nothing
from cardwright.compiler.names import Names
from cardwright.compiler.plan import BlockPlan
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.compiler.chains import Chain
    from cardwright.compiler.layout import BoardLayout
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

_NODES = (*get_args(ir.Expr), *get_args(ir.Statement))
_PILE_FIELDS = ("count", "born", "known_count", "card", "known")


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


def ir_nodes(module: ir.Module) -> int:
    """Return how many expressions and statements a module has."""
    count = 0
    pending: list[object] = [function.body for function in module.functions.values()]
    while pending:
        piece = pending.pop()
        if isinstance(piece, tuple):
            pending.extend(piece)
        elif isinstance(piece, _NODES):
            count += 1
            pending.extend(getattr(piece, name) for name in piece.__slots__)
    return count


def state_figures(program: Program) -> StateFigures:
    """Return what the states of a program consist of."""
    of = layout(EffectAnalysis(program), Names(program))
    piles = [name for name in _PILE_FIELDS if name in of.board.fields]
    pile = of.board.fields[piles[0]].strides[0]
    begin = of.board.fields[piles[0]].offset
    plain = [name for name in of.board.fields if name not in piles]
    return StateFigures(
        of.board.bytes,
        tuple(_parts(of, plain, of.head)),
        of.places.slots,
        of.places.slots - of.forms.pure,
        of.places.pool,
        pile,
        tuple(_parts(of, piles, begin + pile)),
    )


def _parts(of: BoardLayout, names: list[str], end: int) -> list[FieldFigures]:
    """Return consecutive fields; empty ones are left out."""
    ends = [of.board.fields[name].offset for name in names[1:]] + [end]
    sizes = [end - of.board.fields[name].offset for name, end in zip(names, ends, strict=True)]
    return [FieldFigures(name, size) for name, size in zip(names, sizes, strict=True) if size]


def choice_figures(program: Program) -> list[ChoiceFigures]:
    """Return how the options of every choice of a program are found."""
    analysis = EffectAnalysis(program)
    shared = shared_by_nothing(program, analysis)
    where = shared.layout.places
    found = []
    for item in BlockPlan(program.items).choices:
        assert isinstance(item.node, n.Choice)
        chains = options(analysis, where, item.node).chains
        low = Lowering(shared, item.players, item.teams)
        ways = zip(item.node.steps, (_way(low, one) for one in chains), strict=True)
        branches = tuple((step.span, way) for step, way in ways)
        found.append(ChoiceFigures(item.node.span, branches))
    return found


def _way(low: Lowering, chain: Chain | None) -> Way:
    if chain is None:
        return Way.EXPLORED
    if low.analysis.sure(chain.leaf):
        return Way.LISTED
    return Way.ASSURED if is_assured(low, chain.leaf) else Way.TRIED
