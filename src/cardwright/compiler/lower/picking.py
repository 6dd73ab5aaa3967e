"""Random choices: an option is drawn and carried out at once, without a list of all.

This works for choices of which every branch is a chain that ends in at most one `any` over items
that are bits (`candidates.py`), and whose actions always have an effect and break no rule. Then
options are counted by counting bits, and the drawn one is found by its bit (`drawn_branches.py`).
Where the tests fail that say that actions break no rule, all options are listed and tried. Other
choices are drawn in bunches (`bunches.py`), or find all their options first.

A policy may choose in place of chance: the kernel `policy_card`, given the bits of a choice between
cards, and `policy` at any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    TRUE,
    ZERO,
    call,
    compare,
    const,
    less,
    sub,
    unlikely,
)
from cardwright.compiler.card_choices import between_cards
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.lower import (
    bunches,
    conditions,
    drawn_branches,
)
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.lower.drawn_branches import DrawnBranch

STREAMS = Local("streams", Type.POINTER)
STREAM_BYTES = 32


@dataclass(frozen=True)
class Policy:
    """What chooses in place of chance, at a place."""

    pc: int


def draws(choosing: Choosing, policy: Policy | None = None) -> str:
    """Make the function that carries out a random option; it returns how many there are, or -1.

    The option is drawn from the stream of the seat that has to decide, or taken by a policy.
    """
    name = f"draw_{choosing.number}" if policy is None else f"follow_{choosing.number}"
    if name in choosing.shared.module.functions:
        return name
    low = choosing.lowering()
    low.watched = policy is not None
    if policy is None and not _all_bits(low, choosing) and bunches.can_draw(low, choosing):
        bunches.BunchDrawing(low, choosing, _lists(choosing), _checked(choosing)).make(
            name, STREAMS
        )
        return name
    low.b.add(ir.Return(draw_option(low, choosing, policy)))
    low.finish(name, STREAMS)
    return name


def _lists(choosing: Choosing) -> str:
    """Make the function that carries out a random option of a list of all."""
    name = f"listed_{choosing.number}"
    low = choosing.lowering()
    low.watched = False
    low.b.add(ir.Return(_draw_listed(low, choosing)))
    low.finish(name, STREAMS)
    return name


def _checked(choosing: Choosing) -> Callable[[Lowering, ir.Expr], ir.Expr]:
    """Return how to draw one of a number of options, of which there must be one."""

    def draw(low: Lowering, count: ir.Expr) -> ir.Expr:
        _none(low, choosing, count)
        index = _draw(low, count)
        _count_anew(low)
        return index

    return draw


def draw_option(low: Lowering, choosing: Choosing, policy: Policy | None = None) -> ir.Expr:
    """Carry out a random option, and return how many there are; it returns from a fault with -1."""
    by_bits = policy is None or between_cards(low.analysis, low.layout.places, choosing.options)
    if by_bits and _all_bits(low, choosing):
        return _draw_bits(low, choosing, policy)
    if policy is not None or not bunches.can_draw(low, choosing):
        return _draw_listed(low, choosing, policy)
    _publish(low)
    total = low.b.let(call(draws(choosing), BOARD, CONTEXT_LOCAL, STREAMS), "total")
    with low.b.when(unlikely(less(total, ZERO))):
        low.leave()
    _reload(low)
    return total


def _all_bits(low: Lowering, choosing: Choosing) -> bool:
    """Return whether the options of every branch are bits."""
    chains = [chain for _, chain in choosing.living]
    return all(chain is not None and drawn_branches.are_bits(low, chain) for chain in chains)


def _draw_bits(low: Lowering, choosing: Choosing, policy: Policy | None) -> ir.Expr:
    """Carry out a random option, counting and finding them by bits."""
    branches = [
        drawn_branches.drawn(low, chain) for _, chain in choosing.living if chain is not None
    ]
    total = low.b.variable(ZERO, "total")
    _choose(low, choosing, branches, total, policy)
    if any(branch.assurance is not None for branch in branches):
        with low.b.when(unlikely(compare(Rel.EQ, total, ZERO))):
            low.b.set(total, _draw_listed(low, choosing, policy))
    return total


def _publish(low: Lowering) -> None:
    """Store what is kept in variables, for a function that goes on with the game."""
    low.publish_turns()
    low.publish_left()
    low.publish_cells()


def _reload(low: Lowering) -> None:
    """Read what is kept in variables again."""
    low.reload_turns()
    low.reload_left()
    low.reload_cells()


def _draw_listed(low: Lowering, choosing: Choosing, policy: Policy | None = None) -> ir.Expr:
    """Find all options and carry out a random one; it returns from a fault with -1."""
    _publish(low)
    # The lists that the options of the last decision kept are not needed any more.
    low.b.add(low.context.store("kept", value=low.context.load("arena_end")))
    count = low.b.let(call(choosing.find(), BOARD, CONTEXT_LOCAL), "count")
    _none(low, choosing, count)
    with low.b.when(less(count, ZERO)):
        low.leave()
    index = _draw(low, count) if policy is None else _ask(low, policy, count)
    _count_anew(low)
    done = low.b.let(call(choosing.carry_out(), BOARD, CONTEXT_LOCAL, index), "done")
    with low.b.when(unlikely(less(done, ZERO))):
        low.leave()
    _reload(low)
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
    return low.b.let(call("below", _own_stream(low), count), "index")


def _own_stream(low: Lowering) -> ir.Expr:
    """Return the address of the stream of the current player."""
    return ir.Offset(STREAMS, ir.Binary(Op.SHL, low.current(low.players), ir.Const(5)))


def _ask(low: Lowering, policy: Policy, total: ir.Expr, cards: ir.Expr | None = None) -> Local:
    """Let a policy choose, if there is a choice; it sees the board as it is at the decision."""
    index = low.b.variable(ZERO, "index")
    with low.b.when(less(ONE, total)):
        low.store("pc", value=const(policy.pc))
        low.publish_turns()
        low.publish_cells()
        own = _own_stream(low)
        if cards is None:
            low.b.set(index, call("policy", BOARD, CONTEXT_LOCAL, own, total))
        else:
            card = low.b.let(call("policy_card", BOARD, CONTEXT_LOCAL, own, cards), "card")
            smaller = sub(ir.Binary(Op.SHL, ONE, card), ONE)
            low.b.set(index, call("count_ones", ir.Binary(Op.AND, cards, smaller)))
    return index


# Sides ------------------------------------------------------------------------------------


def _choose(
    low: Lowering,
    choosing: Choosing,
    branches: Sequence[DrawnBranch],
    total: Local,
    policy: Policy | None,
) -> None:
    """Draw an option of some branches and carry it out; set the number of options."""
    sides = drawn_branches.sides(branches)
    if sides is None:
        _draw_one(low, choosing, branches, total, policy)
        return
    test, yes, no = sides
    with low.b.when(conditions.holds(low, test)):
        _choose(low, choosing, yes, total, policy)
    with low.b.otherwise():
        _choose(low, choosing, no, total, policy)


# Drawing ----------------------------------------------------------------------------------


def _draw_one(
    low: Lowering,
    choosing: Choosing,
    branches: Sequence[DrawnBranch],
    total: Local,
    policy: Policy | None,
) -> None:
    """Count the options of some branches, draw one, and carry it out.

    Nothing is drawn, and the total stays 0, if the actions of an option may break a rule.
    """
    assures = any(branch.assurance is not None for branch in branches)
    safe = low.b.variable(TRUE, "safe") if assures else None
    found = [low.b.let(drawn_branches.found(low, branch, safe), "bits") for branch in branches]
    if safe is None:
        _draw_from(low, choosing, branches, found, total, policy=policy)
        return
    with low.b.when(safe):
        _draw_from(low, choosing, branches, found, total, policy=policy)


def _draw_from(
    low: Lowering,
    choosing: Choosing,
    branches: Sequence[DrawnBranch],
    found: Sequence[ir.Expr],
    total: Local,
    *,
    policy: Policy | None,
) -> None:
    """Draw an option of some branches, given their bits, and carry it out."""
    groups, counts = drawn_branches.grouped(low, branches, found)
    low.b.set(total, drawn_branches.sum_of([count for group in counts for count in group]))
    _none(low, choosing, total)
    if not branches:
        return
    if policy is None:
        index = low.b.variable(_draw(low, total), "index")
    else:
        cards = found[0]  # at most one branch has any
        for bits in found[1:]:
            cards = ir.Binary(Op.OR, cards, bits)
        index = _ask(low, policy, total, low.b.let(cards, "cards"))
    _count_anew(low)

    def carry_out(at: int) -> None:
        group = groups[at]
        bits, number = drawn_branches.of_group(low, [bits for _, bits in group], counts[at], index)
        with low.scratch():
            drawn_branches.carry_out(low, branches[group[0][0]], bits, number)

    def choose(at: int) -> None:
        if at == len(groups) - 1:
            carry_out(at)
            return
        within = low.b.let(drawn_branches.sum_of(counts[at]), "within")
        with low.b.when(less(index, within)):
            carry_out(at)
        with low.b.otherwise():
            low.b.set(index, sub(index, within))
            choose(at + 1)

    choose(0)
