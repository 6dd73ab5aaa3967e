"""The machine: stages, blocks and decisions as one function that runs from decision to decision.

A place in the program is a number, the `pc` of a board. Since stages nest in the text, the number
tells in which stages the game is, and so where the cycles in force lie.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    less,
)
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.lower import conditions, owners, steps
from cardwright.compiler.lower.choices import Choosing
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.syntax.source import Span

Frames = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Item:
    """An item of a block: its place, what stands there, and the depths of the cycles."""

    pc: int
    node: n.Node
    players: int
    teams: int
    then: int
    """The place that follows."""


@dataclass(frozen=True)
class Turn:
    """The end of a stage's items, where the turn passes on: its place and its stage."""

    pc: int
    stage: n.Stage
    players: int
    teams: int
    first: int
    then: int


class Plan:
    """The places of a program, numbered in textual order.

    `frames` gives for each place the blocks in force and how far each has been run, as the
    interpreter numbers them; `cycles` the player cycle in force.
    """

    def __init__(self, items: tuple[n.Node, ...]) -> None:
        self.places: dict[int, Item | Turn] = {}
        self.frames: dict[int, Frames] = {}
        self.cycles: dict[int, int] = {}
        self.starts = {0}
        self.choices: list[Item] = []
        self._blocks = 1
        self._next = 0
        self.end = self._count(items)
        self._block(items, (), 0, self.end, 0, 0)
        self.frames[self.end] = ((0, len(items)),)
        self.cycles[self.end] = 0

    def _count(self, items: tuple[n.Node, ...]) -> int:
        """Return how many places there are in a block: one an item, one a stage's turn."""
        inner = [self._count(item.items) + 1 for item in items if isinstance(item, n.Stage)]
        return len(items) + sum(inner)

    def _block(
        self,
        items: tuple[n.Node, ...],
        outer: Frames,
        block: int,
        then: int,
        players: int,
        teams: int,
    ) -> None:
        for at, node in enumerate(items):
            pc = self._next
            size = 1
            if isinstance(node, n.Stage):
                size += self._count(node.items) + 1
            self._next += 1
            after = then if at == len(items) - 1 else pc + size
            frames = (*outer, (block, at))
            self._place(Item(pc, node, players, teams, after), frames)
            if isinstance(node, n.Stage):
                self._stage(node, frames, pc, after, players + (not node.team), teams + node.team)

    def _stage(
        self, stage: n.Stage, outer: Frames, pc: int, then: int, players: int, teams: int
    ) -> None:
        block = self._blocks
        self._blocks += 1
        turn_pc = pc + 1 + self._count(stage.items)
        self._block(stage.items, outer, block, turn_pc, players, teams)
        assert self._next == turn_pc
        self._next += 1
        first = pc + 1
        turn = Turn(turn_pc, stage, players, teams, first, then)
        self._place(turn, (*outer, (block, len(stage.items))))
        self.starts |= {pc, first, turn_pc, then}

    def _place(self, place: Item | Turn, frames: Frames) -> None:
        self.places[place.pc] = place
        self.frames[place.pc] = frames
        self.cycles[place.pc] = place.players
        if isinstance(place, Item) and isinstance(place.node, n.Choice):
            self.choices.append(place)
            self.starts |= {place.then}


