"""Choices: finding the options, and carrying one out; see `cardwright.program.chains`.

For searches there are three functions more, for choices between single cards as sets: `card_choice`
says whether the pending choice is one, and then `card_options` gives its cards and `play_card`
carries one out. At most one branch has options; `card_options` leaves its number where options lie
in memory, for `play_card`.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

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
    negate,
    offset,
)
from cardwright.compiler.card_choices import between_cards
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.layout import WORD, PileForm
from cardwright.compiler.lower import card_sets, collections, guards, piles, words
from cardwright.compiler.lower.actions import bind, step
from cardwright.compiler.lower.forms import FormLowering
from cardwright.compiler.lower.lowering import (
    BOARD,
    CONTEXT_LOCAL,
    Lowering,
    Shared,
    card_at,
    entry,
)
from cardwright.compiler.lower.values import (
    CardList,
    CardSet,
    Held,
    LoweredPile,
    Value,
    Vector,
    is_memory,
)
from cardwright.program import nodes as n
from cardwright.program.chains import Chain, ChoiceOptions, choosing, is_dead, options
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.compiler.lower.guards import Guards
    from cardwright.compiler.plan import BlockPlan


OPTION = "option"
"""The tag of loads and stores of options."""


def option_word(base: ir.Expr, at: int) -> ir.Expr:
    """Return a word of an option, or of what lies in its place."""
    return ir.Load(offset(base, const(8 * at)), 8, signed=True, tag=OPTION)


def store_words(low: Lowering, base: ir.Expr, words: Sequence[ir.Expr]) -> None:
    """Store the words of an option."""
    for at, word in enumerate(words):
        low.b.add(ir.Store(offset(base, const(8 * at)), word, 8, OPTION))


def leave_choice(low: Lowering, then: int, outcome: ir.Expr) -> None:
    """Go on at a place after a decision, and return what carrying it out came to."""
    low.store("pc", value=const(then))
    low.store("decisions", value=add(low.board.load("decisions"), ONE))
    low.tidy()
    low.give(outcome)


def check_some(low: Lowering, choice: n.Choice, count: ir.Expr) -> None:
    """Report that a choice has no options, if that is so."""
    none = compare(Rel.EQ, count, ZERO)
    low.check(none, "no-options", "this choice has no options", choice.span)


def pass_link(low: Lowering, stack: ExitStack, link: n.Node) -> None:
    """Go through a test or a `let` of a chain."""
    match link:
        case n.When(test=test):
            stack.enter_context(low.b.when(low.holds(test)))
        case n.Let(value=value, variable=variable):
            low.env[variable.slot] = bind(low, value)


def bind_again(low: Lowering, chain: Chain, picked: Callable[[n.ForEach], Value]) -> None:
    """Bind the variables of a chain again, those of its picks to what is given for each."""
    for link in chain.links:
        match link:
            case n.Let(value=value, variable=variable):
                with low.again():
                    low.env[variable.slot] = bind(low, value)
            case n.ForEach(variable=variable):
                low.env[variable.slot] = picked(link)


@dataclass
class ChainGuard:
    """The tests that say that the actions of a chain break no rule, made as early as possible."""

    low: Lowering
    chain: Chain
    safe: ir.Expr | None = None

    def __post_init__(self) -> None:
        self.tests = guard(self.low, self.chain)
        links = map(n.binds, self.chain.links)
        self._bound = {variable.slot for variable in links if variable is not None}

    def before(self, link: n.Node) -> None:
        """Make the tests before the first item or `let`, unless they read what is bound later."""
        if self.tests is None or self.safe is not None or isinstance(link, n.When):
            return
        if not self.tests.mentions(self._bound):
            self.safe = self.tests.holds(self.low)

    def holds(self) -> ir.Expr | None:
        """Return whether the tests hold; None if there are none, or none that help."""
        if self.safe is None and self.tests is not None:
            self.safe = self.tests.holds(self.low)
        return self.safe


def guard(low: Lowering, chain: Chain) -> Guards | None:
    """Return the tests that say that the actions of a chain break no rule.

    None if the actions are sure to do something and break none, or if no tests help.
    """
    return None if low.analysis.sure(chain.leaf) else guards.find_guards(low, chain.leaf)


class _Pick(NamedTuple):
    """An item picked on the way to an option: the form, its integer, and how many came before."""

    form: n.ForEach
    value: ir.Expr
    ordinal: ir.Expr


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
        self.options: ChoiceOptions = options(shared.analysis, shared.layout.places, choice)
        self.shape = self.options.shape
        self.chains = self.options.chains
        self.living = tuple(
            (branch, chain)
            for branch, chain in enumerate(self.chains)
            if chain is None or not is_dead(shared.analysis, chain)
        )
        """The branches that may have options, with their chains."""

    def lowering(self) -> FormLowering:
        """Return a new function of this choice."""
        return FormLowering(self.shared, self.players, self.teams)

    @property
    def is_between_cards(self) -> bool:
        """Whether this is a choice between single cards."""
        return between_cards(self.shared.analysis, self.shared.layout.places, self.options)

    def _is_made(self, name: str) -> bool:
        return name in self.shared.module.functions

    # Finding options ----------------------------------------------------------------------

    def find(self) -> str:
        """Make the function that finds the options and returns their number, or -1."""
        name = f"options_{self.number}"
        if self._is_made(name):
            return name
        low = self.lowering()
        count = low.b.variable(ZERO, "options")
        low.b.set(_AGAIN, ZERO)
        site = const(self.shared.sites.number("capacity", TOO_MANY, self.choice.span))
        for branch, chain in self.living:
            if chain is None:
                which, width = const(self._explore(branch)), const(self.shape.words)
                args = which, const(branch), count, width, site
                low.b.set(count, low.succeed(call("try_options", BOARD, CONTEXT_LOCAL, *args)))
                low.b.set(_AGAIN, ZERO)  # what changes then is not noted
            else:
                low.still = True
                with low.scratch():
                    self._find(low, branch, chain, count)
                low.still = False
        low.give(count)
        low.finish(name)
        return name

    def _find(self, low: Lowering, branch: int, chain: Chain, count: Local) -> None:
        """Go through the chain of a branch, and record an option at each of its ends."""
        picked: list[_Pick] = []
        guard = ChainGuard(low, chain)
        with ExitStack() as stack:
            for link in chain.links:
                guard.before(link)
                pass_link(low, stack, link)
                if isinstance(link, n.ForEach):
                    ordinals = low.b.variable(ZERO, "ordinal")
                    each = collections.each(low, link.collection, link.variable)
                    item = stack.enter_context(each)
                    ordinal = low.b.let(ordinals, "ordinal")
                    low.b.set(ordinals, add(ordinals, ONE))
                    low.rounds(link)
                    picked.append(_Pick(link, _kept(low, item, link), ordinal))
            self._end(low, branch, chain, picked, count, safe=guard.holds())

    def _end(
        self,
        low: Lowering,
        branch: int,
        chain: Chain,
        picked: Sequence[_Pick],
        count: Local,
        *,
        safe: ir.Expr | None,
    ) -> None:
        """Record an option, if its actions do anything; they break no rule if `safe` holds."""
        always = low.analysis.always_acts(chain.leaf)
        with ExitStack() as stack:
            if safe is not None and always:
                with low.b.when(negate(safe)):
                    self._tried(low, branch, picked)
            elif not low.analysis.sure(chain.leaf):
                acts = guards.acts(low, chain.leaf)
                if safe is None or acts is None:
                    tried = self._tried(low, branch, picked)
                else:
                    tried = low.b.variable(ONE, "tried")
                    with low.b.when(safe):
                        low.b.set(tried, ir.Convert(acts(low), ir.Type.INT))
                    with low.b.otherwise():
                        low.b.set(tried, self._tried(low, branch, picked))
                if not always:
                    stack.enter_context(low.b.when(compare(Rel.GT, tried, ZERO)))
            self._note(low, branch, picked, count)

    def _tried(self, low: Lowering, branch: int, picked: Sequence[_Pick]) -> ir.Expr:
        """Return whether actions do anything, having tried them on a copy of the state."""
        leaf = self.leaf(branch)
        scratch = low.b.let(low.context.load("scratch"), "scratch")
        low.b.run("prepare_trial", scratch, BOARD, CONTEXT_LOCAL, _AGAIN)
        low.b.set(_AGAIN, ONE)
        values = [pick.value for pick in picked]
        return low.succeed(call(leaf, scratch, CONTEXT_LOCAL, *values))

    def _note(self, low: Lowering, branch: int, picked: Sequence[_Pick], count: Local) -> None:
        if picked:
            room = ir.Binary(ir.Op.MUL, add(count, ONE), const(self.shape.words))
            full = compare(Rel.GT, room, low.context.load("options_room"))
            low.check(full, "capacity", TOO_MANY, self.choice.span)
        option = self._option(low, count)
        row: list[ir.Expr] = [const(branch)]
        if not self.shape.strict:
            row.append(const(len(picked)))
        for pick in picked:
            row += [pick.value, pick.ordinal]
            if not self.shape.strict:
                row.append(const(pick_number(self.shared, pick.form)))
        store_words(low, option, row)
        low.b.set(count, add(count, ONE))

    def _option(self, low: Lowering, index: ir.Expr) -> ir.Expr:
        bytes_ = mul(index, const(8 * self.shape.words))
        return low.b.let(offset(low.context.load("options"), bytes_), "option")

    # Carrying out -------------------------------------------------------------------------

    def leaf(self, branch: int) -> str:
        """Make the function that does the actions of a chain for given picks.

        It returns 1 if there was an effect, 0 if there was none, or -1.
        """
        name = f"leaf_{self.number}_{branch}"
        if self._is_made(name):
            return name
        chain = self.chains[branch]
        assert chain is not None
        low = self.lowering()
        params = [Local(f"pick{at}") for at in range(len(chain.picks))]
        left = iter(params)
        low.acted = low.b.variable(ZERO, "acted")
        low.noting = not low.analysis.sure(chain.leaf)

        def picked(link: n.ForEach) -> Value:
            item = item_of(low, link.collection, next(left))
            if isinstance(item, CardList):  # cards may be moved out through it
                item = piles.copied(low, item, chain.leaf)
            return item

        with low.scratch():
            bind_again(low, chain, picked)
            step(low, chain.leaf)
        low.give(low.acted)
        low.finish(name, *params)
        return name

    def carry_out(self) -> str:
        """Make the function that carries out an option, by its index."""
        name = f"carry_out_{self.number}"
        if self._is_made(name):
            return name
        low = self.lowering()
        index = Local("index")
        option = self._option(low, index)
        branch = low.b.let(ir.Load(option, 8, tag=OPTION), "branch")

        def do(at: int, chain: Chain | None) -> None:
            if chain is None:
                low.b.run("follow", CONTEXT_LOCAL, option)
                low.give(call("explore", BOARD, CONTEXT_LOCAL, const(self._explore(at))))
            else:
                head, width = self.shape.head, self.shape.width
                starts = [head + width * pick for pick in range(len(chain.picks))]
                values = [option_word(option, start) for start in starts]
                low.give(call(self.leaf(at), BOARD, CONTEXT_LOCAL, *values))

        low.switch(branch, {at: partial(do, at, chain) for at, chain in self.living})
        low.give(NONE)
        low.finish(name, index)
        return name

    # Options that are tried from their beginning ------------------------------------------

    def _explore(self, branch: int) -> int:
        """Make the function that runs a branch with prescribed picks; return its number."""
        name = f"explore_{self.number}_{branch}"
        key = (self.number << 12) + branch
        if not self._is_made(name):
            low = self.lowering()
            low.exploring = True
            low.acted = low.b.variable(ZERO, "acted")
            with low.scratch():
                self._run(low, self.choice.steps[branch])
            low.give(low.acted)
            low.finish(name, inline=Inline.NEVER)
            self.shared.explored[key] = name
        return key

    def _run(self, low: Lowering, node: n.Node) -> None:
        """Run a step; each `any` on the way takes the item that is prescribed, or its first."""
        if not low.analysis.chooses(node):
            step(low, node)
            return
        match node:
            case n.Do():
                for inner in node.steps:
                    self._run(low, inner)
            case n.When(test=test, body=body):
                with low.b.when(low.holds(test)):
                    self._run(low, body)
            case n.Let(value=value, variable=variable, body=body):
                low.env[variable.slot] = bind(low, value)
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
        count = collections.length(low, vector)
        with low.b.when(compare(Rel.NE, count, ZERO)):
            form = const(pick_number(self.shared, node))
            done = call("take_pick", CONTEXT_LOCAL, count, form, const(self.shape.picks))
            what = "too many choices within one option"
            chosen = low.attempt(done, "depth", what, self.choice.span)
            low.rounds(node)
            value: Value = collections.item(low, vector, chosen)
            if ITEM_KINDS[node.collection.kind] is ValueKind.LOCATION:
                assert isinstance(value, ir.Expr)
                value = collections.as_location(low, vector, value)
            kept = _kept(low, value, node)
            if isinstance(value, LoweredPile) and low.layout.places.pool:
                kept = low.made("keep_place", node.span, BOARD, kept)
            low.b.run("note_pick", CONTEXT_LOCAL, kept)
            low.env[node.variable.slot] = value
            self._run(low, node.body)


_AGAIN = Local("again")
"""Whether actions were tried before on the copy of the state."""


def _kept(low: Lowering, item: Value, link: n.Node) -> ir.Expr:
    """Return the integer of a picked item; a list is copied to lasting memory."""
    if isinstance(item, CardSet):
        item = piles.written_out(low, item, link)
    if isinstance(item, CardList):
        return low.made("keep_list", link.span, item.at)
    return collections.as_integer(item)


def item_of(low: Lowering, collection: n.Node, value: ir.Expr) -> Value:
    """Return a picked item, given as its integer."""
    if collection.kind is ValueKind.LOCATION:
        return _card(low, collection, value)
    if ITEM_KINDS[collection.kind] is not ValueKind.LOCATION:
        return value
    if low.analysis.real_members(collection):
        (kind,) = low.analysis.kinds(collection)
        return LoweredPile(value, kind, piles.form_of(low, collection))
    return CardList(value)


def _card(low: Lowering, collection: n.Node, card: ir.Expr) -> Value:
    """Return a picked card, with the location where it lies if that is a mask."""
    base = collection.collection if isinstance(collection, n.Filter) else collection
    if card_sets.is_array(low, base) and piles.form_of(low, base) is PileForm.MASK:
        return Held(card, low.pile(base), low.moves)
    return card


def _items(low: Lowering, node: n.Node) -> Vector:
    if node.kind is ValueKind.LOCATIONS:
        return collections.members(low, node)
    return collections.values_of(low, node)


def pick_number(shared: Shared, node: n.ForEach) -> int:
    """Return the number of an `any` among those of the program."""
    for number, other in enumerate(choosing(shared.program.nodes())):
        if other is node:
            return number
    raise AssertionError(node)


# What an `any` may pick, as bits ----------------------------------------------------------
# The bits of cards that lie by number are the cards themselves; those of a pile are positions in
# it. Other items, of which there are few, are counted from the first.


def are_bits(low: Lowering, pick: n.ForEach) -> bool:
    """Return whether what an `any` may pick can be had as bits, whatever the game is like."""
    collection = pick.collection
    if low.counts(pick):
        return False
    while isinstance(collection, n.Filter):
        if low.counts(collection) or low.analysis.draws(collection.test):
            return False
        collection = collection.collection
    if collection.kind is ValueKind.LOCATION:
        return card_sets.is_array(low, collection)
    match collection:
        case n.Everyone():
            return collections.everyone(low, collection) <= WORD
        case n.Strings(values=values):
            return len(values) <= WORD
        case n.Range(low=first, high=last):
            few = low.analysis.bounds(last)[1] - low.analysis.bounds(first)[0] < WORD
            return few and low.analysis.pure(collection)
    return False


def kind_of_bits(low: Lowering, pick: n.ForEach) -> Type:
    """Return the type of the bits of what an `any` may pick."""
    return low.layout.mask if pick.collection.kind is ValueKind.LOCATION else Type.INT


def bits(low: Lowering, pick: n.ForEach) -> ir.Expr:
    """Return what an `any` may pick, as bits."""
    if pick.collection.kind is ValueKind.LOCATION:
        return card_sets.cards_of(low, pick.collection).bits
    return collections.item_bits(low, pick.collection)


def nth_item(low: Lowering, pick: n.ForEach, word: ir.Expr, index: ir.Expr) -> Value:
    """Return the item of the n-th bit, counted from 0."""
    bit = low.b.let(call("nth_bit", word, index), "bit")
    return item(low, pick, low.b.let(call("lowest_one", bit), "at"), bit)


def item(low: Lowering, pick: n.ForEach, at: ir.Expr, bit: ir.Expr | None = None) -> Value:
    """Return the item of a bit, given by its number."""
    base = n.unfiltered(pick.collection)
    if pick.collection.kind is not ValueKind.LOCATION:
        return collections.row(low, base)[1](at)
    pile = low.pile(base)
    if pile.form is PileForm.MASK:
        return Held(at, pile, low.moves, bit=bit)
    card = low.b.let(card_at(low, piles.array(low, pile, base), at), "card")
    return card if is_memory(pile) else Held(card, pile, low.moves, at)


# Choices between cards --------------------------------------------------------------------


class CardChoices:
    """Makes the functions for the choices between single cards."""

    def __init__(self, shared: Shared, plan: BlockPlan, choices: Mapping[int, Choosing]) -> None:
        self._shared = shared
        self._plan = plan
        self._choices = {pc: own for pc, own in choices.items() if own.is_between_cards}

    def card_choice(self) -> None:
        """Make the function that returns 1 at a choice between single cards, else 0."""
        flags = [int(pc in self._choices) for pc in range(self._plan.end + 1)]
        table = self._shared.integers("card choices", flags, 1)
        low = FormLowering(self._shared)
        low.give(entry(table, low.board.load("pc"), 1))
        self._shared.function("card_choice", (BOARD,), low.b.finish(), inline=Inline.ALWAYS)

    def card_options(self) -> None:
        """Make the function that returns the cards of the pending choice: none after a fault."""
        low = FormLowering(self._shared)

        def find(pc: int, choice: Choosing) -> None:
            branch = low.b.let(call(self._find(choice), BOARD, CONTEXT_LOCAL), "branch")
            with low.b.when(less(branch, ZERO)):
                low.give(ZERO)
            low.give(option_word(low.context.load("options"), 1))

        self._for_each(low, find, ZERO)
        low.finish("card_options")

    def play_card(self) -> None:
        """Make the function that carries out the option of a card; it returns -1 for a fault.

        The card is one of those that `card_options` has found last, on the same board.
        """
        low = FormLowering(self._shared)
        card = Local("card")
        low.b.add(low.context.store("top", value=ZERO))
        if self._shared.program.rounds.any_counted:
            low.decided()  # what is repeated here was counted when the options were found

        def do(pc: int, choice: Choosing, at: int) -> None:
            done = low.b.let(call(choice.leaf(at), BOARD, CONTEXT_LOCAL, card), "done")
            leave_choice(low, self._plan.places[pc].then, done)

        def play(pc: int, choice: Choosing) -> None:
            leaves = {at: partial(do, pc, choice, at) for at in range(len(choice.chains))}
            low.switch(option_word(low.context.load("options"), 0), leaves)

        self._for_each(low, play, NONE)
        low.finish("play_card", card)

    def _for_each(
        self, low: Lowering, make: Callable[[int, Choosing], None], other: ir.Expr
    ) -> None:
        """Switch to what is made for the pending choice; return another value elsewhere."""
        cases = {pc: partial(make, pc, choice) for pc, choice in self._choices.items()}
        low.switch(low.board.load("pc"), cases)
        low.give(other)

    def _find(self, choice: Choosing) -> str:
        """Make the function that finds the cards of a choice; it returns their branch, or -1."""
        name = f"cards_{choice.number}"
        low = choice.lowering()
        every = low.b.variable(ZERO, "every")
        branch = low.b.variable(ZERO, "branch")
        for at, chain in enumerate(choice.chains):
            assert chain is not None
            own = low.b.variable(ZERO, "own")
            with low.scratch(), ExitStack() as stack:
                _collect(low, stack, chain, own)
            low.b.set(branch, ir.Select(words.is_some(own), const(at), branch))
            low.b.set(every, words.joined(every, own))
        low.tidy()
        check_some(low, choice.choice, every)
        options = low.context.load("options")
        store_words(low, options, (branch, every))
        low.give(branch)
        low.finish(name)
        return name


def _collect(low: Lowering, stack: ExitStack, chain: Chain, cards: Local) -> None:
    card: ir.Expr = ZERO
    for link in chain.links:
        pass_link(low, stack, link)
        if isinstance(link, n.ForEach):
            if link is chain.links[-1] and are_bits(low, link):
                low.b.set(cards, bits(low, link))
                return
            item = stack.enter_context(collections.each(low, link.collection, link.variable))
            low.rounds(link)
            assert isinstance(item, ir.Expr)
            card = item
    low.b.set(cards, words.joined(cards, ir.Binary(ir.Op.SHL, ONE, card)))
