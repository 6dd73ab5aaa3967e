"""Two trees compared from the top: what was changed, added, removed, moved or put around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.alignment import aligned, likeness
from cardwright.authoring.rule_difference.part import Part, walk
from cardwright.authoring.rule_difference.rule_change import ChangeKind
from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.program.constants import Constant

_RELATED = 0.3
"""Least likeness of two forms of one class that are compared part by part."""

_MOVED = 0.8
"""Least likeness of a step that is gone and one that is new, to be one that was moved."""

_DEEPEST = 4
"""How far below a form it is looked for what stood there before."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One difference between two trees; a part is missing where there is no counterpart.

    `around` is the part in the other version into which an added part came, or from which a removed
    one went. `kept` is what of the old form is in the new one, or the other way round.
    """

    kind: ChangeKind
    before: Part | None
    after: Part | None
    around: Part | None = None
    kept: tuple[Part, Part] | None = None
    swapped: bool = False


class TreeComparison:
    """Compares trees, and collects the differences in `found`."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._slots: dict[int, int] = {}
        self._taken: set[int] = set()

    def items(self, before: Sequence[Part], after: Sequence[Part]) -> None:
        """Compare the items of two programs, and look for what was moved between them."""
        self._lists(before, after, None, None)
        self._moves()

    def pair(self, before: Part, after: Part) -> None:
        """Compare two parts of which one stands where the other stood."""
        if before.digest == after.digest and self._agree(before, after):
            return
        if _same_value(before, after):
            return
        if type(before.node) is not type(after.node):
            self._other_class(before, after)
        elif isinstance(before.node, n.Fork) and _crossed(before.children, after.children, 1, 2):
            self._swap(before, after)
        elif self._descends(before, after):
            self._bind(before, after)
            if before.label != after.label:
                self._add(ChangeKind.CHANGED, before, after)
            self._fields(before, after)
        elif not self._around(before, after):
            self._add(ChangeKind.CHANGED, before, after)

    def _descends(self, before: Part, after: Part) -> bool:
        """Return whether two forms of one class are told apart by their parts."""
        if isinstance(before.node, n.Control):
            return True
        if before.label != after.label or not before.fields:
            return False
        names = [name for name, _ in before.fields]
        differing = [
            name
            for name in names
            if [p.digest for p in before.field(name)] != [p.digest for p in after.field(name)]
        ]
        return len(differing) < 2 or likeness(before, after) >= _RELATED

    def _fields(self, before: Part, after: Part) -> None:
        names = dict.fromkeys(name for name, _ in (*before.fields, *after.fields))
        for name in names:
            old, new = before.field(name), after.field(name)
            several = isinstance(getattr(before.node, name), tuple)
            if several or len(old) != len(new):
                self._lists(old, new, before, after)
            else:
                for one, other in zip(old, new, strict=True):
                    self.pair(one, other)

    def _lists(
        self,
        before: Sequence[Part],
        after: Sequence[Part],
        around_before: Part | None,
        around_after: Part | None,
    ) -> None:
        """Compare two lists of parts."""
        for at in range(min(len(before), len(after)) - 1 if len(before) == len(after) else 0):
            if _branches_crossed(before[at : at + 2], after[at : at + 2]):
                self._swap(before[at], after[at])
                before, after = ((*parts[:at], *parts[at + 2 :]) for parts in (before, after))
                self._lists(before, after, around_before, around_after)
                return
        if (
            len(before) == len(after)
            and all(
                type(one.node) is type(other.node) and likeness(one, other) >= _RELATED
                for one, other in zip(before, after, strict=True)
                if one.digest != other.digest
            )
            and {p.digest for p in before} != {p.digest for p in after}
        ):
            for one, other in zip(before, after, strict=True):
                self.pair(one, other)
            return
        both = aligned(before, after)
        for one, other in both.pairs:
            self.pair(one, other)
        gone, new = list(both.before), list(both.after)
        for one in both.before:
            same = next((p for p in new if p.digest == one.digest), None)
            if same is not None:
                self._agree(one, same)
                self._add(ChangeKind.MOVED, one, same)
                gone.remove(one)
                new.remove(same)
        if len(gone) == 1 == len(new) and len(before) == len(after):
            self.pair(gone[0], new[0])
            return
        for one in gone:
            self._add(ChangeKind.REMOVED, one, None, around_after)
        for other in new:
            self._add(ChangeKind.ADDED, None, other, around_before)

    def _other_class(self, before: Part, after: Part) -> None:
        """Compare a form with one of another class in its place."""
        if after.digest in _digests(before.children) or before.digest in _digests(after.children):
            self._around(before, after)
            return
        old, new = before.field("steps"), after.field("steps")
        if isinstance(after.node, n.Do) and len(new) > 0:
            self._lists((before,), new, before, after)
        elif isinstance(before.node, n.Do) and len(old) > 0:
            self._lists(old, (after,), before, after)
        elif not self._around(before, after):
            self._add(ChangeKind.CHANGED, before, after)

    def _around(self, before: Part, after: Part) -> bool:
        """Tell of a form that was put around another, or taken away from around it."""
        inner = _within(after, before)
        outer = _within(before, after) if inner is None else None
        if inner is not None:
            self._add(ChangeKind.CHANGED, before, after, kept=(before, inner))
            self.pair(before, inner)
        elif outer is not None:
            self._add(ChangeKind.CHANGED, before, after, kept=(outer, after))
            self.pair(outer, after)
        return inner is not None or outer is not None

    def _add(
        self,
        kind: ChangeKind,
        before: Part | None,
        after: Part | None,
        around: Part | None = None,
        kept: tuple[Part, Part] | None = None,
    ) -> None:
        self.found.append(Found(kind, before, after, around, kept))

    def _swap(self, before: Part, after: Part) -> None:
        self.found.append(Found(ChangeKind.CHANGED, before, after, swapped=True))

    # Variables ----------------------------------------------------------------------------

    def _bind(self, before: Part, after: Part) -> None:
        if before.slot is not None and after.slot is not None:
            self._slots[before.slot] = after.slot
            self._taken.add(after.slot)

    def _agree(self, before: Part, after: Part) -> bool:
        """Return whether parts of equal digests have the same variables in the same places."""
        agreed = True
        for one, other in zip(walk(before), walk(after), strict=True):
            if one.slot is None or other.slot is None:
                continue
            if not isinstance(one.node, n.Variable):
                self._bind(one, other)
            elif one.slot in self._slots:
                agreed &= self._slots[one.slot] == other.slot
            elif other.slot in self._taken:
                agreed = False
            else:
                self._bind(one, other)
        return agreed

    # Moves --------------------------------------------------------------------------------

    def _moves(self) -> None:
        """Take a part that is gone here and new there for one that was moved."""
        gone = [one for one in self.found if one.kind is ChangeKind.REMOVED]
        for one in gone:
            assert one.before is not None
            if one.before.size < 3 or not isinstance(one.before.node, n.Control | n.Action):
                continue
            best, most = None, _MOVED
            for other in self.found:
                if other.kind is ChangeKind.ADDED and other.after is not None:
                    alike = likeness(one.before, other.after)
                    if alike >= most and type(one.before.node) is type(other.after.node):
                        best, most = other, alike + 1e-9
            if best is not None and best.after is not None:
                self.found.remove(one)
                at = self.found.index(best)
                self.found[at] = Found(ChangeKind.MOVED, one.before, best.after)
                self.pair(one.before, best.after)


