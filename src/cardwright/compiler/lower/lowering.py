"""The lowering in progress: the function being built, and what is known meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    Access,
    Builder,
    add,
    binary,
    call,
    compare,
    const,
    offset,
    unlikely,
)
from cardwright.compiler.fixed_structs import CONTEXT
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.lower.lowered_values import Cards, LoweredPile, Value
from cardwright.program.limits import NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.effect_analysis import EffectAnalysis
    from cardwright.compiler.layout import BoardLayout, Names
    from cardwright.compiler.plan import Sites
    from cardwright.program import nodes as n
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

BOARD = Local("board", Type.POINTER)
CONTEXT_LOCAL = Local("context", Type.POINTER)
ARENA = Local("arena", Type.POINTER)

LIST = "list"
"""The tag of loads and stores of lists and vectors; cards in them have the tag "card"."""


@dataclass(frozen=True)
class TurnLocals:
    """The variables of a cycle: its current member, and the queued one; None if none ever is."""

    current: Local
    queued: Local | None


@dataclass
class Shared:
    """What all functions of a module share."""

    program: Program
    analysis: EffectAnalysis
    names: Names
    layout: BoardLayout
    module: ir.Module
    sites: Sites
    explored: dict[int, str]
    """The functions that run a branch with prescribed picks, by number."""
    whole: bool = False
    """Whether all games are played from the beginning, and nobody sees their states."""
    seen: bool = False
    """Whether every event is reported to the kernels of `sightings`."""
    by_hand: bool = False
    """Whether draws are made by the kernels of `by_hand`, in games played from the beginning."""
    scores: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The points of each card by the literal awards of a form, by the identity of the form."""

    def data(self, name: str, content: bytes) -> ir.Data:
        """Return a constant table of the module, made once."""
        self.module.data.setdefault(name, content)
        return ir.Data(name)

    def integers(
        self, name: str, values: list[int], width: int, *, signed: bool = False
    ) -> ir.Data:
        """Return a constant table of integers."""
        content = b"".join(value.to_bytes(width, "little", signed=signed) for value in values)
        return self.data(name, content)


