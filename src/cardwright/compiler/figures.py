"""What becomes of a program, for people: its states, and which forms go the fast way."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.layout import PILE_FIELDS, WORD, PileForm
from cardwright.compiler.lower import choices, draws, stages
from cardwright.compiler.lower.choices import Choosing
from cardwright.compiler.lower.forms import FormLowering
from cardwright.compiler.lower.lowering import Lowering, Shared
from cardwright.compiler.plan import Item, ProgramPlan
from cardwright.program import nodes as n
from cardwright.program.places import place_order

if TYPE_CHECKING:
    from cardwright.compiler.layout import BoardLayout
    from cardwright.program.chains import Chain
    from cardwright.program.places import LocationFamily
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


class PlaceWay(NamedTuple):
    """How the cards of a family lie, and the form that is the reason if they are no mask."""

    family: LocationFamily
    form: PileForm
    reason: n.Node | None


class StageWay(NamedTuple):
    """A stage, and whether it is a round, in which every player in turn plays one card."""

    stage: n.Stage
    is_round: bool
    within: bool
    """Whether it is played in place within the stage around it."""


class ChoiceWay(NamedTuple):
    """A choice, and the branch for which its options are listed; None if they are bits.

    `bunches` says that they need no list all the same.
    """

    choice: n.Choice
    listed: n.Node | None
    why: str
    bunches: bool = False


class ProgramWays(NamedTuple):
    """What becomes of a program's places, stages and choices."""

    places: tuple[PlaceWay, ...]
    pooled: bool
    stages: tuple[StageWay, ...]
    choices: tuple[ChoiceWay, ...]


def ways(program: Program) -> ProgramWays:
    """Return what becomes of the forms of a program."""
    made = ProgramPlan(program)
    shared, plan = _shared(made), made.plan
    items = [item for item in plan.places.values() if isinstance(item, Item)]
    return ProgramWays(
        tuple(_places(shared)),
        bool(shared.layout.places.pool),
        tuple(_stage(shared, item) for item in items if isinstance(item.node, n.Stage)),
        tuple(_choice(shared, number, item) for number, item in enumerate(plan.choices)),
    )


def _shared(plan: ProgramPlan) -> Shared:
    return Shared(plan.program, plan.analysis, plan.names, plan.layout)


def _places(shared: Shared) -> list[PlaceWay]:
    order = place_order(shared.program)
    forms, bases = shared.layout.forms, shared.layout.places.bases
    return [
        PlaceWay(family, forms.form_of(bases[family]), order.reason(family))
        for family in shared.layout.places.mentions
    ]


def _stage(shared: Shared, item: Item) -> StageWay:
    assert isinstance(item.node, n.Stage)
    low = FormLowering(shared, item.players, item.teams)
    within = item.players + item.teams > 0 and stages.is_leaf(item.node)
    return StageWay(item.node, within and stages.round_of(low, item.node) is not None, within)


def _choice(shared: Shared, number: int, item: Item) -> ChoiceWay:
    assert isinstance(item.node, n.Choice)
    choosing = Choosing(shared, number, item.node, item.players, item.teams)
    low = choosing.lowering()
    for at, chain in choosing.living:
        why = _why_listed(low, chain)
        if why:
            bunched = draws.can_draw(low, choosing)
            return ChoiceWay(item.node, item.node.steps[at], why, bunched)
    return ChoiceWay(item.node, None, "")


def _why_listed(low: Lowering, chain: Chain | None) -> str:
    """Return why the options of a branch cannot be bits; nothing if they can."""
    if chain is None:
        return "acts before it has picked everything"
    if draws.are_bits(low, chain):
        return ""
    if not draws.is_assured(low, chain):
        return "its actions may break a rule or have no effect"
    if len(chain.picks) > 1:
        return "picks more than once"
    if any(isinstance(link, n.Let) for link in chain.links):
        return "binds a variable on the way"
    if not choices.are_bits(low, chain.picks[-1]):
        return f"what it picks from is no mask, and not a list of up to {WORD} items"
    return "tests after it has picked"


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
    shared = _shared(plan)
    figures = []
    for item in plan.plan.choices:
        assert isinstance(item.node, n.Choice)
        low = FormLowering(shared, item.players, item.teams)
        chains = zip(item.node.steps, plan.options[item.pc].chains, strict=True)
        branches = tuple((step.span, _way(low, chain)) for step, chain in chains)
        figures.append(ChoiceFigures(item.node.span, branches))
    return figures


def _way(low: FormLowering, chain: Chain | None) -> Way:
    if chain is None:
        return Way.EXPLORED
    if low.analysis.sure(chain.leaf):
        return Way.LISTED
    return Way.ASSURED if draws.is_assured(low, chain) else Way.TRIED
