"""Extensions of the language, each explained by the plain RECYCLE that it stands for.

A row of the form table that is an extension has an expansion: it makes the plain form from the
row's operands. The operands are holes in it: already elaborated, so that they keep their own scope
and are looked at once. What the expansion binds or stores itself has names that occur nowhere in
the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import shown
from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Mapping


class PointTable(n.Expression):
    """A table: numbers by name. It is known before the game, so no engine sees one."""

    numbers: tuple[tuple[str, int], ...]


MOST_NESTED = 24
"""Most extensions within each other: what they stand for is nested several times as deep."""


@dataclass(frozen=True, slots=True)
class Hole(Atom):
    """An operand in the plain form of an extension: its node, and the text that the author wrote.

    It stands in a form as an atom does; one that is no atom itself counts as a variable. `renamed`
    are a variable of the text and another one that takes its place.
    """

    node: n.Node
    written: Syntax
    renamed: tuple[str, str] | None = None

    @classmethod
    def of(cls, written: Syntax, node: n.Node) -> Hole:
        """Return the hole for an operand."""
        kind = written.kind if isinstance(written, Atom) else AtomKind.VARIABLE
        return cls(kind, shown(written), written.span, node, written)


class Spliced(n.Control):
    """Several steps in the place of one, until the list in which they stand is made."""

    steps: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Made(Form):
    """A form that no author wrote."""


class UnexplainedError(Exception):
    """An extension that cannot stand here, since nothing explains it: why, and what to do.

    `at` is the number of the operand that is to blame, if one is.
    """

    def __init__(
        self, message: str, advice: str, at: int | None = None, code: Code = Code.MISPLACED
    ) -> None:
        super().__init__(message)
        self.advice = advice
        self.at = at
        self.code = code


@dataclass(frozen=True)
class ExtensionUse:
    """A place where a program uses an extension: what is written there, and the plain text for it.

    `name` is the pattern of the extension. The plain forms take the place of the written one, none
    if it is left out. `why` says what the plain text cannot express, if that is so.
    """

    name: str
    written: Syntax
    plain: tuple[Syntax, ...]
    why: str = ""


@dataclass
class FreshNames:
    """Names and variables that occur nowhere in a text, each given out once."""

    text: str
    _taken: set[str] | None = None

    def location(self, wanted: str) -> str:
        """Return this name, or one like it if the text may name a location so."""
        named = rf"\b(?:[hiov]loc|mem)\s+(?:{wanted}\b|['(])"
        return self.name(wanted) if re.search(named, self.text) else wanted

    def variable(self, wanted: str) -> str:
        """Return a variable, with its apostrophe, named like this one."""
        return "'" + self.name(wanted.removeprefix("'"))

    def name(self, wanted: str) -> str:
        """Return a name like this one, which is neither a name nor a variable of the text."""
        if self._taken is None:
            self._taken = set(re.findall(r"[A-Z][A-Za-z0-9_]*", self.text))
        free, number = wanted, 1
        while free in self._taken:
            number += 1
            free = f"{wanted}{number}"
        self._taken.add(free)
        return free


@dataclass
class Expansion:
    """The making of one plain form: its operands in order of the pattern, its place, and names.

    An operand that was left out is None. The nodes of a hole that is used again are new ones, since
    passes tell nodes apart by their identity. `chosen` are the slots of variables for values of the
    `secrets`, among which a player chooses unseen, and for what follows from hidden cards. `public`
    is the number of an operand that all players know, though it is kept in secret. `zero_points`
    takes a name for a point map in which every card is worth 0, and returns the name that it has.
    """

    span: Span
    holes: list[Hole | None]
    fresh: FreshNames
    new_slot: Callable[[], int]
    in_list: bool = False
    in_choice: bool = False
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    chosen: Set[int] = frozenset()
    public: int | None = None
    zero_points: Callable[[str], str] = str
    _placed: dict[int, Hole] = field(default_factory=dict)

    def draws(self, at: int) -> bool:
        """Return whether an operand draws from the game's stream."""
        hole = self.holes[at]
        return hole is not None and n.draws(hole.node)

    def hole(self, at: int) -> Hole:
        """Return an operand; a template of which it is a part puts it into the plain form."""
        hole = self.holes[at]
        assert hole is not None
        return hole

    def variable(self, wanted: str, kind: ValueKind) -> Hole:
        """Return a new variable, for a binder of the plain form and for operands about it."""
        name = self.fresh.variable(wanted)
        node = n.Variable(kind, self.span, self.new_slot(), name)
        return Hole.of(Atom(AtomKind.VARIABLE, name, self.span), node)

    def no_points(self) -> Atom:
        """Return the name of a point map of the table in which every card is worth 0."""
        return Atom(AtomKind.NAME, self.zero_points("ZERO"), self.span)

    def renamed(self, at: int, binder: int, other: Hole) -> Hole:
        """Return an operand about another variable than that of the pattern's binder."""
        hole, bound = self.hole(at), self.hole(binder)
        assert isinstance(bound.node, n.Variable)
        assert isinstance(other.node, n.Variable)
        node = renewed(hole.node, {bound.node.slot: other.node}, self.new_slot)
        return replace(hole, node=node, renamed=(bound.text, other.text))

    def steps(self, at: int) -> tuple[Hole, ...]:
        """Return an operand that is a step as several, if it stands for several."""
        hole = self.hole(at)
        return hole.node.steps if isinstance(hole.node, Spliced) else (hole,)

    def form(self, template: str, **parts: Syntax) -> Syntax:
        """Return the form that a template describes.

        `{0}` is the first operand, and so on; in small letters it is one of these parts. Variables
        are new ones, and so are names in braces: `{DONE}`.
        """
        names: dict[str, str] = {}
        stack: list[list[Syntax]] = [[]]
        for piece in _PIECE.findall(template):
            if piece == "(":
                stack.append([])
            elif piece == ")":
                items = stack.pop()
                stack[-1].append(Made(tuple(items), self.span))
            else:
                part = parts.get(piece[1:-1])
                stack[-1].append(self._atom(piece, names) if part is None else self._part(part))
        (made,) = stack[0]
        return made

    def _part(self, part: Syntax) -> Syntax:
        """Return a part of a form; a hole that is there already gets other nodes."""
        if not isinstance(part, Hole):
            return part
        if id(part.node) in self._placed:
            part = replace(part, node=renewed(part.node, {}, self.new_slot))
        self._placed[id(part.node)] = part
        return part

    def _atom(self, piece: str, names: dict[str, str]) -> Syntax:
        if piece.startswith("{"):
            inner = piece[1:-1]
            if inner.isdigit():
                return self._part(self.hole(int(inner)))
            if inner not in names:
                names[inner] = self.fresh.name(inner)
            return Atom(AtomKind.NAME, names[inner], self.span)
        if piece.startswith("'"):
            if piece not in names:
                names[piece] = self.fresh.variable(piece)
            return Atom(AtomKind.VARIABLE, names[piece], self.span)
        return replace(_atom(piece), span=self.span)


