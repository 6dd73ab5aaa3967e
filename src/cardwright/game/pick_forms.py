"""How the options of a program lie in memory, for the kernels that read what they pick."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from cardwright.compiler.chains import public_key
from cardwright.compiler.kernels import picks as sorts
from cardwright.game.information.sightings import variable_numbers, variable_of
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.chains import ChoiceOptions
    from cardwright.compiler.native import NativeProgram
    from cardwright.program import nodes as n


class PickForms:
    """The words that `cardwright.compiler.kernels.chosen` describes.

    `most` is the most picks that an option has.
    """

    def __init__(self, native: NativeProgram, chooses: list[n.ForEach]) -> None:
        """Describe the options of a program with these forms that choose, as they are numbered."""
        self._native = native
        self._chooses = chooses
        self._names = variable_numbers(native)
        words = [0] * (native.plan.end + 1)
        branches = 0
        for pc, plan in native.options.items():
            table, names, public = self._tables(plan)
            words[pc] = start = len(words)
            first, size = start + 6, len(table)
            strict = int(plan.shape.strict)
            words += [plan.shape.words, strict, first, first + size, branches, first + 2 * size]
            words += table + names + public
            branches += len(plan.choice.steps)
        self.words = array("q", words)
        self.most = max((plan.shape.picks for plan in native.options.values()), default=0)

    @property
    def address(self) -> int:
        """Where the words are, which stay there."""
        return self.words.buffer_info()[0]

    def _tables(self, plan: ChoiceOptions) -> tuple[list[int], list[int], list[int]]:
        """Return the sorts of picks, the numbers of their variables, and those of public picks."""
        if not plan.shape.strict:
            return self._of(self._chooses)
        table: list[int] = []
        names: list[int] = []
        public: list[int] = []
        for found in plan.chains:
            assert found is not None
            rest = [0] * (plan.shape.picks - len(found.picks))
            own_sorts, own_names, own_public = self._of(found.picks)
            table += [len(found.picks), *own_sorts, *rest]
            names += [0, *own_names, *rest]
            public += [0, *own_public, *rest]
        return table, names, public

    def _of(self, forms: Sequence[n.ForEach]) -> tuple[list[int], list[int], list[int]]:
        return (
            [sort_of_pick(self._native, form) for form in forms],
            [self._names[variable_of(form)] for form in forms],
            [public_number(self._native, form) for form in forms],
        )


def public_number(native: NativeProgram, form: n.ForEach) -> int:
    """Return the number of what a form picks among public picks, from 1; 0 for cards."""
    key = public_key(native.analysis, form)
    return 0 if key is None else 1 + native.layout.public.index(key)


def sort_of_pick(native: NativeProgram, form: n.ForEach) -> int:
    """Return the sort of what a form picks, as kernels number them."""
    match ITEM_KINDS[form.collection.kind]:
        case ValueKind.CARD:
            return sorts.CARD
        case ValueKind.LOCATION:
            real = native.analysis.real_members(form.collection)
            return sorts.PLACE if real else sorts.GROUP
    return sorts.NUMBER
