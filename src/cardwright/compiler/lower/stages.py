"""Stages as loops: games that go on without anybody watching, as rollouts and random games do.

The machine (`machine.py`) can stop at every decision and go on from it, and so must find its way
by a number. Here a stage is a function of its own: its items follow one another, its turn is a
variable, and options are drawn where they arise. It is entered where the stage begins, where its
turn passes, or at its one decision, if it has one; a game that stands elsewhere is played by the
machine up to there. Where a stage cannot go on in this way it hands the game back to the machine
(`RESUME`), and nothing is lost.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
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
from cardwright.compiler.lower import draws, owners, piles, words
from cardwright.compiler.lower.actions import step
from cardwright.compiler.lower.forms import FormLowering
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, TURNS
from cardwright.compiler.plan import Item
from cardwright.program import nodes as n
from cardwright.program.chains import options
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import ROUNDS_A_STEP
from cardwright.program.places import sort_of
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cardwright.compiler.lower.choices import Choosing
    from cardwright.compiler.lower.lowering import Lowering, Shared
    from cardwright.compiler.plan import BlockPlan

ENDED, STOPPED, RESUME = ZERO, ONE, const(2)
"""What a stage returns: it is over, the game was stopped, or the machine is to go on; also `PAUSED`
of `kernels.engine`, or -1 for a fault.
"""

AT_START, AT_TURN, AT_DECISION = ZERO, ONE, const(2)
"""Where a stage is entered: at its beginning, where its turn passes, or at its decision."""

STEP = const(ROUNDS_A_STEP)

_AT = Local("at")


def ends(low: Lowering, stage: n.Stage) -> ir.Expr:
    """Return whether a stage ends, which counts as a step."""
    low.spend(STEP, stage.span)
    return low.holds(stage.end)


def advance(low: Lowering, cycle: int, stage: n.Stage) -> None:
    """Make the next member of a stage's cycle current, and empty the queue."""
    low.make_current(cycle, owners.successor(low, cycle, low.owners(team=stage.team)))
    low.queue(cycle, ZERO)


