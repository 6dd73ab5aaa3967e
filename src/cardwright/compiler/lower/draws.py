"""Random choices: an option is drawn and carried out at once, without a list of all.

If every branch is a chain that ends in at most one `any` over items that are bits (`choices.py`),
and its actions always have an effect and break no rule, options are counted by counting bits, and
the drawn one is found by its bit. Where the tests fail that say that actions break no rule, all
options are listed and tried.

Where branches pick more than once, or groups of cards, options are counted in bunches, and one is
found again. What the last `any` of a branch may pick is a bunch: bits of a word, or all subsets of
a set. A row in memory has how many options there are up to its end, the branch, the items picked
before, and the word. An option is drawn by its number, found in its row, and carried out at once.

Other choices find all their options first. A policy may choose in place of chance: the kernel
`policy_card`, given the bits of a choice between cards, and `policy` at any other.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    less,
    mul,
    negate,
    offset,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.lower import card_sets, choices, collections, guards, piles, words
from cardwright.compiler.lower.actions import step
from cardwright.compiler.lower.choices import (
    OPTION,
    ChainGuard,
    bind_again,
    check_some,
    guard,
    item_of,
    option_word,
    pass_link,
    store_words,
)
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL
from cardwright.compiler.lower.values import CardList, CardSet, Held, Value, Vector
from cardwright.program import nodes as n
from cardwright.program.exclusive import exclusive
from cardwright.program.limits import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.lower.guards import Guards
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.chains import Chain

STREAMS = Local("streams", Type.POINTER)


def draws(choosing: Choosing, policy_at: int | None = None) -> str:
    """Make the function that carries out a random option; it returns how many there are, or -1.

    The option is drawn from the stream of the seat that has to decide, or taken by a policy at a
    place.
    """
    name = f"draw_{choosing.number}" if policy_at is None else f"follow_{choosing.number}"
    if name in choosing.shared.module.functions:
        return name
    low = choosing.lowering()
    low.watched = policy_at is not None
    if policy_at is None and not _all_bits(low, choosing) and can_draw(low, choosing):
        _BunchDrawing(low, choosing).make(name)
        return name
    low.give(draw_option(low, choosing, policy_at))
    low.finish(name, STREAMS)
    return name


def draw_option(low: Lowering, choosing: Choosing, policy_at: int | None = None) -> ir.Expr:
    """Carry out a random option, and return how many there are; it returns from a fault with -1."""
    by_bits = policy_at is None or choosing.is_between_cards
    if by_bits and _all_bits(low, choosing):
        return _BitDrawing(low, choosing, policy_at).draw()
    if policy_at is not None or not can_draw(low, choosing):
        return _draw_listed(low, choosing, policy_at)
    low.publish()
    total = low.succeed(call(draws(choosing), BOARD, CONTEXT_LOCAL, STREAMS))
    low.reload()
    return total


def _draw_listed(low: Lowering, choosing: Choosing, policy_at: int | None = None) -> ir.Expr:
    """Find all options and carry out a random one; it returns from a fault with -1."""
    low.publish()
    # The lists that the options of the last decision kept are not needed any more.
    low.b.add(low.context.store("kept", value=low.context.load("arena_end")))
    count = low.succeed(call(choosing.find(), BOARD, CONTEXT_LOCAL))
    check_some(low, choosing.choice, count)
    index = _draw(low, count) if policy_at is None else _ask(low, policy_at, count)
    _count_anew(low)
    low.succeed(call(choosing.carry_out(), BOARD, CONTEXT_LOCAL, index))
    low.reload()
    return count


def _count_anew(low: Lowering) -> None:
    """Reset the count of rounds: what is repeated was counted when the options were."""
    if low.program.rounds.any_counted:
        low.decided()


def _draw(low: Lowering, count: ir.Expr) -> ir.Expr:
    return low.b.let(call("below", _own_stream(low), count), "index")


def _own_stream(low: Lowering) -> ir.Expr:
    """Return the address of the stream of the current player, of 32 bytes."""
    return ir.Offset(STREAMS, ir.Binary(Op.SHL, low.current(low.players), ir.Const(5)))


def _ask(low: Lowering, policy_at: int, total: ir.Expr, cards: ir.Expr | None = None) -> Local:
    """Let a policy choose, if there is a choice; it sees the board as it is at the decision."""
    index = low.b.variable(ZERO, "index")
    with low.b.when(less(ONE, total)):
        low.store("pc", value=const(policy_at))
        low.publish()
        own = _own_stream(low)
        if cards is None:
            low.b.set(index, call("policy", BOARD, CONTEXT_LOCAL, own, total))
        else:
            card = low.b.let(call("policy_card", BOARD, CONTEXT_LOCAL, own, cards), "card")
            smaller = sub(ir.Binary(Op.SHL, ONE, card), ONE)
            low.b.set(index, call("count_ones", words.common(cards, smaller)))
    return index


# Branches whose options are bits ----------------------------------------------------------


@dataclass(frozen=True)
class DrawnBranch:
    """A branch whose options are bits: its chain, and the tests that are still to be made."""

    chain: Chain
    tests: tuple[n.Node, ...]
    guard: Guards | None
    """The tests that say that its actions break no rule; None if they never do."""

    @property
    def pick(self) -> n.ForEach | None:
        """The `any` at its end, if it has one."""
        return self.chain.picks[-1] if self.chain.picks else None


def _branch(low: Lowering, chain: Chain) -> DrawnBranch:
    tests: list[n.Node] = []
    for link in chain.links:
        if isinstance(link, n.When):
            test = link.test
            tests += test.tests if isinstance(test, n.Logic) and test.every else (test,)
    return DrawnBranch(chain, tuple(tests), guard(low, chain))


def _all_bits(low: Lowering, choosing: Choosing) -> bool:
    return all(chain is not None and are_bits(low, chain) for _, chain in choosing.living)


def are_bits(low: Lowering, chain: Chain) -> bool:
    """Return whether the options of a branch are bits, and always do something."""
    if not is_assured(low, chain) or not low.analysis.always_acts(chain.leaf):
        return False
    tests = chain.links[:-1] if chain.picks else chain.links
    if not all(isinstance(link, n.When) for link in tests):
        return False
    return not chain.picks or choices.are_bits(low, chain.picks[-1])


def sides(
    branches: Sequence[DrawnBranch],
) -> tuple[n.Node, list[DrawnBranch], list[DrawnBranch]] | None:
    """Split branches that begin with a test or its opposite; None if they do not."""
    if len(branches) < 2 or any(not branch.tests for branch in branches):
        return None
    first = [_unsigned(branch.tests[0]) for branch in branches]
    if len({test for test, _ in first}) > 1 or len({negated for _, negated in first}) < 2:
        return None
    yes: list[DrawnBranch] = []
    no: list[DrawnBranch] = []
    for branch, (_, negated) in zip(branches, first, strict=True):
        (no if negated else yes).append(replace(branch, tests=branch.tests[1:]))
    test = next(b.tests[0] for b, (_, negated) in zip(branches, first, strict=True) if not negated)
    return test, yes, no


def _unsigned(test: n.Node) -> tuple[Hashable, bool]:
    """Return the key of a test without its negation, and whether it was negated."""
    match test:
        case n.Not(test=inner):
            unsigned, negated = _unsigned(inner)
            return unsigned, not negated
        case n.Equal(negated=True):
            return n.key(replace(test, negated=False)), True
    return n.key(test), False


class _BitDrawing:
    """An option that is drawn by its bit, under construction in a function."""

    def __init__(self, low: Lowering, choosing: Choosing, policy_at: int | None) -> None:
        self.low = low
        self.choosing = choosing
        self.policy_at = policy_at
        self.total = low.b.variable(ZERO, "total")

    def draw(self) -> ir.Expr:
        """Carry out a random option, and return how many there are."""
        low = self.low
        chains = [chain for _, chain in self.choosing.living if chain is not None]
        branches = [_branch(low, chain) for chain in chains]
        self._choose(branches)
        if any(branch.guard is not None for branch in branches):
            with low.b.when(unlikely(compare(Rel.EQ, self.total, ZERO))):
                low.b.set(self.total, _draw_listed(low, self.choosing, self.policy_at))
        return self.total

    def _choose(self, branches: Sequence[DrawnBranch]) -> None:
        """Draw an option; if branches begin with opposite tests look only at those of one side.

        Nothing is drawn, and the total stays 0, if the actions of an option may break a rule.
        """
        low = self.low
        if (split := sides(branches)) is not None:
            test, yes, no = split
            with low.b.when(low.holds(test)):
                self._choose(yes)
            with low.b.otherwise():
                self._choose(no)
            return
        guarded = any(branch.guard is not None for branch in branches)
        safe = low.b.variable(TRUE, "safe") if guarded else None
        bits = [low.b.let(_bits_of(low, branch, safe), "bits") for branch in branches]
        if safe is None:
            self._draw_from(branches, bits)
            return
        with low.b.when(safe):
            self._draw_from(branches, bits)

    def _draw_from(self, branches: Sequence[DrawnBranch], bits: Sequence[ir.Expr]) -> None:
        """Draw an option of some branches, given their bits, and carry it out."""
        low = self.low
        groups = _merged(low, branches, bits)
        counts = [low.b.let(_number(*group), "count") for group in groups]
        total: ir.Expr = ZERO
        for count in counts:
            total = add(total, count)
        low.b.set(self.total, total)
        check_some(low, self.choosing.choice, self.total)
        if not branches:
            return
        if self.policy_at is None:
            index = low.b.variable(_draw(low, self.total), "index")
        else:  # at most one branch has cards
            cards = low.b.let(words.joined(*bits), "cards")
            index = _ask(low, self.policy_at, self.total, cards)
        _count_anew(low)

        def choose(at: int) -> None:
            if at == len(groups) - 1:
                self._carry_out(*groups[at], index)
                return
            with low.b.when(less(index, counts[at])):
                self._carry_out(*groups[at], index)
            with low.b.otherwise():
                low.b.set(index, sub(index, counts[at]))
                choose(at + 1)

        choose(0)

    def _carry_out(self, branch: DrawnBranch, bits: ir.Expr, index: ir.Expr) -> None:
        low, pick = self.low, branch.pick
        with low.scratch():
            if pick is not None:
                low.env[pick.variable.slot] = choices.nth_item(low, pick, bits, index)
            step(low, branch.chain.leaf)


def _bits_of(low: Lowering, branch: DrawnBranch, safe: Local | None) -> ir.Expr:
    """Return the options of a branch as bits; a branch without `any` has the lowest one.

    `safe` is set to false if the actions of one of them may break a rule.
    """
    pick = branch.pick
    parts = [*branch.tests, *([] if pick is None else [pick.collection])]
    if low.analysis.pure(*parts):
        made = low.tried(lambda: _bits_at_once(low, branch))
        if made is not None:
            bits = low.b.let(made, "bits")
            with low.scratch():
                _look(low, branch, bits, safe)
            return bits
    kind = Type.INT if pick is None else choices.kind_of_bits(low, pick)
    result = low.b.variable(words.none(kind), "bits")
    with low.scratch(), ExitStack() as stack:
        for test in branch.tests:
            stack.enter_context(low.b.when(low.holds(test)))
        low.b.set(result, ONE if pick is None else choices.bits(low, pick))
        _look(low, branch, result, safe)
    return result


def _look(low: Lowering, branch: DrawnBranch, bits: ir.Expr, safe: Local | None) -> None:
    """Look whether the actions of a branch surely break no rule, for any of its options."""
    pick, guard = branch.pick, branch.guard
    if safe is None or guard is None:
        return
    if pick is None or not guard.mentions({pick.variable.slot}):
        with low.b.when(words.is_some(bits)):
            low.b.set(safe, both(safe, guard.holds(low)))
        return
    with low.each_bit(bits) as at:
        low.env[pick.variable.slot] = choices.item(low, pick, at)
        low.b.set(safe, both(safe, guard.holds(low)))


def _bits_at_once(low: Lowering, branch: DrawnBranch) -> ir.Expr | None:
    """Return the options of a branch as bits; None if that takes a loop, to be made in vain."""
    with low.b.case() as block:
        bits = ONE if branch.pick is None else choices.bits(low, branch.pick)
        for test in branch.tests:
            bits = words.only_if(low.holds(test), bits)
    if any(isinstance(node, ir.Loop) for node in ir.walk(tuple(block))):
        return None
    low.b.extend(block)
    return bits


def _number(branch: DrawnBranch, bits: ir.Expr) -> ir.Expr:
    return bits if branch.pick is None else call("count_ones", bits)


def _merged(
    low: Lowering, branches: Sequence[DrawnBranch], bits: Sequence[ir.Expr]
) -> list[tuple[DrawnBranch, ir.Expr]]:
    """Join neighbouring branches that do the same with cards of one place and exclude each other.

    They differ only in which cards they allow, so that they share the code, and no branch has to
    predict, say, whether a player follows suit.
    """
    groups: list[list[int]] = []
    last: Hashable = None
    for at, branch in enumerate(branches):
        own = _sameness(branch)
        if own is not None and own == last:
            joined = [*groups[-1], at]
            if exclusive([branches[each].chain for each in joined]):
                groups[-1] = joined
                continue
        groups.append([at])
        last = own
    return [
        (branches[group[0]], low.b.let(words.joined(*(bits[at] for at in group)), "bits"))
        for group in groups
    ]


def _sameness(branch: DrawnBranch) -> Hashable:
    picks = branch.chain.picks
    if len(picks) != 1:
        return None
    collection = picks[0].collection
    base = collection.collection if isinstance(collection, n.Filter) else collection
    return n.key(base), n.key(branch.chain.leaf, picks[0].variable.slot)


# Bunches ----------------------------------------------------------------------------------


def can_draw(low: Lowering, choosing: Choosing) -> bool:
    """Return whether a random option of a choice can be drawn without a list of all."""
    return all(chain is not None and is_assured(low, chain) for _, chain in choosing.living)


def is_assured(low: Lowering, chain: Chain) -> bool:
    """Return whether actions do something, and break no rule, or tests can tell beforehand."""
    return low.analysis.sure(chain.leaf) or guard(low, chain) is not None


class _BunchDrawing:
    """The function that draws an option of a choice in bunches, under construction."""

    def __init__(self, low: Lowering, choosing: Choosing) -> None:
        self.low = low
        self.choosing = choosing
        self.width = 8 * (2 + choosing.shape.picks)
        """The bytes of a row: at most as many as an option in a list has."""
        self.listed = self._lists()
        b = low.b
        self.total = b.variable(ZERO, "total")
        self.marks = {name: b.let(low.context.load(name), name) for name in ("top", "kept", "left")}
        """What is restored in the context if options have to be listed after all."""
        self.first = b.let(low.context.load("options"), "options")
        b.add(ir.Store(self.first, ZERO, 8, OPTION))
        self.row = b.variable(offset(self.first, const(self.width)), "row")
        self.sets: dict[int, CardSet] = {}
        """The variables of picks that are sets of cards."""

    def _lists(self) -> str:
        name = f"listed_{self.choosing.number}"
        low = self.choosing.lowering()
        low.watched = False
        low.give(_draw_listed(low, self.choosing))
        low.finish(name, STREAMS)
        return name

    def make(self, name: str) -> None:
        """Make the function; it returns how many options there are, or -1."""
        low, b = self.low, self.low.b
        chains = [(at, chain) for at, chain in self.choosing.living if chain is not None]
        for branch, chain in chains:
            with low.scratch():
                self._collect(branch, chain)
        check_some(low, self.choosing.choice, self.total)
        index = _draw(low, self.total)
        _count_anew(low)
        at = b.variable(offset(self.first, const(self.width)), "at")
        with b.loop(compare(Rel.LE, ir.Load(at, 8, tag=OPTION), index)):
            b.set(at, offset(at, const(self.width)))
        before = ir.Load(offset(at, const(-self.width)), 8, tag=OPTION)
        self.row, number = at, b.let(sub(index, before), "number")
        cases = {branch: partial(self._carry_out, chain, number) for branch, chain in chains}
        low.switch(option_word(self.row, 1), cases)
        b.add(low.context.store("kept", value=self.marks["kept"]))
        low.give(self.total)
        low.finish(name, STREAMS)

    def _collect(self, branch: int, chain: Chain) -> None:
        """Add rows for the options of a branch."""
        low = self.low
        low.still = True
        guard = ChainGuard(low, chain)
        row: list[ir.Expr] = []
        with ExitStack() as stack:
            for link in chain.links:
                guard.before(link)
                pass_link(low, stack, link)
                if not isinstance(link, n.ForEach):
                    continue
                if self._is_bunch(chain, link):
                    word, number = self._word(link)
                    stack.enter_context(low.b.when(compare(Rel.NE, number, ZERO)))
                    self._require(guard.holds())
                    self._add(branch, [*row, word], number)
                    return
                each = collections.each(low, link.collection, link.variable)
                item = stack.enter_context(each)
                low.rounds(link)
                row.append(self._kept(item, link))
            self._require(guard.holds())
            if not low.analysis.always_acts(chain.leaf):
                acts = guards.acts(low, chain.leaf)
                assert acts is not None
                stack.enter_context(low.b.when(low.b.let(acts(low), "acts")))
            self._add(branch, row, ONE)

    def _is_bunch(self, chain: Chain, pick: n.ForEach) -> bool:
        """Return whether what an `any` may pick is a bunch: bits, or subsets of positions."""
        low, collection = self.low, pick.collection
        if pick is not chain.links[-1] or low.counts(pick):
            return False
        if not low.analysis.always_acts(chain.leaf):
            return False
        tests = guard(low, chain)
        if tests is not None and tests.mentions({pick.variable.slot}):
            return False
        if isinstance(collection, n.Subsets):
            positions = card_sets.has_positions(low, collection.location)
            return positions and not low.counts(collection)
        return choices.are_bits(low, pick) and choices.kind_of_bits(low, pick) is Type.INT

    def _word(self, pick: n.ForEach) -> tuple[ir.Expr, ir.Expr]:
        """Return the word of a bunch, and how many options it has."""
        low, collection = self.low, pick.collection
        if isinstance(collection, n.Subsets):
            word = card_sets.cards_of(low, collection.location).bits
            count = low.b.let(call("count_ones", word), "count")
            number = collections.number_of_subsets(low, collection, count)
        else:
            word = low.b.let(choices.bits(low, pick), "bits")
            number = low.b.let(call("count_ones", word), "count")
        return word, low.b.let(number, "number")

    def _kept(self, item: Value, link: n.ForEach) -> ir.Expr:
        """Return the word of a picked item; a list is copied to lasting memory."""
        if isinstance(item, CardSet):
            self.sets[link.variable.slot] = item
        if isinstance(item, CardList):
            return self.low.made("keep_list", link.span, item.at)
        return item.card if isinstance(item, Held) else collections.as_integer(item)

    def _require(self, safe: ir.Expr | None) -> None:
        """List the options instead unless the tests of a chain hold, if it has any."""
        if safe is None:
            return
        low = self.low
        with low.b.when(unlikely(negate(safe))):
            for name, value in self.marks.items():
                low.b.add(low.context.store(name, value=value))
            low.give(call(self.listed, BOARD, CONTEXT_LOCAL, STREAMS))

    def _add(self, branch: int, row: list[ir.Expr], number: ir.Expr) -> None:
        low, b = self.low, self.low.b
        b.set(self.total, add(self.total, number))
        if row:
            room = mul(self.total, const(self.choosing.shape.words))
            full = compare(Rel.GT, room, low.context.load("options_room"))
            low.check(full, "capacity", TOO_MANY, self.choosing.choice.span)
        store_words(low, self.row, [self.total, const(branch), *row])
        b.set(self.row, offset(self.row, const(self.width)))

    def _carry_out(self, chain: Chain, number: ir.Expr) -> None:
        low = self.low
        low.still = True
        positions = iter(range(2, 2 + len(chain.picks)))

        def picked(link: n.ForEach) -> Value:
            word = low.b.let(option_word(self.row, next(positions)), "word")
            is_bunch = self._is_bunch(chain, link)
            return self._nth(link, word, number) if is_bunch else self._item(link, word)

        with low.scratch():
            bind_again(low, chain, picked)
            low.still = False
            piles.write_out(low, chain.leaf)
            step(low, chain.leaf)

    def _item(self, link: n.ForEach, word: ir.Expr) -> Value:
        low, collection = self.low, link.collection
        picked = self.sets.get(link.variable.slot)
        if picked is None:
            return item_of(low, collection, word)
        if picked.run_points is not None:
            bits, array, base = low.b.variable(word, "run"), picked.array, n.unfiltered(collection)
            if array is not None and isinstance(base, n.Runs):
                array = card_sets.cards_of(low, base.location).array
            return CardSet(bits, array, run_points=picked.run_points)
        if picked.array is not None:
            return self._positions(collection, word)
        pile = card_sets.home(low, collection)
        return CardSet(low.b.variable(word, "group"), None, pile, low.moves)

    def _positions(self, collection: n.Node, word: ir.Expr) -> CardSet:
        """Return a set of positions of a pick, given as a word, with the array found again."""
        low = self.low
        bits = low.b.variable(word, "group")
        match n.unfiltered(collection):
            case n.Subsets(location=part) | n.Partition(parts=(part,)):
                return replace(card_sets.cards_of(low, part), bits=bits)
            case n.Variable(slot=slot):
                match low.env[slot]:
                    case Vector(like=CardSet() as like):
                        return replace(like, bits=bits)
        raise AssertionError(collection)

    def _nth(self, link: n.ForEach, word: ir.Expr, number: ir.Expr) -> Value:
        low, collection = self.low, link.collection
        with low.again():
            if not isinstance(collection, n.Subsets):
                return choices.nth_item(low, link, word, number)
            count = call("count_ones", word)
            which = collections.nth_subset(low, collection, count, number)
        return self._positions(collection, call("deposit", which, word))
