"""Sites: the stretches of a program's text that can be varied, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.fitting import free_variables
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from cardwright.evolution.candidate import ChangeFamily
    from cardwright.program.forms import FormShape
    from cardwright.program.kinds import ValueKind
    from cardwright.program.nodes import Node
    from cardwright.syntax.tree import Syntax


class BoundName(NamedTuple):
    """A variable that can be used at a place.

    `name` has its apostrophe, `place` is where it is bound. `constant` tells declared names, which
    the whole program can use, from those that a form or a definition binds.
    """

    name: str
    kind: ValueKind
    place: Span
    constant: bool


@dataclass(frozen=True, slots=True, eq=False)
class RuleSite:
    """A stretch of the text that gives something: a value, a step, a block or an award.

    `accepts` are the kinds that may stand in its place without a change elsewhere, `gives` is what
    stands there now, both as the table of forms has them. `shape` is the row of the table that a
    form was taken for; it is None for atoms, lists of names, awards and uses of definitions.
    `node` is what it means, None for awards and lists. `role` is the name of the operand in the row
    of the form around it, such as `STEP` or `AWARD`; `repeated` says that there may be several or
    fewer of it. `scope` are the variables that can be used there, innermost last; a name may be
    hidden by a later one. `parent` is the index of the site around it, `depth` the number of sites
    around it.
    """

    index: int
    item: Syntax
    accepts: ValueKind
    gives: ValueKind
    shape: FormShape | None
    node: Node | None
    family: ChangeFamily
    role: str
    repeated: bool
    parent: int | None
    depth: int
    scope: tuple[BoundName, ...]

    @property
    def span(self) -> Span:
        """Where it is written, whether used there or by way of a definition."""
        return Span(*self.item.span.text)

    def visible(self) -> dict[str, BoundName]:
        """Return what each name in scope denotes."""
        return {one.name: one for one in self.scope}

    def free(self) -> dict[str, BoundName]:
        """Return the variables of the site that are bound outside of it, by name."""
        around = self.visible()
        names = dict.fromkeys(atom.text for atom in free_variables(self.item))
        return {name: around[name] for name in names if name in around}