@dataclass
class StructuredStages:
    """Makes the functions of stages.

    `tallies` are the fields of the context in which options are counted, if they are: in whole
    games, which begin at their beginning and never pause. `ruled` says that a policy chooses.
    """

    shared: Shared
    plan: BlockPlan
    choices: Mapping[int, Choosing]
    tallies: tuple[str, ...]
    ruled: bool

    def __post_init__(self) -> None:
        self.deal = deal_stage(self.shared.program.items)
        self.entries = {} if self.tallies else entries(self.plan)
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

    def __init__(self, stages: StructuredStages, place: Item) -> None:
        self.stages = stages
        self.place = place
        self.low = low = FormLowering(stages.shared)
        self.event = Local("event")
        self.mark = Local("mark")
        self.decisions = low.counter = Local("decisions")
        low.unrolls = True
        low.watched = stages.ruled
        low.left = Local("left")
        low.allowance = Local("allowance")
        low.kept |= _table_cells(low, place)

    def make(self, name: str) -> None:
        low, place = self.low, self.place
        assert isinstance(place.node, n.Stage)
        self._reload()
        cycle = self._open(place)
        outer = cycle - 1  # the table's cycle, or that of the stage around
        with low.b.when(compare(Rel.NE, _AT, AT_START)):
            low.reload_board(*TURNS)
            with ExitStack() as stack:
                for entry in self.stages.entries.values():
                    if entry.stage is place:
                        with low.b.when(compare(Rel.EQ, _AT, AT_DECISION)):
                            self._enter(entry)
                        stack.enter_context(low.b.when(compare(Rel.EQ, _AT, AT_TURN)))
                self._pass(place.node, cycle, leave=lambda: self._end(cycle))
        with low.b.otherwise():
            low.make_current(cycle, low.board.load("current", const(outer)))
            low.queue(cycle, ZERO)
            with low.b.when(ends(low, place.node)):
                self._end(cycle)
        self._loop(place.node, place, cycle)
        self._end(cycle)
        low.finish(name, draws.STREAMS, _AT)

    def _enter(self, entry: Entry) -> None:
        """Run the items from a decision on, and let the turn pass; or nothing before the first."""
        low, place, item = self.low, entry.stage, entry.item
        is_first = item.pc == place.pc + 1
        if not isinstance(item.node, n.Stage):
            if not is_first:
                self._items(place, item.pc)
                low.b.set(_AT, AT_TURN)
            return
        depth = low.players, low.teams
        first_slot = round_of(low, item.node) if is_first else None
        with low.b.when(TRUE if first_slot is None else is_begun(low, first_slot)):
            inner = self._open(item)
            low.reload_board(*TURNS)
            self._loop(item.node, item, inner)
            self._close(inner)
            low.players, low.teams = depth
            self._items(place, item.then)
            low.b.set(_AT, AT_TURN)

    # Stages -------------------------------------------------------------------------------

    def _open(self, place: Item) -> int:
        """Keep the cycle of a stage in variables from here on, and return its number."""
        low, stage = self.low, place.node
        assert isinstance(stage, n.Stage)
        low.players, low.teams = place.players + (not stage.team), place.teams + stage.team
        cycle = low.cycle(team=stage.team)
        for field in TURNS:
            low.kept[field, cycle] = Local(f"{field}_{place.pc}")
        return cycle

    def _close(self, cycle: int) -> None:
        for field in TURNS:
            del self.low.kept[field, cycle]

    def _loop(self, stage: n.Stage, place: Item, cycle: int) -> None:
        with self.low.b.loop(TRUE):
            self._items(place)
            self._pass(stage, cycle, leave=lambda: self.low.b.add(ir.Break()))

    def _pass(self, stage: n.Stage, cycle: int, leave: Callable[[], None]) -> None:
        """Leave a stage that ends; else advance its cycle. After a deal the game may be over."""
        low = self.low
        if stage is self.stages.deal:
            with low.b.when(compare(Rel.NE, low.context.load("one_deal"), ZERO)):
                self._resume(self.stages.plan.end)
        with low.b.when(ends(low, stage)):
            leave()
        advance(low, cycle, stage)

    def _end(self, cycle: int) -> None:
        self._publish()
        for field in TURNS:
            self.low.store(field, const(cycle), value=ZERO)
        self.low.give(ENDED)

    def _items(self, place: Item, first: int = 0) -> None:
        """Run the items of a stage, or those from a place on."""
        for item in items_of(self.stages.plan, place):
            if item.pc >= first:
                self._item(item)

    def _item(self, item: Item) -> None:
        """Run an item, and be in the stage around it again."""
        low = self.low
        depth = low.players, low.teams
        match item.node:
            case n.Choice():
                self._decide(item)
            case n.Stage() if is_leaf(item.node):
                self._inner(item, item.node)
            case n.Stage():
                self._call(item)
            case n.Fork():
                self._fork(item, item.node)
            case _:
                low.spend(STEP, item.node.span)
                step(low, item.node)
                low.tidy()
        low.players, low.teams = depth

    def _fork(self, item: Item, fork: n.Fork) -> None:
        low, plan = self.low, self.stages.plan
        low.spend(STEP, fork.span)
        with low.b.when(low.holds(fork.test)):
            self._item(item_at(plan, item.pc + 1))
        if fork.otherwise is not None:
            with low.b.otherwise():
                self._item(item_at(plan, item.otherwise))

    def _call(self, item: Item) -> None:
        low = self.low
        self._publish()
        name = self.stages.stage(item)
        outcome = low.b.let(call(name, BOARD, CONTEXT_LOCAL, draws.STREAMS, AT_START), "outcome")
        with low.b.when(unlikely(compare(Rel.NE, outcome, ENDED))):
            low.give(outcome)
        self._reload()

    def _inner(self, item: Item, stage: n.Stage) -> None:
        low = self.low
        now = low.current(low.cycle(team=stage.team))
        cycle = self._open(item)
        low.make_current(cycle, now)
        low.queue(cycle, ZERO)
        first_slot = round_of(low, stage)
        if first_slot is not None:
            self._round(item, cycle, first_slot)
        else:
            with low.b.when(ir.Negation(ends(low, stage))):
                self._loop(stage, item, cycle)
        self._close(cycle)

    def _round(self, item: Item, cycle: int, first_slot: int) -> None:
        """Run a stage in which every player in turn puts one card into an empty place."""
        low = self.low
        with low.b.when(unlikely(is_begun(low, first_slot))):
            self._resume(item.pc)
        low.spend(STEP, item.node.span)
        low.kept["queued", cycle] = ZERO
        low.fresh = first_slot
        players = low.program.players
        for turn in range(players):
            self._items(item)
            low.spend(STEP, item.node.span)
            if turn < players - 1:
                low.make_current(cycle, owners.successor(low, cycle, players))
        low.fresh = None

    def _resume(self, pc: int) -> None:
        """Let the machine go on from a place."""
        self._publish()
        self.low.store("pc", value=const(pc))
        self.low.give(RESUME)

    # Decisions ----------------------------------------------------------------------------

    def _decide(self, item: Item) -> None:
        low, decisions = self.low, self.decisions
        with low.b.when(unlikely(compare(Rel.GE, decisions, self.event))):
            self._look(item)
        policy_at = item.pc if self.stages.ruled else None
        drawn = draws.draw_option(low, self.stages.choices[item.pc], policy_at)
        total = low.b.let(drawn, "options")
        low.b.set(decisions, add(decisions, ONE))
        if self.stages.tallies:
            tallies = [Local(tally) for tally in self.stages.tallies]
            for tally, value in zip(tallies, tallied(tallies, total), strict=True):
                low.b.set(tally, value)
        low.tidy()
        low.decided()

    def _look(self, item: Item) -> None:
        """Look whether there were too many decisions, or the game is to pause or to stop."""
        low, decisions = self.low, self.decisions
        check_decisions(low, item, decisions)
        if not self.stages.tallies:
            with low.b.when(compare(Rel.GE, decisions, low.context.load("pause"))):
                self._publish()
                low.store("pc", value=const(item.pc))
                low.give(const(PAUSED))
        self._tick()
        stopped = call("time_to_stop", CONTEXT_LOCAL, type=Type.BOOL)
        with low.b.when(low.b.let(stopped, "stopped")):
            low.give(STOPPED)
        self._set_event()

    def _tick(self) -> None:
        """Count the decisions since the last look."""
        low = self.low
        left = sub(low.context.load("ticks"), sub(self.decisions, self.mark))
        low.b.add(low.context.store("ticks", value=left))

    def _set_event(self) -> None:
        """Set the number of decisions at which to look again."""
        low = self.low
        low.b.set(self.mark, self.decisions)
        ticks = low.b.let(low.context.load("ticks"), "ticks")
        some = ir.Select(less(ticks, ONE), ONE, ticks)
        low.b.set(self.event, low.b.let(add(self.decisions, some), "due"))
        for name in ("decision_limit", "pause"):
            limit = low.b.let(low.context.load(name), "limit")
            low.b.set(self.event, ir.Select(less(limit, self.event), limit, self.event))

    # What other functions have to know ----------------------------------------------------

    def _publish(self) -> None:
        low = self.low
        self._tick()
        low.store("decisions", value=self.decisions)
        low.publish()
        for tally in self.stages.tallies:
            low.b.add(low.context.store(tally, value=Local(tally)))

    def _reload(self) -> None:
        low = self.low
        low.b.set(self.decisions, low.board.load("decisions"))
        low.reload()
        for tally in self.stages.tallies:
            low.b.set(Local(tally), low.context.load(tally))
        self._set_event()


