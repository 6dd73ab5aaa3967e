"""Whether two steps of a choice may be offered together, and may do the same with cards.

Both are decided by the text of the steps, and in doubt the answer is that they may.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.choice_acts import places_of, written
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.game.choice_acts import Act, Scope

_ORDERS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}

_MoveSort: TypeAlias = tuple[object, frozenset[object], frozenset[object]]
"""A sort of action, and the places between which it moves cards; none if they are not known."""


def excludes(one: n.Node, other: n.Node) -> bool:
    """Return whether two steps are never offered together, as their tests show."""
    others = _tests(other)
    return any(_refuted(test, others) for test in _tests(one))


def _tests(step: n.Node) -> list[n.Node]:
    """Return the conditions that must all hold for a step to do anything."""
    tests = []
    while isinstance(step, n.When):
        tests += _conjuncts(step.test)
        step = step.body
    return tests


def _conjuncts(test: n.Node) -> list[n.Node]:
    if isinstance(test, n.Logic) and test.every:
        return [part for inner in test.tests for part in _conjuncts(inner)]
    return [test]


def _refuted(test: n.Node, given: list[n.Node]) -> bool:
    """Return whether a condition cannot hold if all the given ones do."""
    if isinstance(test, n.Logic):
        refuted = (_refuted(part, given) for part in test.tests)
        return any(refuted) if test.every else all(refuted)
    for other in given:
        if isinstance(other, n.Logic):
            if all(_refuted(part, [test]) for part in other.tests):
                return True
        elif _opposite(test, other) or _opposite(other, test):
            return True
    return False


def _opposite(one: n.Node, other: n.Node) -> bool:
    """Return whether two simple conditions never hold together."""
    match one, other:
        case n.Not(test=test), _:
            return written(test) == written(other)
        case n.Equal(negated=False), n.Equal():
            if written(one.left) != written(other.left):
                return False
            if other.negated:
                return written(one.right) == written(other.right)
            constant = all(isinstance(node.right, n.Number | n.Text) for node in (one, other))
            return constant and written(one.right) != written(other.right)
        case n.Equal(negated=False, right=n.Number(value=value)), n.Compare(
            right=n.Number(value=bound)
        ):
            same = written(one.left) == written(other.left)
            return same and not _ORDERS[other.operator](value, bound)
    return False


def alike(one: list[Act], other: list[Act]) -> bool:
    """Return whether two steps may move the same cards between the same places."""
    ways, others = _ways(one), _ways(other)
    return bool(ways) and _covered(ways, others) and _covered(others, ways)


def _ways(acts: list[Act]) -> list[_MoveSort]:
    ways: list[_MoveSort] = []
    for act in acts:
        match act.node:
            case n.Move(card=left, target=right) | n.Swap(left=left, right=right):
                sort = type(act.node), left.kind
                ways.append((sort, _ends(left, act.scope), _ends(right, act.scope)))
            case n.Shuffle(location=location):
                ways.append((n.Shuffle, _ends(location, act.scope), frozenset()))
    return ways


def _ends(node: n.Node, scope: Scope) -> frozenset[object]:
    return frozenset(map(written, places_of(node, scope)))


def _covered(ways: list[_MoveSort], others: list[_MoveSort]) -> bool:
    return all(any(_meet(way, other) for other in others) for way in ways)


def _meet(one: _MoveSort, other: _MoveSort) -> bool:
    """Return whether two actions are of one sort, and may share their sources and targets."""
    ends = zip(one[1:], other[1:], strict=True)
    return one[0] == other[0] and all(not a or not b or not a.isdisjoint(b) for a, b in ends)
