"""Forms of RECYCLE in the words of a game: what they give at a moment, of what a seat may know.

They are written as in the rules, with the game's constants, and `'OWNER` is the player or team that
the words are about. They name nothing that is concealed: no hidden card decides what they give, but
those of the own hand in words for its player alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.check import elaborated
from cardwright.program.constants import node_of
from cardwright.program.kinds import ValueKind
from cardwright.program.known_values import conceals
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.values import Meanings
    from cardwright.interpreter.world import World
    from cardwright.program.program import Program

CONDITION, VALUE = ValueKind.BOOLEAN, ValueKind.INTEGER | ValueKind.STRING
"""The kinds of forms in words."""

OWNER = "OWNER"
"""What is denoted by the variable of the owner."""


class FormError(ValueError):
    """A text in the words of a game that is no form, or one that may not stand there."""


class WordForms:
    """Reads forms in the words of one program's game, each once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._constants = {
            known.name: node_of(known.value, Span(0, 0))
            for known in program.declared
            if known.value is not None
        }
        self._owners: dict[int, n.Node] = {}
        self._read: dict[tuple[str, ValueKind, int, bool], Callable[[World], Any]] = {}

    @cached_property
    def _by(self) -> Meanings:
        from cardwright.interpreter.cards import meanings

        return meanings(self._program)

    def read(
        self, text: str, kind: ValueKind, owner: int, *, own: bool = False
    ) -> Callable[[World], Any]:
        """Return what a form gives in a copy of a world; raises FormError.

        What it gives may raise Fault. If the words are for its `own` player alone, they may be
        about the cards that only this player sees.
        """
        key = text, kind, owner, own
        if key not in self._read:
            self._read[key] = self._made(text, kind, owner, own=own)
        return self._read[key]

    def _made(self, text: str, kind: ValueKind, owner: int, *, own: bool) -> Callable[[World], Any]:
        from cardwright.interpreter.values import value

        node, slots = self.checked(text, kind, owner, own=own)
        gives = value(self._by, node)

        def given(world: World) -> Any:
            world.env = [None] * slots
            return gives(world)

        return given

    def checked(
        self, text: str, kind: ValueKind, owner: int, *, own: bool = False
    ) -> tuple[n.Node, int]:
        """Return the node of a form, and how many variables it has; raises FormError."""
        holder = self._owner(owner)
        names = self._constants if holder is None else {**self._constants, OWNER: holder}
        try:
            node, slots = elaborated(text, kind, names)
        except ValueError as error:
            raise FormError(str(error)) from None
        counted = {id(one.collection) for one in n.walk(node) if isinstance(one, n.Size)}
        for inner in n.walk(node):
            if inner.traits.draws:
                raise FormError(f"{text}: words draw nothing at random")
            known = isinstance(inner, n.Place) and id(inner) in counted  # how many all may know
            if conceals(inner) and not known and not (own and _is_of(inner, holder)):
                whose = "others hold" if own else "not all players see"
                raise FormError(f"{text}: this depends on cards that {whose}")
        return node, slots

    def _owner(self, owner: int) -> n.Node | None:
        """Return the node of a player or team; None for the table."""
        program = self._program
        if owner == program.table:
            return None
        if owner not in self._owners:
            sort, at = ("player", owner) if owner < program.players else ("team", owner)
            number = at - (0 if sort == "player" else program.players) + program.base
            kind = ValueKind.PLAYER | ValueKind.TEAM
            self._owners[owner], _ = elaborated(f"({number} {sort})", kind, {})
        return self._owners[owner]


def _is_of(node: n.Node, owner: n.Node | None) -> bool:
    """Return whether a form is a place that only its player sees, and that is the owner."""
    if owner is None or not isinstance(node, n.Place):
        return False
    return node.place is LocationKind.INVISIBLE and replace(node.owner, span=owner.span) == owner
