"""Choices between single cards as sets: which cards are options, and playing one of them.

Three functions are made for searches: `card_choice` says whether the pending choice is one, and
then `card_options` gives its cards and `play_card` carries one out. At most one branch has options;
`card_options` leaves its number where options lie in memory, for `play_card`.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import NONE, ONE, ZERO, call, compare, const, less
from cardwright.compiler.card_choices import between_cards
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.lower import candidates, collections, conditions
from cardwright.compiler.lower.choices import OPTION, leave_choice
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.plan import BlockPlan


class CardChoices:
    """Makes the functions for the choices between single cards."""

    def __init__(self, shared: Shared, plan: BlockPlan, choices: Mapping[int, Choosing]) -> None:
        self._shared = shared
        self._plan = plan
        where = shared.layout.places
        self._choices = {
            pc: one
            for pc, one in choices.items()
            if between_cards(shared.analysis, where, one.options)
        }

    def card_choice(self) -> None:
        """Make the function that returns 1 at a choice between single cards, else 0."""
        flags = [int(pc in self._choices) for pc in range(self._plan.end + 1)]
        table = self._shared.integers("card choices", flags, 1)
        low = Lowering(self._shared)
        low.b.add(ir.Return(ir.Load(ir.Offset(table, low.board.load("pc")), 1)))
        body = low.b.finish()
        self._shared.module.functions["card_choice"] = ir.Function(
            "card_choice", (BOARD,), Type.INT, body, inline=ir.Inline.ALWAYS
        )

    def card_options(self) -> None:
        """Make the function that returns the cards of the pending choice: none after a fault."""
        low = Lowering(self._shared)

        def find(pc: int, choosing: Choosing) -> None:
            branch = low.b.let(call(self._find(choosing), BOARD, CONTEXT_LOCAL), "branch")
            with low.b.when(less(branch, ZERO)):
                low.b.add(ir.Return(ZERO))
            found = ir.Load(_word(low, 1), 8, signed=True, tag=OPTION)
            low.b.add(ir.Return(found))

        self._for_each(low, find, ZERO)
        low.finish("card_options")

    def play_card(self) -> None:
        """Make the function that carries out the option of a card; it returns -1 for a fault.

        The card is one of those that `card_options` has found last, on the same board.
        """
        low = Lowering(self._shared)
        card = Local("card")
        low.b.add(low.context.store("top", value=ZERO))
        if self._shared.program.rounds.any_counted:
            low.decided()  # what is repeated here was counted when the options were found

        def play(pc: int, choosing: Choosing) -> None:
            branch = ir.Load(_word(low, 0), 8, tag=OPTION)
            cases = []
            for at in range(len(choosing.chains)):
                with low.b.case() as block:
                    done = low.b.let(call(choosing.leaf(at), BOARD, CONTEXT_LOCAL, card), "done")
                    leave_choice(low, self._plan.places[pc].then, done)
                cases.append((at, tuple(block)))
            low.b.add(ir.Switch(branch, tuple(cases)))

        self._for_each(low, play, NONE)
        low.finish("play_card", card)

    def _for_each(
        self, low: Lowering, make: Callable[[int, Choosing], None], other: ir.Expr
    ) -> None:
        """Switch to what is made for the pending choice; return another value elsewhere."""
        cases = []
        for pc, choosing in self._choices.items():
            with low.b.case() as block:
                make(pc, choosing)
            cases.append((pc, tuple(block)))
        low.b.add(ir.Switch(low.board.load("pc"), tuple(cases)))
        low.b.add(ir.Return(other))

    # One choice ---------------------------------------------------------------------------

    def _find(self, choosing: Choosing) -> str:
        """Make the function that finds the cards of a choice; it returns their branch, or -1."""
        name = f"cards_{choosing.number}"
        low = choosing.lowering()
        every = low.b.variable(ZERO, "every")
        branch = low.b.variable(ZERO, "branch")
        for at, chain in enumerate(choosing.chains):
            assert chain is not None
            own = low.b.variable(ZERO, "own")
            with low.scratch():
                _collect(low, chain, own)
            some = compare(Rel.NE, own, ZERO)
            low.b.set(branch, ir.Select(some, const(at), branch))
            low.b.set(every, ir.Binary(Op.OR, every, own))
        if self._shared.layout.places.pool:
            low.b.run("tidy", BOARD)
        none = compare(Rel.EQ, every, ZERO)
        low.check(none, "no-options", "this choice has no options", choosing.choice.span)
        low.b.add(ir.Store(_word(low, 0), branch, 8, OPTION))
        low.b.add(ir.Store(_word(low, 1), every, 8, OPTION))
        low.b.add(ir.Return(branch))
        low.finish(name)
        return name


def _word(low: Lowering, at: int) -> ir.Expr:
    return ir.Offset(low.context.load("options"), const(8 * at))


def _collect(low: Lowering, chain: Chain, found: Local) -> None:
    """Go through a branch, and collect the cards that it may pick."""
    with ExitStack() as stack:
        card: ir.Expr = ZERO
        for link in chain.links:
            match link:
                case n.When(test=test):
                    stack.enter_context(low.b.when(conditions.holds(low, test)))
                case n.Let(value=value, variable=variable):
                    low.env[variable.slot] = collections.bind(low, value)
                case n.ForEach() if candidates.are_bits(low, link):
                    low.b.set(found, candidates.bits(low, link))
                    return
                case n.ForEach():
                    item = stack.enter_context(
                        collections.each(low, link.collection, link.variable)
                    )
                    low.rounds(link)
                    assert isinstance(item, ir.Expr)
                    card = item
        bit = ir.Binary(Op.SHL, ONE, card)
        low.b.set(found, ir.Binary(Op.OR, found, bit))