def tallied(tallies: Sequence[ir.Expr], options: ir.Expr) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Return what the sum, the largest and the single numbers of options come to with another."""
    total, most, single = tallies
    is_single = ir.Convert(compare(Rel.EQ, options, ONE), Type.INT)
    larger = ir.Select(less(most, options), options, most)
    return add(total, options), larger, add(single, is_single)


def check_decisions(low: Lowering, item: Item, decisions: ir.Expr) -> None:
    """Report too many decisions."""
    over = compare(Rel.GE, decisions, low.context.load("decision_limit"))
    what = "the game has had {a:,} decisions"
    low.check(over, "decisions", what, item.node.span, decisions)


_MOST_CELLS = 16
"""Most stored values that are kept in variables."""


def _table_cells(low: Lowering, place: Item) -> dict[tuple[str, int], Local]:
    """Return the table's stored values that a stage names, with a variable for each.

    None if a name is known only in play: it may mean any of them.
    """
    kept: dict[tuple[str, int], Local] = {}
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
            kept.setdefault(key, Local(f"{node.name.value}.{key[0]}.{key[1]}"))
    return kept if len(kept) <= _MOST_CELLS else {}


# Where stages are entered -----------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A stage that can be entered at a decision, and the item of it that has this.

    That is the choice itself, or a stage played in place that begins with it.
    """

    stage: Item
    item: Item


def is_leaf(stage: n.Stage) -> bool:
    """Return whether a stage has no stages within it, and is short."""
    return not any(isinstance(item, n.Stage) for item in n.items_within(stage.items))


def is_structured(place: Item) -> bool:
    """Return whether a place is a stage that is played by a function of its own in random play.

    Short stages within others are played by those of the others.
    """
    if not isinstance(place.node, n.Stage):
        return False
    return place.players + place.teams == 0 or not is_leaf(place.node)


def items_of(plan: BlockPlan, place: Item) -> Iterator[Item]:
    """Return the places of the items of a stage."""
    assert isinstance(place.node, n.Stage)
    pc = place.pc + 1
    for _ in place.node.items:
        item = item_at(plan, pc)
        yield item
        pc = item.then


