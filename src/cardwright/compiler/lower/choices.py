"""Choices: finding the options, and carrying one out; see `cardwright.compiler.chains`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    less,
    mul,
    offset,
)
from cardwright.compiler.chains import Chain, choosing, is_dead, options
from cardwright.compiler.ir import Inline, Local, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import (
    assured,
    card_sets,
    collections,
    conditions,
    counted_actions,
    effects,
    lists,
    locations,
    masks,
    piles,
    position_sets,
    run_sets,
    steps,
    vectors,
)
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
from cardwright.compiler.lower.lowering import Lowering, Shared
from cardwright.program import nodes as n
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Sequence


OPTION = "option"
"""The tag of loads and stores of options."""


def leave_choice(low: Lowering, then: int, outcome: ir.Expr) -> None:
    """Go on at a place after a decision, and return what carrying it out came to."""
    low.store("pc", value=const(then))
    low.store("decisions", value=add(low.board.load("decisions"), ONE))
    if low.layout.places.pool:
        low.b.run("tidy", low.board.base)
    low.b.add(ir.Return(outcome))


class Choosing:
    """The functions of one choice."""

    def __init__(
        self, shared: Shared, number: int, choice: n.Choice, players: int, teams: int
    ) -> None:
        self.shared = shared
        self.number = number
        self.choice = choice
        self.players = players
        self.teams = teams
        self.options = options(shared.analysis, shared.layout.places, choice)
        self.shape = self.options.shape
        self.chains = self.options.chains
        self.dead = frozenset(
            branch
            for branch, found in enumerate(self.chains)
            if found is not None and is_dead(shared.analysis, found)
        )
        """The branches that never have options."""

    def lowering(self) -> Lowering:
        """Return a new function of this choice."""
        return Lowering(self.shared, self.players, self.teams)

    @property
    def living(self) -> tuple[tuple[int, Chain | None], ...]:
        """The branches that may have options, with their chains."""
        branches = enumerate(self.chains)
        return tuple((at, found) for at, found in branches if at not in self.dead)

    # Finding options ----------------------------------------------------------------------

    def find(self) -> str:
        """Make the function that finds the options and returns their number, or -1."""
        name = f"options_{self.number}"
        if name in self.shared.module.functions:
            return name
        low = self.lowering()
        count = low.b.variable(ZERO, "options")
        low.b.set(Local("again"), ZERO)
        site = self.shared.sites.number("capacity", TOO_MANY, self.choice.span)
        for branch, found in self.living:
            if found is None:
                done = call(
                    "try_options",
                    low.board.base,
                    low.context.base,
                    const(self._explore(branch)),
                    const(branch),
                    count,
                    const(self.shape.words),
                    const(site),
                )
                low.b.set(count, done)
                with low.b.when(less(count, ZERO)):
                    low.b.add(ir.Return(NONE))
            else:
                low.still = True
                with low.scratch():
                    self._find(low, branch, found, count)
                low.still = False
        low.b.add(ir.Return(count))
        low.finish(name)
        return name

    def _find(self, low: Lowering, branch: int, found: Chain, count: Local) -> None:
        """Go through the chain of a branch, and record an option at each of its ends."""
        picks: list[tuple[n.ForEach, ir.Expr, ir.Expr]] = []
        tests = assured.assurance(low, found.leaf) if not low.analysis.sure(found.leaf) else None
        bound = {made.slot for link in found.links if (made := n.binds(link)) is not None}
        safe: ir.Expr | None = None
        with ExitStack() as stack:
            for link in found.links:
                if tests is not None and safe is None and not isinstance(link, n.When):
                    safe = None if tests.mentions(bound) else tests.holds(low)
                match link:
                    case n.When(test=test):
                        stack.enter_context(low.b.when(conditions.holds(low, test)))
                    case n.Let(value=value, variable=variable):
                        low.env[variable.slot] = collections.bind(low, value)
                    case n.ForEach():
                        ordinals = low.b.variable(ZERO, "ordinal")
                        item = stack.enter_context(
                            collections.each(low, link.collection, link.variable)
                        )
                        ordinal = low.b.let(ordinals, "ordinal")
                        low.b.set(ordinals, add(ordinals, ONE))
                        low.rounds(link)
                        picks.append((link, self._kept(low, item, link), ordinal))
            if tests is not None and safe is None:
                safe = tests.holds(low)
            self._end(low, branch, found, picks, count, safe=safe)

    def _kept(self, low: Lowering, item: Value, link: n.Node) -> ir.Expr:
        """Return the integer of a picked item; a list is copied to lasting memory."""
        if isinstance(item, CardSet):
            item = card_sets.written_out(low, item, link)
        if isinstance(item, PositionSet):
            item = position_sets.written_out(low, item, link)
        if isinstance(item, RunSet):
            item = run_sets.written_out(low, item, link)
        if isinstance(item, CardList):
            return low.made("keep_list", link.span, item.at)
        return vectors.as_integer(item)

    def _end(
        self,
        low: Lowering,
        branch: int,
        found: Chain,
        picks: Sequence[tuple[n.ForEach, ir.Expr, ir.Expr]],
        count: Local,
        *,
        safe: ir.Expr | None,
    ) -> None:
        """Record an option, if its actions do anything; they break no rule if `safe` holds."""
        if low.analysis.sure(found.leaf):
            self._note(low, branch, picks, count)
            return
        acts = effects.acts(low, found.leaf)
        if safe is None or acts is None:
            tried = self._tried(low, branch, found, picks)
        else:
            tried = low.b.variable(ONE, "tried")
            with low.b.when(safe):
                counted_actions.spend(low, found.leaf)
                if not low.analysis.always_acts(found.leaf):
                    low.b.set(tried, ir.Convert(acts(low), ir.Type.INT))
            with low.b.otherwise():
                low.b.set(tried, self._tried(low, branch, found, picks))
        if low.analysis.always_acts(found.leaf):
            self._note(low, branch, picks, count)
        else:
            with low.b.when(ir.OrderTest(Rel.GT, tried, ZERO)):
                self._note(low, branch, picks, count)

    def _tried(
        self,
        low: Lowering,
        branch: int,
        found: Chain,
        picks: Sequence[tuple[n.ForEach, ir.Expr, ir.Expr]],
    ) -> ir.Expr:
        """Return whether actions do anything, having tried them on a copy of the state."""
        leaf = self.leaf(branch)
        scratch = low.b.let(low.context.load("scratch"), "scratch")
        again = Local("again")
        low.b.run("prepare_trial", scratch, low.board.base, low.context.base, again)
        low.b.set(again, ONE)
        values = [value for _, value, _ in picks]
        tried = low.b.let(call(leaf, scratch, low.context.base, *values), "tried")
        with low.b.when(less(tried, ZERO)):
            low.b.add(ir.Return(NONE))
        return tried

    def _note(
        self,
        low: Lowering,
        branch: int,
        picks: Sequence[tuple[n.ForEach, ir.Expr, ir.Expr]],
        count: Local,
    ) -> None:
        words = self.shape.words
        if picks:
            room = ir.Binary(ir.Op.MUL, add(count, ONE), const(words))
            full = compare(Rel.GT, room, low.context.load("options_room"))
            low.check(full, "capacity", TOO_MANY, self.choice.span)
        option = low.b.let(
            offset(low.context.load("options"), mul(count, const(8 * words))), "option"
        )
        low.b.add(ir.Store(option, const(branch), 8, OPTION))
        if not self.shape.strict:
            low.b.add(ir.Store(offset(option, const(8)), const(len(picks)), 8, OPTION))
        for at, (link, value, ordinal) in enumerate(picks):
            first = 8 * (self.shape.head + self.shape.width * at)
            low.b.add(ir.Store(offset(option, const(first)), value, 8, OPTION))
            low.b.add(ir.Store(offset(option, const(first + 8)), ordinal, 8, OPTION))
            if not self.shape.strict:
                form = const(pick_number(self.shared, link))
                low.b.add(ir.Store(offset(option, const(first + 16)), form, 8, OPTION))
        low.b.set(count, add(count, ONE))

    # Carrying out -------------------------------------------------------------------------

    def leaf(self, branch: int) -> str:
        """Make the function that does the actions of a chain for given picks.

        It returns 1 if there was an effect, 0 if there was none, or -1.
        """
        name = f"leaf_{self.number}_{branch}"
        if name in self.shared.module.functions:
            return name
        found = self.chains[branch]
        assert found is not None
        low = self.lowering()
        params = [Local(f"pick{at}") for at in range(len(found.picks))]
        left = iter(params)
        low.acted = low.b.variable(ZERO, "acted")
        low.noting = not low.analysis.sure(found.leaf)
        with low.scratch():
            for link in found.links:
                match link:
                    case n.Let(value=value, variable=variable):
                        with low.again():
                            low.env[variable.slot] = collections.bind(low, value)
                    case n.ForEach(variable=variable):
                        low.env[variable.slot] = self._item(low, link, next(left), found.leaf)
            steps.step(low, found.leaf)
        low.b.add(ir.Return(low.acted))
        low.finish(name, *params)
        return name

    def _item(self, low: Lowering, link: n.ForEach, value: ir.Expr, leaf: n.Node) -> Value:
        """Return a picked item; a list is copied, since cards may be moved out through it."""
        if link.collection.kind is ValueKind.LOCATION:
            return self.card(low, link.collection, value)
        if ITEM_KINDS[link.collection.kind] is not ValueKind.LOCATION:
            return value
        if low.analysis.real_members(link.collection):
            (kind,) = low.analysis.kinds(link.collection)
            return LoweredPile(value, kind, piles.form_of(low, link.collection))
        return lists.copied(low, CardList(value), leaf)

    def card(self, low: Lowering, collection: n.Node, card: ir.Expr) -> Value:
        """Return a picked card, with the location where it lies if that is a mask."""
        base = collection.collection if isinstance(collection, n.Filter) else collection
        if masks.is_array(low, base) and piles.form_of(low, base) is PileForm.MASK:
            pile = locations.location(low, base)
            assert isinstance(pile, LoweredPile)
            return Held(card, pile, None, low.moves, None)
        return card

    def carry_out(self) -> str:
        """Make the function that carries out an option, by its index."""
        name = f"carry_out_{self.number}"
        if name in self.shared.module.functions:
            return name
        low = self.lowering()
        index = Local("index")
        words = self.shape.words
        option = low.b.let(
            offset(low.context.load("options"), mul(index, const(8 * words))), "option"
        )
        branch = low.b.let(ir.Load(option, 8, tag=OPTION), "branch")
        cases = []
        for at, found in self.living:
            with low.b.case() as block:
                if found is None:
                    low.b.run("follow", low.context.base, option)
                    done = call(
                        "explore", low.board.base, low.context.base, const(self._explore(at))
                    )
                else:
                    head, width = self.shape.head, self.shape.width
                    starts = [head + width * pick for pick in range(len(found.picks))]
                    values = [
                        ir.Load(offset(option, const(8 * start)), 8, signed=True, tag=OPTION)
                        for start in starts
                    ]
                    done = call(self.leaf(at), low.board.base, low.context.base, *values)
                low.b.add(ir.Return(done))
            cases.append((at, tuple(block)))
        low.b.add(ir.Switch(branch, tuple(cases)))
        low.b.add(ir.Return(NONE))
        low.finish(name, index)
        return name

    # Options that are tried from their beginning ------------------------------------------

    def _explore(self, branch: int) -> int:
        """Make the function that runs a branch with prescribed picks; return its number."""
        name = f"explore_{self.number}_{branch}"
        key = (self.number << 12) + branch
        if name not in self.shared.module.functions:
            low = self.lowering()
            low.exploring = True
            low.acted = low.b.variable(ZERO, "acted")
            with low.scratch():
                self._run(low, self.choice.steps[branch])
            low.b.add(ir.Return(low.acted))
            low.finish(name, inline=Inline.NEVER)
            self.shared.explored[key] = name
        return key

    def _run(self, low: Lowering, node: n.Node) -> None:
        """Run a step; each `any` on the way takes the item that is prescribed, or its first."""
        if not low.analysis.chooses(node):
            steps.step(low, node)
            return
        match node:
            case n.Do():
                for inner in node.steps:
                    self._run(low, inner)
            case n.When(test=test, body=body):
                with low.b.when(conditions.holds(low, test)):
                    self._run(low, body)
            case n.Let(value=value, variable=variable, body=body):
                low.env[variable.slot] = collections.bind(low, value)
                self._run(low, body)
            case n.ForEach(choose=False):
                every = collections.each(low, node.collection, node.variable, listed=True)
                with every, low.scratch():
                    low.rounds(node)
                    self._run(low, node.body)
            case n.ForEach():
                self._pick(low, node)
            case _:
                raise AssertionError(node)

    def _pick(self, low: Lowering, node: n.ForEach) -> None:
        """Branch for each item in order; over nothing, go on with the rest."""
        vector = _items(low, node.collection)
        count = vectors.vector_length(low, vector)
        with low.b.when(compare(Rel.NE, count, ZERO)):
            form = const(pick_number(self.shared, node))
            done = call("take_pick", low.context.base, count, form, const(self.shape.picks))
            what = "too many choices within one option"
            chosen = low.attempt(done, "depth", what, self.choice.span)
            low.rounds(node)
            item = vectors.item(low, vector, chosen)
            value: Value = item
            if ITEM_KINDS[node.collection.kind] is ValueKind.LOCATION:
                value = vectors.as_location(low, vector, item)
            kept = self._kept(low, value, node)
            if isinstance(value, LoweredPile) and self.shared.layout.places.pool:
                kept = low.made("keep_place", node.span, low.board.base, kept)
            low.b.run("note_pick", low.context.base, kept)
            low.env[node.variable.slot] = value
            self._run(low, node.body)


def _items(low: Lowering, node: n.Node) -> Vector:
    """Return all items of a collection as a vector."""
    if node.kind is ValueKind.LOCATIONS:
        return vectors.members(low, node)
    return vectors.values_of(low, node)


def pick_number(shared: Shared, node: n.ForEach) -> int:
    """Return the number of an `any` among those of the program."""
    for number, other in enumerate(choosing(shared.program.nodes())):
        if other is node:
            return number
    raise AssertionError(node)
