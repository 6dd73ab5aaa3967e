"""Picks: what the options of many games pick, as arrays for learning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwright.compiler.chains import choosing
from cardwright.compiler.kernels import picks as sorts
from cardwright.program import nodes as n
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from typing import Any

    from cardwright.compiler.chains import ChoiceOptions
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


class PickForms:
    """The memory layout of options, for the kernel that reads their picks; and all branches."""

    def __init__(self, native: NativeProgram, chooses: list[n.ForEach]) -> None:
        self._native = native
        self._chooses = chooses
        self.most = max((plan.shape.picks for plan in native.options.values()), default=0)
        branches: list[Branch] = []
        words = [0] * (native.plan.end + 1)
        for pc, plan in native.options.items():
            words[pc] = len(words)
            words += [plan.shape.words, len(branches), int(plan.shape.strict), len(words) + 4]
            words += self._rows(plan)
            branches += [self._branch(step) for step in plan.choice.steps]
        self.branches = tuple(branches)
        self.words = np.array(words, np.int64)

    def _rows(self, plan: ChoiceOptions) -> list[int]:
        """Return the sorts of picks: by branch if options are strict, else by form."""
        if not plan.shape.strict:
            return [self._sort(form) for form in self._chooses]
        rows: list[int] = []
        for found in plan.chains:
            assert found is not None
            row = [len(found.picks), *map(self._sort, found.picks)]
            rows += row + [0] * (1 + plan.shape.picks - len(row))
        return rows

    def _sort(self, form: n.ForEach) -> int:
        return sort_of_pick(self._native, form)

    def _branch(self, step: n.Node) -> Branch:
        line = self._native.program.source.position(step.span.start).line
        forms = choosing(n.walk(step))
        return Branch(line, tuple((form.variable.name, self._word(form)) for form in forms))

    def _word(self, form: n.ForEach) -> str:
        words = {sorts.CARD: "card", sorts.PLACE: "place", sorts.GROUP: "group"}
        kind = ITEM_KINDS[form.collection.kind]
        return words.get(self._sort(form)) or (kind.name or "").lower()


def sort_of_pick(native: NativeProgram, form: n.ForEach) -> int:
    """Return the sort of what a form picks, as kernels number them."""
    match ITEM_KINDS[form.collection.kind]:
        case ValueKind.CARD:
            return sorts.CARD
        case ValueKind.LOCATION:
            real = native.analysis.real_members(form.collection)
            return sorts.PLACE if real else sorts.GROUP
    return sorts.NUMBER
