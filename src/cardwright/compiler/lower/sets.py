"""Cards of several locations as one mask, where their order does not matter.

A union, a filter or the cards of all players need no list then: they are a few operations on
masks. That holds for quantifiers, sums and extreme scores, and for the best card unless cards tie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import const
from cardwright.compiler.ir import Op
from cardwright.compiler.lower import card_sets, conditions, locations, masks, piles, words
from cardwright.compiler.lower.lowered_values import CardSet, LoweredPile, RunSet, UnionView
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily


def as_set(low: Lowering, node: n.Node) -> ir.Expr | None:
    """Return the cards of a location as a mask, now; None if that takes a list."""
    if not is_set(low, node):
        return None
    return low.b.let(_set(low, node), "set")


def is_set(low: Lowering, node: n.Node) -> bool:
    """Return whether the cards of a location can be had as a mask."""
    if not masks.fits(low) or node.kind is not ValueKind.LOCATION or not low.analysis.pure(node):
        return False
    match node:
        case n.Place():
            form = piles.form_of(low, node)
            return form is not None and form.masked
        case n.Variable():
            held = low.env.get(node.slot)
            if isinstance(held, RunSet):
                return held.among is None
            if isinstance(held, CardSet | UnionView):
                return True
            return isinstance(held, LoweredPile) and piles.is_masked(held)
        case n.Filter(collection=collection, test=test, variable=variable):
            counted = low.program.rounds.counted(node)
            known = masks.known(low, test, variable.slot)
            return not counted and known and is_set(low, collection)
        case n.Combine(operation=n.SetOperation.UNION, parts=parts):
            return all(_is_part(low, part) for part in parts)
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=parts):
            return all(is_set(low, part) or _is_place(low, part) for part in parts)
        case n.Combine(parts=parts):
            return all(card_sets.lies_by_number(low, part) and is_set(low, part) for part in parts)
    return False


def _is_part(low: Lowering, part: n.Node) -> bool:
    match part:
        case n.EachLocation(collection=collection, location=location):
            counted = low.program.rounds.counted(part)
            return not counted and _is_everyone(low, collection) and is_set(low, location)
    return is_set(low, part)


def _is_everyone(low: Lowering, node: n.Node) -> bool:
    """Return whether a collection is that of all owners of a sort, or of some of them."""
    match node:
        case n.Everyone():
            return True
        case n.Filter(collection=inner):
            return not low.program.rounds.counted(node) and _is_everyone(low, inner)
    return False


def _set(low: Lowering, node: n.Node) -> ir.Expr:
    match node:
        case n.Place() | n.Variable():
            pile = locations.location(low, node)
            if isinstance(pile, CardSet | RunSet | UnionView):
                return pile.mask
            assert isinstance(pile, LoweredPile)
            return piles.mask(low, pile)
        case n.Filter(collection=collection, test=test, variable=variable):
            which = masks.mask(low, test, variable.slot)
            assert which is not None
            return ir.Binary(Op.AND, _set(low, collection), which)
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=(first, *rest)):
            common = _whole(low, first)
            for part in rest:
                common = ir.Binary(Op.AND, common, _whole(low, part))
            return common
        case n.Combine(operation=n.SetOperation.DISJUNCTION, parts=parts):
            return in_just_one(low, [_set(low, part) for part in parts])
        case n.Combine(parts=parts):
            none = words.none(low.layout.mask)
            found: ir.Expr = none
            for part in parts:
                for one in _parts(low, part):
                    joined = ir.Binary(Op.OR, found, one)
                    found = one if found == none else low.b.let(joined, "set")
            return found
    raise AssertionError(node)


def _is_place(low: Lowering, node: n.Node) -> bool:
    """Return whether a form names a real location."""
    return node.kind is ValueKind.LOCATION and low.analysis.is_real(node)


def _whole(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the cards of a location that is a set, or real; there each may be several times."""
    if is_set(low, node):
        return _set(low, node)
    pile = locations.location(low, node)
    assert isinstance(pile, LoweredPile)
    return piles.mask(low, pile)


def in_just_one(low: Lowering, parts: list[ir.Expr]) -> ir.Expr:
    """Return the bits that are in just one of several words."""
    seen: ir.Expr = words.none(parts[0].type)
    once = seen
    for part in parts:
        cards = low.b.let(part, "set")
        fresh = ir.Binary(Op.AND, cards, words.inverted(seen))
        left = ir.Binary(Op.AND, once, words.inverted(cards))
        once = low.b.let(ir.Binary(Op.OR, left, fresh), "once")
        seen = low.b.let(ir.Binary(Op.OR, seen, cards), "seen")
    return once


def _parts(low: Lowering, part: n.Node) -> Iterator[ir.Expr]:
    """Yield masks whose union is a part of a union."""
    match part:
        case n.EachLocation(collection=collection, variable=variable, location=location):
            for owner, belongs in each_owner(low, collection):
                low.env[variable.slot] = owner
                cards = _set(low, location)
                yield cards if belongs is None else words.only_if(belongs, cards)
        case _:
            yield _set(low, part)


def each_owner(low: Lowering, node: n.Node) -> Iterator[tuple[ir.Const, ir.Expr | None]]:
    """Yield all owners of a sort, each with a test whether it belongs to a collection of them."""
    match node:
        case n.Everyone(others=others):
            teams = node.kind is ValueKind.TEAMS
            cycle = low.layout.player_cycles + low.teams if teams else low.players
            now = low.current(cycle) if others else None
            for owner in range(len(low.program.teams) if teams else low.program.players):
                differs = None if now is None else ir.OrderTest(ir.Rel.NE, now, const(owner))
                yield const(owner), differs
        case n.Filter(collection=collection, variable=variable, test=test):
            for member, belongs in each_owner(low, collection):
                low.env[variable.slot] = member
                holds = conditions.holds(low, test)
                yield member, holds if belongs is None else ir.Binary(Op.AND, belongs, holds)
        case _:
            raise AssertionError(node)


def is_disjoint(low: Lowering, node: n.Node) -> bool:
    """Return whether a location that is a set names no card twice."""
    if isinstance(node, n.Variable) and isinstance(
        low.env.get(node.slot), CardSet | RunSet | UnionView
    ):
        return True
    named: list[LocationFamily] = []
    for place in _named(node):
        if place is None:
            return False
        named += families_of(place, low.analysis) or [None]  # type: ignore[list-item]
    return None not in named and len(set(named)) == len(named)


def _named(node: n.Node) -> Iterator[n.Place | None]:
    """Yield each place whose cards a location has once; None for one that it may have again."""
    match node:
        case n.Place():
            yield node
        case n.Filter(collection=collection):
            yield from _named(collection)
        case n.Combine(parts=parts):
            for part in parts:
                yield from _named(part)
        case n.EachLocation(variable=variable, location=location):
            for place in _named(location):
                owner = place.owner if place is not None else None
                own = isinstance(owner, n.Variable) and owner.slot == variable.slot
                yield place if own else None
        case _:
            yield None