class Machine:
    """Makes the functions that run a program."""

    def __init__(self, shared: Shared, plan: Plan) -> None:
        self.shared = shared
        self.plan = plan
        self.low = Lowering(shared)
        self.pc = Local("pc")
        self.steps = Local("steps")
        self.choices = {
            item.pc: Choosing(shared, number, item.node, item.players, item.teams)
            for number, item in enumerate(plan.choices)
            if isinstance(item.node, n.Choice)
        }

    def advance(self) -> None:
        """Make the function that runs to the next decision and finds its options.

        It returns their number, 0 when the game is over, or -1 for a fault.
        """
        b = self.low.b
        self._reset(self.low)
        b.set(self.pc, self.low.board.load("pc"))
        b.set(self.steps, ZERO)
        with b.loop(TRUE):
            cases = []
            for start in sorted(self.plan.starts - {self.plan.end}):
                with b.case() as block:
                    self._chain(start)
                cases.append((start, tuple(block)))
            b.add(ir.Switch(self.pc, tuple(cases), self._finish()))
        b.add(ir.Return(NONE))
        self.low.finish("advance")

    def _reset(self, low: Lowering) -> None:
        """Take back the memory that a fault may have left in use."""
        low.b.add(low.context.store("top", value=ZERO))
        low.b.add(low.context.store("kept", value=low.context.load("arena_end")))

    def _finish(self) -> ir.Block:
        with self.low.b.case() as block:
            self.low.store("pc", value=const(self.plan.end))
            self.low.b.add(ir.Return(ZERO))
        return tuple(block)

    def _chain(self, start: int) -> None:
        """Run items from a place on, up to one to which the game comes back from elsewhere."""
        pc = start
        while True:
            place = self.plan.places[pc]
            self.low.players, self.low.teams = place.players, place.teams
            if isinstance(place, Turn):
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
        self._count_step(place.node.span)
        name = f"run_{place.pc}"
        low = Lowering(self.shared, place.players, place.teams)
        steps.step(low, place.node)
        if self.shared.layout.places.pool:
            low.b.run("tidy", low.board.base)
        low.b.add(ir.Return(ZERO))
        low.finish(name)
        self._call(name)

    def _call(self, name: str) -> None:
        b = self.low.b
        done = b.let(call(name, BOARD, CONTEXT_LOCAL), "done")
        with b.when(less(done, ZERO)):
            b.add(ir.Return(NONE))

    def _count_step(self, span: Span) -> None:
        low = self.low
        over = compare(Rel.GE, self.steps, low.context.load("step_limit"))
        low.check(over, "steps", "{a:,} steps went by without a decision", span, self.steps)
        low.b.set(self.steps, add(self.steps, ONE))

    def _decide(self, place: Item) -> None:
        low = self.low
        span = place.node.span
        decisions = low.b.let(low.board.load("decisions"), "decisions")
        over = compare(Rel.GE, decisions, low.context.load("decision_limit"))
        low.check(over, "decisions", "the game has had {a:,} decisions", span, decisions)
        low.store("pc", value=const(place.pc))
        name = self.choices[place.pc].find()
        count = low.b.let(call(name, BOARD, CONTEXT_LOCAL), "count")
        if self.shared.layout.places.pool:
            low.b.run("tidy", BOARD)
        low.check(compare(Rel.EQ, count, ZERO), "no-options", "this choice has no options", span)
        low.b.add(ir.Return(count))

    # Stages -------------------------------------------------------------------------------

    def _enter(self, place: Item, stage: n.Stage) -> None:
        """Begin a stage with a copy of its cycle, queue empty; drop it if the end holds."""
        low = self.low
        cycle, outer = self._cycle(stage, place.players, place.teams)
        now = low.board.load("current", const(outer))
        low.store("current", const(cycle), value=now)
        low.players, low.teams = place.players + (not stage.team), place.teams + stage.team
        ends = self._ends(stage, place.pc)
        with low.b.when(ends):
            low.store("current", const(cycle), value=ZERO)
            self._go(place.then)
        with low.b.otherwise():
            self._go(place.pc + 1)

    def _cycle(self, stage: n.Stage, players: int, teams: int) -> tuple[int, int]:
        """Return the numbers of a stage's cycle and of the one that it is copied from."""
        outer = self.shared.layout.player_cycles + teams if stage.team else players
        return outer + 1, outer

    def _ends(self, stage: n.Stage, pc: int) -> ir.Expr:
        """Return whether a stage ends, which counts as a step."""
        del pc
        low = self.low
        self._count_step(stage.span)
        with low.scratch():
            return low.b.let(conditions.condition(low, stage.end), "ends")

    def _turn(self, turn: Turn) -> None:
        """Test the end with the player of the last turn still current; then advance the cycle."""
        low = self.low
        stage = turn.stage
        program = self.shared.program
        cycle = self.shared.layout.player_cycles + turn.teams if stage.team else turn.players
        ends = self._ends(stage, turn.pc)
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
        from cardwright.compiler.lower import integers

        self._reset_top(low)
        with low.b.count(const(self.shared.program.players)) as seat:
            low.store("current", ONE, value=seat)
            with low.scratch():
                score = low.b.let(integers.integer(low, self.shared.program.score), "score")
            low.b.add(ir.Store(ir.Offset(out, ir.Binary(ir.Op.SHL, seat, const(3))), score, 8))
        low.store("current", ONE, value=ZERO)
        low.b.add(ir.Return(ZERO))
        low.finish("scores", out)

    def player(self) -> None:
        """Make the function that returns who is current at a board's place."""
        cycles = [self.plan.cycles[pc] for pc in range(self.plan.end + 1)]
        table = self.shared.integers("cycles", cycles, 1)
        low = Lowering(self.shared)
        cycle = ir.Load(ir.Offset(table, low.board.load("pc")), 1)
        low.b.add(ir.Return(low.board.load("current", cycle)))
        body = low.b.finish()
        self.shared.module.functions["player"] = ir.Function(
            "player", (BOARD,), Type.INT, body, inline=Inline.ALWAYS
        )
