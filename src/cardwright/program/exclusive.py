"""Which branches of a choice exclude each other: never two of them have options at once.

A branch has options only if its tests hold and every collection that it picks from has items. Two
branches exclude each other if no values of what these tests read let both have options. So their
tests are evaluated for all combinations of values that can make a difference, as in a truth table:
a string is one of those it is compared with, or another; an integer lies below, at or above those
it is compared with; of a collection it matters how many of its items pass a test. Everything else
holds or does not. An answer of no means that this was not proved.
"""

from __future__ import annotations

from itertools import combinations, product, takewhile
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from cardwright.program.chains import Chain

_MOST_ROWS = 4_096
"""Rows of a truth table that are tried; for more, nothing is proved."""

_MOST_WAYS = 6
"""Ways in which a test of items may hold; one with more counts as a whole."""

_Values: TypeAlias = "Sequence[int | str | None]"
_Test: TypeAlias = "Callable[[_Values], bool]"
_Number: TypeAlias = "Callable[[_Values], int]"
_Terms: TypeAlias = "Mapping[int, Hashable]"
_Way: TypeAlias = "frozenset[tuple[bool, Hashable]]"
_ItemTest: TypeAlias = "tuple[n.Variable, n.Node, bool]"


def exclusive(chains: Sequence[Chain]) -> bool:
    """Return whether at most one of some branches has options, in every position."""
    return all(_exclude(first.links, other.links) for first, other in combinations(chains, 2))


def excludes(one: n.Node, other: n.Node) -> bool:
    """Return whether two steps of a choice never have options at once."""
    return _exclude(_undrawn(one), _undrawn(other))


def _undrawn(step: n.Node) -> list[n.Node]:
    """Return what comes before a step acts, up to the first draw."""
    links, _ = n.links(step)
    return [*takewhile(lambda link: not n.draws(n.evaluated(link)), links)]


def _exclude(one: Sequence[n.Node], other: Sequence[n.Node]) -> bool:
    table = _Table()
    tests = [*table.needs(one), *table.needs(other)]
    rows = table.rows()
    return rows is not None and not any(all(test(row) for test in tests) for row in rows)


class _Table:
    """The quantities that some tests read, with the values of each that make a difference."""

    def __init__(self) -> None:
        self._strings: dict[Hashable, set[str]] = {}
        self._integers: dict[Hashable, set[int]] = {}
        self._groups: dict[Hashable, tuple[Hashable, _Way]] = {}
        self._columns: dict[Hashable, int] = {}

    def _column(self, term: Hashable) -> int:
        """Return where a row has the value of a term: a place, as to hash terms takes long."""
        return self._columns.setdefault(term, len(self._columns))

    def needs(self, links: Sequence[n.Node]) -> list[_Test]:
        """Return what must hold for a branch to have options, given what comes before it acts."""
        terms: dict[int, Hashable] = {}
        tests = []
        for link in links:
            match link:
                case n.When(test=test):
                    tests.append(self._test(test, terms))
                case n.Let(value=value, variable=variable):
                    terms[variable.slot] = _term(value, terms)
                case n.ForEach(collection=collection):
                    tests.append(self._some(collection, terms))
        return tests

    def rows(self) -> Iterator[_Values] | None:
        """Return the combinations of values that are possible; None if there are too many."""
        columns = [self._known(term) for term in self._columns]
        if prod(map(len, columns)) > _MOST_ROWS:
            return None
        within = [
            (self._columns[small], self._columns[large])
            for small, (base, own) in self._groups.items()
            for large, (same, fewer) in self._groups.items()
            if base == same and own > fewer
        ]
        return (row for row in product(*columns) if all(not row[a] or row[b] for a, b in within))

    def _known(self, term: Hashable) -> Sequence[int | str | None]:
        """Return the values of a term that make a difference."""
        if term in self._strings:
            return [*sorted(self._strings[term]), None]
        if term not in self._integers:
            return [0, 1]
        least = 0 if term in self._groups else min(self._integers[term]) - 1
        return [value for value in _around(self._integers[term]) if value >= least]

    # Tests --------------------------------------------------------------------------------

    def _test(self, node: n.Node, terms: _Terms) -> _Test:
        """Return a test as a function of values, and note what it reads."""
        match node:
            case n.Truth(value=value):
                return lambda row: value
            case n.Not(test=test):
                return _opposite(self._test(test, terms))
            case n.Logic(tests=tests, every=every):
                parts = [self._test(test, terms) for test in tests]
                joined = all if every else any
                return lambda row: joined(part(row) for part in parts)
            case n.Compare(left=left, right=right, operator=operator):
                order = self._order(left, right, terms)
                return lambda row: PASSES[operator](order(row), 0)
            case n.Equal():
                same = self._same(node, terms)
                return _opposite(same) if node.negated else same
            case n.Quantifier(collection=collection, variable=variable, test=test, every=every):
                some = self._some(collection, terms, (variable, test, not every))
                return _opposite(some) if every else some
        return self._holds(_term(node, terms))

    def _holds(self, term: Hashable) -> _Test:
        column = self._column(term)
        return lambda row: bool(row[column])

    def _some(self, node: n.Node, terms: _Terms, *tests: _ItemTest) -> _Test:
        """Return whether some items of a collection come through tests."""
        base, ways = _passing(node, terms, *tests)
        groups = [self._column(self._group(base, way)) for way in ways]
        return lambda row: any(row[group] for group in groups)

    def _group(self, base: Hashable, passed: _Way) -> Hashable:
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
        if not isinstance(right, n.Text):
            return self._holds(_pair(left, right, terms))
        text = right.value
        if isinstance(left, n.Text):
            same = left.value == text
            return lambda row: same
        term = _term(left, terms)
        self._strings.setdefault(term, set()).add(text)
        column = self._column(term)
        return lambda row: row[column] == text

    def _order(self, left: n.Node, right: n.Node, terms: _Terms) -> _Number:
        """Return the difference of two integers, or a number of the same sign."""
        if isinstance(right, n.Number):
            return self._integer(left, terms, right.value)
        if isinstance(left, n.Number):
            negative = self._integer(right, terms, left.value)
            return lambda row: -negative(row)
        one, other = _term(left, terms), _term(right, terms)
        if repr(one) > repr(other):
            difference = self._number(("difference", other, one), 0)
            return lambda row: -difference(row)
        return self._number(("difference", one, other), 0)

    def _integer(self, node: n.Node, terms: _Terms, number: int) -> _Number:
        """Return an integer less a number with which it is compared."""
        if not isinstance(node, n.Size):
            return self._number(_term(node, terms), number)
        base, ways = _passing(node.collection, terms)
        way = ways[0] if len(ways) == 1 else frozenset({(True, ("one of", frozenset(ways)))})
        return self._number(self._group(base, way), number)

    def _number(self, term: Hashable, number: int) -> _Number:
        self._integers.setdefault(term, set()).add(number)
        column = self._column(term)

        def less(row: _Values) -> int:
            value = row[column]
            assert isinstance(value, int)
            return value - number

        return less


