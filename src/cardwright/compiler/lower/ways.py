"""What becomes of a program's forms: which locations are masks, and what goes the fast way.

It is for people: `compile --show places` prints it, with the form that is the reason where
something is not as fast as it could be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.effect_analysis import EffectAnalysis
from cardwright.compiler.layout import WORD, Names, PileForm, layout
from cardwright.compiler.lower import bunches, candidates, drawn_branches, rounds
from cardwright.compiler.lower.choices import Choosing
from cardwright.compiler.lower.entries import is_leaf
from cardwright.compiler.lower.lowering import Lowering, Shared
from cardwright.compiler.plan import BlockPlan, Item, Sites
from cardwright.program import nodes as n
from cardwright.program.places import place_order

if TYPE_CHECKING:
    from cardwright.compiler.chains import Chain
    from cardwright.program.places import LocationFamily
    from cardwright.program.program import Program


@dataclass(frozen=True)
class PlaceWay:
    """How the cards of a family lie, and the form that is the reason if they are no mask."""

    family: LocationFamily
    form: PileForm
    reason: n.Node | None


@dataclass(frozen=True)
class StageWay:
    """A stage, and whether it is a round, in which every player in turn plays one card."""

    stage: n.Stage
    is_round: bool
    within: bool
    """Whether it is played in place within the stage around it."""


@dataclass(frozen=True)
class ChoiceWay:
    """A choice, and the branch for which its options are listed; None if they are bits.

    `bunches` says that they need no list all the same.
    """

    choice: n.Choice
    listed: n.Node | None
    why: str
    bunches: bool = False


@dataclass(frozen=True)
class ProgramWays:
    """What becomes of a program's places, stages and choices."""

    places: tuple[PlaceWay, ...]
    pooled: bool
    stages: tuple[StageWay, ...]
    choices: tuple[ChoiceWay, ...]


def ways(program: Program) -> ProgramWays:
    """Return what becomes of the forms of a program."""
    analysis = EffectAnalysis(program)
    shared = shared_by_nothing(program, analysis)
    plan = BlockPlan(program.items)
    items = [item for item in plan.places.values() if isinstance(item, Item)]
    return ProgramWays(
        tuple(_places(shared)),
        bool(shared.layout.places.pool),
        tuple(_stage(shared, item) for item in items if isinstance(item.node, n.Stage)),
        tuple(_choice(shared, number, item) for number, item in enumerate(plan.choices)),
    )


def shared_by_nothing(program: Program, analysis: EffectAnalysis) -> Shared:
    """Return what functions share, for looking at forms without making any."""
    names = Names(program)
    return Shared(program, analysis, names, layout(analysis, names), ir.Module("ways"), Sites(), {})


def _places(shared: Shared) -> list[PlaceWay]:
    order = place_order(shared.program)
    forms, bases = shared.layout.forms, shared.layout.places.bases
    return [
        PlaceWay(family, forms.of(bases[family]), order.reason(family))
        for family in shared.layout.places.mentions
    ]


def _stage(shared: Shared, item: Item) -> StageWay:
    assert isinstance(item.node, n.Stage)
    low = Lowering(shared, item.players, item.teams)
    within = item.players + item.teams > 0 and is_leaf(item.node)
    return StageWay(item.node, within and rounds.of_stage(low, item.node) is not None, within)


def _choice(shared: Shared, number: int, item: Item) -> ChoiceWay:
    assert isinstance(item.node, n.Choice)
    choosing = Choosing(shared, number, item.node, item.players, item.teams)
    low = choosing.lowering()
    for at, chain in choosing.living:
        why = _why_listed(low, chain)
        if why:
            bunched = bunches.can_draw(low, choosing)
            return ChoiceWay(item.node, item.node.steps[at], why, bunched)
    return ChoiceWay(item.node, None, "")


def _why_listed(low: Lowering, chain: Chain | None) -> str:
    """Return why the options of a branch cannot be bits; nothing if they can."""
    if chain is None:
        return "acts before it has picked everything"
    if drawn_branches.are_bits(low, chain):
        return ""
    if not bunches.is_assured(low, chain.leaf):
        return "its actions may break a rule or have no effect"
    if len(chain.picks) > 1:
        return "picks more than once"
    if not candidates.are_bits(low, chain.picks[-1]):
        return f"what it picks from is no mask, and not a list of up to {WORD} items"
    return "tests after it has picked"
