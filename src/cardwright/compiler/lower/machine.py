"""The machine: stages, blocks and decisions as one function that runs from decision to decision.

A place in the program is a number, the `pc` of a board. Since stages nest in the text, the number
determines in which stages the game is, and so where the current cycles are.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    TRUE,
    ZERO,
    add,
    call,
    compare,
    const,
    differ,
    equal,
    less,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.kernels.engine import PAUSED
from cardwright.compiler.lower import draws
from cardwright.compiler.lower.actions import step
from cardwright.compiler.lower.choices import CardChoices, Choosing, check_some, leave_choice
from cardwright.compiler.lower.forms import FormLowering
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Shared
from cardwright.compiler.lower.stages import (
    AT_DECISION,
    AT_START,
    AT_TURN,
    ENDED,
    RESUME,
    STEP,
    StructuredStages,
    advance,
    check_decisions,
    ends,
    is_structured,
    tallied,
)
from cardwright.compiler.plan import BlockPlan, Item, TurnItem
from cardwright.compiler.structs import STREAM
from cardwright.program import nodes as n
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering

TALLIES = ("option_sum", "option_most", "option_single")
"""The fields of a context for the numbers of options: their sum, the largest, how many are 1."""

LEFT_OUT: dict[type[n.Node], str] = {n.ErrorNode: "a program with errors is never run"}
"""The classes of nodes that are not lowered, with the reason."""


def _surely_draws(node: n.Node) -> bool:
    """Return whether a step draws from the stream, apart from ties among best cards."""
    return any(isinstance(inner, n.Shuffle | n.Random) for inner in n.walk(node))


class MachineLowering:
    """Makes the functions that run a program."""

    def __init__(self, shared: Shared, plan: BlockPlan) -> None:
        self.shared = shared
        self.plan = plan
        self.low = FormLowering(shared)
        self.random = False
        """Whether decisions are made at random and at once, or left to the caller."""
        self.tallies: tuple[str, ...] = ()
        """The tallies that are kept of random decisions."""
        self.ruled = False
        """Whether a policy makes these decisions, not chance."""
        self.deal = deal_stage(shared.program.items)
        self.pc = Local("pc")
        self.choices = {
            item.pc: Choosing(shared, number, item.node, item.players, item.teams)
            for number, item in enumerate(plan.choices)
            if isinstance(item.node, n.Choice)
        }

    def arrive(self) -> None:
        """Make the function that runs to the next decision.

        It returns 1 there, 0 when the game is over, or -1 for a fault. A board at a decision stays
        where it is.
        """
        self.low = FormLowering(self.shared)
        self.random = False
        self._run_on()
        self.low.finish("arrive")

    def find_options(self) -> None:
        """Make the function that finds the options of the pending decision.

        It returns their number, or -1 for a fault.
        """
        low = FormLowering(self.shared)

        def find(choice: Choosing) -> None:
            count = low.b.let(call(choice.find(), BOARD, CONTEXT_LOCAL), "count")
            low.tidy()
            check_some(low, choice.choice, count)
            low.give(count)

        cases = {pc: partial(find, choice) for pc, choice in self.choices.items()}
        low.switch(low.board.load("pc"), cases)
        low.give(NONE)
        low.finish("find_options")

    def advance(self) -> None:
        """Make the function that runs to the next decision and finds its options.

        It returns their number, 0 when the game is over, or -1 for a fault. On a board at a
        decision, the options are found again.
        """
        low = FormLowering(self.shared)
        arrived = low.b.let(call("arrive", BOARD, CONTEXT_LOCAL), "arrived")
        with low.b.when(compare(Rel.LE, arrived, ZERO)):
            low.give(arrived)
        low.give(call("find_options", BOARD, CONTEXT_LOCAL))
        low.finish("advance")

    def play_on(self, name: str) -> None:
        """Make the function that plays to the end, every seat choosing at random from its stream.

        It returns what `kernels.engine` says. If its name is `play_counted` it counts the options
        in the tallies, and if it is `play_by_policy` a policy chooses. Where all games are whole
        the function cannot go on from within a stage, and returns 2 if it would have to.
        """
        self.random = True
        self.tallies = TALLIES if name == "play_counted" else ()
        self.ruled = name == "play_by_policy"
        self.structured = StructuredStages(
            self.shared, self.plan, self.choices, self.tallies, self.ruled
        )
        self.low = FormLowering(self.shared)
        self.low.watched = self.ruled
        for tally in self.tallies:
            self.low.b.add(self.low.context.store(tally, value=ZERO))
        self._run_on()
        self.low.finish(name, draws.STREAMS)

    @cached_property
    def _starts(self) -> frozenset[int]:
        """The places from which play goes on: after what `prefix` has done, too."""
        begun = {self._first[-1].then} if self._first else set()
        return frozenset(self.plan.starts | begun)

    @cached_property
    def _inner_starts(self) -> frozenset[int]:
        """The places in stages that the game can reach from elsewhere."""
        places = ((pc, self.plan.places[pc]) for pc in self._starts - {self.plan.end})
        return frozenset(pc for pc, place in places if place.players + place.teams > 0)

    def _run_on(self) -> None:
        b = self.low.b
        self._reset(self.low)
        self.low.tidy()
        b.set(self.pc, self.low.board.load("pc"))
        if not self.random:
            self._tick(NONE)
        self.low.decided()
        if self.random:
            left = sub(self.low.context.load("left"), self.low.context.load("begun"))
            b.add(self.low.context.store("left", value=left))
        omitted = self._inner_starts if self.random and self.shared.whole else frozenset()
        with b.case() as elsewhere:
            if omitted:
                with b.when(differ(self.pc, const(self.plan.end))):
                    b.add(ir.Return(RESUME))
            self.low.store("pc", value=const(self.plan.end))
            b.add(ir.Return(ZERO))
        starts = sorted(self._starts - omitted - {self.plan.end})
        with b.loop(TRUE):
            chains = {start: partial(self._chain, start) for start in starts}
            self.low.switch(self.pc, chains, tuple(elsewhere))
        b.add(ir.Return(NONE))

    def _tick(self, outcome: ir.Expr) -> None:
        """Count a decision, and leave the function with an outcome if the game is to stop."""
        b, context = self.low.b, self.low.context
        ticks = b.let(sub(context.load("ticks"), ONE), "ticks")
        b.add(context.store("ticks", value=ticks))
        with b.when(unlikely(less(ticks, ZERO))):
            stopped = b.let(call("stopped", CONTEXT_LOCAL, type=Type.BOOL), "stopped")
            with b.when(stopped):
                b.add(ir.Return(outcome))

    def _reset(self, low: Lowering) -> None:
        """Free the memory that a fault may have left in use."""
        low.b.add(low.context.store("top", value=ZERO))
        low.b.add(low.context.store("kept", value=low.context.load("arena_end")))

    def _chain(self, start: int) -> None:
        """Run items from a place on, up to one that the game can also reach from elsewhere."""
        pc = start
        while True:
            place = self.plan.places[pc]
            self.low.players, self.low.teams = place.players, place.teams
            if isinstance(place, TurnItem):
                self._turn(place)
                return
            match place.node:
                case n.Stage():
                    self._enter(place, place.node)
                    return
                case n.Choice():
                    self._decide(place)
                    return
                case n.Fork():
                    self._fork(place, place.node)
                    return
            self._run(place)
            pc = place.then
            if pc in self._starts or pc == self.plan.end:
                self._go(pc)
                return

    def _go(self, pc: int) -> None:
        self.low.b.set(self.pc, const(pc))

    def _fork(self, place: Item, fork: n.Fork) -> None:
        """Go on with the one item or the other; the test counts as a step."""
        low = self.low
        low.spend(STEP, fork.span)
        with low.b.when(low.holds(fork.test)):
            self._go(place.pc + 1)
        with low.b.otherwise():
            self._go(place.otherwise)

    def _run(self, place: Item) -> None:
        self.low.spend(STEP, place.node.span)
        name = f"run_{place.pc}"
        if name not in self.shared.module.functions:
            cold = self.shared.whole and place in self._first
            low = FormLowering(self.shared, place.players, place.teams)
            step(low, place.node)
            low.tidy()
            low.give(ZERO)
            low.finish(name, inline=Inline.COLD if cold else Inline.PERHAPS)
        self.low.succeed(call(name, BOARD, CONTEXT_LOCAL))

    def _decide(self, place: Item) -> None:
        low = self.low
        if self.random and (entry := self.structured.entries.get(place.pc)) is not None:
            self._play_stage(entry.stage, AT_DECISION)
            return
        decisions = low.b.let(low.board.load("decisions"), "decisions")
        check_decisions(low, place, decisions)
        if self.random:
            with low.b.when(unlikely(compare(Rel.GE, decisions, low.context.load("pause")))):
                self._stop_at(place, const(PAUSED))
            self._draw(place, decisions)
        else:
            self._stop_at(place, ONE)

    def _stop_at(self, place: Item, outcome: ir.Expr) -> None:
        self.low.store("pc", value=const(place.pc))
        self.low.give(outcome)

    def _draw(self, place: Item, decisions: ir.Expr) -> None:
        low = self.low
        self._tick(ONE)
        name = draws.draws(self.choices[place.pc], place.pc if self.ruled else None)
        total = low.succeed(call(name, BOARD, CONTEXT_LOCAL, draws.STREAMS))
        low.store("decisions", value=add(decisions, ONE))
        if self.tallies:
            now = [low.context.load(tally) for tally in TALLIES]
            for tally, value in zip(TALLIES, tallied(now, total), strict=True):
                low.b.add(low.context.store(tally, value=value))
        low.tidy()
        low.decided()
        self._go(place.then)

    # Stages -------------------------------------------------------------------------------

    def _enter(self, place: Item, stage: n.Stage) -> None:
        """Begin a stage with a copy of its cycle, queue empty; drop it if the end holds."""
        low = self.low
        if self.random and is_structured(place):
            self._play_stage(place, AT_START)
            return
        outer = low.cycle(team=stage.team)
        cycle = outer + 1
        low.make_current(cycle, low.board.load("current", const(outer)))
        low.players, low.teams = place.players + (not stage.team), place.teams + stage.team
        with low.b.when(ends(low, stage)):
            low.make_current(cycle, ZERO)
            self._go(place.then)
        with low.b.otherwise():
            self._go(place.pc + 1)

    def _play_stage(self, place: Item, at: ir.Expr) -> None:
        """Play a stage to its end from a place where it can be entered."""
        low = self.low
        name = self.structured.stage(place)
        args = (BOARD, CONTEXT_LOCAL, draws.STREAMS, at)
        outcome = low.b.let(call(name, *args), "outcome")
        with low.b.when(equal(outcome, ENDED)):
            self._go(place.then)
        with low.b.otherwise():
            with low.b.when(differ(outcome, RESUME)):
                low.give(outcome)
            low.b.set(self.pc, low.board.load("pc"))

    def _turn(self, turn: TurnItem) -> None:
        """Go on to the next turn, or leave the stage; after a deal the game may be over."""
        if turn.stage is not self.deal:
            self._next_turn(turn)
            return
        with self.low.b.when(compare(Rel.NE, self.low.context.load("one_deal"), ZERO)):
            self._go(self.plan.end)
        with self.low.b.otherwise():
            self._next_turn(turn)

    def _next_turn(self, turn: TurnItem) -> None:
        """Test the end with the player of the last turn still current; then advance the cycle."""
        low = self.low
        stage = turn.stage
        begun = self.plan.places[turn.first - 1]
        assert isinstance(begun, Item)
        if self.random and is_structured(begun):
            self._play_stage(begun, AT_TURN)
            return
        cycle = low.cycle(team=stage.team)
        with low.b.when(ends(low, stage)):
            low.make_current(cycle, ZERO)
            low.queue(cycle, ZERO)
            self._go(turn.then)
        with low.b.otherwise():
            advance(low, cycle, stage)
            self._go(turn.first)

    # The beginning ------------------------------------------------------------------------

    def prefix(self) -> None:
        """Make the function that runs what comes first and is the same for every seed.

        It returns how many rounds of the allowance that took, or -1 if it drew from the stream
        after all, broke a rule or took more than is granted at once.
        """
        self.low = low = FormLowering(self.shared)
        self.random = False
        self._reset(low)
        low.decided()
        before = self._stream_words()
        for place in self._first:
            self._run(place)
        low.store("pc", value=const(self._first[-1].then if self._first else 0))
        with low.b.when(differ(low.context.load("parts"), ZERO)):
            low.give(NONE)
        for word, now in zip(before, self._stream_words(), strict=True):
            with low.b.when(differ(word, now)):
                low.give(NONE)
        low.give(sub(low.context.load("allowance"), low.context.load("left")))
        low.finish("prefix", inline=Inline.COLD if self.shared.whole else Inline.PERHAPS)

    @cached_property
    def _first(self) -> list[Item]:
        """The items that come first and are the same for every seed, as far as one can tell."""
        items: list[Item] = []
        pc = 0
        while pc != self.plan.end:
            place = self.plan.places[pc]
            assert isinstance(place, Item)
            if isinstance(place.node, n.Stage | n.Choice | n.Fork) or _surely_draws(place.node):
                break
            items.append(place)
            pc = place.then
        return items

    def _stream_words(self) -> list[ir.Expr]:
        words = range(STREAM.bytes // 8)
        return [self.low.b.let(self.low.board.load("words", const(at)), "word") for at in words]

    # The rest -----------------------------------------------------------------------------

    def carry_out(self) -> None:
        """Make the function that carries out an option; it returns -1 for a fault."""
        low = FormLowering(self.shared)
        index = Local("index")
        low.b.add(low.context.store("top", value=ZERO))
        if self.shared.program.rounds.any_counted:
            low.decided()  # what is repeated here was counted when the options were found

        def do(pc: int, choice: Choosing) -> None:
            done = call(choice.carry_out(), BOARD, CONTEXT_LOCAL, index)
            leave_choice(low, self.plan.places[pc].then, low.b.let(done, "outcome"))

        cases = {pc: partial(do, pc, choice) for pc, choice in self.choices.items()}
        low.switch(low.board.load("pc"), cases)
        low.give(NONE)
        low.finish("carry_out", index)

    @cached_property
    def cards(self) -> CardChoices:
        """What makes the functions for the choices between single cards."""
        return CardChoices(self.shared, self.plan, self.choices)

    def scores(self) -> None:
        """Make the function that puts the score of every player, each as current, into `out`."""
        low = FormLowering(self.shared, players=1)
        out = Local("out", Type.POINTER)
        low.b.add(low.context.store("top", value=ZERO))
        low.decided()
        with low.b.count(const(self.shared.program.players)) as seat:
            low.store("current", ONE, value=seat)
            with low.scratch():
                score = low.b.let(low.integer(self.shared.program.score), "score")
            low.b.add(ir.Store(ir.Offset(out, ir.Binary(ir.Op.SHL, seat, const(3))), score, 8))
        low.store("current", ONE, value=ZERO)
        low.give(ZERO)
        low.finish("scores", out)

    def player(self) -> None:
        """Make the function that returns the current player at a board's place."""
        cycles = [self.plan.cycles[pc] for pc in range(self.plan.end + 1)]
        table = self.shared.integers("cycles", cycles, 1)
        low = FormLowering(self.shared)
        cycle = ir.Load(ir.Offset(table, low.board.load("pc")), 1)
        low.give(low.board.load("current", cycle))
        body = low.b.finish()
        self.shared.module.functions["player"] = ir.Function(
            "player", (BOARD,), Type.INT, body, inline=Inline.ALWAYS
        )
