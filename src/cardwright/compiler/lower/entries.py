"""Where stages that run as loops can be entered: at the one decision among their items, if any.

Games that go on from a decision, as rollouts and the playouts of searches do, so need no machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler.plan import Item
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.plan import BlockPlan


@dataclass(frozen=True)
class Entry:
    """A stage that can be entered at a decision, and the item of it that has this.

    That is the choice itself, or a stage played in place that begins with it.
    """

    stage: Item
    item: Item


def is_leaf(stage: n.Stage) -> bool:
    """Return whether a stage has no stages within it, and is short."""
    return not any(isinstance(item, n.Stage) for item in n.items_within(stage.items))


def is_structured(place: Item) -> bool:
    """Return whether a place is a stage that is played by a function of its own in random play.

    Short stages within others are played by those of the others.
    """
    if not isinstance(place.node, n.Stage):
        return False
    return place.players + place.teams == 0 or not is_leaf(place.node)


def items_of(plan: BlockPlan, place: Item) -> Iterator[Item]:
    """Return the places of the items of a stage."""
    assert isinstance(place.node, n.Stage)
    pc = place.pc + 1
    for _ in place.node.items:
        item = item_at(plan, pc)
        yield item
        pc = item.then


def item_at(plan: BlockPlan, pc: int) -> Item:
    """Return the item at a place that has one."""
    item = plan.places[pc]
    assert isinstance(item, Item)
    return item


def entries(plan: BlockPlan) -> dict[int, Entry]:
    """Return where stages can be entered, by the places of the decisions."""
    found: dict[int, Entry] = {}
    for place in plan.places.values():
        if isinstance(place, Item) and is_structured(place):
            here = _entries_of(plan, place)
            if len(here) == 1:
                found |= here
    return found


def _entries_of(plan: BlockPlan, stage: Item) -> dict[int, Entry]:
    """Return the decisions at which a stage could be entered, by their places."""
    found = {}
    for item in items_of(plan, stage):
        match item.node:
            case n.Choice():
                found[item.pc] = Entry(stage, item)
            case n.Stage(items=(n.Choice(), *_)) if is_leaf(item.node):
                found[item.pc + 1] = Entry(stage, item)
    return found
