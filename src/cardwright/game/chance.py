"""Games whose chance is taken by hand: they wait for outcomes of draws as well as for choices.

The interpreter plays these games (`Game.start_chance`). A draw that is due is a `Chance`; its
outcomes are steps of the game, as `cardwright.game.board` numbers them.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from cardwright.english import counted
from cardwright.game.errors import ChanceError
from cardwright.game.information.worlds import drawn_worlds
from cardwright.game.reference import ReferenceBoard
from cardwright.interpreter import machine
from cardwright.interpreter.chance import (
    ChanceStream,
    DrawDueError,
    TooManyOutcomesError,
    UndrawnCards,
    scripted,
)
from cardwright.markup.lazy_display import shown_by

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.board import Board, Redeal, Snapshot
    from cardwright.game.wording.naming import Namer
    from cardwright.interpreter.chance import Draw
    from cardwright.interpreter.effects import BuiltOption
    from cardwright.interpreter.machine import GameLimits, Rules
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card


class Chance:
    """A random draw that is due: its outcomes are numbered from 0.

    `weights` are whole numbers in the ratio of the probabilities.
    """

    def __init__(self, draw: Draw, cards: Sequence[Card], namer: Namer) -> None:
        self.weights = draw.weights
        self._draw = draw
        self._cards = cards
        self._namer = namer

    @cached_property
    def probabilities(self) -> tuple[float, ...]:
        """The probability of each outcome."""
        total = sum(self.weights)
        return tuple(weight / total for weight in self.weights)

    @cached_property
    def items(self) -> tuple[Card | int, ...]:
        """What each outcome is: a card, or a number."""
        if not self._draw.cards:
            return self._draw.items
        return tuple(self._cards[card] for card in self._draw.items)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """What each outcome means, in words: `the top card of STOCK is Q of SPADES`.

        Cards that have the same name are numbered, from 1.
        """
        names = [
            str(item) if isinstance(item, int) else self._namer.card(item) for item in self.items
        ]
        many, met = Counter(names), Counter[str]()
        outcomes = []
        for name in names:
            met[name] += 1
            number = f" ({met[name]})" if many[name] > 1 else ""
            outcomes.append(f"{self.question} is {name}{number}")
        return tuple(outcomes)

    @cached_property
    def question(self) -> str:
        """What is drawn, in words: `the top card of STOCK`, `the random number`."""
        draw = self._draw
        if not draw.cards:
            return "the random number"
        if not draw.size:
            return "the best card"
        below = draw.size - 1 - draw.at
        which = "the top card" if not below else f"the card {below} below the top"
        place = "the shuffled cards" if draw.place is None else self._namer.place(draw.place)
        return f"{which} of {place}"

    def sample(self, stream: Stream) -> int:
        """Return the number of an outcome, drawn by the weights."""
        return bisect(list(accumulate(self.weights)), stream.below(sum(self.weights)))

    def __len__(self) -> int:
        """Return how many outcomes there are."""
        return len(self.weights)

    _repr_html_ = shown_by("cardwright.game.displays", "chance_html")

    def __repr__(self) -> str:
        return f"<Chance: {self.question}, {counted(len(self), 'outcome')}>"


class _Due(NamedTuple):
    """A draw that is due: after which choice, and after which outcomes since then."""

    choice: int | None
    option: BuiltOption | None
    script: tuple[int, ...]
    draw: Draw


class ChanceBoard(ReferenceBoard):
    """A board that waits for a choice or for the outcome of a draw.

    A world that waits is never changed: every step runs in a copy of it, from the last choice on
    and once more for each draw, so that copies of a board share their worlds.
    """

    __slots__ = ("_due", "_scores")

    def __init__(self, world: World, limits: GameLimits) -> None:
        """Take over a world by hand, which is not advanced yet."""
        super().__init__(world, limits)
        self._due: _Due | None = None
        self._scores: list[int] | None = None

    @property
    def draw(self) -> Draw | None:
        """The draw that is due."""
        return self._due and self._due.draw

    def advance(self) -> None:
        """Run to the next draw or decision, or to the end; raises Fault."""
        self._run(None, None, ())

    def play(self, index: int) -> None:
        """Make a step, and run on; raises Fault, and ChanceError for too large a draw."""
        if index >= 0:
            assert self._built is not None
            self._run(index, self._built[index], ())
        else:
            assert self._due is not None
            self._run(self._due.choice, self._due.option, (*self._due.script, -1 - index))

    def _run(self, choice: int | None, option: BuiltOption | None, script: tuple[int, ...]) -> None:
        world, scores = self._world.copy(), None
        assert isinstance(world.stream, ChanceStream)
        try:
            with scripted(world.stream, script):
                if option is not None:
                    machine.carry_out(world, option)
                world.stream.settle()
                built = machine.advance(world, self.limits)
                if built is None:
                    scores = machine.scores(world)  # what they draw belongs to the last choice
        except DrawDueError as due:
            self._due, self._built = _Due(choice, option, script, due.draw), None
        except TooManyOutcomesError as error:
            raise ChanceError(str(error)) from None
        else:
            self._world, self._built, self._scores, self._due = world, built, scores, None

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        assert self._scores is not None
        return self._scores

    def world(self) -> World:
        """Return the world, where cards that are not drawn are in order; raises ChanceError."""
        if self._due is not None:
            raise ChanceError("a draw is due: take it before you look at the game (take_chance)")
        return self._world

    @property
    def rest(self) -> World:
        """The world from which the board goes on, as it was before the draw that is due."""
        return self._world

    def position(self) -> Hashable:
        """Return the key, which has what is drawn of the world."""
        return self.key()

    def key(self) -> Hashable:
        """Return what the game goes on from: the world, what is drawn of it, and what is due."""
        world = self._world
        assert isinstance(world.stream, ChanceStream)
        undrawn = tuple(
            (pile.location, tuple(pile.cards.open))
            for pile in world.touched()
            if isinstance(pile.cards, UndrawnCards) and pile.cards.open
        )
        due = self._due and (self._due.choice, self._due.script)
        return world.position(), undrawn, world.stream.ahead, due

    def same(self, other: Board) -> bool:
        """Return whether two boards share what they go on from."""
        return (
            isinstance(other, ChanceBoard)
            and other._world is self._world
            and other._due is self._due
        )

    def copy(self) -> ChanceBoard:
        """Return an independent board, which shares the world."""
        board = ChanceBoard(self._world, self.limits)
        board._built, board._scores, board._due = self._built, self._scores, self._due
        return board

    def worlds(self, redeal: Redeal, stream: Stream) -> Snapshot:
        """Return what draws boards that a seat cannot tell; what was not drawn is not redealt."""
        true, limits = self.world(), self.limits
        draw = drawn_worlds(_as_shown(true), redeal, stream)
        return lambda: ChanceBoard(by_hand(draw(), true), limits)

    def rollouts(self, *_args: Any, **_more: Any) -> NoReturn:
        """Raise ChanceError: rollouts draw from a stream."""
        _refuse("rollouts")

    def trials(self, *_args: Any, **_more: Any) -> NoReturn:
        """Raise ChanceError: trials draw from a stream."""
        _refuse("trials")


def first_world(rules: Rules, seed: int | None) -> World:
    """Return the world of a new game before its first item; by hand if it has no seed."""
    return by_hand(machine.start(rules, 0)) if seed is None else machine.start(rules, seed)


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