def item_at(plan: BlockPlan, pc: int) -> Item:
    """Return the item at a place that has one."""
    item = plan.places[pc]
    assert isinstance(item, Item)
    return item


def entries(plan: BlockPlan) -> dict[int, Entry]:
    """Return where stages can be entered, by the places of the decisions."""
    entered: dict[int, Entry] = {}
    for place in plan.places.values():
        if isinstance(place, Item) and is_structured(place):
            here = _entries_of(plan, place)
            if len(here) == 1:
                entered |= here
    return entered


def _entries_of(plan: BlockPlan, stage: Item) -> dict[int, Entry]:
    """Return the decisions at which a stage could be entered, by their places."""
    entered = {}
    for item in items_of(plan, stage):
        match item.node:
            case n.Choice():
                entered[item.pc] = Entry(stage, item)
            case n.Stage(items=(n.Choice(), *_)) if is_leaf(item.node):
                entered[item.pc + 1] = Entry(stage, item)
    return entered


# Rounds -----------------------------------------------------------------------------------


def round_of(low: Lowering, stage: n.Stage) -> int | None:
    """Return the slot of the first player's place if a stage is a round, else None.

    Every player in turn puts one card into a place of its own, and the stage ends when all have
    one card there. If all begin without one, it ends after one turn of each: that is known before,
    and no end has to be tested.
    """
    choices = [item for item in stage.items if isinstance(item, n.Choice)]
    tested = _one_each(stage.end)
    if stage.team or len(choices) != 1 or tested is None:
        return None
    base = piles.base_of(low, tested)
    if base is None or not low.layout.forms.form_of(base).masked:
        return None
    chains = options(low.analysis, low.layout.places, choices[0]).chains
    leaves = [chain.leaf for chain in chains if chain is not None]
    if len(leaves) < len(chains) or not all(_plays_one(low, leaf, base) for leaf in leaves):
        return None
    own = {id(action) for leaf in leaves for action in _steps(leaf)}
    for item in stage.items:
        for node in n.walk(item):
            if id(node) not in own and _touches(low, node, base):
                return None
    return base


def is_begun(low: Lowering, first: int) -> ir.Expr:
    """Return whether somebody already has a card in the round."""
    cards: ir.Expr = words.none(low.layout.mask)
    for seat in range(low.program.players):
        own = low.board.load("mask", const(first + seat), part=f"/{first}")
        cards = words.joined(cards, own)
    return words.is_some(low.b.let(cards, "cards"))


def _one_each(end: n.Node) -> n.Place | None:
    match end:
        case n.Quantifier(
            every=True,
            collection=n.Everyone(others=False, kind=ValueKind.PLAYERS),
            variable=n.Variable(slot=slot),
            test=n.Equal(
                negated=False,
                left=n.Size(collection=n.Place(owner=n.Variable(slot=owner)) as place),
                right=n.Number(value=1),
            ),
        ) if slot == owner:
            return place
    return None


def _steps(leaf: n.Node) -> tuple[n.Node, ...]:
    return leaf.steps if isinstance(leaf, n.Do) else (leaf,)


def _plays_one(low: Lowering, leaf: n.Node, base: int) -> bool:
    """Return whether actions put exactly one card into the current player's place, and no more."""
    played = 0
    for action in _steps(leaf):
        match action:
            case n.Move(
                card=card,
                target=n.End(location=n.Place(owner=n.TurnOwner(turn=n.Turn.CURRENT)) as place),
            ) if piles.base_of(low, place) == base:
                if not _elsewhere(low, card, base):
                    return False
                played += 1
            case _:
                if any(_touches(low, node, base) for node in n.walk(action)):
                    return False
    return played == 1


def _touches(low: Lowering, node: n.Node, base: int) -> bool:
    """Return whether a form may change a place of a family, or whose turn it is."""
    match node:
        case n.Cycle() | n.Stage() | n.Swap() | n.Shuffle() | n.Repeat() | n.RepeatAll():
            return True
        case n.Move(card=n.Variable()):
            return True  # it may lie anywhere by now
        case n.Move(card=card, target=target):
            return not all(_elsewhere(low, part, base) for part in (card, target))
    return False


def _elsewhere(low: Lowering, node: n.Node, base: int) -> bool:
    """Return whether the card or the place that a form names is surely of another family."""
    match node:
        case n.Variable(slot=slot):
            return _elsewhere(low, piles.bound_to(low, slot), base)
        case n.End(location=inner) | n.BestCard(location=inner) | n.Filter(collection=inner):
            return _elsewhere(low, inner, base)
        case n.Place():
            return piles.base_of(low, node) not in {None, base}
    return False
