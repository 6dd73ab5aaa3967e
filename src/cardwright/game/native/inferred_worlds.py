"""Worlds weighted by what other seats have chosen in them, which are drawn by their weights."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.compiler.structs import STREAM
from cardwright.game.likelihood import Weights
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.likelihood import ChoiceModel, Inference
    from cardwright.game.native.engine import NativeBoard
    from cardwright.game.native.histories import HistoryChain, PastChoice
    from cardwright.game.search import WorldFigures
    from cardwright.program.cards import Seat

_BITS = 64


class Deciding(Protocol):
    """An imagined state at a decision, as far as it matters here."""

    @property
    def option_count(self) -> int:
        """The number of options."""


class InferredWorlds:
    """Worlds of a `chain` of histories, drawn by their weights; nothing changes them."""

    def __init__(
        self,
        chain: HistoryChain,
        worlds: Sequence[NativeBoard],
        weights: Weights,
        figures: WorldFigures,
    ) -> None:
        self.chain, self.weights, self.figures = chain, weights, figures
        self._worlds = worlds

    @classmethod
    def weighed(
        cls,
        chain: HistoryChain,
        seat: Seat,
        inference: Inference,
        imagined: Callable[[PastChoice], Deciding],
        stream: Stream,
    ) -> InferredWorlds:
        """Return the next worlds of a chain, weighted by the choices that a seat has seen."""
        asked = AskedModel(seat, inference.model, imagined)
        drawn = [asked.world(chain, stream) for _ in range(inference.worlds)]
        weights = Weights.of([logarithm for _, logarithm in drawn])
        figures = replace(chain.figures, effective=weights.effective)
        return cls(chain, [board for board, _ in drawn], weights, figures)

    def copy(self) -> InferredWorlds:
        """Return these worlds."""
        return self

    def world(self, stream: Stream) -> NativeBoard:
        """Return a world, with a random stream of its own."""
        board = self._worlds[self.weights.drawn(stream.next() / 2**_BITS)].copy()
        words = Stream(stream.next()).words
        board.state[: STREAM.bytes] = b"".join(word.to_bytes(8, "little") for word in words)
        return board


class AskedModel:
    """A model that is asked about the choices of other seats than one, in one world after another.

    Of what it knew nothing once it is not asked again.
    """

    def __init__(
        self, seat: Seat, model: ChoiceModel[Any], imagined: Callable[[PastChoice], Deciding]
    ) -> None:
        self._seat, self._model, self._imagined = seat, model, imagined
        self._unknown: set[int] = set()
        self._hidden: list[int | None] = []

    def world(self, chain: HistoryChain, stream: Stream) -> tuple[NativeBoard, float]:
        """Return the next world of a chain, and the logarithm of its weight.

        One hidden choice is made as the model would make it, of the ways with which the history
        agrees. The chain makes them equally often: so the weight is the mean of their likelihoods.
        """
        board, weight = chain.world(stream), 0.0
        past = chain.past(self._seat)
        hidden = self._hidden_choice(chain, past)
        chances = None if hidden is None else self.probabilities(past[hidden])
        if hidden is not None and chances is not None:
            own = chain.copy()
            ways = own.agreeing(past[hidden], len(chances))
            among = Weights.of([_logarithm(chances[index]) for index in ways])
            board = own.choose(past[hidden], ways[among.drawn(stream.next() / 2**_BITS)])
            weight = _logarithm(math.fsum(chances[index] for index in ways) / len(ways))
            past = own.past(self._seat)
        for at, choice in enumerate(past):
            chances = None if at == hidden else self.probabilities(choice)
            if chances is not None:
                weight += _logarithm(chances[choice.chosen])
        return board, weight

    def _hidden_choice(self, chain: HistoryChain, past: list[PastChoice]) -> int | None:
        """Return the hidden choice to make anew: that with the most options in the first world."""
        if not self._hidden:
            options = [
                (len(self.probabilities(choice) or ()), at)
                for at, choice in enumerate(past)
                if chain.is_hidden(choice)
            ]
            count, at = max(options, default=(0, 0))
            self._hidden.append(at if count else None)
        return self._hidden[0]

    def probabilities(self, choice: PastChoice) -> Sequence[float] | None:
        """Return how likely each option of a choice was; None if the model does not know."""
        if choice.step in self._unknown:
            return None
        state = self._imagined(choice)
        if state.option_count == 1:
            return (1.0,)
        found = self._model.probabilities(state)
        if found is None:
            self._unknown.add(choice.step)
        return found


def _logarithm(likelihood: float) -> float:
    return math.log(likelihood) if likelihood > 0 else -math.inf
