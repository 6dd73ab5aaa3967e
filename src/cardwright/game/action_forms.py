"""The memory layout of options and what their picks mean, for the kernels that number them.

`cardwright.compiler.kernels.action_numbers` says how it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.chains import choosing
from cardwright.compiler.kernels import action_numbers as sorts
from cardwright.compiler.kernels.content import scattered
from cardwright.game.action_columns import PickSort
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from typing import Any

    from cardwright.compiler.native import NativeProgram
    from cardwright.game.action_blocks import ActionBlock
    from cardwright.game.action_columns import Column
    from cardwright.game.actions import Actions, BranchActions

    Integers = np.ndarray[Any, np.dtype[np.int64]]

_WIDEST = 1 << 16
"""Most integers, from the least to the greatest of a column, for which there is a table."""

_WORD = 1 << 64


class ActionForms:
    """What kernels need to number the options of a program: `words`."""

    def __init__(self, native: NativeProgram, actions: Actions) -> None:
        self._native = native
        self._actions = actions
        self._words = [0] * (native.plan.end + 1)
        self._tables: dict[tuple[int, ...], int] = {}
        for pc, plan in native.options.items():
            branches = actions.branches[plan.choice.span]
            rows = [
                self._branch(step, branch)
                for step, branch in zip(plan.choice.steps, branches, strict=True)
            ]
            length = max(map(len, rows))
            start = len(self._words)
            self._words[pc] = start
            self._words += [plan.shape.words, int(plan.shape.strict), start + 4, length]
            for row in rows:
                self._words += row + [0] * (length - len(row))
        self.words: Integers = np.array(self._words, np.int64)

    def _branch(self, step: n.Node, branch: BranchActions) -> list[int]:
        block = self._actions.blocks[branch.block]
        if block.loose or not (block.flat or all(map(_listed, block.columns))):
            return [sorts.LEFT, 1, 0]
        forms = choosing(n.walk(step))
        row = [block.start if block.flat else sorts.SEQUENCE, block.copies, len(forms)]
        if not block.flat:
            row[1] = 1
        for form in forms:
            row += self._pick(block, branch.columns[form.span])
        return row

    def _pick(self, block: ActionBlock, at: int | None) -> list[int]:
        if at is None:
            return [sorts.SHOWN, 0, 0, 0, 0]
        column = block.columns[at]
        if column.values is None:
            first, _ = block.parts[at]
            end = first + block.looks if column.size is None else -1
            looks = self._table(*self._actions.picking.looks)
            return [sorts.SINGLY, first, looks, end, int(column.veiled)]
        sort, table, other = self._column(column)
        number = block.strides[at] if block.flat else block.parts[at][0]
        return [sort, number, table, other, int(column.veiled)]

    def _column(self, column: Column) -> tuple[int, int, int]:
        """Return the sort of a column, its table, and the other number."""
        picking = self._actions.picking
        match column.sort:
            case PickSort.CARD:
                return sorts.CARD, self._table(*picking.looks), len(picking.examples)
            case PickSort.PART:
                values = [
                    column.places.get(card.attributes.get(column.key, ""), -1)
                    for card in picking.program.cards
                ]
                return sorts.PART, self._table(*values), 0
            case PickSort.GROUP:
                return sorts.GROUP, self._hashes(column), self._table(*picking.looks)
            case PickSort.PLACE:
                return sorts.PLACE, 0, len(column.places)
            case PickSort.STRING:
                texts = self._native.names.texts
                places = {texts.index(str(text)): at for text, at in column.places.items()}
                return self._integers(places)
        return self._integers({int(str(item)): at for item, at in column.places.items()})

    def _integers(self, places: dict[int, int]) -> tuple[int, int, int]:
        low, high = min(places, default=0), max(places, default=-1)
        if high - low >= _WIDEST:
            return sorts.OTHER, 0, 0
        values = [places.get(item, -1) for item in range(low, high + 1)]
        return sorts.LISTED, self._table(low, len(values), *values), 0

    def _hashes(self, column: Column) -> int:
        """Return the table of the places of groups."""
        size = 2
        while size < 2 * len(column.places):
            size *= 2
        table = [0] * (2 * size)
        keys: set[int] = set()
        for group, place in column.places.items():
            assert isinstance(group, tuple)
            hashed = (scattered(look + 1) for look in group if isinstance(look, int))
            key = (len(group) + sum(hashed)) % _WORD
            key -= _WORD * (key >= _WORD // 2)
            assert key not in keys  # of 5,000 keys of 64 bits no two are equal but by a miracle
            keys.add(key)
            at = key & (size - 1)
            while table[2 * at + 1]:
                at = (at + 1) & (size - 1)
            table[2 * at : 2 * at + 2] = key, place + 1
        return self._table(size - 1, *table)

    def _table(self, *content: int) -> int:
        """Return the start of a table; equal ones are written down once."""
        if content not in self._tables:
            self._tables[content] = len(self._words)
            self._words += content
        return self._tables[content]


def _listed(column: Column) -> bool:
    """Return whether no value of a column is spelled."""
    return not column.spelled
