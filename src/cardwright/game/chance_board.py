"""Boards of games whose chance is taken by hand: they wait for outcomes as well as for choices.

The interpreter plays these games. A world that waits is never changed: every choice runs in a copy
of it, once more for each draw, so that copies of a board share their worlds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from cardwright.game.describe import choice_at
from cardwright.game.determinise import determinise
from cardwright.game.errors import ChanceError
from cardwright.interpreter import machine
from cardwright.interpreter.chance import (
    ChanceStream,
    DrawDueError,
    ScriptedRun,
    TooManyOutcomesError,
    UndrawnCards,
    running,
)
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.board import Board
    from cardwright.game.consistent_worlds import ConsistentWorlds
    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.flat import Chances, Trials
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.past import Snapshot
    from cardwright.game.rollouts import Rollouts
    from cardwright.interpreter.chance import Draw
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.machine import GameLimits, Rules
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location


class _Rest(NamedTuple):
    """A world at a decision or at the end, where nothing is drawn; it does not change any more."""

    world: World
    built: list[BuiltOption] | None = None
    scores: list[int] | None = None


class _Due(NamedTuple):
    """A draw that is due: after which choice, and after which outcomes since then."""

    choice: int | None
    script: tuple[int, ...]
    draw: Draw


class ChanceBoard:
    """A board that waits for a choice or for the outcome of a draw; see `Board`.

    A step is a choice, or an outcome as a negative number: -1 is the first.
    """

    __slots__ = ("_due", "_limits", "_rest")

    def __init__(self, rest: _Rest, limits: GameLimits, due: _Due | None = None) -> None:
        self._rest = rest
        self._limits = limits
        self._due = due

    @classmethod
    def start(cls, rules: Rules, limits: GameLimits) -> ChanceBoard:
        """Return a board after the set-up of a new game, before its first item."""
        return cls.at(by_hand(machine.start(rules, 0)), limits)

    @classmethod
    def at(cls, world: World, limits: GameLimits) -> ChanceBoard:
        """Return a board of a world, not yet advanced."""
        return cls(_Rest(world), limits)

    # Waiting ------------------------------------------------------------------------------

    @property
    def draw(self) -> Draw | None:
        """The draw that is due."""
        return self._due and self._due.draw

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._due is None and self._rest.built is None

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide; None also if a draw is due."""
        if self._due is not None or self._rest.built is None:
            return None
        return Seat(self._rest.world.players[-1].current)

    @property
    def option_count(self) -> int:
        """The number of options; 0 also if a draw is due."""
        return len(self.built())

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due."""
        return choice_at(self.world()).node

    def built(self) -> Sequence[BuiltOption]:
        """Return the options with their effects."""
        return () if self._due is not None else self._rest.built or ()

    def picks(self) -> list[tuple[int, tuple[Pick, ...]]]:
        """Return for every option its branch and its picks."""
        return [(option.branch, option.picks) for option in self.built()]

    # Going on -----------------------------------------------------------------------------

    def advance(self) -> None:
        """Run to the next draw or decision, or to the end; raises Fault."""
        self._run(None, ())

    def play(self, index: int) -> None:
        """Carry out a step, and run on; raises Fault, and ChanceError for too large a draw."""
        if index >= 0:
            self._run(index, ())
        else:
            assert self._due is not None
            self._run(self._due.choice, (*self._due.script, -1 - index))

    def _run(self, choice: int | None, script: tuple[int, ...]) -> None:
        world = self._rest.world.copy()
        assert isinstance(world.stream, ChanceStream)
        scores = None
        try:
            with running(ScriptedRun(script)):
                if choice is not None:
                    assert self._rest.built is not None
                    machine.carry_out(world, self._rest.built[choice])
                world.stream.settle()
                built = machine.advance(world, self._limits)
                if built is None:
                    scores = machine.scores(world)
        except DrawDueError as due:
            self._due = _Due(choice, script, due.draw)
        except TooManyOutcomesError as error:
            raise ChanceError(str(error)) from None
        else:
            self._rest, self._due = _Rest(world, built, scores), None

    def scores(self) -> list[int]:
        """Return the score of every seat; what they draw belongs to the last choice."""
        assert self._rest.scores is not None
        return self._rest.scores

    # Looking ------------------------------------------------------------------------------

    def world(self) -> World:
        """Return the world, where cards that are not drawn are in order; raises ChanceError."""
        if self._due is not None:
            raise ChanceError("a draw is due: take it before you look at the game (take_chance)")
        return self._rest.world

    @property
    def rest(self) -> World:
        """The world from which the board goes on, as it was before the draw that is due."""
        return self._rest.world

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        return self.world().where[card]

    def key(self) -> Hashable:
        """Return what the game goes on from: the world, what is drawn of it, and what is due."""
        world = self._rest.world
        assert isinstance(world.stream, ChanceStream)
        undrawn = tuple(
            (pile.location, tuple(pile.cards.open))
            for pile in world.touched()
            if isinstance(pile.cards, UndrawnCards) and pile.cards.open
        )
        due = self._due and (self._due.choice, self._due.script)
        return world.position(), undrawn, world.stream.ahead, due

    def same(self, other: Board) -> bool | None:
        """Return True for boards that share a world, None otherwise."""
        if isinstance(other, ChanceBoard) and other._rest is self._rest and other._due == self._due:
            return True
        return None

    def copy(self) -> ChanceBoard:
        """Return an independent board."""
        return ChanceBoard(self._rest, self._limits, self._due)

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state."""
        return self.copy().copy

    # Imagining ----------------------------------------------------------------------------

    def determinise(self, seat: int, stream: Stream, mode: KnowledgeMode) -> ChanceBoard:
        """Return a board with what a seat does not know redealt; what was not drawn is not."""
        drawn = determinise(_as_shown(self.world()), seat, stream, mode)
        return ChanceBoard.at(by_hand(drawn, self.world()), self._limits)

    def worlds(self, knowledge: Knowledge, stream: Stream) -> ChanceWorlds:
        """Begin a chain of boards that a seat cannot tell from this one by what it knows."""
        from cardwright.game.consistent_worlds import ConsistentWorlds

        chain = ConsistentWorlds(_as_shown(self.world()), knowledge, stream)
        return ChanceWorlds(chain, self.world(), self._limits)

    def rollouts(
        self,
        count: int,
        stream: Stream,
        seat: Seat | None,
        mode: KnowledgeMode,
        knowledge: Knowledge | None = None,
    ) -> Rollouts:
        """Raise ChanceError: rollouts draw from a stream."""
        _refuse("rollouts")

    def trials(
        self, seat: Seat, mode: KnowledgeMode, chances: Chances, knowledge: Knowledge | None = None
    ) -> Trials:
        """Raise ChanceError: trials draw from a stream."""
        _refuse("trials")


