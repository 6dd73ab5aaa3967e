"""What is known before a game about what the `any`s of its branches pick from.

All answers are conservative: what is not surely so counts as not so.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.alike import excludes
from cardwright.game.group_values import least_size
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.places import places as slots
from cardwright.program.values import Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.effect_analysis import EffectAnalysis
    from cardwright.program.places import Places
    from cardwright.program.program import Program


class PickFacts:
    """What is known about the collections and branches of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values = Values(program)

    def base(self, node: n.Node) -> n.Node:
        """Return a collection without filters, and with what its name was bound to."""
        while True:
            match node:
                case n.Filter(collection=inner):
                    node = inner
                case n.Variable(slot=slot) if isinstance(self.values.binders[slot], n.Let):
                    node = self.values.binders[slot].value  # type: ignore[attr-defined]
                case _:
                    return node

    def implied(self, form: n.ForEach, later: Sequence[n.ForEach]) -> bool:
        """Return whether what a later `any` picks shows which part of a partition this one is."""
        for other in later:
            found = self.base(other.collection)
            over = self.base(found.location) if hasattr(found, "location") else found
            named = isinstance(over, n.Variable) and over.slot == form.variable.slot
            if named and self.seen(other.collection) and self._whole(found, other):
                return True
        return False

    def _whole(self, found: n.Node, form: n.ForEach) -> bool:
        """Return whether the items of a collection are cards, or groups with one or more."""
        if ITEM_KINDS[form.collection.kind] is ValueKind.CARD:
            return True
        return (
            isinstance(found, n.Subsets | n.Runs | n.Tuples) and least_size(self.program, found) > 0
        )

    def seen(self, node: n.Node) -> bool:
        """Return whether the seat that decides surely sees all cards of a collection."""
        match self.base(node):
            case n.Place(place=LocationKind.VISIBLE):
                return True
            case n.Place(place=LocationKind.INVISIBLE, owner=n.TurnOwner() as owner):
                return owner.turn is n.Turn.CURRENT and owner.kind is ValueKind.PLAYER
            case n.Variable(slot=slot):
                binder = self.values.binders[slot]
                return isinstance(binder, n.ForEach | n.EachLocation | n.Filter) and self.seen(
                    binder.collection
                )
            case n.Combine(parts=parts) | n.Partition(parts=parts):
                return all(map(self.seen, parts))
            case (
                n.Subsets(location=inner)
                | n.Runs(location=inner)
                | n.Tuples(location=inner)
                | n.Sort(location=inner)
                | n.EachLocation(location=inner)
            ):
                return self.seen(inner)
        return False

    def distinct(self, node: n.Node) -> bool:
        """Return whether a collection surely has no item twice."""
        match self.base(node):
            case n.Place() | n.Range() | n.Everyone() | n.Partition() | n.Runs() | n.Indexed():
                return True
            case n.Strings(values=values):
                return len(set(values)) == len(values)
            case n.Subsets(location=inner) | n.Tuples(location=inner) | n.Sort(location=inner):
                return self.distinct(inner)
            case n.Variable(slot=slot):
                binder = self.values.binders[slot]
                return isinstance(binder, n.ForEach) and isinstance(
                    self.base(binder.collection), n.Partition | n.Subsets | n.Runs | n.Tuples
                )
        return False

    @cached_property
    def _analysis(self) -> EffectAnalysis:
        from cardwright.compiler.effect_analysis import EffectAnalysis

        return EffectAnalysis(self.program)

    @cached_property
    def places(self) -> Places:
        """The locations whose owner, kind, name and index the text says."""
        return slots(self._analysis)

    def exclude(self, one: n.Node, other: n.Node) -> bool:
        """Return whether two branches surely never have options at once."""
        from cardwright.compiler.chains import chain
        from cardwright.compiler.exclusive import exclusive

        if excludes(one, other):
            return True
        chains = [chain(self._analysis, self.places, branch) for branch in (one, other)]
        known = [found for found in chains if found is not None]
        return len(known) == len(chains) and exclusive(known)
