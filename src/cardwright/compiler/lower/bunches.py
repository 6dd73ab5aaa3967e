"""Random choices with several picks: options are counted in bunches, and one is found again.

What the last `any` of a branch may pick is a bunch: bits of a word, or all subsets of a set. A row
in memory has how many options there are up to its end, the branch, the items picked before, and the
word. An option is drawn by its number, found in its row, and carried out at once. If the tests that
assure the actions fail (`assured.py`), all options are listed and tried instead.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    mul,
    negate,
    offset,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Local, Rel
from cardwright.compiler.lower import (
    assured,
    candidates,
    card_sets,
    collections,
    conditions,
    counted_actions,
    effects,
    groups,
    piles,
    position_sets,
    steps,
    vectors,
)
from cardwright.compiler.lower.choices import OPTION
from cardwright.compiler.lower.lowered_values import (
    CardList,
    CardSet,
    Held,
    LoweredPile,
    PositionSet,
    RunSet,
    Value,
    Vector,
)
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL
from cardwright.program import nodes as n
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.lower.lowering import Lowering


def can_draw(low: Lowering, choosing: Choosing) -> bool:
    """Return whether a random option of a choice can be drawn without a list of all."""
    return all(chain is not None and is_assured(low, chain.leaf) for _, chain in choosing.living)


def is_assured(low: Lowering, leaf: n.Node) -> bool:
    """Return whether actions break no rule and do something, or tests can tell beforehand."""
    if low.analysis.sure(leaf):
        return True
    return assured.assurance(low, leaf) is not None and effects.acts(low, leaf) is not None


@dataclass
class BunchDrawing:
    """The function that draws an option of a choice, under construction."""

    low: Lowering
    choosing: Choosing
    listed: str
    """The function that does the same with a list of all options."""
    draw: Callable[[Lowering, ir.Expr], ir.Expr]
    """Checks that there are options, and draws one of a number of them."""
    total: Local = field(init=False)
    row: Local = field(init=False)
    sets: dict[int, CardSet | PositionSet | RunSet] = field(default_factory=dict)
    """The variables of picks that are sets of cards."""

    def make(self, name: str, streams: Local) -> None:
        """Make the function; it returns how many options there are, or -1."""
        low, b = self.low, self.low.b
        self.total = b.variable(ZERO, "total")
        self.mark = b.let(low.context.load("top"), "top")
        self.kept = b.let(low.context.load("kept"), "kept")
        self.left = b.let(low.context.load("left"), "left")
        first = b.let(low.context.load("options"), "options")
        b.add(ir.Store(first, ZERO, 8, OPTION))
        self.row = b.variable(offset(first, const(self._width)), "row")
        for branch, chain in self.choosing.living:
            assert chain is not None
            with low.scratch():
                self._collect(branch, chain)
        index = b.let(self.draw(low, self.total), "index")
        at = b.variable(offset(first, const(self._width)), "at")
        with b.loop(compare(Rel.LE, ir.Load(at, 8, tag=OPTION), index)):
            b.set(at, offset(at, const(self._width)))
        before = ir.Load(offset(at, const(-self._width)), 8, tag=OPTION)
        self.row, self.number = at, b.let(sub(index, before), "number")
        cases = []
        for branch, chain in self.choosing.living:
            assert chain is not None
            with b.case() as block, low.scratch():
                self._carry_out(chain)
            cases.append((branch, tuple(block)))
        b.add(ir.Switch(self._word(1), tuple(cases)))
        b.add(low.context.store("kept", value=self.kept))
        b.add(ir.Return(self.total))
        low.finish(name, streams)

    @property
    def _width(self) -> int:
        """The bytes of a row: at most as many as an option in a list has."""
        return 8 * (2 + self.choosing.shape.picks)

    def _word(self, at: int) -> ir.Expr:
        return ir.Load(offset(self.row, const(8 * at)), 8, signed=True, tag=OPTION)

    # Counting -----------------------------------------------------------------------------

    def _collect(self, branch: int, chain: Chain) -> None:
        """Add rows for the options of a branch."""
        low = self.low
        low.still = True
        sure = low.analysis.sure(chain.leaf)
        tests = None if sure else assured.assurance(low, chain.leaf)
        bound = {made.slot for link in chain.links if (made := n.binds(link)) is not None}
        words: list[ir.Expr] = []
        safe: ir.Expr | None = None
        with ExitStack() as stack:
            for link in chain.links:
                if safe is None and tests is not None and not isinstance(link, n.When):
                    safe = None if tests.mentions(bound) else tests.holds(low)
                match link:
                    case n.When(test=test):
                        stack.enter_context(low.b.when(conditions.holds(low, test)))
                    case n.Let(value=value, variable=variable):
                        low.env[variable.slot] = collections.bind(low, value)
                    case n.ForEach() if link is chain.links[-1] and self._bunch(chain, link):
                        found = self._bits(link)
                        number = low.b.let(self._number(link, found), "number")
                        stack.enter_context(low.b.when(compare(Rel.NE, number, ZERO)))
                        if tests is not None:
                            self._require(safe or tests.holds(low))
                        self._add(branch, [*words, found], number)
                        return
                    case n.ForEach():
                        item = stack.enter_context(
                            collections.each(low, link.collection, link.variable)
                        )
                        low.rounds(link)
                        words.append(self._kept(item, link))
            if tests is not None:
                self._require(safe or tests.holds(low))
            counted_actions.spend(low, chain.leaf)
            if not low.analysis.always_acts(chain.leaf):
                acts = effects.acts(low, chain.leaf)
                assert acts is not None
                stack.enter_context(low.b.when(low.b.let(acts(low), "acts")))
            self._add(branch, words, ONE)

    def _bunch(self, chain: Chain, pick: n.ForEach) -> str | None:
        """Return in which way what an `any` may pick is a bunch, or None."""
        low, collection = self.low, pick.collection
        counted = low.program.rounds.counted
        if any(map(counted, n.walk(chain.leaf))) or not low.analysis.always_acts(chain.leaf):
            return None
        if counted(pick):
            return None
        if not low.analysis.sure(chain.leaf):
            tests = assured.assurance(low, chain.leaf)
            if tests is None or tests.mentions({pick.variable.slot}):
                return None
        if candidates.are_bits(low, pick) and candidates.kind_of_bits(low, pick) is ir.Type.INT:
            return "bits"
        if card_sets.lies_by_number(low, collection):
            return "cards"
        if isinstance(collection, n.Subsets) and card_sets.are_sets(low, collection):
            return None if low.program.rounds.counted(collection) else "subsets"
        if isinstance(collection, n.Subsets) and position_sets.has_positions(
            low, collection.location
        ):
            return None if low.program.rounds.counted(collection) else "positions"
        return None

    def _bits(self, pick: n.ForEach) -> ir.Expr:
        low, collection = self.low, pick.collection
        if candidates.are_bits(low, pick):
            return low.b.let(candidates.bits(low, pick), "bits")
        if collection.kind is ValueKind.LOCATION:
            return card_sets.cards(low, collection)
        assert isinstance(collection, n.Subsets)
        if card_sets.lies_by_number(low, collection.location):
            return card_sets.cards(low, collection.location)
        return position_sets.whole(low, collection.location).mask

    def _number(self, pick: n.ForEach, found: ir.Expr) -> ir.Expr:
        low, collection = self.low, pick.collection
        ones = low.b.let(call("count_ones", found), "count")
        if collection.kind is not ValueKind.LOCATIONS:
            return ones
        assert isinstance(collection, n.Subsets)
        return groups.number_of_subsets(low, collection, ones)

    def _kept(self, item: Value, link: n.ForEach) -> ir.Expr:
        """Return the word of a picked item; a list is copied to lasting memory."""
        if isinstance(item, CardSet | PositionSet | RunSet):
            self.sets[link.variable.slot] = item
        if isinstance(item, CardList):
            return self.low.made("keep_list", link.span, item.at)
        if isinstance(item, Held):
            return item.card
        return vectors.as_integer(item)

    def _require(self, safe: ir.Expr) -> None:
        """List the options instead unless some tests hold."""
        low = self.low
        with low.b.when(unlikely(negate(safe))):
            for name, value in (("top", self.mark), ("kept", self.kept), ("left", self.left)):
                low.b.add(low.context.store(name, value=value))
            low.b.add(ir.Return(call(self.listed, BOARD, CONTEXT_LOCAL, _STREAMS)))

    def _add(self, branch: int, words: list[ir.Expr], number: ir.Expr) -> None:
        """Add a row for a number of options."""
        low, b = self.low, self.low.b
        b.set(self.total, add(self.total, number))
        if words:
            room = mul(self.total, const(self.choosing.shape.words))
            full = compare(Rel.GT, room, low.context.load("options_room"))
            low.check(full, "capacity", TOO_MANY, self.choosing.choice.span)
        for at, word in enumerate([self.total, const(branch), *words]):
            b.add(ir.Store(offset(self.row, const(8 * at)), word, 8, OPTION))
        b.set(self.row, offset(self.row, const(self._width)))

    # Carrying out -------------------------------------------------------------------------

    def _carry_out(self, chain: Chain) -> None:
        """Carry out the option of a number in a row of a branch."""
        low = self.low
        low.still = True
        at = 2
        for link in chain.links:
            match link:
                case n.Let(value=value, variable=variable):
                    with low.again():
                        low.env[variable.slot] = collections.bind(low, value)
                case n.ForEach(variable=variable):
                    word = low.b.let(self._word(at), "word")
                    last = link is chain.links[-1]
                    way = self._bunch(chain, link) if last else None
                    low.env[variable.slot] = (
                        self._item(link, word) if way is None else self._nth(link, word, way)
                    )
                    at += 1
        low.still = False
        position_sets.settle(low, chain.leaf)
        steps.step(low, chain.leaf)

    def _item(self, link: n.ForEach, word: ir.Expr) -> Value:
        """Return the item of a word."""
        low, collection = self.low, link.collection
        if collection.kind is ValueKind.LOCATION:
            return self.choosing.card(low, collection, word)
        if ITEM_KINDS[collection.kind] is not ValueKind.LOCATION:
            return word
        if low.analysis.real_members(collection):
            (kind,) = low.analysis.kinds(collection)
            return LoweredPile(word, kind, piles.form_of(low, collection))
        if (picked := self.sets.get(link.variable.slot)) is not None:
            if isinstance(picked, PositionSet):
                return self._positions(collection, word)
            if isinstance(picked, RunSet):
                return self._run(picked, collection, word)
            pile = card_sets.home(low, collection)
            return CardSet(low.b.variable(word, "group"), pile, low.moves)
        return CardList(word)

    def _run(self, picked: RunSet, collection: n.Node, word: ir.Expr) -> RunSet:
        """Return a run, given as a word; an array of positions is found again."""
        mask = self.low.b.variable(word, "run")
        among, runs = picked.among, n.unfiltered(collection)
        if among is not None and isinstance(runs, n.Runs):
            among = position_sets.whole(self.low, runs.location)
        return RunSet(mask, among, picked.points)

    def _positions(self, collection: n.Node, word: ir.Expr) -> PositionSet:
        """Return a set of positions of a pick, given as a word, with the array found again."""
        low = self.low
        mask = low.b.variable(word, "group")
        match n.unfiltered(collection):
            case n.Subsets(location=part) | n.Partition(parts=(part,)):
                return replace(position_sets.whole(low, part), mask=mask)
            case n.Variable(slot=slot):
                vector = low.env[slot]
                assert isinstance(vector, Vector)
                assert vector.among is not None
                return replace(vector.among, mask=mask)
        raise AssertionError(collection)

    def _nth(self, link: n.ForEach, word: ir.Expr, way: str) -> Value:
        """Return the item of a bunch that has the option's number."""
        low, collection = self.low, link.collection
        if way == "bits":
            with low.again():
                return candidates.pick_nth(low, link, word, self.number)
        pile = card_sets.home(low, collection)
        if way == "cards":
            bit = low.b.let(call("nth_bit", word, self.number), "bit")
            card = low.b.let(call("lowest_one", bit), "card")
            return card if pile is None else Held(card, pile, None, low.moves, bit)
        assert isinstance(collection, n.Subsets)
        with low.again():
            which = groups.nth_subset(low, collection, call("count_ones", word), self.number)
        if way == "positions":
            return self._positions(collection, call("deposit", which, word))
        found = low.b.variable(call("deposit", which, word), "subset")
        return CardSet(found, pile, low.moves)


_STREAMS = Local("streams", ir.Type.POINTER)