class ChanceWorlds:
    """A chain of boards whose chance is taken by hand."""

    __slots__ = ("_limits", "_true", "_worlds")

    def __init__(self, worlds: ConsistentWorlds, true: World, limits: GameLimits) -> None:
        self._worlds = worlds
        self._true = true
        self._limits = limits

    def next(self) -> ChanceBoard:
        """Return the next board, not yet advanced."""
        return ChanceBoard.at(by_hand(self._worlds.next(), self._true), self._limits)


def by_hand(world: World, like: World | None = None) -> World:
    """Let the chance of a world be taken by hand from now on, and return it.

    Positions of piles are open where they are in a world that it is `like`.
    """
    world.stream = ChanceStream()
    for true in like.touched() if like else ():
        if isinstance(true.cards, UndrawnCards) and true.cards.open:
            pile = world.piles[true.location]
            cards = pile.cards.copy()
            pool = sorted(cards[at] for at in true.cards.open)
            for at, card in zip(true.cards.open, pool, strict=True):
                cards[at] = card
            pile.cards = UndrawnCards(cards, true.location, true.cards.open)
    return world


def scripts_of(steps: Sequence[int]) -> list[list[int]]:
    """Return the outcomes among some steps: those before the first choice, and after each."""
    scripts: list[list[int]] = [[]]
    for step in steps:
        if step >= 0:
            scripts.append([])
        else:
            scripts[-1].append(-1 - step)
    return scripts


def _as_shown(world: World) -> World:
    """Return a copy of a world in which cards that are not drawn lie in order."""
    copy = world.copy()
    for pile in copy.piles.values():
        pile.cards = list(pile.cards)
    return copy


def _refuse(what: str) -> NoReturn:
    raise ChanceError(
        f"{what} take chance from a stream: start the game with a seed, not with start_chance"
    )
