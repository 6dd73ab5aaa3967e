"""The lowering in progress: the function being built, and what is known meanwhile.

The chapters (`integers`, `conditions`, `cards` ...) lower the forms of one kind, as those of the
interpreter evaluate them. They need each other: a form of one kind is a part of any other. So they
call each other through the `Lowering`, which `forms` ties to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    Access,
    Builder,
    add,
    binary,
    both,
    call,
    compare,
    const,
    mul,
    negate,
    offset,
    unlikely,
)
from cardwright.compiler.ir import Inline, Local, Op, Rel, Type
from cardwright.compiler.lower import words
from cardwright.compiler.lower.values import Cards, Held, LoweredPile, Value
from cardwright.compiler.plan import Sites
from cardwright.compiler.structs import CONTEXT
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Self

    from cardwright.compiler.layout import BoardLayout, Names
    from cardwright.program import nodes as n
    from cardwright.program.effects import EffectAnalysis
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

BOARD = Local("board", Type.POINTER)
CONTEXT_LOCAL = Local("context", Type.POINTER)
ARENA = Local("arena", Type.POINTER)

LIST = "list"
"""The tag of loads and stores of lists and vectors; cards in them have the tag "card"."""

OVERFLOW = "the result does not fit in 64 bits"

TURNS = ("current", "queued")
"""The fields of a board that say whose turn it is."""


@dataclass
class Shared:
    """What all functions of a module share."""

    program: Program
    analysis: EffectAnalysis
    names: Names
    layout: BoardLayout
    whole: bool = False
    """Whether all games are played from the beginning, and nobody sees their states.

    What is needed only to go on from elsewhere is not worth much effort then.
    """
    seen: bool = False
    """Whether every event is reported to the kernels of `sightings`."""
    by_hand: bool = False
    """Whether draws are made by the kernels of `by_hand`, in games played from the beginning."""
    retraced: bool = False
    """Whether events are reported to the kernels of `histories`, which lay shuffled cards anew."""
    module: ir.Module = field(default_factory=lambda: ir.Module("game"))
    sites: Sites = field(default_factory=Sites)
    explored: dict[int, str] = field(default_factory=dict)
    """The functions that run a branch with prescribed picks, by number."""
    scores: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The points of each card by the literal awards of a form, by the identity of the form."""

    def data(self, name: str, content: bytes) -> ir.Data:
        """Return a constant table of the module, made once."""
        self.module.data.setdefault(name, content)
        return ir.Data(name)

    def integers(
        self, name: str, values: Sequence[int], width: int, *, signed: bool = False
    ) -> ir.Data:
        """Return a constant table of integers; an empty one has a zero."""
        numbers = values or (0,)
        content = b"".join(value.to_bytes(width, "little", signed=signed) for value in numbers)
        return self.data(name, content)

    def function(
        self,
        name: str,
        params: tuple[Local, ...],
        body: ir.Block,
        *,
        result: Type = Type.INT,
        inline: Inline = Inline.PERHAPS,
    ) -> None:
        """Add a function to the module."""
        self.module.functions[name] = ir.Function(name, params, result, body, inline=inline)


