"""Secrets: what only its owner sees, as bidding cards of which the owner lays out one.

Each player has a card for each value, in hidden piles of its own. The value is the card that lies
apart. All cards of a player have the same back, which no other card has, so that nobody takes them
for cards of the deck. Nothing reads the order of the piles, so that it leaves no trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.expansion import Secret, UnexplainedError
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from collections.abc import Callable, Set

    from cardwright.program.expansion import Expand, Expansion
    from cardwright.syntax.tree import Syntax

SECRETS = {"isto": ValueKind.INTEGER, "istr": ValueKind.STRING}
"""The words for secrets, with the kinds of their values."""


def secret(word: str) -> Expand:
    """`(PLAYER isto NAME)`, `(PLAYER istr NAME)`: what is on the card that is laid out."""

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        return (made.form(_meant(made, word).value_of("{0}")),)

    return expand


def set_secret(word: str) -> Expand:
    """`(set (PLAYER isto NAME) N)`: the card with the value changes places with the one before."""

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        found = _meant(made, word)
        value = made.hole(2).node
        _possible(found, value)
        if made.in_choice and not may_be_hidden(value, made.chosen):
            made.public = 2
        if isinstance(value, n.Number | n.Text | n.Variable):
            return (_for_owner(made, lambda owner: found.change(owner, "{2}")),)

        def step(owner: str) -> str:
            return "(let {2} 'VALUE " + found.change(owner, "'VALUE") + ")"

        return (_for_owner(made, step),)

    return expand


def any_secret(word: str) -> Expand:
    """`(any (PLAYER isto NAME) 'N STEP)`: a choice of a card, which nobody else sees."""

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        found = _meant(made, word)

        def step(owner: str) -> str:
            cards = f"(union ({owner} iloc {found.rest}) ({owner} iloc {found.place}))"
            return f"(any {cards} 'CARD (let " + found.value_on("'CARD") + " {2} {3}))"

        return (_for_owner(made, step),)

    return expand


def changed_secret(operator: str) -> Expand:
    """`(inc (PLAYER isto NAME) N)`, `(dec ...)`: sets it to the sum, or the difference."""

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        _meant(made, "isto")
        by = "1" if made.holes[2] is None else "{2}"
        return (
            _for_owner(
                made, lambda it: f"(set ({it} isto {{1}}) ({operator} ({it} isto {{1}}) {by}))"
            ),
        )

    return expand


def _for_owner(made: Expansion, step: Callable[[str], str]) -> Syntax:
    """Return a step about an owner, who may be known by what the step changes: it is found once."""
    owner = made.hole(0).node
    certain = isinstance(owner, n.Variable | n.TurnOwner) or (
        isinstance(owner, n.Numbered) and isinstance(owner.number, n.Number)
    )
    if certain:
        return made.form(step("{0}"))
    return made.form("(let {0} 'OWNER " + step("'OWNER") + ")")


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
    found = made.secrets.get(name.value)
    if found is None:
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
    if found.word != word:
        kind = "an integer" if found.word == "isto" else "a string"
        raise UnexplainedError(
            f"the secret {name.value} is {kind}", f"write {found.word}", 1, Code.WRONG_KIND
        )
    return found


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
