"""Games by hand that take the outcomes of a seed: each must be the game that the seed starts.

For every draw that is due, the outcome is looked up in the stream of the seed, and in the order
that its shuffles give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright import Stream
from cardwright.game.chance import ChanceBoard
from cardwright.game.game import State
from cardwright.interpreter import machine, world as world_module
from cardwright.interpreter.chance import _ANY, ChanceStream, UndrawnCards
from cardwright.interpreter.effects import Undrawn

if TYPE_CHECKING:
    import pytest

    from cardwright import Game
    from cardwright.interpreter.effects import Effect


class Seeded:
    """A game by hand; `state` is always at a decision, or at the end."""

    def __init__(self, game: Game, seed: int, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(world_module, "_apply", _shuffle)
        world = machine.start(game._reference.rules, 0)
        world.stream = _TrueStream(Stream(seed).words)
        self.state = State(game, ChanceBoard(world, game.limits), None)
        self.state.advance()
        self.taken: list[int] = []
        self._take()

    def play(self, index: int) -> None:
        self.state.play(index)
        self._take()

    def _take(self) -> None:
        while (chance := self.state.chance) is not None:
            assert len(chance) == len(chance.items) == len(chance.weights) > 1
            assert abs(sum(chance.probabilities) - 1) < 1e-9
            self.taken.append(_ANSWER[0])
            self.state.take_chance(_ANSWER[0])


_ANSWER = [0]
"""The outcome that the seed has for the draw that was asked for last."""


class _TrueStream(ChanceStream):
    """A stream by hand that knows the words of a seed's stream where its outputs begin."""

    __slots__ = ("base",)

    def __init__(self, base):
        super().__init__()
        self.base = base

    def true(self) -> Stream:
        stream = Stream.at(self.base)
        for _ in range(self.words[0]):
            stream.next()
        return stream

    def copy(self):
        stream = _TrueStream(self.base)
        stream.words, stream.known = self.words, self.known
        return stream

    def settle(self):
        self.base = self.true().words
        super().settle()

    def _draw(self, count, draw, meaning):
        number = self.true().below(count)
        output = self.known[self.words[0]] if self.words[0] < len(self.known) else _ANY
        numbers, weights = output.parts(count)
        assert len(numbers) == len(weights)
        _ANSWER[0] = numbers.index(number)
        assert super()._draw(count, draw, meaning) == number
        return number


class _TrueCards(UndrawnCards):
    """The cards of a shuffled pile, with the order that a seed gives."""

    __slots__ = ("order",)

    def draw(self, at):
        if at in self.open:
            pool = [self.shown()[one] for one in self.open]
            assert pool == sorted(pool)
            _ANSWER[0] = pool.index(self.order[at])
        super().draw(at)

    def copy(self):
        cards = super().copy()
        if isinstance(cards, UndrawnCards):
            cards = _TrueCards(self.shown(), self.place, self.open)
            cards.order = self.order.copy()
        return cards

    def __delitem__(self, at):
        super().__delitem__(at)
        del self.order[at]

    def __setitem__(self, at, card):
        super().__setitem__(at, card)
        self.order[at] = card

    def insert(self, at, card):
        super().insert(at, card)
        self.order.insert(at, card)


_APPLY = world_module._apply


def _shuffle(world, effect: Effect, *, back: bool = False) -> None:
    stream = world.stream
    if not isinstance(effect, Undrawn) or not isinstance(stream, _TrueStream):
        _APPLY(world, effect, back=back)
        return
    pile = world.pile(effect.location)
    cards = pile.cards
    order = list(cards.order if isinstance(cards, _TrueCards) else cards)
    true = stream.true()
    true.shuffle(order)
    assert not stream.ahead
    stream.settle()
    stream.base = true.words
    held = UndrawnCards.shuffled(cards, effect.location)
    pile.cards = _TrueCards(held.shown(), effect.location, held.open)
    pile.cards.order = order
