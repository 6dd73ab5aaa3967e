"""Sites: the stretches of a program's text that can be varied, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.evolution.candidate import ChangeFamily
from cardwright.program import nodes as n
from cardwright.program.constants import folded
from cardwright.program.fitting import is_definition, is_pair, name_of, stands_for
from cardwright.program.kinds import ANYTHING, ValueKind
from cardwright.program.shapes import Binder, Gap, Misfit, Operand, Slots, fit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.program.check import SemanticModel
    from cardwright.program.forms import FormShape
    from cardwright.program.nodes import Node


Suits: TypeAlias = "Callable[..., bool]"
"""Whether a site of some rules suits: a function of the rules, the site, and what else is given."""


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
        return {binding.name: binding for binding in self.scope}


_AS_IT_IS = frozenset({"COLLECTION", "VALUE", "PLAYERS"})
"""Operands whose own kind decides what a variable, or the whole form, is."""

_FORKS = frozenset({"", "else"})
"""The words of forms with a condition and what is done if it holds, or else."""


class _SitePlace(NamedTuple):
    """What is known of a place before one looks at what stands there."""

    accepts: ValueKind
    family: ChangeFamily
    scope: tuple[BoundName, ...]
    role: str = ""
    repeated: bool = False
    as_it_is: bool = False
    parent: int | None = None
    depth: int = 0


def sites_of(examined: SemanticModel) -> tuple[RuleSite, ...]:
    """Return the sites of a program that passes the check, each before those in it."""
    return tuple(_SiteWalk(examined).sites)


class _SiteWalk:
    """Finds the sites of one program. The text of a definition is walked once, where it stands.

    Steps that cannot happen with the values that constants have are left out: in a file for a
    family of games most changes would be there, and change nothing.
    """

    def __init__(self, examined: SemanticModel) -> None:
        meaning, program = examined.meaning, examined.checked.program
        assert meaning is not None
        assert examined.form is not None
        assert program is not None
        self.form = examined.form
        self.sites: list[RuleSite] = []
        self.understood: dict[tuple[int, int], tuple[FormShape | None, n.Node]] = {}
        self.bodies: dict[tuple[int, int], n.Node] = {}
        text = examined.checked.source.text
        for item, shape, node in meaning.understood:
            # What extensions stand for has places too, but is not written there.
            if isinstance(item, Form) or text[item.span.start : item.span.end] == item.text:
                self.understood.setdefault(item.span.text, (shape, node))
                if item.span.via:
                    self.bodies[item.span.via[-1].text] = node  # the whole body is the last
        self.definitions = meaning.extensions.definitions
        self.bound = {binding.span.text: binding.value for binding in meaning.scope.bindings}
        storages = (part for part in n.walk(program.score) if isinstance(part, n.Storage))
        self.scored = {*map(_stored_name, storages)} - {""}
        self.stocked = {_stored_name(deck.location) for deck in program.decks} - {""}
        self._program()

    def _program(self) -> None:
        scope: tuple[BoundName, ...] = ()
        value = _SitePlace(ANYTHING, ChangeFamily.STEPS, (), as_it_is=True)
        integer = _SitePlace(ValueKind.INTEGER, ChangeFamily.SCORING, ())
        for item in self.form.items[1:]:
            if not isinstance(item, Form):
                continue
            if is_word(item.head, "declare"):
                family = ChangeFamily.CONSTANTS
                self._item(item.items[1], value._replace(family=family, scope=scope))
                scope = (*scope, self._bound_name(item.items[2], constant=True))
            elif is_definition(item):
                names = self._parameters(item)
                if names is not None:
                    self._item(item.items[2], value._replace(scope=(*scope, *names)))
            elif is_word(item.head, "setup"):
                # The number of players and their teams are what a game is for, and stay.
                for part in item.items[1:]:
                    if isinstance(part, Form) and is_word(part.head, "repeat"):
                        if len(part.items) == 3:
                            family = ChangeFamily.DECK
                            self._item(part.items[1], integer._replace(family=family, scope=scope))
                    elif isinstance(part, Form) and part.starts_with("create", "secret"):
                        self._item(part.items[3], value._replace(scope=scope))
            elif is_word(item.head, "scoring"):
                self._item(item.items[2], integer._replace(scope=scope))
            else:
                family = ChangeFamily.STEPS
                self._item(item, _SitePlace(ValueKind.BLOCK, family, scope, "ITEM", repeated=True))

    def _bound_name(self, item: Syntax, *, constant: bool = False) -> BoundName:
        assert isinstance(item, Atom)
        node = self.bound.get(item.span.text)
        kind = ValueKind(0) if node is None else node.kind
        return BoundName(item.text, kind, Span(*item.span.text), constant)

    def _parameters(self, item: Form) -> list[BoundName] | None:
        """Return the parameters of a definition, of the kinds that they stand for in its uses."""
        named = self.definitions.named.values()
        own = next((storage for storage in named if storage.form.span == item.span), None)
        if own is None:
            return None
        count = len(own.parameters)
        kinds = [ValueKind(0)] * count
        for use in self.definitions.uses_in(self.form):
            if name_of(use) == own.name.text and len(use.items) == count + 1:
                for at, argument in enumerate(use.items[1:]):
                    node = self.understood.get(argument.span.text, (None, None))[1]
                    kinds[at] |= ValueKind(0) if node is None else node.kind
        return [
            BoundName(name.text, kind, name.span, constant=False)
            for name, kind in zip(own.parameters, kinds, strict=True)
        ]

    def _item(self, item: Syntax, place: _SitePlace) -> None:
        """Find the sites of an item that stands at a place, unless constants rule it out."""
        shape, node = self.understood.get(item.span.text, (None, None))
        if node is not None and _is_ruled_out(node):
            return
        if isinstance(item, Form) and self.definitions.is_use(item):
            body = self.bodies.get(item.span.text)
            if body is not None:  # a use gives what the body of its definition gives
                inner = self._add(item, place, None, body, stands_for(body))
                for argument in item.items[1:]:
                    self._item(argument, inner._replace(as_it_is=True))
        elif node is not None:
            inner = self._add(item, place, shape, node, stands_for(node))
            if isinstance(item, Form) and shape is not None and not _is_decided(node):
                self._operands(item, shape, node, inner)
        elif isinstance(item, Form) and place.accepts is ValueKind.AWARD:
            self._award(item, place)
        elif isinstance(item, Form) and _is_list(item):
            self._add(item, place, None, None, ValueKind.STRINGS)
        elif isinstance(item, Form) and place.accepts & ValueKind.WORTHS:
            self._add(item, place, None, None, ValueKind.WORTHS)
        elif is_atom(item, AtomKind.VARIABLE) and not place.as_it_is:
            self._parameter(item, place)

    def _parameter(self, item: Atom, place: _SitePlace) -> None:
        """Add a parameter of a definition in its body, which stands for something else there."""
        if any(binding.name == item.text for binding in place.scope):
            self._add(item, place, None, None, place.accepts)

    def _add(
        self,
        item: Syntax,
        place: _SitePlace,
        shape: FormShape | None,
        node: n.Node | None,
        gives: ValueKind,
    ) -> _SitePlace:
        """Add a site, and return what is known of the places in it."""
        accepts = gives if place.as_it_is else place.accepts
        family = place.family
        if family is ChangeFamily.STEPS and self._scores(node):
            family = ChangeFamily.SCORING
        index = len(self.sites)
        self.sites.append(
            RuleSite(
                index, item, accepts, gives, shape, node, family,
                place.role, place.repeated, place.parent, place.depth, place.scope,
            )
        )  # fmt: skip
        return _SitePlace(ANYTHING, family, place.scope, parent=index, depth=place.depth + 1)

    def _operands(self, form: Form, shape: FormShape, node: n.Node, inner: _SitePlace) -> None:
        slots = fit(shape.parts, form.items)
        if isinstance(slots, Misfit):
            return
        if shape.head == "label":
            slots = slots[-1:]  # what a label says changes no play
        dealing = isinstance(node, n.Repeat) and self._deals(node.action)
        gone = self._ruled_out(shape, slots)
        for at, slot in enumerate(slots):
            if isinstance(slot, Gap) or at == gone:
                continue
            part, item = slot
            if isinstance(part, Binder):
                inner = inner._replace(scope=(*inner.scope, self._bound_name(item)))
                continue
            assert isinstance(part, Operand)
            counts = dealing and part.kind is ValueKind.INTEGER
            place = inner._replace(
                accepts=part.kind,
                role=part.name,
                repeated=part.many,
                as_it_is=part.name in _AS_IT_IS,
                family=ChangeFamily.DECK if counts else inner.family,
            )
            self._item(item, place)

    def _ruled_out(self, shape: FormShape, slots: Slots) -> int | None:
        """Return the place of the branch that cannot happen, if the test before it is decided."""
        first = slots[0] if slots and shape.head in _FORKS else None
        if not isinstance(first, tuple) or not isinstance(first[0], Operand):
            return None
        _, test = self.understood.get(first[1].span.text, (None, None))
        outcome = None if test is None else folded(test)
        if first[0].kind is not ValueKind.BOOLEAN or not isinstance(outcome, n.Truth):
            return None
        return 2 if outcome.value else 1

    def _award(self, form: Form, place: _SitePlace) -> None:
        """Add an award, the strings of its pairs, and its points."""
        inner = self._add(form, place, None, None, ValueKind.AWARD)
        string = inner._replace(accepts=ValueKind.STRING)
        for pair in form.items[:-1]:
            if isinstance(pair, Form) and is_pair(pair):
                self._item(pair.items[0], string._replace(role="KEY"))
                self._item(pair.items[2], string._replace(role="VALUE"))
        self._item(form.items[-1], inner._replace(accepts=ValueKind.INTEGER, role="POINTS"))

    def _scores(self, node: n.Node | None) -> bool:
        """Return whether a step sets a point map, or what the score reads."""
        match node:
            case n.SetPoints():
                return True
            case n.Set(storage=storage) | n.Increase(storage=storage):
                return _stored_name(storage) in self.scored
        return False

    def _deals(self, node: n.Node) -> bool:
        """Return whether an action moves cards from where a deck was laid."""
        return isinstance(node, n.Move) and any(
            isinstance(part, n.Place) and _stored_name(part) in self.stocked
            for part in n.walk(node.card)
        )


def _is_ruled_out(node: n.Node) -> bool:
    """Return whether a step or a stage cannot happen with the values that constants have."""
    match node:
        case n.When(test=test) | n.Fork(test=test, otherwise=None):
            return _decided(test) is False
        case n.Stage(end=end):
            return _decided(end) is True
    return False


def _is_decided(node: n.Node) -> bool:
    """Return whether a condition has the same outcome in every game, as constants decide it."""
    return bool(node.kind & ValueKind.BOOLEAN) and _decided(node) is not None


def _decided(node: n.Node) -> bool | None:
    outcome = folded(node)
    return outcome.value if isinstance(outcome, n.Truth) else None


def _stored_name(node: n.Node) -> str:
    """Return the name of a storage or a location, if it is written out."""
    name = node.name if isinstance(node, n.Storage | n.Place) else None
    return name.value if isinstance(name, n.Text) else ""


def _is_list(form: Form) -> bool:
    """Return whether a form is a list of names."""
    items = form.items
    return bool(items) and all(
        is_word(item, ",") if at % 2 else is_atom(item, AtomKind.NAME)
        for at, item in enumerate(items)
    )
