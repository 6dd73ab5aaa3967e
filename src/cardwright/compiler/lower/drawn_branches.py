"""Branches of a choice whose options are bits: of cards, or of a few players, strings or integers.

Where branches begin with opposite tests only those of one side are looked at. Neighbours that do
the same with a card share their code, and if they exclude each other they even are one branch with
the bits of both. If only tests say that actions break no rule (`assured.py`) they are made for
every option.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, both, call, compare, sub
from cardwright.compiler.exclusive import exclusive
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.keys import key
from cardwright.compiler.lower import (
    assured,
    candidates,
    collections,
    conditions,
    locations,
    masks,
    steps,
    words,
)
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.assured import Assurance
    from cardwright.compiler.lower.lowering import Lowering


@dataclass(frozen=True)
class DrawnBranch:
    """A branch whose options are bits: its chain, and the tests that are still to be made."""

    chain: Chain
    tests: tuple[n.Node, ...]
    assurance: Assurance | None
    """The tests that say that its actions break no rule; None if they never do."""

    @property
    def pick(self) -> n.ForEach | None:
        """The `any` at its end, if it has one."""
        return self.chain.picks[-1] if self.chain.picks else None


def drawn(low: Lowering, chain: Chain) -> DrawnBranch:
    """Return a branch whose options are bits."""
    sure = low.analysis.sure(chain.leaf)
    return DrawnBranch(chain, _tests(chain), None if sure else assured.assurance(low, chain.leaf))


def are_bits(low: Lowering, chain: Chain) -> bool:
    """Return whether the options of a branch are bits, and always do something."""
    analysis, leaf = low.analysis, chain.leaf
    if not analysis.sure(leaf):
        counted = any(map(low.program.rounds.counted, n.walk(leaf)))
        if counted or not analysis.always_acts(leaf) or assured.assurance(low, leaf) is None:
            return False
    if any(isinstance(link, n.ForEach) for link in chain.links[:-1]):
        return False
    return not chain.picks or candidates.are_bits(low, chain.picks[-1])


def _tests(chain: Chain) -> tuple[n.Node, ...]:
    """Return the tests of a chain, each part of a conjunction for itself."""
    found: list[n.Node] = []
    for link in chain.links:
        if isinstance(link, n.When):
            test = link.test
            found += test.tests if isinstance(test, n.Logic) and test.every else (test,)
    return tuple(found)


# Sides ------------------------------------------------------------------------------------


def sides(
    branches: Sequence[DrawnBranch],
) -> tuple[n.Node, list[DrawnBranch], list[DrawnBranch]] | None:
    """Split branches that begin with a test or its opposite; None if they do not."""
    if len(branches) < 2 or any(
        not branch.tests or any(isinstance(link, n.Let) for link in branch.chain.links)
        for branch in branches
    ):
        return None
    found = [_unsigned(branch.tests[0]) for branch in branches]
    if len({sort for sort, _ in found}) > 1 or len({negated for _, negated in found}) < 2:
        return None
    yes: list[DrawnBranch] = []
    no: list[DrawnBranch] = []
    for branch, (_, negated) in zip(branches, found, strict=True):
        (no if negated else yes).append(replace(branch, tests=branch.tests[1:]))
    test = next(b.tests[0] for b, (_, negated) in zip(branches, found, strict=True) if not negated)
    return test, yes, no


def _unsigned(test: n.Node) -> tuple[Hashable, bool]:
    """Return the key of a test without its negation, and whether it was negated."""
    match test:
        case n.Not(test=inner):
            sort, negated = _unsigned(inner)
            return sort, not negated
        case n.Equal(negated=True):
            return key(replace(test, negated=False)), True
    return key(test), False


# Options ----------------------------------------------------------------------------------


def found(low: Lowering, branch: DrawnBranch, safe: Local | None) -> ir.Expr:
    """Return the options of a branch as bits; a branch without `any` has the lowest one.

    `safe` is set to false if the actions of one of them may break a rule.
    """
    pick = branch.pick
    lets = any(isinstance(link, n.Let) for link in branch.chain.links)
    parts = [*branch.tests, *([] if pick is None else [pick.collection])]
    if not lets and low.analysis.pure(*parts) and not any(_loops(low, part) for part in parts):
        bits = ONE if pick is None else candidates.bits(low, pick)
        for test in branch.tests:
            bits = words.only_if(conditions.holds(low, test), bits)
        bits = low.b.let(bits, "bits")
        with low.scratch():
            _look(low, branch, bits, safe)
        return bits
    kind = ir.Type.INT if pick is None else candidates.kind_of_bits(low, pick)
    found = low.b.variable(words.none(kind), "bits")
    with low.scratch(), ExitStack() as stack:
        for link in branch.chain.links if lets else ():
            match link:
                case n.When(test=test):
                    stack.enter_context(low.b.when(conditions.holds(low, test)))
                case n.Let(value=value, variable=variable):
                    low.env[variable.slot] = collections.bind(low, value)
        for test in () if lets else branch.tests:
            stack.enter_context(low.b.when(conditions.holds(low, test)))
        low.b.set(found, ONE if pick is None else candidates.bits(low, pick))
        _look(low, branch, found, safe)
    return found


def _look(low: Lowering, branch: DrawnBranch, bits: ir.Expr, safe: Local | None) -> None:
    """Look whether the actions of a branch surely break no rule, for any of its options."""
    pick, assurance = branch.pick, branch.assurance
    if safe is None or assurance is None:
        return
    if pick is None or not assurance.mentions({pick.variable.slot}):
        with low.b.when(words.is_some(bits)):
            low.b.set(safe, both(safe, assurance.holds(low)))
        return
    with locations.each_of_mask(low, bits) as at:
        low.env[pick.variable.slot] = candidates.item(low, pick, at)
        low.b.set(safe, both(safe, assurance.holds(low)))


def _loops(low: Lowering, node: n.Node) -> bool:
    """Return whether evaluating a form takes a loop, so that it is not done in vain."""
    return any(
        isinstance(inner, n.Filter | n.Quantifier)
        and not masks.known(low, inner.test, inner.variable.slot)
        for inner in n.walk(node)
    )


def grouped(
    low: Lowering, branches: Sequence[DrawnBranch], found: Sequence[ir.Expr]
) -> tuple[list[list[tuple[int, ir.Expr]]], list[list[ir.Expr]]]:
    """Group branches that do the same with a card: which they are, with their bits, and counts."""
    groups = [_merged(low, branches, found, group) for group in _alike(branches)]
    counts = [
        [low.b.let(_number(branches[at], bits), "count") for at, bits in group] for group in groups
    ]
    return groups, counts


def _number(branch: DrawnBranch, bits: ir.Expr) -> ir.Expr:
    """Return how many options a branch has."""
    return bits if branch.pick is None else call("count_ones", bits)


def sum_of(counts: Sequence[ir.Expr]) -> ir.Expr:
    """Return a sum."""
    total: ir.Expr = ZERO
    for count in counts:
        total = add(total, count)
    return total


def _alike(branches: Sequence[DrawnBranch]) -> list[list[int]]:
    """Group neighbouring branches that do the same with a card of the same location.

    They differ only in which cards they allow, so that they share the code, and no branch has to
    predict, say, whether a player follows suit.
    """
    groups: list[list[int]] = []
    last: Hashable = None
    for at, branch in enumerate(branches):
        own = _sameness(branch.chain)
        if own is not None and own == last:
            groups[-1].append(at)
        else:
            groups.append([at])
        last = own
    return groups


def _sameness(chain: Chain) -> Hashable:
    picks = chain.picks
    if len(picks) != 1 or any(isinstance(link, n.Let) for link in chain.links):
        return None
    collection = picks[0].collection
    base = collection.collection if isinstance(collection, n.Filter) else collection
    return key(base), key(chain.leaf, picks[0].variable.slot)


def _merged(
    low: Lowering, branches: Sequence[DrawnBranch], found: Sequence[ir.Expr], group: list[int]
) -> list[tuple[int, ir.Expr]]:
    """Return the branches of a group with their bits; one for all if they exclude each other."""
    if len(group) == 1 or not exclusive([branches[at].chain for at in group]):
        return [(at, found[at]) for at in group]
    bits = found[group[0]]
    for at in group[1:]:
        bits = ir.Binary(Op.OR, bits, found[at])
    return [(group[0], low.b.let(bits, "bits"))]


def of_group(
    low: Lowering, bits: list[ir.Expr], counts: list[ir.Expr], index: ir.Expr
) -> tuple[ir.Expr, ir.Expr]:
    """Return the bits of the branch of a group to which an index belongs, and the index there."""
    found, number, passed = bits[0], index, counts[0]
    for own, count in zip(bits[1:], counts[1:], strict=True):
        later = low.b.let(compare(Rel.GE, index, passed), "later")
        found = low.b.let(ir.Select(later, own, found), "bits")
        number = low.b.let(ir.Select(later, sub(index, passed), number), "number")
        passed = low.b.let(add(passed, count), "passed")
    return found, number


def carry_out(low: Lowering, branch: DrawnBranch, bits: ir.Expr, index: ir.Expr) -> None:
    """Do the actions of a branch for the option of an index."""
    for link in branch.chain.links:
        match link:
            case n.Let(value=value, variable=variable):
                with low.again():
                    low.env[variable.slot] = collections.bind(low, value)
            case n.ForEach(variable=variable):
                low.env[variable.slot] = candidates.pick_nth(low, link, bits, index)
    steps.step(low, branch.chain.leaf)