class Lowering(ABC):
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
        self.kept: dict[tuple[str, int], Local | ir.Const] = {}
        """What is kept in variables, not in the board: turns, integers and strings; or 0."""
        self.counter: Local | None = None
        """The variable that counts decisions, if the board does not."""
        self.allowance: Local | None = None
        self.left: Local | None = None
        """The variables that count down rounds, if the context does not."""
        self.unrolls = False
        """Whether short loops over players are written out."""
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

    # The chapters -------------------------------------------------------------------------

    @abstractmethod
    def integer(self, node: n.Node) -> ir.Expr:
        """Return the value of an integer form."""

    @abstractmethod
    def string(self, node: n.Node) -> ir.Expr:
        """Return the number of a string."""

    @abstractmethod
    def condition(self, node: n.Node) -> ir.Expr:
        """Return the truth value of a condition."""

    @abstractmethod
    def card(self, node: n.Node) -> ir.Expr:
        """Return the card that a reference names, or -1."""

    @abstractmethod
    def owner(self, node: n.Node) -> ir.Expr:
        """Return the number of an owner of storage: players first, then teams, then the table."""

    @abstractmethod
    def seat(self, node: n.Node) -> ir.Expr:
        """Return the seat of a player, from 0."""

    @abstractmethod
    def team(self, node: n.Node) -> ir.Expr:
        """Return the number of a team, from 0."""

    @abstractmethod
    def location(self, node: n.Node, *, keep: bool = False) -> Cards:
        """Return a location. `keep` says that its place matters, even if it never held a card."""

    @abstractmethod
    def each_card(self, node: n.Node, stop: Local | None = None) -> AbstractContextManager[ir.Expr]:
        """Run a block for each card of a location, in order, until `stop` holds."""

    def pile(self, node: n.Node, *, keep: bool = False) -> LoweredPile:
        """Return a real location."""
        pile = self.location(node, keep=keep)
        assert isinstance(pile, LoweredPile)
        return pile

    def holds(self, node: n.Node) -> ir.Expr:
        """Evaluate a condition now, and free the memory that it takes."""
        with self.scratch():
            return self.b.let(self.condition(node), "holds")

    def scalar(self, slot: int) -> ir.Expr:
        """Return a variable that holds a single value."""
        value = self.env[slot]
        if isinstance(value, Held):
            return value.card
        assert isinstance(value, ir.Expr)
        return value

    # The module ---------------------------------------------------------------------------

    def another(self) -> Self:
        """Return another function of the module, in no cycle."""
        return type(self)(self.shared)

    def finish(self, name: str, *params: Local, inline: Inline = Inline.PERHAPS) -> None:
        """Add the function to the module; it has a board, a context and these parameters."""
        start: ir.Block = ()
        if self._allocations:
            start = (ir.Assign(ARENA, self.context.load("arena")),)
        body = start + self.b.finish()
        self.shared.function(name, (BOARD, CONTEXT_LOCAL, *params), body, inline=inline)

    def switch(
        self, value: ir.Expr, make: Mapping[int, Callable[[], object]], default: ir.Block = ()
    ) -> None:
        """Switch to what is made for a value."""
        cases = []
        for case, made in make.items():
            with self.b.case() as block:
                made()
            cases.append((case, tuple(block)))
        self.b.add(ir.Switch(value, tuple(cases), default))

    def give(self, value: ir.Expr) -> None:
        """Return a value from the function."""
        self.b.add(ir.Return(value))

    def report(self, kernel: str, *args: ir.Expr) -> None:
        """Report an event to a kernel of `sightings`, if anybody follows the game."""
        if self.shared.seen:
            self.b.run(kernel, *args)

    def tried(self, make: Callable[[], ir.Expr | None]) -> ir.Expr | None:
        """Return what can be made, and add the statements that it takes; None adds none."""
        with self.b.case() as block:
            made = make()
        if made is not None:
            self.b.extend(block)
        return made

    # Faults -------------------------------------------------------------------------------

    def fail(self, rule: str, message: str, span: Span, *args: ir.Expr) -> None:
        """Report a broken rule and leave the function."""
        site = self.shared.sites.number(rule, message, span)
        numbers = [*args, *[ZERO] * (3 - len(args))]
        self.leave(call("fail", CONTEXT_LOCAL, const(site), *numbers))

    def leave(self, outcome: ir.Expr = NONE) -> None:
        """Leave the function after a fault."""
        if self.counter is not None:
            self.store("decisions", value=self.counter)
        self.give(outcome)

    def check(self, broken: ir.Expr, rule: str, message: str, span: Span, *args: ir.Expr) -> None:
        """Report a broken rule if a test holds."""
        if isinstance(broken, ir.Const) and not broken.value:
            return
        with self.b.when(unlikely(broken)):
            self.fail(rule, message, span, *args)

    def succeed(self, outcome: ir.Expr) -> ir.Expr:
        """Return the result of a call, or leave the function if it is -1, for a fault."""
        done = self.b.let(outcome, "done")
        with self.b.when(unlikely(compare(Rel.LT, done, ZERO))):
            self.leave()
        return done

    def attempt(self, done: ir.Expr, rule: str, message: str, span: Span) -> ir.Expr:
        """Return the result of a call, or report a broken rule if it is -1."""
        result = self.b.let(done, "done")
        self.check(ir.OrderTest(Rel.EQ, result, NONE), rule, message, span)
        return result

    # Rounds -------------------------------------------------------------------------------

    def decided(self) -> None:
        """Record that a decision was made, which restores the allowance of steps."""
        if self.left is not None:
            assert self.allowance is not None
            self.b.set(self.left, self.allowance)
        else:
            self.b.add(self.context.store("left", value=self.context.load("allowance")))
        self.b.add(self.context.store("parts", value=ZERO))

    def spend(self, rounds: ir.Expr, span: Span) -> None:
        """Count rounds of a loop, or those of a step; report it if there are too many."""
        if self.left is not None:
            left: ir.Expr = self.left
            self.b.set(self.left, binary(Op.SUB, self.left, rounds))
        else:
            left = self.b.let(binary(Op.SUB, self.context.load("left"), rounds), "left")
            self.b.add(self.context.store("left", value=left))
        with self.b.when(unlikely(compare(Rel.LT, left, ZERO))):
            if self.left is not None:
                self.b.add(self.context.store("left", value=self.left))
            over = self.b.let(call("spent", self.context.base, type=Type.BOOL), "over")
            many = "{a:,} steps went by without a decision"
            self.check(over, "steps", many, span, self.context.load("step_limit"))
            if self.left is not None:
                self.b.set(self.left, self.context.load("left"))

    def rounds(self, node: n.Node, rounds: ir.Expr = ONE) -> None:
        """Count rounds of a form, if they are counted."""
        if not self.counts(node) or self._uncounted:
            return
        if self.exploring:
            picks, known = self.context.load("picks"), self.context.load("pick_count")
            with self.b.when(compare(Rel.GE, picks, known)):
                self.spend(rounds, node.span)
        else:
            self.spend(rounds, node.span)

    def counts(self, *nodes: n.Node) -> bool:
        """Return whether rounds of one of some forms are counted."""
        return any(map(self.program.rounds.counted, nodes))

    @contextmanager
    def again(self) -> Iterator[None]:
        """Count no rounds: what is evaluated here was evaluated and counted before."""
        before, self._uncounted = self._uncounted, True
        yield
        self._uncounted = before

    # The board ----------------------------------------------------------------------------

    def store(self, name: str, *indices: ir.Expr, value: ir.Expr) -> None:
        """Put a value into a field of the board."""
        self.b.add(self.board.store(name, *indices, value=value))

    def read(self, field: str, at: ir.Expr, hint: str = "stored") -> ir.Expr:
        """Return an element of a field of the board that may be kept in a variable, now."""
        kept = self.kept.get((field, at.value)) if isinstance(at, ir.Const) else None
        return self.b.let(self.board.load(field, at) if kept is None else kept, hint)

    def write(self, field: str, at: ir.Expr, value: ir.Expr) -> None:
        """Change an element of a field of the board that may be kept in a variable."""
        kept = self.kept.get((field, at.value)) if isinstance(at, ir.Const) else None
        if kept is None:
            self.store(field, at, value=value)
        else:
            assert isinstance(kept, Local)
            self.b.set(kept, value)

    def publish(self) -> None:
        """Store what is kept in variables in the board and the context."""
        for (name, at), kept in self.kept.items():
            self.store(name, const(at), value=kept)
        if self.left is not None:
            self.b.add(self.context.store("left", value=self.left))

    def reload(self) -> None:
        """Read what is kept in variables again."""
        self.reload_board()
        if self.left is not None:
            assert self.allowance is not None
            self.b.set(self.left, self.context.load("left"))
            self.b.set(self.allowance, self.context.load("allowance"))

    def reload_board(self, *fields: str) -> None:
        """Read what is kept of the board again, or of some of its fields."""
        for (name, at), kept in self.kept.items():
            if isinstance(kept, Local) and (not fields or name in fields):
                self.b.set(kept, self.board.load(name, const(at)))

    # Turns --------------------------------------------------------------------------------

    def cycle(self, *, team: bool) -> int:
        """Return the number of the current cycle of players or teams."""
        return self.layout.player_cycles + self.teams if team else self.players

    def owners(self, *, team: bool) -> int:
        """Return the number of players, or of teams."""
        return len(self.program.teams) if team else self.program.players

    def current(self, cycle: int) -> ir.Expr:
        """Return the current member of a cycle, now."""
        return self.read("current", const(cycle), "current")

    def current_of(self, node: n.Node) -> ir.Expr:
        """Return who is current among the players, or the teams, that a form is about."""
        return self.current(self.cycle(team=node.kind in {ValueKind.TEAM, ValueKind.TEAMS}))

    def make_current(self, cycle: int, member: ir.Expr) -> None:
        """Make a member of a cycle the current one."""
        self.write("current", const(cycle), member)

    def queue(self, cycle: int, member: ir.Expr) -> None:
        """Queue a member of a cycle, given plus 1; 0 empties the queue."""
        self.write("queued", const(cycle), member)

    # Effects ------------------------------------------------------------------------------

    @property
    def learns(self) -> bool:
        """Whether lists of known cards are kept."""
        return self.watched and self.layout.known

    def act(self) -> None:
        """Record that an action had an effect."""
        if self.acted is not None:
            self.b.set(self.acted, ONE)

    def changes(self, *slots: ir.Expr) -> None:
        """Record that locations are about to change, if a scratch board is to be restored."""
        if self.noting:
            for slot in slots:
                self.b.run("note_changed", self.context.base, slot)

    def tidy(self) -> None:
        """Free the slots of computed places without cards, if there are such places."""
        if self.layout.places.pool:
            self.b.run("tidy", self.board.base)

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

    # Words --------------------------------------------------------------------------------

    @property
    def has_masks(self) -> bool:
        """Whether masks have a bit for every card of the program."""
        return len(self.program.cards) <= self.layout.mask_bits

    @property
    def has_words(self) -> bool:
        """Whether a mask fits in a word of 8 bytes, in which sets are kept in memory."""
        return self.has_masks and self.layout.mask is Type.INT

    @contextmanager
    def each_bit(self, word: ir.Expr, stop: Local | None = None) -> Iterator[ir.Expr]:
        """Run a block for the number of each bit of a word, in order, until `stop` holds."""
        left = self.b.variable(word, "left")
        test = words.is_some(left)
        step = ir.Assign(left, words.without_lowest(left))
        with self.b.loop(both(negate(stop), test) if stop is not None else test, step):
            yield self.b.let(call("lowest_one", left), "card")

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
            self.b.extend(block)
            return
        mark = self.b.let(self.context.load("top"), "mark")
        self.b.extend(block)
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


def card_address(low: Lowering, base: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return the address of a card in an array of cards."""
    width = low.layout.card_bytes
    return offset(base, at if width == 1 else ir.Binary(Op.MUL, at, const(width)))


def card_at(low: Lowering, base: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return the card at a position of an array of cards."""
    return ir.Load(card_address(low, base, at), low.layout.card_bytes, tag="card")


def entry(table: ir.Expr, at: ir.Expr, width: int, *, signed: bool = False) -> ir.Expr:
    """Return an integer of a constant table."""
    return ir.Load(ir.Offset(table, mul(at, const(width))), width, signed)
