"""Boards and engines: what a state needs from the engine that plays its game.

The interpreter (`cardwright.game.reference`) and the native engine implement these classes; little
else in this package knows which of them is at work.

A *step* of a game is a choice, the index of an option. In a game whose chance is taken by hand
(`cardwright.game.chance`) a step may also be the outcome of a draw, as a negative number: -1 is the
first outcome.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from cardwright.game.search import WorldFigures

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.information.knowledge import Knowledge, KnowledgeMode
    from cardwright.game.search import Rollouts, Trials
    from cardwright.interpreter.chance import Draw
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location, Seat

Snapshot: TypeAlias = Callable[[], "Board"]
"""Makes new boards, by every call one; those of a snapshot are in the state of another board."""


class Board(ABC):
    """One game in play, as an engine represents it.

    A new board is before its first item, and a determinised one before its decision, until it is
    advanced. After a Fault a board cannot be used any more.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def player(self) -> Seat | None:
        """The seat that has to decide; None when the game is over or a draw is due."""

    @property
    @abstractmethod
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 if there is none."""

    @property
    @abstractmethod
    def choice(self) -> n.Choice:
        """The choice of the program that is due; there is one."""

    @property
    def draw(self) -> Draw | None:
        """The draw that is due, if chance is taken by hand."""
        return None

    @property
    def finished(self) -> bool:
        """Whether the game is over: there is nothing to choose, and there are scores."""
        return self.option_count == 0 and self.draw is None

    @abstractmethod
    def advance(self) -> None:
        """Run to the next decision and find its options, or to the end; raises Fault.

        On a board that is already there, this only finds the options again.
        """

    @abstractmethod
    def play(self, index: int) -> None:
        """Carry out an option of the decision that is due, and advance; raises Fault."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return the score of every seat of a game that is over; raises Fault."""

    @abstractmethod
    def picks(self) -> Sequence[tuple[int, tuple[Pick, ...]]]:
        """Return for every option, in order, its branch and its picks."""

    def built(self) -> Sequence[BuiltOption] | None:
        """Return the options with their effects, or None if the engine does not keep them."""
        return None

    @abstractmethod
    def world(self) -> World:
        """Return the board as a world of the interpreter, which is read-only.

        It shows the board as it is now, and may or may not change when the board is played on.
        """

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        return self.world().where[card]

    @abstractmethod
    def copy(self) -> Board:
        """Return an independent board that will go on in the same way."""

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state, at a decision."""
        return self.copy().copy

    def position(self) -> Hashable:
        """Return a key of the board without its random stream, the same over any engine."""
        return self.world().position()

    def key(self) -> Hashable:
        """Return the key of the world: over any engine, equal keys mean that both go on alike."""
        return self.world().key()

    def same(self, other: Board) -> bool:
        """Return whether two boards of one program are seen to be the same, without their keys."""
        return self is other

    @abstractmethod
    def worlds(self, redeal: Redeal, stream: Stream) -> Snapshot:
        """Return what draws boards with everything redealt that a seat does not know.

        They are not yet advanced; if the game is over, so is that of each. By knowledge they are a
        chain, which takes its first draws at once. Every engine takes the same draws from the
        stream, for the same deals.
        """

    @abstractmethod
    def rollouts(self, count: int, stream: Stream, redeal: Redeal | None) -> Rollouts:
        """Play an unfinished game to its end a number of times.

        First the stream begins the chain of worlds, if knowledge is given, and seeds one stream for
        each seat, from which its choices in all the games are drawn. Then before each game, one
        draw of it seeds the game's own random stream; or cards are redealt as by `worlds`. Every
        engine takes the same draws. The board is left unchanged.
        """

    @abstractmethod
    def trials(self, redeal: Redeal, stream: Stream) -> Trials:
        """Return trials of the options of the decision that is due; see `FlatPlan`.

        First the stream seeds one stream for each seat, from which its choices are drawn; worlds
        and chance events are drawn from itself. Every engine takes the same draws. The board is
        left unchanged, and may go on.
        """


class Histories(Protocol):
    """A chain of worlds that agree with all that a seat has seen of a game."""

    @property
    def figures(self) -> WorldFigures:
        """How the chain went so far."""

    def copy(self) -> Histories:
        """Return a chain that goes on from where this one is."""

    def world(self, stream: Stream) -> Board:
        """Return the next world, with a random stream of its own."""


class Redeal(NamedTuple):
    """Which hidden cards are dealt again: those that a seat does not know, by what it may know.

    The knowledge is for the mode `consistent`. So are histories, a chain that nothing else goes on
    with; `told` says that the rules tell of cards, even if no history was found.
    """

    seat: Seat
    mode: KnowledgeMode
    knowledge: Knowledge | None = None
    histories: Histories | None = None
    told: bool = False

    @property
    def figures(self) -> WorldFigures | None:
        """How worlds were drawn so far; None where the rules tell nothing."""
        return figures_of(self.histories) if self.told else None


def figures_of(histories: Histories | None) -> WorldFigures:
    """Return how worlds were drawn so far; without histories the chain has fallen back."""
    return WorldFigures(fallbacks=1) if histories is None else histories.figures


class Engine(Protocol):
    """An engine for one program; all its boards are independent of each other."""

    @property
    def name(self) -> str:
        """The engine's name, one of `engines.ENGINES`."""
        ...

    @property
    def limits(self) -> GameLimits:
        """The limits of its games."""
        ...

    def prepare(self) -> None:
        """Do what the first start would take longest for."""
        ...

    def start(self, seed: int) -> Board:
        """Return a board after the set-up of a new game, before its first item; raises Fault."""
        ...


def outcomes_at(steps: Sequence[int], at: int) -> list[int]:
    """Return the outcomes of draws among some steps, from a step on and up to the next choice."""
    return [-1 - step for step in takewhile(lambda step: step < 0, steps[at:])]