def _digests(parts: Sequence[Part]) -> set[int]:
    return {part.digest for part in parts}


def _crossed(before: Sequence[Part], after: Sequence[Part], one: int, other: int) -> bool:
    """Return whether two parts, and only they, have changed places."""
    if len(before) != len(after) or len(before) <= other:
        return False
    old, new = [part.digest for part in before], [part.digest for part in after]
    old[one], old[other] = old[other], old[one]
    return old == new


def _branches_crossed(before: Sequence[Part], after: Sequence[Part]) -> bool:
    """Return whether two steps under opposite conditions have changed places."""
    if not all(isinstance(part.node, n.When) for part in (*before, *after)):
        return False
    tests = [[part.children[0] for part in parts] for parts in (before, after)]
    opposite = isinstance(tests[0][1].node, n.Not)
    if not opposite or tests[0][1].children[0].digest != tests[0][0].digest:
        return False
    if [one.digest for one in tests[0]] != [one.digest for one in tests[1]]:
        return False
    bodies = [[part.children[1] for part in parts] for parts in (before, after)]
    return bodies[0][0].digest != bodies[1][0].digest and _crossed(bodies[0], bodies[1], 0, 1)


def _within(outer: Part, inner: Part) -> Part | None:
    """Return the part below a form that is another form, or much like it."""
    level = list(outer.children)
    for _ in range(_DEEPEST):
        for part in level:
            same = part.digest == inner.digest and (inner.size > 1 or part.parent is outer)
            if same or (
                type(part.node) is type(inner.node)
                and inner.size > 3
                and likeness(part, inner) > _MOVED
            ):
                return part
        level = [child for part in level for child in part.children]
    return None


def _same_value(before: Part, after: Part) -> bool:
    """Return whether two parts have one value, which is known before the game.

    A form with a declared constant in it has a value of its own for each value of the constant.
    """
    values = [_value(part) for part in (before, after)]
    return None not in values and values[0] == values[1] and type(values[0]) is type(values[1])


def _value(part: Part) -> Constant | None:
    if part.size > 12 or not isinstance(part.node, n.Expression):
        return None
    if part.fields and any(one.label[0] == "constant" for one in walk(part)):
        return None
    try:
        return constant(part.node)
    except NotConstantError:
        return None
