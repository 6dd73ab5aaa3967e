"""Which branches of a choice exclude each other: never two of them have options at once.

A branch has options only if its tests hold and every collection that it picks from has items. Two
branches exclude each other if no values of what these tests read let both have options. So their
tests are evaluated for all combinations of values that can make a difference, as in a truth table:
a string is one of those it is compared with, or another; an integer lies below, at or above those
it is compared with; of a collection it matters how many of its items pass a test. Everything else
holds or does not. An answer of no means that this was not proved.
"""

from __future__ import annotations

from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from cardwright.compiler.chains import Chain

_MOST_ROWS = 4_096
"""Rows of a truth table that are tried; for more, nothing is proved."""

_MOST_WAYS = 6
"""Ways in which a test of items may hold; one with more counts as a whole."""

_Values: TypeAlias = "Mapping[Hashable, int | str | None]"
_Test: TypeAlias = "Callable[[_Values], bool]"
_Terms: TypeAlias = "Mapping[int, Hashable]"
_Literal: TypeAlias = "tuple[bool, Hashable]"
_ItemTest: TypeAlias = "tuple[n.Variable, n.Node, bool]"


def exclusive(chains: Sequence[Chain]) -> bool:
    """Return whether at most one of some branches has options, in every position."""
    return all(_exclude(one, other) for one, other in combinations(chains, 2))


def _exclude(one: Chain, other: Chain) -> bool:
    table = _Table()
    tests = [*table.needs(one), *table.needs(other)]
    rows = table.rows()
    return rows is not None and not any(all(test(row) for test in tests) for row in rows)


class _Table:
    """The quantities that some tests read, with the values of each that make a difference."""

    def __init__(self) -> None:
        self._strings: dict[Hashable, set[str]] = {}
        self._integers: dict[Hashable, set[int]] = {}
        self._truths: set[Hashable] = set()
        self._groups: dict[Hashable, tuple[Hashable, frozenset[_Literal]]] = {}

    def needs(self, chain: Chain) -> list[_Test]:
        """Return what must hold for a branch to have options."""
        terms: dict[int, Hashable] = {}
        tests = []
        for link in chain.links:
            match link:
                case n.When(test=test):
                    tests.append(self._test(test, terms))
                case n.Let(value=value, variable=variable):
                    terms[variable.slot] = _term(value, terms)
                case n.ForEach(collection=collection):
                    tests.append(self._some(collection, terms))
        return tests

    def rows(self) -> list[dict[Hashable, int | str | None]] | None:
        """Return the combinations of values that are possible; None if there are too many."""
        columns: dict[Hashable, list[int | str | None]] = {
            **{term: [*sorted(texts), None] for term, texts in self._strings.items()},
            **{term: [*_around(cuts)] for term, cuts in self._integers.items()},
            **{term: [0, 1] for term in self._truths},
        }
        for group in self._groups:
            columns[group] = [value for value in _around(self._integers[group]) if value >= 0]
        if prod(map(len, columns.values())) > _MOST_ROWS:
            return None
        rows = (dict(zip(columns, row, strict=True)) for row in product(*columns.values()))
        within = [
            (small, large)
            for small, (base, own) in self._groups.items()
            for large, (same, fewer) in self._groups.items()
            if base == same and own > fewer
        ]
        return [row for row in rows if all(not row[a] or row[b] for a, b in within)]

    # Tests --------------------------------------------------------------------------------

    def _test(self, node: n.Node, terms: _Terms) -> _Test:
        """Return a test as a function of values, and note what it reads."""
        match node:
            case n.Truth(value=value):
                return lambda row: value
            case n.Not(test=test):
                inner = self._test(test, terms)
                return lambda row: not inner(row)
            case n.Logic(tests=tests, every=every):
                parts = [self._test(test, terms) for test in tests]
                both = all if every else any
                return lambda row: both(part(row) for part in parts)
            case n.Compare(left=left, right=right, operator=operator):
                order = self._order(left, right, terms)
                return lambda row: _HOLDS[operator](order(row))
            case n.Equal():
                same = self._same(node, terms)
                return same if not node.negated else lambda row: not same(row)
            case n.Quantifier(collection=collection, variable=variable, test=test, every=every):
                found = self._some(collection, terms, (variable, test, not every))
                return (lambda row: not found(row)) if every else found
        term = _term(node, terms)
        self._truths.add(term)
        return lambda row: bool(row[term])

    def _some(self, node: n.Node, terms: _Terms, *tests: _ItemTest) -> _Test:
        """Return whether some items of a collection come through tests."""
        base, ways = _passing(node, terms, *tests)
        groups = [self._group(base, way) for way in ways]
        return lambda row: any(row[group] for group in groups)

    def _group(self, base: Hashable, passed: frozenset[_Literal]) -> Hashable:
        """Return the quantity of how many items of a collection pass all of some tests."""
        group = "size", base, passed
        self._groups[group] = base, passed
        self._integers.setdefault(group, set()).add(0)
        return group

    def _same(self, node: n.Equal, terms: _Terms) -> _Test:
        left, right = node.left, node.right
        if left.kind is ValueKind.INTEGER:
            order = self._order(left, right, terms)
            return lambda row: order(row) == 0
        if isinstance(left, n.Text):
            left, right = right, left
        if isinstance(right, n.Text):
            if isinstance(left, n.Text):
                same = left.value == right.value
                return lambda row: same
            term, text = _term(left, terms), right.value
            self._strings.setdefault(term, set()).add(text)
            return lambda row: row[term] == text
        pair = _pair(left, right, terms)
        self._truths.add(pair)
        return lambda row: bool(row[pair])

    def _order(self, left: n.Node, right: n.Node, terms: _Terms) -> Callable[[_Values], int]:
        """Return the difference of two integers, or a number of the same sign."""
        if isinstance(right, n.Number):
            first, number = self._integer(left, terms, right.value), right.value
            return lambda row: _number(row, first) - number
        if isinstance(left, n.Number):
            last, before = self._integer(right, terms, left.value), left.value
            return lambda row: before - _number(row, last)
        one, other = _term(left, terms), _term(right, terms)
        turned = repr(one) > repr(other)
        pair = ("difference", other, one) if turned else ("difference", one, other)
        self._integers.setdefault(pair, set()).add(0)
        return lambda row: -_number(row, pair) if turned else _number(row, pair)

    def _integer(self, node: n.Node, terms: _Terms, number: int) -> Hashable:
        """Return the quantity of an integer that is compared with a number."""
        if isinstance(node, n.Size):
            base, ways = _passing(node.collection, terms)
            one = ways[0] if len(ways) == 1 else frozenset({(True, ("one of", frozenset(ways)))})
            term = self._group(base, one)
        else:
            term = _term(node, terms)
        self._integers.setdefault(term, set()).add(number)
        return term


