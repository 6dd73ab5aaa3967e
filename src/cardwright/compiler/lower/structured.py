"""Stages as loops: games that go on without anybody watching, as rollouts and random games do.

The machine (`machine.py`) can stop at every decision and go on from it, and so must find its way
by a number. Here a stage is a function of its own: its items follow one another, its turn is a
variable, and options are drawn where they arise. It is entered where the stage begins, where its
turn passes, or at its decision (`entries.py`); a game that stands elsewhere is played by the
machine up to there. Where a stage cannot go on in this way it hands the game back to the machine
(`RESUME`), and nothing is lost.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
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
from cardwright.compiler.ir import Local, Rel, Type
from cardwright.compiler.kernels.engine import PAUSED
from cardwright.compiler.layout import CellGroup
from cardwright.compiler.lower import conditions, owners, picking, rounds, steps
from cardwright.compiler.lower.entries import entries, is_leaf, item_at, items_of
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, TurnLocals
from cardwright.program import nodes as n
from cardwright.program.limits import ROUNDS_A_STEP
from cardwright.program.places import sort_of
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.lower.entries import Entry
    from cardwright.compiler.lower.lowering import Shared
    from cardwright.compiler.plan import BlockPlan, Item

ENDED, STOPPED, RESUME = ZERO, ONE, const(2)
"""What a stage returns: it is over, the game was stopped, or the machine is to go on; also `PAUSED`
of `kernels.engine`, or -1 for a fault.
"""

AT_START, AT_TURN, AT_DECISION = ZERO, ONE, const(2)
"""Where a stage is entered: at its beginning, where its turn passes, or at its decision."""

_AT = Local("at")

_STEP = const(ROUNDS_A_STEP)


class StructuredStages:
    """Makes the functions of stages."""

    def __init__(
        self,
        shared: Shared,
        plan: BlockPlan,
        choices: Mapping[int, Choosing],
        tallies: tuple[str, ...],
        *,
        ruled: bool,
    ) -> None:
        self.shared = shared
        self.plan = plan
        self.choices = choices
        self.ruled = ruled
        """Whether a policy chooses, not chance."""
        self.tallies = tallies
        """The fields of the context in which options are counted, if they are: in whole games,
        which begin at their beginning and never pause.
        """
        self.deal = deal_stage(shared.program)
        self.entries = {} if tallies else entries(plan)
        """Where stages can be entered at decisions, by the places of these."""

    def stage(self, place: Item) -> str:
        """Make the function that plays a stage to its end, and return its name."""
        way = "counted_" if self.tallies else "ruled_" if self.ruled else ""
        name = f"{way}stage_{place.pc}"
        if name not in self.shared.module.functions:
            _StageLowering(self, place).make(name)
        return name


class _StageLowering:
    """The function of one stage under construction."""

    def __init__(self, of: StructuredStages, place: Item) -> None:
        self.of = of
        self.place = place
        self.shared = of.shared
        self.low = Lowering(of.shared)
        self.event = Local("event")
        self.mark = Local("mark")
        self.low.counter = Local("decisions")
        self.low.unrolls = True
        self.low.watched = of.ruled
        self.low.left = Local("left")
        self.low.cells = _table_cells(self.low, place)
        self.low.allowance = Local("allowance")

    def make(self, name: str) -> None:
        low, place = self.low, self.place
        assert isinstance(place.node, n.Stage)
        self._reload()
        cycle = self._open(place)
        outer = cycle - 1  # the table's cycle, or that of the stage around
        with low.b.when(compare(Rel.NE, _AT, AT_START)):
            low.reload_turns()
            with ExitStack() as stack:
                for entry in self.of.entries.values():
                    if entry.stage is place:
                        with low.b.when(compare(Rel.EQ, _AT, AT_DECISION)):
                            self._enter(entry)
                        stack.enter_context(low.b.when(compare(Rel.EQ, _AT, AT_TURN)))
                self._pass(place.node, cycle, leave=lambda: self._end(cycle))
        with low.b.otherwise():
            low.make_current(cycle, low.board.load("current", const(outer)))
            low.queue(cycle, ZERO)
            with low.b.when(self._ends(place.node)):
                self._end(cycle)
        self._loop(place, cycle)
        self._end(cycle)
        low.finish(name, picking.STREAMS, _AT)

    def _enter(self, entry: Entry) -> None:
        """Run the items from a decision on, and let the turn pass; or nothing before the first."""
        low, place, item = self.low, entry.stage, entry.item
        depth = low.players, low.teams
        first = item.pc == place.pc + 1
        if not isinstance(item.node, n.Stage):
            if not first:
                self._items(place, item.pc)
                low.b.set(_AT, AT_TURN)
            return
        found = rounds.of_stage(low, item.node) if first else None
        with low.b.when(TRUE if found is None else rounds.is_begun(low, found)):
            inner = self._open(item)
            low.reload_turns()
            self._loop(item, inner)
            del low.cycles[inner]
            low.players, low.teams = depth
            self._items(place, item.then)
            low.b.set(_AT, AT_TURN)

    # Stages -------------------------------------------------------------------------------

    def _open(self, place: Item) -> int:
        """Keep the cycle of a stage in variables from here on, and return its number."""
        low, stage = self.low, place.node
        assert isinstance(stage, n.Stage)
        low.players, low.teams = place.players + (not stage.team), place.teams + stage.team
        cycle = self.shared.layout.player_cycles + low.teams if stage.team else low.players
        low.cycles[cycle] = TurnLocals(Local(f"current_{place.pc}"), Local(f"queued_{place.pc}"))
        return cycle

    def _ends(self, stage: n.Stage) -> ir.Expr:
        """Return whether a stage ends, which counts as a step."""
        self.low.spend(_STEP, stage.span)
        return conditions.holds(self.low, stage.end)

    def _loop(self, place: Item, cycle: int) -> None:
        """Run the items of a stage turn by turn, until it ends."""
        stage = place.node
        assert isinstance(stage, n.Stage)
        with self.low.b.loop(TRUE):
            self._items(place)
            self._pass(stage, cycle, leave=lambda: self.low.b.add(ir.Break()))

    def _pass(self, stage: n.Stage, cycle: int, leave: Callable[[], None]) -> None:
        """Leave a stage that ends; else advance its cycle. After a deal the game may be over."""
        low = self.low
        if stage is self.of.deal:
            with low.b.when(compare(Rel.NE, low.context.load("one_deal"), ZERO)):
                self._resume(self.of.plan.end)
        with low.b.when(self._ends(stage)):
            leave()
        program = self.shared.program
        count = len(program.teams) if stage.team else program.players
        low.make_current(cycle, owners.successor(low, cycle, count))
        low.queue(cycle, ZERO)

    def _end(self, cycle: int) -> None:
        """Leave the function: the stage is over."""
        self._publish()
        self.low.store("current", const(cycle), value=ZERO)
        self.low.store("queued", const(cycle), value=ZERO)
        self.low.b.add(ir.Return(ENDED))

    def _items(self, place: Item, first: int = 0) -> None:
        """Run the items of a stage, or those from a place on."""
        for item in items_of(self.of.plan, place):
            if item.pc >= first:
                self._item_in_stage(item)

    def _item_in_stage(self, item: Item) -> None:
        """Run an item, and be in the stage around it again."""
        players, teams = self.low.players, self.low.teams
        self._item(item)
        self.low.players, self.low.teams = players, teams

    def _item(self, item: Item) -> None:
        low = self.low
        match item.node:
            case n.Choice():
                self._decide(item)
                return
            case n.Stage() if is_leaf(item.node):
                self._inner(item, item.node)
                return
            case n.Stage():
                self._call(item)
                return
            case n.Fork():
                self._fork(item, item.node)
                return
        low.spend(_STEP, item.node.span)
        steps.step(low, item.node)
        self._tidy()

    def _fork(self, item: Item, fork: n.Fork) -> None:
        """Run the one item or the other; the test counts as a step."""
        low = self.low
        low.spend(_STEP, fork.span)
        with low.b.when(conditions.holds(low, fork.test)):
            self._item_in_stage(item_at(self.of.plan, item.pc + 1))
        if fork.otherwise is not None:
            with low.b.otherwise():
                self._item_in_stage(item_at(self.of.plan, item.otherwise))

    def _tidy(self) -> None:
        if self.shared.layout.places.pool:
            self.low.b.run("tidy", BOARD)

    def _call(self, item: Item) -> None:
        """Run a stage within this one by its own function."""
        low = self.low
        self._publish()
        name = self.of.stage(item)
        outcome = low.b.let(call(name, BOARD, CONTEXT_LOCAL, picking.STREAMS, AT_START), "outcome")
        with low.b.when(unlikely(compare(Rel.NE, outcome, ENDED))):
            low.b.add(ir.Return(outcome))
        self._reload()
        low.reload_turns()

    def _inner(self, item: Item, stage: n.Stage) -> None:
        """Run a stage within this one in place."""
        low = self.low
        now = low.current(low.layout.player_cycles + low.teams if stage.team else low.players)
        cycle = self._open(item)
        low.make_current(cycle, now)
        low.queue(cycle, ZERO)
        found = rounds.of_stage(low, stage)
        if found is not None:
            self._round(item, cycle, found)
        else:
            with low.b.when(ir.Negation(self._ends(stage))):
                self._loop(item, cycle)
        del low.cycles[cycle]

    def _round(self, item: Item, cycle: int, found: rounds.Round) -> None:
        """Run a stage in which every player in turn puts one card into an empty place."""
        low, stage = self.low, item.node
        assert isinstance(stage, n.Stage)
        with low.b.when(unlikely(rounds.is_begun(low, found))):
            self._resume(item.pc)
        low.spend(_STEP, stage.span)
        now = low.cycles[cycle].current
        low.cycles[cycle] = TurnLocals(now, None)
        low.fresh = found.first
        for turn in range(self.shared.program.players):
            self._items(item)
            low.spend(_STEP, stage.span)
            if turn < self.shared.program.players - 1:
                low.make_current(cycle, owners.successor(low, cycle, self.shared.program.players))
        low.fresh = None

    def _resume(self, pc: int) -> None:
        """Let the machine go on from a place."""
        self._publish()
        self.low.store("pc", value=const(pc))
        self.low.b.add(ir.Return(RESUME))

    # Decisions ----------------------------------------------------------------------------

    def _decide(self, item: Item) -> None:
        """Draw an option and carry it out."""
        low = self.low
        decisions = low.counter
        assert decisions is not None
        with low.b.when(unlikely(compare(Rel.GE, decisions, self.event))):
            self._look(item)
        policy = picking.Policy(item.pc) if self.of.ruled else None
        total = low.b.let(picking.draw_option(low, self.of.choices[item.pc], policy), "options")
        low.b.set(decisions, add(decisions, ONE))
        if self.of.tallies:
            option_sum, most, single = (Local(tally) for tally in self.of.tallies)
            low.b.set(option_sum, add(option_sum, total))
            low.b.set(most, ir.Select(less(most, total), total, most))
            low.b.set(single, add(single, ir.Convert(compare(Rel.EQ, total, ONE), Type.INT)))
        self._tidy()
        low.decided()

    def _look(self, item: Item) -> None:
        """Look whether there were too many decisions, or the game is to pause or to stop."""
        low = self.low
        decisions = low.counter
        assert decisions is not None
        over = compare(Rel.GE, decisions, low.context.load("decision_limit"))
        span = item.node.span
        low.check(over, "decisions", "the game has had {a:,} decisions", span, decisions)
        if not self.of.tallies:
            with low.b.when(compare(Rel.GE, decisions, low.context.load("pause"))):
                self._publish()
                low.store("pc", value=const(item.pc))
                low.b.add(ir.Return(const(PAUSED)))
        self._tick()
        stopped = call("time_to_stop", CONTEXT_LOCAL, type=Type.BOOL)
        with low.b.when(low.b.let(stopped, "stopped")):
            low.b.add(ir.Return(STOPPED))
        self._set_event()

    def _tick(self) -> None:
        """Count the decisions since the last look."""
        low = self.low
        assert low.counter is not None
        left = sub(low.context.load("ticks"), sub(low.counter, self.mark))
        low.b.add(low.context.store("ticks", value=left))

    def _set_event(self) -> None:
        """Set the number of decisions at which to look again."""
        low = self.low
        assert low.counter is not None
        low.b.set(self.mark, low.counter)
        ticks = low.b.let(low.context.load("ticks"), "ticks")
        some = ir.Select(less(ticks, ONE), ONE, ticks)
        due = low.b.let(add(low.counter, some), "due")
        low.b.set(self.event, due)
        for name in ("decision_limit", "pause"):
            limit = low.b.let(low.context.load(name), "limit")
            low.b.set(self.event, ir.Select(less(limit, self.event), limit, self.event))

    # What other functions have to know ----------------------------------------------------

    def _publish(self) -> None:
        """Store what is kept in variables."""
        low = self.low
        assert low.counter is not None
        self._tick()
        low.store("decisions", value=low.counter)
        low.publish_left()
        low.publish_cells()
        for tally in self.of.tallies:
            low.b.add(low.context.store(tally, value=Local(tally)))
        low.publish_turns()

    def _reload(self) -> None:
        """Read what is kept in variables, except turns."""
        low = self.low
        assert low.counter is not None
        low.b.set(low.counter, low.board.load("decisions"))
        low.reload_left()
        low.reload_cells()
        for tally in self.of.tallies:
            low.b.set(Local(tally), low.context.load(tally))
        self._set_event()


_MOST_CELLS = 16
"""Most stored values that are kept in variables."""


def _table_cells(low: Lowering, place: Item) -> dict[tuple[str, int], Local]:
    """Return the table's stored values that a stage names, with a variable for each.

    None if a name is known only in play: it may mean any of them.
    """
    found: dict[tuple[str, int], Local] = {}
    for node in n.walk(place.node):
        if not isinstance(node, n.Storage) or node.storage is n.StorageKind.POINTS:
            continue
        if not isinstance(node.name, n.Text):
            return {}
        if isinstance(node.owner, n.Table):
            integer = node.storage is n.StorageKind.INTEGER
            cells = low.layout.integers if integer else low.layout.strings
            group = CellGroup(sort_of(node.owner, low.program), node.name.value)
            key = "integers" if integer else "strings", cells.bases[group]
            found.setdefault(key, Local(f"{node.name.value}.{key[0]}.{key[1]}"))
    return found if len(found) <= _MOST_CELLS else {}
