"""The machine: stages, blocks and decisions as one function that runs from decision to decision.

A place in the program is a number, the `pc` of a board. Since stages nest in the text, the number
determines in which stages the game is, and so where the current cycles are.
"""

from __future__ import annotations

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
    less,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.lower import conditions, integers, owners, picking, steps
from cardwright.compiler.lower.choices import Choosing
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared
from cardwright.compiler.plan import BlockPlan, Item, TurnItem
from cardwright.program import nodes as n
from cardwright.program.limits import ROUNDS_A_STEP

_STEP = const(ROUNDS_A_STEP)

_TALLIES = ("option_sum", "option_most", "option_single")


LEFT_OUT: dict[type[n.Node], str] = {n.Bad: "a program with errors is never run"}
"""The classes of nodes that are not lowered, with the reason."""


class MachineLowering:
    """Makes the functions that run a program."""

    def __init__(self, shared: Shared, plan: BlockPlan) -> None:
        self.shared = shared
        self.plan = plan
        self.low = Lowering(shared)
        self.random = False
        """Whether decisions are made at random and at once, or returned to the caller."""
        self.pc = Local("pc")
        self.choices = {
            item.pc: Choosing(shared, number, item.node, item.players, item.teams)
            for number, item in enumerate(plan.choices)
            if isinstance(item.node, n.Choice)
        }

    def advance(self) -> None:
        """Make the function that runs to the next decision and finds its options.

        It returns their number, 0 when the game is over, or -1 for a fault. On a board at a
        decision, the options are found again.
        """
        self._run_on()
        self.low.finish("advance")

    def play_on(self) -> None:
        """Make the function that plays to the end, every seat choosing at random from its stream.

        It returns 0 when the game is over, -1 for a fault, or 1 if it was stopped; the context then
        has the sum and the maximum of the numbers of options, and how often there was only one.
        """
        self.low = Lowering(self.shared)
        self.random = True
        for tally in _TALLIES:
            self.low.b.set(Local(tally), ZERO)
        self._run_on()
        self.low.finish("play_on", picking.STREAMS)

    def _run_on(self) -> None:
        b = self.low.b
        self._reset(self.low)
        if self.shared.layout.places.pool:
            b.run("tidy", self.low.board.base)
        b.set(self.pc, self.low.board.load("pc"))
        if not self.random:
            self._tick(NONE)
        self.low.decided()
        with b.loop(TRUE):
            cases = []
            for start in sorted(self.plan.starts - {self.plan.end}):
                with b.case() as block:
                    self._chain(start)
                cases.append((start, tuple(block)))
            b.add(ir.Switch(self.pc, tuple(cases), self._finish()))
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

    def _finish(self) -> ir.Block:
        with self.low.b.case() as block:
            self.low.store("pc", value=const(self.plan.end))
            if self.random:
                for tally in _TALLIES:
                    self.low.b.add(self.low.context.store(tally, value=Local(tally)))
            self.low.b.add(ir.Return(ZERO))
        return tuple(block)

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
            self._run(place)
            pc = place.then
            if pc in self.plan.starts or pc == self.plan.end:
                self._go(pc)
                return

    def _go(self, pc: int) -> None:
        self.low.b.set(self.pc, const(pc))

    def _run(self, place: Item) -> None:
        """Run a do, any, all or let."""
        self.low.spend(_STEP, place.node.span)
        name = f"run_{place.pc}"
        if name not in self.shared.module.functions:
            self._make_run(name, place)
        self._call(name)

    def _make_run(self, name: str, place: Item) -> None:
        low = Lowering(self.shared, place.players, place.teams)
        steps.step(low, place.node)
        if self.shared.layout.places.pool:
            low.b.run("tidy", low.board.base)
        low.b.add(ir.Return(ZERO))
        low.finish(name)

    def _call(self, name: str) -> None:
        b = self.low.b
        done = b.let(call(name, BOARD, CONTEXT_LOCAL), "done")
        with b.when(less(done, ZERO)):
            b.add(ir.Return(NONE))

    def _decide(self, place: Item) -> None:
        low = self.low
        span = place.node.span
        decisions = low.b.let(low.board.load("decisions"), "decisions")
        over = compare(Rel.GE, decisions, low.context.load("decision_limit"))
        low.check(over, "decisions", "the game has had {a:,} decisions", span, decisions)
        if self.random:
            self._draw(place, decisions)
            return
        low.store("pc", value=const(place.pc))
        name = self.choices[place.pc].find()
        count = low.b.let(call(name, BOARD, CONTEXT_LOCAL), "count")
        if self.shared.layout.places.pool:
            low.b.run("tidy", BOARD)
        low.check(compare(Rel.EQ, count, ZERO), "no-options", "this choice has no options", span)
        low.b.add(ir.Return(count))

    def _draw(self, place: Item, decisions: ir.Expr) -> None:
        """Let the current player choose at random."""
        low = self.low
        self._tick(ONE)
        name = picking.draws(self.choices[place.pc])
        done = low.b.let(call(name, BOARD, CONTEXT_LOCAL, picking.STREAMS), "done")
        with low.b.when(unlikely(less(done, ZERO))):
            low.b.add(ir.Return(NONE))
        none = compare(Rel.EQ, done, ZERO)
        low.check(none, "no-options", "this choice has no options", place.node.span)
        low.store("decisions", value=add(decisions, ONE))
        total, most, single = (Local(tally) for tally in _TALLIES)
        low.b.set(total, add(total, done))
        low.b.set(most, ir.Select(less(most, done), done, most))
        low.b.set(single, add(single, ir.Convert(compare(Rel.EQ, done, ONE), Type.INT)))
        if self.shared.layout.places.pool:
            low.b.run("tidy", BOARD)
        low.decided()
        self._go(place.then)

    # Stages -------------------------------------------------------------------------------

    def _enter(self, place: Item, stage: n.Stage) -> None:
        """Begin a stage with a copy of its cycle, queue empty; drop it if the end holds."""
        low = self.low
        cycle, outer = self._cycle(stage, place.players, place.teams)
        now = low.board.load("current", const(outer))
        low.store("current", const(cycle), value=now)
        low.players, low.teams = place.players + (not stage.team), place.teams + stage.team
        ends = self._ends(stage)
        with low.b.when(ends):
            low.store("current", const(cycle), value=ZERO)
            self._go(place.then)
        with low.b.otherwise():
            self._go(place.pc + 1)

    def _cycle(self, stage: n.Stage, players: int, teams: int) -> tuple[int, int]:
        """Return the numbers of a stage's cycle and of the one that it is copied from."""
        outer = self.shared.layout.player_cycles + teams if stage.team else players
        return outer + 1, outer

    def _ends(self, stage: n.Stage) -> ir.Expr:
        """Return whether a stage ends, which counts as a step."""
        low = self.low
        low.spend(_STEP, stage.span)
        return conditions.holds(low, stage.end)

    def _turn(self, turn: TurnItem) -> None:
        """Test the end with the player of the last turn still current; then advance the cycle."""
        low = self.low
        stage = turn.stage
        program = self.shared.program
        cycle = self.shared.layout.player_cycles + turn.teams if stage.team else turn.players
        ends = self._ends(stage)
        with low.b.when(ends):
            low.store("current", const(cycle), value=ZERO)
            low.store("queued", const(cycle), value=ZERO)
            self._go(turn.then)
        with low.b.otherwise():
            count = len(program.teams) if stage.team else program.players
            following = owners.successor(low, cycle, count)
            low.store("current", const(cycle), value=following)
            low.store("queued", const(cycle), value=ZERO)
            self._go(turn.first)

    # The rest -----------------------------------------------------------------------------

    def carry_out(self) -> None:
        """Make the function that carries out an option; it returns -1 for a fault."""
        low = Lowering(self.shared)
        index = Local("index")
        self._reset_top(low)
        if self.shared.program.rounds.any_counted:
            low.decided()  # what is repeated here was counted when the options were found
        cases = []
        for pc, choice in self.choices.items():
            with low.b.case() as block:
                done = call(choice.carry_out(), BOARD, CONTEXT_LOCAL, index)
                outcome = low.b.let(done, "outcome")
                low.store("pc", value=const(self.plan.places[pc].then))
                low.store("decisions", value=add(low.board.load("decisions"), ONE))
                if self.shared.layout.places.pool:
                    low.b.run("tidy", BOARD)
                low.b.add(ir.Return(outcome))
            cases.append((pc, tuple(block)))
        low.b.add(ir.Switch(low.board.load("pc"), tuple(cases)))
        low.b.add(ir.Return(NONE))
        low.finish("carry_out", index)

    def _reset_top(self, low: Lowering) -> None:
        low.b.add(low.context.store("top", value=ZERO))

    def scores(self) -> None:
        """Make the function that puts the score of every player, each as current, into `out`."""
        low = Lowering(self.shared, players=1)
        out = Local("out", Type.POINTER)
        self._reset_top(low)
        low.decided()
        with low.b.count(const(self.shared.program.players)) as seat:
            low.store("current", ONE, value=seat)
            with low.scratch():
                score = low.b.let(integers.integer(low, self.shared.program.score), "score")
            low.b.add(ir.Store(ir.Offset(out, ir.Binary(ir.Op.SHL, seat, const(3))), score, 8))
        low.store("current", ONE, value=ZERO)
        low.b.add(ir.Return(ZERO))
        low.finish("scores", out)

    def player(self) -> None:
        """Make the function that returns the current player at a board's place."""
        cycles = [self.plan.cycles[pc] for pc in range(self.plan.end + 1)]
        table = self.shared.integers("cycles", cycles, 1)
        low = Lowering(self.shared)
        cycle = ir.Load(ir.Offset(table, low.board.load("pc")), 1)
        low.b.add(ir.Return(low.board.load("current", cycle)))
        body = low.b.finish()
        self.shared.module.functions["player"] = ir.Function(
            "player", (BOARD,), Type.INT, body, inline=Inline.ALWAYS
        )