_HOLDS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    ">": lambda order: order > 0,
    "<=": lambda order: order <= 0,
    ">=": lambda order: order >= 0,
}


def _number(row: _Values, term: Hashable) -> int:
    value = row[term]
    assert isinstance(value, int)
    return value


def _around(cuts: set[int]) -> list[int]:
    """Return an integer for every stretch into which some integers cut all others, and these."""
    return sorted({near for cut in cuts for near in (cut - 1, cut, cut + 1)})


# Terms ------------------------------------------------------------------------------------


def _passing(
    node: n.Node, terms: _Terms, *tests: _ItemTest
) -> tuple[Hashable, list[frozenset[_Literal]]]:
    """Return a collection without its filters, and the ways in which an item comes through them.

    More tests may be given, with the variable of each and how they have to come out.
    """
    passed = list(tests)
    while isinstance(node, n.Filter):
        passed.append((node.variable, node.test, True))
        node = node.collection
    ways = [
        _ways(test, _with_item(terms, variable), holds=holds) for variable, test, holds in passed
    ]
    return _term(node, terms), _together(ways)


def _together(ways: Sequence[list[frozenset[_Literal]]]) -> list[frozenset[_Literal]]:
    """Return the ways in which all of some tests come out as they have to."""
    return [frozenset().union(*one) for one in product(*ways)]


def _ways(node: n.Node, terms: _Terms, *, holds: bool) -> list[frozenset[_Literal]]:
    """Return the ways in which a test holds, or does not: the tests within that decide it."""
    found = [frozenset({(holds, _term(node, terms))})]
    match node:
        case n.Not(test=test):
            return _ways(test, terms, holds=not holds)
        case n.Logic(tests=tests, every=every):
            parts = [_ways(test, terms, holds=holds) for test in tests]
            ways = _together(parts) if every == holds else [way for part in parts for way in part]
            found = ways if len(ways) <= _MOST_WAYS else found
        case n.Equal(left=left, right=right, negated=negated):
            found = [frozenset({(holds != negated, _pair(left, right, terms))})]
        case n.Compare(left=left, right=right, operator=operator):
            low, high = _term(left, terms), _term(right, terms)
            if operator in {">", "<="}:
                low, high = high, low
            if holds == (operator in {"<", ">"}):
                found = [frozenset({(True, ("less", low, high)), (False, ("less", high, low))})]
            else:
                found = [frozenset({(False, ("less", low, high))})]
    return found


def _with_item(terms: _Terms, variable: n.Variable) -> _Terms:
    """Return the terms within a form that binds a variable to each item of a collection."""
    depth = sum(term[0] == "item" for term in terms.values() if isinstance(term, tuple))
    return {**terms, variable.slot: ("item", depth)}


def _pair(left: n.Node, right: n.Node, terms: _Terms) -> Hashable:
    return "equal", frozenset({_term(left, terms), _term(right, terms)})


def _term(value: object, terms: _Terms) -> Hashable:
    """Return what is equal for forms of the same value.

    `terms` says what represents the variables of forms around it; others represent themselves.
    """
    match value:
        case n.Variable(slot=slot):
            return terms.get(slot, ("variable", slot))
        case n.Node():
            bound = n.binds(value)
            own = _with_item(terms, bound) if bound is not None else terms
            parts = (_term(getattr(value, name), own) for name in n.operands(value))
            return type(value).__name__, value.kind, *parts
        case tuple():
            return tuple(_term(item, terms) for item in value)
    return type(value).__name__, value
