"""Random choices: an option is drawn and carried out at once, without a list of all.

This works for choices of which every branch is a chain that ends in at most one `any` over items
that are bits (`candidates.py`), and whose actions always have an effect and break no rule. Then
options are counted by counting bits, and the drawn one is found by its bit. Where branches begin
with opposite tests only those of one side are looked at. Neighbours that do the same with a card
share their code, and if they exclude each other they even are one branch with the bits of both.
Other choices find all their options first.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, call, compare, less, sub, unlikely
from cardwright.compiler.exclusive import exclusive
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.keys import key
from cardwright.compiler.lower import candidates, collections, conditions, steps
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.choices import Choosing

STREAMS = Local("streams", Type.POINTER)
STREAM_BYTES = 32


@dataclass(frozen=True)
class DrawnBranch:
    """A branch whose options are bits: its chain, and the tests that are still to be made."""

    chain: Chain
    tests: tuple[n.Node, ...]

    @property
    def pick(self) -> n.ForEach | None:
        """The `any` at its end, if it has one."""
        return self.chain.picks[-1] if self.chain.picks else None


def draws(choosing: Choosing) -> str:
    """Make the function that carries out a random option; it returns how many there are, or -1.

    The option is drawn from the stream of the seat that has to decide.
    """
    low = choosing.lowering()
    name = f"draw_{choosing.number}"
    low.b.add(ir.Return(draw_option(low, choosing)))
    low.finish(name, STREAMS)
    return name


def draw_option(low: Lowering, choosing: Choosing) -> ir.Expr:
    """Carry out a random option, and return how many there are; it returns from a fault with -1."""
    chains = [chain for chain in choosing.chains if chain is not None and are_bits(low, chain)]
    if len(chains) == len(choosing.chains):
        total = low.b.variable(ZERO, "total")
        _choose(low, choosing, [DrawnBranch(chain, _tests(chain)) for chain in chains], total)
        return total
    low.publish_turns()
    low.publish_left()
    low.publish_cells()
    count = low.b.let(call(choosing.find(), BOARD, CONTEXT_LOCAL), "count")
    _none(low, choosing, count)
    with low.b.when(less(count, ZERO)):
        low.leave()
    index = _draw(low, count)
    _count_anew(low)
    done = low.b.let(call(choosing.carry_out(), BOARD, CONTEXT_LOCAL, index), "done")
    with low.b.when(unlikely(less(done, ZERO))):
        low.leave()
    low.reload_turns()
    low.reload_left()
    low.reload_cells()
    return count


def _none(low: Lowering, choosing: Choosing, count: ir.Expr) -> None:
    """Report that a choice has no options, if that is so."""
    none = compare(Rel.EQ, count, ZERO)
    low.check(none, "no-options", "this choice has no options", choosing.choice.span)


def _count_anew(low: Lowering) -> None:
    """Reset the count of rounds: what is repeated was counted when the options were."""
    if low.program.rounds.any_counted:
        low.decided()


def _draw(low: Lowering, count: ir.Expr) -> ir.Expr:
    """Draw from the stream of the current player."""
    own = ir.Binary(Op.SHL, low.current(low.players), ir.Const(5))
    return low.b.let(call("below", ir.Offset(STREAMS, own), count), "index")


def are_bits(low: Lowering, chain: Chain) -> bool:
    """Return whether the options of a branch are bits, and always do something."""
    if not low.analysis.sure(chain.leaf):
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


def _choose(
    low: Lowering, choosing: Choosing, branches: Sequence[DrawnBranch], total: Local
) -> None:
    """Draw an option of some branches and carry it out; set the number of options."""
    sides = _sides(branches)
    if sides is None:
        _draw_one(low, choosing, branches, total)
        return
    test, yes, no = sides
    with low.b.when(conditions.holds(low, test)):
        _choose(low, choosing, yes, total)
    with low.b.otherwise():
        _choose(low, choosing, no, total)


def _sides(
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


# Drawing ----------------------------------------------------------------------------------


def _draw_one(
    low: Lowering, choosing: Choosing, branches: Sequence[DrawnBranch], total: Local
) -> None:
    """Count the options of some branches, draw one, and carry it out."""
    found = [low.b.let(_found(low, branch), "bits") for branch in branches]
    groups = [_merged(low, branches, found, group) for group in _alike(branches)]
    counts = [
        [low.b.let(_number(branches[at], bits), "count") for at, bits in group] for group in groups
    ]
    low.b.set(total, _sum([count for group in counts for count in group]))
    _none(low, choosing, total)
    if not branches:
        return
    index = low.b.variable(_draw(low, total), "index")
    _count_anew(low)

    def carry_out(at: int) -> None:
        group = groups[at]
        bits, number = _of_group(low, [bits for _, bits in group], counts[at], index)
        with low.scratch():
            _carry_out(low, branches[group[0][0]], bits, number)

    def choose(at: int) -> None:
        if at == len(groups) - 1:
            carry_out(at)
            return
        within = low.b.let(_sum(counts[at]), "within")
        with low.b.when(less(index, within)):
            carry_out(at)
        with low.b.otherwise():
            low.b.set(index, sub(index, within))
            choose(at + 1)

    choose(0)


def _found(low: Lowering, branch: DrawnBranch) -> ir.Expr:
    """Return the options of a branch as bits; a branch without `any` has the lowest one."""
    pick = branch.pick
    lets = any(isinstance(link, n.Let) for link in branch.chain.links)
    inner = [] if pick is None else [pick.collection]
    if not lets and low.analysis.pure(*branch.tests, *inner):
        bits = ONE if pick is None else candidates.bits(low, pick)
        for test in branch.tests:
            bits = ir.Select(conditions.holds(low, test), bits, ZERO)
        return bits
    found = low.b.variable(ZERO, "bits")
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
    return found


def _number(branch: DrawnBranch, bits: ir.Expr) -> ir.Expr:
    """Return how many options a branch has."""
    return bits if branch.pick is None else call("count_ones", bits)


def _sum(counts: Sequence[ir.Expr]) -> ir.Expr:
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


def _of_group(
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


def _carry_out(low: Lowering, branch: DrawnBranch, bits: ir.Expr, index: ir.Expr) -> None:
    """Do the actions of a branch for the option of an index."""
    for link in branch.chain.links:
        match link:
            case n.Let(value=value, variable=variable):
                low.env[variable.slot] = collections.bind(low, value)
            case n.ForEach(variable=variable):
                low.env[variable.slot] = candidates.pick_nth(low, link, bits, index)
    steps.step(low, branch.chain.leaf)