_PIECE = re.compile(r"[()]|\{[^}]*\}|[^\s()]+")

Expand: TypeAlias = Callable[[Expansion], tuple[Syntax, ...]]
"""Makes the plain forms that an extension stands for: one, or several steps in a list of steps."""


def _atom(text: str) -> Atom:
    (atom,) = tokens(Source("template", text), Diagnostics(Source("template", text)))
    assert isinstance(atom, Atom)
    return atom


def expanded(*_operands: object) -> n.Node:
    """Make no node: in its place in the table it says that the row's expansion is elaborated."""
    raise AssertionError


def renewed(
    node: n.Node, variables: Mapping[int, n.Variable], new_slot: Callable[[], int]
) -> n.Node:
    """Return a copy of a node and all below it, whose own variables are new ones.

    Others, by their slots, have these `variables` in their places.
    """
    if isinstance(node, n.Variable):
        variable = variables.get(node.slot)
        return replace(node if variable is None else variable, span=node.span)
    own = n.binds(node)
    if own is not None:
        variables = {**variables, own.slot: replace(own, slot=new_slot())}
    made = n.rebuilt(node, lambda inner: renewed(inner, variables, new_slot))
    return replace(node) if made is node else made


class Labelled(n.Control):
    """A step with words for the option in which it is: texts, and values as they are then."""

    parts: tuple[str | n.Node, ...]
    body: n.Node


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that each player has: its possible values, and the names in its plain RECYCLE.

    The card of the value lies at `place`, all others at `rest`. Its attribute `key` tells it; of
    integers there is a point map as well. It has no values if there was something wrong with them.
    """

    name: str
    word: str
    values: tuple[str, ...] | range
    span: Span
    place: str
    rest: str
    key: str
    points: str

    def value_of(self, owner: str) -> str:
        """Return the form that reads the value."""
        place = f"({owner} iloc {self.place})"
        if self.word == "isto":
            return f"(sum {place} using (game points {self.points}))"
        return f"(cardatt {self.key} (top {place}))"

    def value_on(self, card: str) -> str:
        """Return the form that reads the value of a card."""
        if self.word == "isto":
            return f"(score {card} using (game points {self.points}))"
        return f"(cardatt {self.key} {card})"

    def change(self, owner: str, value: str) -> str:
        """Return the step that sets the value; if no card has it, the last move fails."""
        place, rest = f"({owner} iloc {self.place})", f"({owner} iloc {self.rest})"
        on_card = self.value_on("'CARD")
        return (
            f"(do ((repeat all (move (top {place}) (top {rest}))) "
            f"(all (filter {rest} 'CARD (== {on_card} {value})) 'CHOSEN "
            f"(move 'CHOSEN (top {place}))) "
            f"((== (size {place}) 0) (move (top {place}) (top {rest})))))"
        )


# Secrets: what only its owner sees ------------------------------------------------------------
#
# They are made as bidding cards are, of which the owner lays out one. Each player has a card for
# each value, in hidden piles of its own; the value is the card that lies apart. All cards of a
# player have the same back, which no other card has, so that nobody takes them for cards of the
# deck. Nothing reads the order of the piles, so that it leaves no trace.

SECRETS = {"isto": ValueKind.INTEGER, "istr": ValueKind.STRING}
"""The words for secrets, with the kinds of their values."""


def secret(made: Expansion, *, word: str) -> tuple[Syntax, ...]:
    """`(PLAYER isto NAME)`, `(PLAYER istr NAME)`: what is on the card that is laid out."""
    return (made.form(_meant(made, word).value_of("{0}")),)


def set_secret(made: Expansion, *, word: str) -> tuple[Syntax, ...]:
    """`(set (PLAYER isto NAME) N)`: the card with the value changes places with the one before."""
    secret = _meant(made, word)
    value = made.hole(2).node
    _possible(secret, value)
    if made.in_choice and not may_be_hidden(value, made.chosen):
        made.public = 2
    if isinstance(value, n.Number | n.Text | n.Variable):
        return _for_owner(made, secret.change("{0}", "{2}"))
    return _for_owner(made, "(let {2} 'VALUE " + secret.change("{0}", "'VALUE") + ")")


def any_secret(made: Expansion, *, word: str) -> tuple[Syntax, ...]:
    """`(any (PLAYER isto NAME) 'N STEP)`: a choice of a card, which nobody else sees."""
    secret = _meant(made, word)
    cards = f"(union ({{0}} iloc {secret.rest}) ({{0}} iloc {secret.place}))"
    value = secret.value_on("'CARD")
    return _for_owner(made, f"(any {cards} 'CARD (let {value} {{2}} {{3}}))")


def changed_secret(made: Expansion, *, operator: str) -> tuple[Syntax, ...]:
    """`(inc (PLAYER isto NAME) N)`, `(dec ...)`: sets it to the sum, or the difference."""
    _meant(made, "isto")
    value = "({0} isto {1})"
    by = "1" if made.holes[2] is None else "{2}"
    return _for_owner(made, f"(set {value} ({operator} {value} {by}))")


def _for_owner(made: Expansion, step: str) -> tuple[Syntax, ...]:
    """Return a step about an owner, who may be known by what the step changes: it is found once."""
    match made.hole(0).node:
        case n.Variable() | n.TurnOwner() | n.Numbered(number=n.Number()):
            return (made.form(step),)
    return (made.form("(let {0} 'OWNER " + step.replace("{0}", "'OWNER") + ")"),)


def _meant(made: Expansion, word: str) -> Secret:
    """Return the secret that an extension is about; it is written as `(PLAYER WORD NAME)`."""
    name = made.hole(1).node
    if not isinstance(name, n.Text):
        raise UnexplainedError(
            "the name of a secret is known before the game",
            "write the name, or a constant that is declared",
            1,
            Code.NOT_CONSTANT,
        )
    secret = made.secrets.get(name.value)
    if secret is None:
        meant = near(name.value, made.secrets)
        example, seen = _EXAMPLES[word]
        raise UnexplainedError(
            f"no secret {name.value} is created in the set-up",
            f"did you mean {meant}?"
            if meant
            else f"create it: (create secret (player {word} {name.value}) {example}); {seen}",
            1,
            Code.UNKNOWN_SECRET,
        )
    if secret.word != word:
        kind = "an integer" if secret.word == "isto" else "a string"
        raise UnexplainedError(
            f"the secret {name.value} is {kind}", f"write {secret.word}", 1, Code.WRONG_KIND
        )
    return secret


def _possible(found: Secret, value: n.Node) -> None:
    """Raise UnexplainedError for a value written out that the secret cannot have."""
    shown = found.values
    if shown and isinstance(value, n.Number | n.Text) and value.value not in shown:
        listed = f"{shown[0]} to {shown[-1]}" if isinstance(shown, range) else ", ".join(shown)
        raise UnexplainedError(
            f"{value.value} is not among the values of the secret {found.name}",
            f"its values are {listed}",
            2,
            Code.WRONG_KIND,
        )


def may_be_hidden(value: n.Node, unseen: Set[int]) -> bool:
    """Return whether a value follows from cards, or from variables of which others do not know."""
    return any(
        isinstance(node, n.Place | n.Indexed)
        or (isinstance(node, n.Variable) and node.slot in unseen)
        for node in n.walk(value)
    )


_EXAMPLES = {
    "isto": ("(range 0 .. 13)", "a number that all see is written sto"),
    "istr": ("(YES, NO)", "a string that all see is written str"),
}