class Lowering:
    """One function under construction.

    `players` and `teams` are the numbers of the current cycles. `acted` is a variable that is set
    when an action has an effect, while an option is tried; None where it does not matter.
    """

    def __init__(self, shared: Shared, players: int = 0, teams: int = 0) -> None:
        self.shared = shared
        self.program = shared.program
        self.analysis = shared.analysis
        self.names = shared.names
        self.layout = shared.layout
        self.b = Builder()
        self.board = Access(shared.layout.board, BOARD)
        self.context = Access(CONTEXT, CONTEXT_LOCAL)
        self.env: dict[int, Value] = {}
        self.players = players
        self.teams = teams
        self.acted: Local | None = None
        self.noting = False
        """Whether actions record which locations they change."""
        self.moves = 0
        """How many actions that move cards have been lowered; a loop of them counts too."""
        self.cycles: dict[int, TurnLocals] = {}
        """The cycles whose current and queued members are kept in variables, not in the board."""
        self.counter: Local | None = None
        """The variable that counts decisions, if the board does not."""
        self.allowance: Local | None = None
        self.left: Local | None = None
        """The variables that count down rounds, if the context does not."""
        self.cells: dict[tuple[str, int], Local] = {}
        """The stored values that are kept in variables: the field and the cell of each."""
        self.unrolls = False
        """Whether short loops over players are written out."""
        self.lengths: dict[int, n.Node] = {}
        """The forms that make runs of which only those of a length are wanted, by identity."""
        self.still = False
        """Whether nothing moves as long as what is made now is used."""
        self.exploring = False
        """Whether the function runs with prescribed picks, before which rounds were counted."""
        self.fresh: int | None = None
        """The first slot of the family of which the current player's place is surely empty."""
        self.watched = True
        """Whether anybody may ask later what the seats know; nobody does after random play."""
        self._uncounted = False
        self._allocations = 0

    @property
    def learns(self) -> bool:
        """Whether lists of known cards are kept."""
        return self.watched and self.layout.known

    def finish(self, name: str, *params: Local, inline: ir.Inline = ir.Inline.PERHAPS) -> None:
        """Add the function to the module; it has a board, a context and these parameters."""
        start: ir.Block = ()
        if self._allocations:
            start = (ir.Assign(ARENA, self.context.load("arena")),)
        body = start + self.b.finish()
        self.shared.module.functions[name] = ir.Function(
            name, (BOARD, CONTEXT_LOCAL, *params), Type.INT, body, inline=inline
        )

    def report(self, kernel: str, *args: ir.Expr) -> None:
        """Report an event to a kernel of `sightings`, if anybody follows the game."""
        if self.shared.seen:
            self.b.run(kernel, *args)

    # Faults -------------------------------------------------------------------------------

    def fail(self, rule: str, message: str, span: Span, *args: ir.Expr) -> None:
        """Report a broken rule and leave the function."""
        site = self.shared.sites.number(rule, message, span)
        if self.counter is not None:
            self.store("decisions", value=self.counter)
        numbers = [*args, *[const(0)] * (3 - len(args))]
        self.b.add(ir.Return(call("fail", CONTEXT_LOCAL, const(site), *numbers)))

    def leave(self) -> None:
        """Leave the function after a fault that was reported elsewhere."""
        if self.counter is not None:
            self.store("decisions", value=self.counter)
        self.b.add(ir.Return(NONE))

    def check(self, broken: ir.Expr, rule: str, message: str, span: Span, *args: ir.Expr) -> None:
        """Report a broken rule if a test holds."""
        if isinstance(broken, ir.Const) and not broken.value:
            return
        with self.b.when(unlikely(broken)):
            self.fail(rule, message, span, *args)

    # Steps --------------------------------------------------------------------------------

    def decided(self) -> None:
        """Record that a decision was made, which restores the allowance of steps."""
        if self.left is not None:
            assert self.allowance is not None
            self.b.set(self.left, self.allowance)
        else:
            self.b.add(self.context.store("left", value=self.context.load("allowance")))
        self.b.add(self.context.store("parts", value=const(0)))

    def spend(self, rounds: ir.Expr, span: Span) -> None:
        """Count rounds of a loop, or those of a step; report it if there are too many."""
        if self.left is not None:
            left: ir.Expr = self.left
            self.b.set(self.left, binary(Op.SUB, self.left, rounds))
        else:
            left = self.b.let(binary(Op.SUB, self.context.load("left"), rounds), "left")
            self.b.add(self.context.store("left", value=left))
        with self.b.when(unlikely(compare(Rel.LT, left, const(0)))):
            if self.left is not None:
                self.b.add(self.context.store("left", value=left))
            over = self.b.let(call("spent", self.context.base, type=Type.BOOL), "over")
            many = "{a:,} steps went by without a decision"
            self.check(over, "steps", many, span, self.context.load("step_limit"))
            if self.left is not None:
                self.b.set(self.left, self.context.load("left"))

    def publish_left(self) -> None:
        """Store how much is left of the allowance, if a variable has it."""
        if self.left is not None:
            self.b.add(self.context.store("left", value=self.left))

    def reload_left(self) -> None:
        """Read how much is left of the allowance, if a variable has it."""
        if self.left is not None:
            assert self.allowance is not None
            self.b.set(self.left, self.context.load("left"))
            self.b.set(self.allowance, self.context.load("allowance"))

    def rounds(self, node: n.Node, rounds: ir.Expr = ONE) -> None:
        """Count rounds of a form, if they are counted."""
        if not self.program.rounds.counted(node) or self._uncounted:
            return
        if self.exploring:
            picks, known = self.context.load("picks"), self.context.load("pick_count")
            with self.b.when(compare(Rel.GE, picks, known)):
                self.spend(rounds, node.span)
        else:
            self.spend(rounds, node.span)

    @contextmanager
    def again(self) -> Iterator[None]:
        """Count no rounds: what is evaluated here was evaluated and counted before."""
        before, self._uncounted = self._uncounted, True
        yield
        self._uncounted = before

    # The board ----------------------------------------------------------------------------

    def count(self, pile: LoweredPile) -> ir.Expr:
        """Return the number of cards of a real location, now."""
        if pile.form is None:
            return self.b.let(call("size", self.board.base, pile.slot), "count")
        if pile.form.masked:
            cards = self.board.load("mask", pile.slot, part=pile.part)
            return self.b.let(call("count_ones", cards), "count")
        return self.b.let(self.board.load("count", pile.slot), "count")

    def store(self, name: str, *indices: ir.Expr, value: ir.Expr) -> None:
        """Put a value into a field of the board."""
        self.b.add(self.board.store(name, *indices, value=value))

    def stored(self, field: str, cell: ir.Expr) -> ir.Expr:
        """Return a stored value, now."""
        if isinstance(cell, ir.Const) and (kept := self.cells.get((field, cell.value))):
            return self.b.let(kept, "stored")
        return self.b.let(self.board.load(field, cell), "stored")

    def keep(self, field: str, cell: ir.Expr, value: ir.Expr) -> None:
        """Store a value."""
        if isinstance(cell, ir.Const) and (kept := self.cells.get((field, cell.value))):
            self.b.set(kept, value)
        else:
            self.store(field, cell, value=value)

    def publish_cells(self) -> None:
        """Store the values that are kept in variables in the board."""
        for (array, cell), kept in self.cells.items():
            self.store(array, const(cell), value=kept)

    def reload_cells(self) -> None:
        """Read the values that are kept in variables from the board again."""
        for (array, cell), kept in self.cells.items():
            self.b.set(kept, self.board.load(array, const(cell)))

    # Turns --------------------------------------------------------------------------------

    def current(self, cycle: int) -> ir.Expr:
        """Return the current member of a cycle, now."""
        kept = self.cycles.get(cycle)
        now = self.board.load("current", const(cycle)) if kept is None else kept.current
        return self.b.let(now, "current")

    def queued(self, cycle: int) -> ir.Expr:
        """Return the queued member of a cycle plus 1, or 0 if there is none."""
        kept = self.cycles.get(cycle)
        if kept is None:
            return self.b.let(self.board.load("queued", const(cycle)), "queued")
        return self.b.let(kept.queued, "queued") if kept.queued is not None else const(0)

    def make_current(self, cycle: int, member: ir.Expr) -> None:
        """Make a member of a cycle the current one."""
        kept = self.cycles.get(cycle)
        if kept is None:
            self.store("current", const(cycle), value=member)
        else:
            self.b.set(kept.current, member)

    def queue(self, cycle: int, member: ir.Expr) -> None:
        """Queue a member of a cycle, given plus 1; 0 empties the queue."""
        kept = self.cycles.get(cycle)
        if kept is None:
            self.store("queued", const(cycle), value=member)
        else:
            assert kept.queued is not None
            self.b.set(kept.queued, member)

    def publish_turns(self) -> None:
        """Store the cycles that are kept in variables in the board."""
        for cycle, kept in self.cycles.items():
            self.store("current", const(cycle), value=kept.current)
            self.store(
                "queued", const(cycle), value=const(0) if kept.queued is None else kept.queued
            )

    def reload_turns(self) -> None:
        """Read the cycles that are kept in variables from the board again."""
        for cycle, kept in self.cycles.items():
            self.b.set(kept.current, self.board.load("current", const(cycle)))
            if kept.queued is not None:
                self.b.set(kept.queued, self.board.load("queued", const(cycle)))

    def act(self) -> None:
        """Record that an action had an effect."""
        if self.acted is not None:
            self.b.set(self.acted, const(1))

    def changes(self, *slots: ir.Expr) -> None:
        """Record that locations are about to change, if a scratch board is to be restored."""
        if self.noting:
            for slot in slots:
                self.b.run("note_changed", self.context.base, slot)

    def defers(self, place: Cards) -> bool:
        """Return whether the shuffles of a location are deferred."""
        if not isinstance(place, LoweredPile) or place.base is None:
            return False
        deferring = self.shared.whole or self.shared.by_hand
        return deferring and place.base == self.layout.deferred

    def settle(self, cards: ir.Expr | None = None) -> None:
        """Go on with a deferred shuffle: for some topmost cards, or before anything else is drawn.

        Nothing is done if no shuffles are deferred. By hand draws are made in any order.
        """
        slot = self.layout.deferred
        needed = self.shared.whole or (self.shared.by_hand and cards is not None)
        if needed and slot is not None:
            every = const(self.layout.capacity)
            self.b.run("settle", BOARD, BOARD, const(slot), every if cards is None else cards)

    # Memory for lists ---------------------------------------------------------------------

    def arena(self, at: ir.Expr, by: int = 0) -> ir.Expr:
        """Return an address in the arena."""
        self._allocations += 1
        return offset(offset(ARENA, at), const(by))

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Free the memory that is taken within, if any is."""
        before = self._allocations
        with self.b.case() as block:
            yield
        if self._allocations == before:
            for statement in block:
                self.b.add(statement)
            return
        mark = self.b.let(self.context.load("top"), "mark")
        for statement in block:
            self.b.add(statement)
        self.b.add(self.context.store("top", value=mark))

    def reserve(self, size: int, span: Span) -> ir.Expr:
        """Return the offset of a number of bytes, which are reserved until `give_back`."""
        base = self.b.let(self.context.load("top"), "base")
        self._allocations += 1
        end = self.b.let(add(base, const(size)), "end")
        self.check(compare(Rel.GT, end, self.context.load("arena_end")), "capacity", NO_ROOM, span)
        self.b.add(self.context.store("top", value=end))
        return base

    def give_back(self, end: ir.Expr) -> None:
        """Set the end of the memory in use, as a multiple of 8."""
        aligned = ir.Binary(Op.AND, add(end, const(7)), const(-8))
        self.b.add(self.context.store("top", value=aligned))

    def made(self, kernel: str, span: Span, *args: ir.Expr) -> ir.Expr:
        """Return what a kernel makes in the arena, or report that there is no room for it."""
        self._allocations += 1
        done = call(kernel, self.context.base, *args)
        return self.attempt(done, "capacity", NO_ROOM, span)

    def attempt(self, done: ir.Expr, rule: str, message: str, span: Span) -> ir.Expr:
        """Return the result of a call, or report a broken rule if it is -1."""
        result = self.b.let(done, "done")
        self.check(ir.OrderTest(Rel.EQ, result, NONE), rule, message, span)
        return result


def card_address(low: Lowering, base: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return the address of a card in an array of cards."""
    width = low.layout.card_bytes
    return offset(base, at if width == 1 else ir.Binary(Op.MUL, at, const(width)))


def card_at(low: Lowering, base: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return the card at a position of an array of cards."""
    return ir.Load(card_address(low, base, at), low.layout.card_bytes, tag="card")