def _opposite(test: _Test) -> _Test:
    return lambda row: not test(row)


def _around(cuts: set[int]) -> list[int]:
    """Return an integer for every stretch into which some integers cut all others, and these."""
    return sorted({near for cut in cuts for near in (cut - 1, cut, cut + 1)})


# Terms ------------------------------------------------------------------------------------


def _passing(node: n.Node, terms: _Terms, *tests: _ItemTest) -> tuple[Hashable, list[_Way]]:
    """Return a collection without its filters, and the ways in which an item comes through them.

    More tests may be given, with the variable of each and how they have to come out.
    """
    passed = list(tests)
    while isinstance(node, n.Filter):
        passed.append((node.variable, node.test, True))
        node = node.collection
    ways = [
        _ways(test, {**terms, variable.slot: "item"}, holds=holds)
        for variable, test, holds in passed
    ]
    return _term(node, terms), _together(ways)


def _together(ways: Sequence[list[_Way]]) -> list[_Way]:
    """Return the ways in which all of some tests come out as they have to."""
    return [frozenset().union(*parts) for parts in product(*ways)]


def _ways(node: n.Node, terms: _Terms, *, holds: bool) -> list[_Way]:
    """Return the ways in which a test holds, or does not: the tests within that decide it."""
    match node:
        case n.Not(test=test):
            return _ways(test, terms, holds=not holds)
        case n.Logic(tests=tests, every=every):
            parts = [_ways(test, terms, holds=holds) for test in tests]
            ways = _together(parts) if every == holds else [way for part in parts for way in part]
            if len(ways) <= _MOST_WAYS:
                return ways
        case n.Equal(left=left, right=right, negated=negated):
            return [frozenset({(holds != negated, _pair(left, right, terms))})]
        case n.Compare(left=left, right=right, operator=operator):
            low, high = _term(left, terms), _term(right, terms)
            if operator in {">", "<="}:
                low, high = high, low
            less = (True, ("less", low, high)), (False, ("less", high, low))
            strictly = holds == (operator in {"<", ">"})
            return [frozenset(less) if strictly else frozenset({(False, ("less", low, high))})]
    return [frozenset({(holds, _term(node, terms))})]


def _pair(left: n.Node, right: n.Node, terms: _Terms) -> Hashable:
    return "equal", frozenset({_term(left, terms), _term(right, terms)})


def _term(node: n.Node, terms: _Terms) -> Hashable:
    """Return what is equal for forms of the same value.

    `terms` says what stands for the variables of forms around it. Those that are bound within it
    are numbered as they occur, and others stand for themselves.
    """
    inner = {variable.slot for part in n.walk(node) if (variable := n.binds(part)) is not None}
    numbers: dict[int, int] = {}

    def meaning(one: n.Variable) -> Hashable:
        if one.slot in inner:
            return "inner", numbers.setdefault(one.slot, len(numbers))
        return terms.get(one.slot, ("variable", one.slot))

    return n.form_key(node, meaning)
