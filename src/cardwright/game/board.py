"""Boards and engines: what a state needs from the engine that plays its game.

The reference engine and the native one both implement these protocols, and nothing else in this
package knows which of them is at work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.flat import Chances, Trials
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.past import Snapshot
    from cardwright.game.rollouts import Rollouts
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location, Seat


class Board(Protocol):
    """One game in play, as an engine represents it.

    A new board is before its first item, and a determinised one before its decision, until it is
    advanced. After a Fault a board cannot be used any more.
    """

    @property
    def finished(self) -> bool:
        """Whether the game is over: there is nothing to choose, and there are scores."""
        ...

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide; None when the game is over."""
        ...

    @property
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 when the game is over."""
        ...

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due; there is one."""
        ...

    def advance(self) -> None:
        """Run to the next decision and find its options, or to the end; raises Fault.

        On a board that is already there, this only finds the options again.
        """
        ...

    def picks(self) -> Sequence[tuple[int, tuple[Pick, ...]]]:
        """Return for every option, in order, its branch and its picks."""
        ...

    def play(self, index: int) -> None:
        """Carry out an option of the decision that is due, and advance; raises Fault."""
        ...

    def scores(self) -> list[int]:
        """Return the score of every seat of a game that is over; raises Fault."""
        ...

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        ...

    def world(self) -> World:
        """Return the board as a world of the reference engine, which is read-only.

        It shows the board as it is now, and may or may not change when the board is played on.
        """
        ...

    def built(self) -> Sequence[BuiltOption] | None:
        """Return the options with their effects, or None if the engine does not keep them."""
        ...

    def copy(self) -> Board:
        """Return an independent board that will go on in the same way."""
        ...

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state, at a decision."""
        ...

    def determinise(self, seat: int, stream: Stream, mode: KnowledgeMode) -> Board:
        """Return a board with everything redealt that a seat does not know, not yet advanced.

        If the game is over, so is the new board's. Every engine takes the same draws from the
        stream, for the same deal. The mode is not `consistent`: that is what `worlds` is for.
        """
        ...

    def worlds(self, knowledge: Knowledge, stream: Stream) -> WorldChain:
        """Begin a chain of boards that a seat cannot tell from this one by what it knows.

        Every engine takes the same draws from the stream, for the same deals.
        """
        ...

    def rollouts(
        self,
        count: int,
        stream: Stream,
        seat: Seat | None,
        mode: KnowledgeMode,
        knowledge: Knowledge | None = None,
    ) -> Rollouts:
        """Play an unfinished game to its end a number of times.

        First the stream begins the chain of worlds, if knowledge is given, and seeds one stream for
        each seat, from which its choices in all the games are drawn. Then before each game, one
        draw of it seeds the game's own random stream; or if a seat is given, everything that it
        does not know is redealt as by `determinise`, or if its knowledge is given, as by `worlds`.
        Every engine takes the same draws. The board is left unchanged.
        """
        ...

    def trials(
        self, seat: Seat, mode: KnowledgeMode, chances: Chances, knowledge: Knowledge | None = None
    ) -> Trials:
        """Return trials of the options of the decision that is due; see `cardwright.game.flat`.

        The knowledge is for the mode `consistent`. Every engine takes the same draws. The board is
        left unchanged, and may go on.
        """
        ...

    def key(self) -> Hashable:
        """Return the key of the world: over any engine, equal keys mean that both go on alike."""
        ...

    def same(self, other: Board) -> bool | None:
        """Return whether the keys of two boards of one program are equal, if that is quick to see.

        Otherwise None: then the keys have to be compared.
        """
        ...


class WorldChain(Protocol):
    """A series of boards that a seat cannot tell from the true one."""

    def next(self) -> Board:
        """Return the next, not yet advanced."""
        ...


class Engine(Protocol):
    """An engine for one program; all its boards are independent of each other."""

    @property
    def name(self) -> str:
        """The engine's name, one of `engines.ENGINES`."""
        ...

    def prepare(self) -> None:
        """Do what the first start would take longest for."""
        ...

    def start(self, seed: int) -> Board:
        """Return a board after the set-up of a new game, before its first item; raises Fault."""
        ...
