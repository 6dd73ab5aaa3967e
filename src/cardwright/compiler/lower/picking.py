"""Random choices: an option is drawn and carried out at once, without a list of all.

This works for choices of which every branch is a chain that ends in at most one `any`, over the
cards of a real location that pass a test with a mask, and whose actions always have an effect and
break no rule. Then options are counted by counting bits, and the drawn one is found by its bit.
Other choices find all their options first.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, call, compare, const, less, sub, unlikely
from cardwright.compiler.ir import Local, Rel, Type
from cardwright.compiler.keys import key
from cardwright.compiler.lower import (
    collections,
    conditions,
    locations,
    masks,
    owners,
    steps,
)
from cardwright.compiler.lower.lowering import (
    BOARD,
    CONTEXT_LOCAL,
    Held,
    LoweredPile,
    Lowering,
    card_at,
)
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Hashable

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.choices import Choosing

STREAMS = Local("streams", Type.POINTER)
STREAM_BYTES = 32


def draws(choosing: Choosing) -> str:
    """Make the function that carries out a random option; it returns how many there are, or -1.

    The option is drawn from the stream of the seat that has to decide.
    """
    low = choosing.lowering()
    chains = [chain for chain in choosing.chains if chain is not None and _counts(low, chain)]
    if len(chains) == len(choosing.chains):
        _draw_by_bits(low, chains)
    else:
        count = low.b.let(call(choosing.find(), BOARD, CONTEXT_LOCAL), "count")
        with low.b.when(compare(Rel.LE, count, ZERO)):
            low.b.add(ir.Return(count))
        index = _draw(low, count)
        _count_anew(low)
        done = low.b.let(call(choosing.carry_out(), BOARD, CONTEXT_LOCAL, index), "done")
        low.b.add(ir.Return(ir.Select(less(done, ZERO), done, count)))
    name = f"draw_{choosing.number}"
    low.finish(name, STREAMS)
    return name


def _count_anew(low: Lowering) -> None:
    """Reset the count of rounds: what is repeated was counted when the options were."""
    if low.program.rounds.any_counted:
        low.decided()


def _draw(low: Lowering, count: ir.Expr) -> ir.Expr:
    """Draw from the stream of the current player."""
    own = ir.Binary(ir.Op.SHL, owners.cycle_current(low), const(5))
    return low.b.let(call("below", ir.Offset(STREAMS, own), count), "index")


def _counts(low: Lowering, chain: Chain) -> bool:
    """Return whether the options of a branch can be counted by bits."""
    if not low.analysis.sure(chain.leaf):
        return False
    *before, last = chain.links or (chain.leaf,)
    if any(isinstance(link, n.ForEach) for link in before):
        return False
    if not isinstance(last, n.ForEach) or last is chain.leaf:
        return True
    collection = last.collection
    if collection.kind is not ValueKind.LOCATION or not masks.fits(low):
        return False
    if low.program.rounds.counted(last):
        return False
    if isinstance(collection, n.Filter):
        slot = collection.variable.slot
        if low.program.rounds.counted(collection) or not masks.known(low, collection.test, slot):
            return False
        collection = collection.collection
    return masks.is_array(low, collection)


def _draw_by_bits(low: Lowering, chains: list[Chain]) -> None:
    counts = [low.b.variable(ZERO, "count") for _ in chains]
    bits = [low.b.variable(ZERO, "bits") for _ in chains]
    for chain, count, positions in zip(chains, counts, bits, strict=True):
        _count(low, chain, count, positions)
    total = low.b.let(_sum(counts), "total")
    with low.b.when(unlikely(compare(Rel.EQ, total, ZERO))):
        low.b.add(ir.Return(ZERO))
    index = low.b.variable(_draw(low, total), "index")
    _count_anew(low)
    for group in _alike(chains):
        within = low.b.let(_sum([counts[at] for at in group]), "within")
        with low.b.when(less(index, within)):
            found, number = _of_group(low, group, counts, bits, index)
            with low.scratch():
                _carry_out(low, chains[group[0]], found, number)
            low.b.add(ir.Return(total))
        low.b.set(index, sub(index, within))
    low.b.add(ir.Return(ZERO))


def _sum(counts: list[Local]) -> ir.Expr:
    total: ir.Expr = ZERO
    for count in counts:
        total = add(total, count)
    return total


def _alike(chains: list[Chain]) -> list[list[int]]:
    """Group neighbouring branches that do the same with a card of the same location.

    They differ only in which cards they allow, so that they share the code, and no branch has to
    predict, say, whether a player follows suit.
    """
    groups: list[list[int]] = []
    last: Hashable = None
    for at, chain in enumerate(chains):
        own = _sameness(chain)
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


def _of_group(
    low: Lowering, group: list[int], counts: list[Local], bits: list[Local], index: ir.Expr
) -> tuple[ir.Expr, ir.Expr]:
    """Return the bits of the branch of a group to which an index belongs, and the index there."""
    found: ir.Expr = bits[group[0]]
    number: ir.Expr = index
    passed: ir.Expr = counts[group[0]]
    for at in group[1:]:
        later = low.b.let(compare(Rel.GE, index, passed), "later")
        found = low.b.let(ir.Select(later, bits[at], found), "bits")
        number = low.b.let(ir.Select(later, sub(index, passed), number), "number")
        passed = low.b.let(add(passed, counts[at]), "passed")
    return found, number


def _count(low: Lowering, chain: Chain, count: Local, found: Local) -> None:
    """Count the options of a branch, and record the positions of the cards it may pick."""
    with low.scratch(), ExitStack() as stack:
        for link in chain.links:
            match link:
                case n.When(test=test):
                    stack.enter_context(low.b.when(conditions.holds(low, test)))
                case n.Let(value=value, variable=variable):
                    low.env[variable.slot] = collections.bind(low, value)
                case n.ForEach():
                    low.b.set(found, _positions(low, link))
                    low.b.set(count, call("count_ones", found))
                    return
        low.b.set(count, ONE)


def _positions(low: Lowering, link: n.ForEach) -> ir.Expr:
    """Return the positions of the cards that an `any` may pick."""
    collection = link.collection
    if isinstance(collection, n.Filter):
        found = masks.chosen(low, collection)
        assert found is not None
        return found.positions
    pile = locations.location(low, collection)
    assert isinstance(pile, LoweredPile)
    count = low.count(pile)
    below = ir.Binary(ir.Op.SHL, const(-1), ir.Binary(ir.Op.AND, count, const(63)))
    some = ir.Binary(ir.Op.XOR, below, const(-1))
    return ir.Select(compare(Rel.EQ, count, const(64)), const(-1), some)


def _carry_out(low: Lowering, chain: Chain, found: ir.Expr, index: ir.Expr) -> None:
    """Do the actions of a branch for the option of an index."""
    for link in chain.links:
        match link:
            case n.Let(value=value, variable=variable):
                low.env[variable.slot] = collections.bind(low, value)
            case n.ForEach(variable=variable, collection=collection):
                base = collection.collection if isinstance(collection, n.Filter) else collection
                pile = locations.location(low, base)
                assert isinstance(pile, LoweredPile)
                at = low.b.let(call("nth_one", found, index), "at")
                array = low.board.at("card", pile.slot, ZERO)
                card = low.b.let(card_at(low, array, at), "card")
                held = Held(card, pile.slot, at, low.moves)
                memory = pile.kind is LocationKind.MEMORY
                low.env[variable.slot] = card if memory else held
    steps.step(low, chain.leaf)
