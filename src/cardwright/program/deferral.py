"""Shuffles that can be deferred: a card's place is drawn when the card is first seen.

A shuffle draws the places of a pile from the top down. If a program looks at nothing but the top of
the pile that it shuffles and at its size, the places below need not be drawn before the cards above
have gone, and perhaps never: most games do not use up the stock. Before anything else draws from
the state's stream the rest is drawn, so that every draw is the same as without this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.places import LocationFamily, families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.effects import EffectAnalysis

_NAMELESS = (n.Remember, n.Indexed, n.Swap)
"""Forms through which a card can be found, or moved, without its place being named."""

_HARMLESS = {ValueKind.PLAYER, ValueKind.TEAM, ValueKind.INTEGER, ValueKind.STRING}


def deferred_place(analysis: EffectAnalysis) -> LocationFamily | None:
    """Return the place of which shuffles can be deferred, or None if there is none."""
    nodes = analysis.program.nodes()
    named = {_family(analysis, node.location) for node in nodes if isinstance(node, n.Shuffle)}
    place = named.pop() if len(named) == 1 else None
    if place is None or any(
        isinstance(node, _NAMELESS) or _holds_cards_over_shuffle(node) for node in nodes
    ):
        return None
    allowed = {id(deck.location) for deck in analysis.program.decks}
    for node in nodes:
        match node:
            case (
                n.End(top=True, location=seen) | n.Size(collection=seen) | n.Shuffle(location=seen)
            ):
                allowed.add(id(seen))
    others = (node for node in nodes if id(node) not in allowed)
    return None if any(_may_be(analysis, node, place) for node in others) else place


def dealt_place(analysis: EffectAnalysis) -> LocationFamily | None:
    """Return the place of which cards are dealt as sets, or None if there is none.

    Its shuffles can be deferred, no card is ever laid there, and its top is only dealt by steps
    that are taken whatever the state. So all orders in which it may lie are equally likely to
    everybody, and in which order cards come to where they lie by number tells nobody anything.
    """
    place = deferred_place(analysis)
    if place is None:
        return None
    dealt = {id(move.card) for item in analysis.program.items for move in _deals(item)}
    ends = (node for node in analysis.program.nodes() if isinstance(node, n.End))
    others = (end.location for end in ends if id(end) not in dealt)
    return None if any(_may_be(analysis, location, place) for location in others) else place


def _deals(node: n.Node) -> Iterator[n.Move]:
    """Yield the moves among the steps that are taken whatever the state."""
    match node:
        case n.Move():
            yield node
        case n.Do(steps=parts) | n.Stage(items=parts):
            for part in parts:
                yield from _deals(part)
        case n.Repeat(count=n.Number(), action=body) | n.RepeatAll(action=body):
            yield from _deals(body)
        case n.ForEach(collection=n.Everyone(), body=body, choose=False):
            yield from _deals(body)


def draws_by_rules_alone(analysis: EffectAnalysis) -> bool:
    """Return whether nothing is drawn as options are looked for or carried out, till play goes on.

    Shuffles must be deferred, if there are any. Then a draw comes when its card is first looked
    at, for the machine code as for the interpreter.
    """
    nodes = analysis.program.nodes()
    place = deferred_place(analysis)
    if place is None and any(isinstance(node, n.Shuffle) for node in nodes):
        return False
    for choice in (node for node in nodes if isinstance(node, n.Choice)):
        if analysis.draws(choice):
            return False
        within = list(n.walk(choice))
        sized = {id(part.collection) for part in within if isinstance(part, n.Size)}
        looked = (part for part in within if id(part) not in sized)
        if place is not None and any(_may_be(analysis, part, place) for part in looked):
            return False
    return True


def _family(analysis: EffectAnalysis, node: n.Node) -> LocationFamily | None:
    """Return the family of a place of the table, or None."""
    if not isinstance(node, n.Place) or not isinstance(node.owner, n.Table):
        return None
    families = families_of(node, analysis)
    return families[0] if families is not None and len(families) == 1 else None


def _holds_cards_over_shuffle(node: n.Node) -> bool:
    """Return whether a variable may refer to cards from before a shuffle until after it."""
    variable = n.binds(node)
    if variable is None or variable.kind in _HARMLESS:
        return False
    return any(isinstance(inner, n.Shuffle) for inner in n.walk(node))


def _may_be(analysis: EffectAnalysis, node: n.Node, family: LocationFamily) -> bool:
    """Return whether a form may name a place of a family."""
    if not isinstance(node, n.Place) or node.place is not family.kind:
        return False
    families = families_of(node, analysis)
    own = sort_of(node.owner, analysis.program) == family.sort
    return own and (families is None or family in families)
