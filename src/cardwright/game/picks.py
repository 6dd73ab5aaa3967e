"""Picks: what the options of many games pick, as arrays for learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.chains import choosing
from cardwright.compiler.kernels import picks as sorts
from cardwright.game.pick_forms import sort_of_pick
from cardwright.program import nodes as n
from cardwright.program.kinds import ITEM_KINDS

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from cardwright.compiler.native import NativeProgram

    Integers = np.ndarray[Any, np.dtype[np.int64]]
    Truths = np.ndarray[Any, np.dtype[np.bool_]]


class Branch(NamedTuple):
    """A branch of a choice: its line in the source, and for each `any` in it what it picks.

    A pick is a variable and the kind of its items: card, player, team, integer, string, place or
    group, which is a list of cards.
    """

    line: int
    picks: tuple[tuple[str, str], ...]


class Picks(NamedTuple):
    """What options pick, as the choosing seat sees it: a row a game, a column an option.

    `branches` (games x options) are numbers of branches, -1 where there is no option. `items`
    (games x options x picks) are the numbers of what is picked: a card's id, a seat or team from 0,
    an integer, a string's number, a place's number, a group's place in its collection; -1 where
    there is no pick, and -2 - k for the k-th item of its collection if its cards are not seen, or
    if it is a location made in play that has none.
    `cards` (games x options x cards) says which cards are picked, alone or in a group, and seen.
    """

    branches: Integers
    items: Integers
    cards: Truths


def branches_of(native: NativeProgram) -> tuple[Branch, ...]:
    """Return the branches of all choices, in the order in which they are numbered."""
    choices = [plan.choice for plan in native.options.values()]
    return tuple(_branch(native, step) for choice in choices for step in choice.steps)


def _branch(native: NativeProgram, step: n.Node) -> Branch:
    line = native.program.source.position(step.span.start).line
    forms = choosing(n.walk(step))
    return Branch(line, tuple((form.variable.name, _word(native, form)) for form in forms))


def _word(native: NativeProgram, form: n.ForEach) -> str:
    words = {sorts.CARD: "card", sorts.PLACE: "place", sorts.GROUP: "group"}
    kind = ITEM_KINDS[form.collection.kind]
    return words.get(sort_of_pick(native, form)) or (kind.name or "").lower()
