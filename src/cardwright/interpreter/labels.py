"""What labels say of an option, as the values that its parts have on the way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.interpreter import cards, integers, owners, storages
from cardwright.interpreter.fault import Fault
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import Location
    from cardwright.program.program import Program


class Said(NamedTuple):
    """A part of a label: the kind of its value, and the value; None if it has none.

    Players and teams are given as owners. `form` gave the value; a text that is written out in the
    label has none. `place` is where a card lies when it is said.
    """

    kind: ValueKind
    value: Any
    form: n.Node | None = None
    place: Location | None = None


def sayer(program: Program, node: n.Node) -> Callable[[World], None] | None:
    """Return what says the label of a block, to worlds that want to know; None if it has none.

    A part that breaks a rule is not said: a label breaks none, and takes no steps.
    """
    parts = [_part(program, part) for part in program.label(node)]
    if not parts:
        return None

    def say(world: World) -> None:
        if world.said is None:
            return
        left = world.left
        for part in parts:
            try:
                world.said.append(part(world))
            except Fault:
                continue
        world.left = left

    return say


def _part(program: Program, part: str | n.Node) -> Callable[[World], Said]:
    if isinstance(part, str):
        text = Said(ValueKind.STRING, part)
        return lambda _: text
    kind = part.kind
    meaning: Callable[[World], Any]
    match kind:
        case ValueKind.INTEGER:
            meaning = integers.integer(program, part)
        case ValueKind.STRING:
            meaning = storages.string(program, part)
        case ValueKind.CARD:
            return _card(program, part)
        case _:
            meaning = owners.owner(program, part)
    return lambda world: Said(kind, meaning(world), part)


def _card(program: Program, part: n.Node) -> Callable[[World], Said]:
    meaning = cards.card(program, part)

    def said(world: World) -> Said:
        card = meaning(world)
        return Said(ValueKind.CARD, card, part, None if card is None else world.where[card])

    return said
