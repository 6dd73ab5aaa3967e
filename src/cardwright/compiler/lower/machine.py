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
    differ,
    equal,
    less,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.layout import STREAM
from cardwright.compiler.lower import conditions, integers, owners, picking, steps
from cardwright.compiler.lower.card_choices import CardChoices
from cardwright.compiler.lower.choices import Choosing
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared
from cardwright.compiler.lower.structured import (
    ENDED,
    RESUME,
    TALLIES,
    StructuredStages,
    is_leaf,
)
from cardwright.compiler.plan import BlockPlan, Item, TurnItem
from cardwright.program import nodes as n
from cardwright.program.deals import deal_stage
from cardwright.program.limits import ROUNDS_A_STEP

_STEP = const(ROUNDS_A_STEP)

LEFT_OUT: dict[type[n.Node], str] = {n.Bad: "a program with errors is never run"}
"""The classes of nodes that are not lowered, with the reason."""


def _surely_draws(node: n.Node) -> bool:
    """Return whether a step draws from the stream, apart from ties among best cards."""
    return any(isinstance(inner, n.Shuffle | n.Random) for inner in n.walk(node))


class MachineLowering:
    """Makes the functions that run a program."""

    def __init__(self, shared: Shared, plan: BlockPlan) -> None:
        self.shared = shared
        self.plan = plan
        self.low = Lowering(shared)
        self.random = False
        """Whether decisions are made at random and at once, or left to the caller."""
        self.deal = deal_stage(shared.program)
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
        self._run_on()
        self.low.finish("arrive")

    def find_options(self) -> None:
        """Make the function that finds the options of the pending decision.

        It returns their number, or -1 for a fault.
        """
        low = Lowering(self.shared)
        cases = []
        for pc, choice in self.choices.items():
            with low.b.case() as block:
                count = low.b.let(call(choice.find(), BOARD, CONTEXT_LOCAL), "count")
                if self.shared.layout.places.pool:
                    low.b.run("tidy", BOARD)
                none = compare(Rel.EQ, count, ZERO)
                low.check(none, "no-options", "this choice has no options", choice.choice.span)
                low.b.add(ir.Return(count))
            cases.append((pc, tuple(block)))
        low.b.add(ir.Switch(low.board.load("pc"), tuple(cases)))
        low.b.add(ir.Return(NONE))
        low.finish("find_options")

    def advance(self) -> None:
        """Make the function that runs to the next decision and finds its options.

        It returns their number, 0 when the game is over, or -1 for a fault. On a board at a
        decision, the options are found again.
        """
        low = Lowering(self.shared)
        arrived = low.b.let(call("arrive", BOARD, CONTEXT_LOCAL), "arrived")
        with low.b.when(compare(Rel.LE, arrived, ZERO)):
            low.b.add(ir.Return(arrived))
        low.b.add(ir.Return(call("find_options", BOARD, CONTEXT_LOCAL)))
        low.finish("advance")

    def play_on(self) -> None:
        """Make the function that plays to the end, every seat choosing at random from its stream.

        It returns 0 when the game is over, -1 for a fault, or 1 if it was stopped; the context then
        has the sum and the maximum of the numbers of options, and how often there was only one.
        """
        self.low = Lowering(self.shared)
        self.random = True
        self.structured = StructuredStages(self.shared, self.plan, self.choices)
        for tally in TALLIES:
            self.low.b.add(self.low.context.store(tally, value=ZERO))
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
        if self.random:
            left = sub(self.low.context.load("left"), self.low.context.load("begun"))
            b.add(self.low.context.store("left", value=left))
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
        low.b.add(ir.Return(ONE))

    def _draw(self, place: Item, decisions: ir.Expr) -> None:
        """Let the current player choose at random."""
        low = self.low
        self._tick(ONE)
        name = picking.draws(self.choices[place.pc])
        done = low.b.let(call(name, BOARD, CONTEXT_LOCAL, picking.STREAMS), "done")
        with low.b.when(unlikely(less(done, ZERO))):
            low.b.add(ir.Return(NONE))
        low.store("decisions", value=add(decisions, ONE))
        total, most, single = (low.context.load(tally) for tally in TALLIES)
        low.b.add(low.context.store(TALLIES[0], value=add(total, done)))
        low.b.add(low.context.store(TALLIES[1], value=ir.Select(less(most, done), done, most)))
        one = ir.Convert(compare(Rel.EQ, done, ONE), Type.INT)
        low.b.add(low.context.store(TALLIES[2], value=add(single, one)))
        if self.shared.layout.places.pool:
            low.b.run("tidy", BOARD)
        low.decided()
        self._go(place.then)

    # Stages -------------------------------------------------------------------------------

    def _enter(self, place: Item, stage: n.Stage) -> None:
        """Begin a stage with a copy of its cycle, queue empty; drop it if the end holds."""
        low = self.low
        if self.random and self._is_structured(place, stage):
            self._play_stage(place, ZERO)
            return
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

    def _is_structured(self, place: Item, stage: n.Stage) -> bool:
        """Return whether a stage is played by a function of its own in random play.

        Short stages within others are played by those of the others.
        """
        return place.players + place.teams == 0 or not is_leaf(stage)

    def _play_stage(self, place: Item, at_turn: ir.Expr) -> None:
        """Play a stage to its end, from its beginning or from where its turn passes."""
        low = self.low
        name = self.structured.stage(place)
        args = (BOARD, CONTEXT_LOCAL, picking.STREAMS, at_turn)
        outcome = low.b.let(call(name, *args), "outcome")
        with low.b.when(equal(outcome, ENDED)):
            self._go(place.then)
        with low.b.otherwise():
            with low.b.when(differ(outcome, RESUME)):
                low.b.add(ir.Return(outcome))
            low.b.set(self.pc, low.board.load("pc"))

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
        if self.random and self._is_structured(begun, stage):
            self._play_stage(begun, ONE)
            return
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

    # The beginning ------------------------------------------------------------------------

    def prefix(self) -> None:
        """Make the function that runs what comes first and is the same for every seed.

        It returns how many rounds of the allowance that took, or -1 if it drew from the stream
        after all, broke a rule or took more than is granted at once.
        """
        self.low = low = Lowering(self.shared)
        self.random = False
        self._reset(low)
        low.decided()
        before = self._stream_words()
        pc = 0
        while pc != self.plan.end:
            place = self.plan.places[pc]
            if (
                isinstance(place, TurnItem)
                or isinstance(place.node, n.Stage | n.Choice)
                or _surely_draws(place.node)
            ):
                break
            self._run(place)
            pc = place.then
        low.store("pc", value=const(pc))
        with low.b.when(differ(low.context.load("parts"), ZERO)):
            low.b.add(ir.Return(NONE))
        for word, now in zip(before, self._stream_words(), strict=True):
            with low.b.when(differ(word, now)):
                low.b.add(ir.Return(NONE))
        low.b.add(ir.Return(sub(low.context.load("allowance"), low.context.load("left"))))
        low.finish("prefix")

    def _stream_words(self) -> list[ir.Expr]:
        """Return the state of the board's stream."""
        words = range(STREAM.bytes // 8)
        return [self.low.b.let(self.low.board.load("words", const(at)), "word") for at in words]

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

    def card_choices(self) -> None:
        """Make the functions for the choices between single cards."""
        cards = CardChoices(self.shared, self.plan, self.choices)
        cards.card_choice()
        cards.card_options()
        cards.play_card()

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
