"""Nodes: positions of a game of ours, as OpenSpiel's states share them.

OpenSpiel copies a state by copying all its attributes deeply, so what a state holds is a node,
which never changes and is its own copy. What has once been found of a node is kept with it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyspiel

from cardwright.envs.games import RewardKind, end_rewards, seen_texts
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.actions.observation import Numbers, ObservationLayout
    from cardwright.game.chance import Chance
    from cardwright.game.game import Game, State
    from cardwright.interpreter.stream import Stream


class OpenSpielError(CardwrightError):
    """What OpenSpiel was asked to do with a game of ours cannot be done; the message says why."""


UTILITIES = {"score": RewardKind.SCORES, "win": RewardKind.WINS}
"""What players can play for, by name."""


def _words(state: State, seat: int) -> Iterator[str]:
    """Yield what a seat sees now: what lies where, what is stored, and whose turn it is."""
    view = state.view(seat)
    yield f"p{seat + 1}"
    yield from seen_texts(view, state.game)
    if view.player is None:
        yield "the game is over"
    elif view.player != seat:
        yield f"p{view.player + 1} decides"
    else:
        yield "you decide"
        yield from (f"begun: {state.game.actions.name(action)}" for action in state.pending)


CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


class Unchanging:
    """What is its own copy, and its own deep copy."""

    def __copy__(self) -> Any:
        """Return this: it does not change."""
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Any:
        """Return this: it does not change."""
        return self


class GameNode(Unchanging):
    """A position in a game; its `state` is not played on, and `utility` is what is played for.

    `player` is the seat that decides, or OpenSpiel's number for chance or for the end.

    `before` is the last node at which nobody waited for chance, if chance is waited for here: what
    seats know at a draw is what they knew there. Where nodes `recall` the whole game it is always
    known. Nodes of a tree that is `kept` recall it, and have those that follow them.
    """

    def __init__(
        self,
        state: State,
        utility: str,
        before: GameNode | None = None,
        *,
        recall: bool = False,
        kept: bool = False,
    ) -> None:
        self.state = state
        self.utility = utility
        self.chance: Chance | None = state.chance
        self.recall = recall or kept
        self.before = before if self.chance is not None or self.recall else None
        self.player = _player(state)
        self._next: dict[int, GameNode] | None = {} if kept else None
        self._seen: dict[tuple[int, object], Any] = {}

    def after(self, action: int) -> GameNode:
        """Return the node after an action, or after the outcome of a draw."""
        if self._next is not None and action in self._next:
            return self._next[action]
        state = self.state.copy()
        if self.chance is None:
            state.play_action(action)
        else:
            state.take_chance(action)
        before = self if self.chance is None else self.before
        kept = self._next is not None
        node = GameNode(state, self.utility, before, recall=self.recall, kept=kept)
        if self._next is not None:
            self._next[action] = node
        return node

    @cached_property
    def actions(self) -> list[int]:
        """The actions that can be made, in ascending order."""
        return list(self.state.legal_actions())

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw that is due, with their probabilities."""
        assert self.chance is not None
        return list(enumerate(self.chance.probabilities))

    @cached_property
    def utilities(self) -> list[float]:
        """What each seat has got; zeros before the end."""
        if not self.state.finished:
            return [0.0] * self.state.game.players
        return end_rewards(UTILITIES[self.utility], self.state)

    def name(self, action: int) -> str:
        """Return an action, or the outcome of a draw, in words."""
        if self.chance is not None:
            return self.chance.outcomes[action]
        return self.state.game.actions.name(action)

    @property
    def settled(self) -> GameNode | None:
        """The last node at which nobody waited for chance; None before the first decision."""
        return self if self.chance is None else self.before

    def numbers(self, seat: int, layout: ObservationLayout) -> Numbers:
        """Return what a seat sees now, as numbers: `State.observation`; no chance is waited for."""
        if (seat, layout.history) not in self._seen:
            self._seen[seat, layout.history] = self.state.observation(seat, layout)
        numbers: Numbers = self._seen[seat, layout.history]
        return numbers

    def words(self, seat: int, *, whole: bool) -> str:
        """Return what a seat sees now in words, or with the key of all that it has seen and chosen.

        These are equal where the seat cannot tell the games apart: see `State.information`.
        """
        what = "all" if whole else "now"
        if (seat, what) not in self._seen:
            seen = "; ".join(_words(self.state, seat))
            key = f"; #{self.state.information(seat).hex()}" if whole else ""
            self._seen[seat, what] = f"{seen}{key}"
        return str(self._seen[seat, what])

    def decisions(self) -> list[GameNode]:
        """Return the nodes at which a decision began, from the first, and this if it is the end.

        A decision that takes several actions begins with the first of them.
        """
        nodes: list[GameNode] = []
        node = self.settled
        while node is not None:
            if not node.state.pending:
                nodes.append(node)
            node = node.before
        return nodes[::-1]

    def imagined(self, seat: int, stream: Stream) -> GameNode:
        """Return a node that a seat cannot tell from this one, with the hidden cards redealt."""
        state = self.state.determinise(seat, stream, "consistent")
        while state.chance is not None:  # options that draw were found again
            state.take_chance(state.chance.sample(stream))
        return GameNode(state, self.utility)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the state and those before it that are known, and not what was found of them."""
        states = [self.state]
        node = self.before
        while node is not None:
            states.append(node.state)
            node = node.before
        return _unpickled, (states, self.utility, self.recall)

    def __str__(self) -> str:
        """Return what is there, hidden cards too."""
        if self.chance is not None:
            return f"{self.state.game.name}: {self.chance.question} is drawn"
        namer = self.state.game.namer
        lines = [
            f"{namer.place(place)}: {', '.join(map(namer.card, cards))}"
            for place, cards in self.state.locations().items()
        ]
        return "\n".join((repr(self.state), *lines))


def _unpickled(states: list[State], utility: str, recall: bool) -> GameNode:
    """Return the node of the first of some states; the others are those before it."""
    node = None
    for state in reversed(states):
        node = GameNode(state, utility, node, recall=recall)
    assert node is not None
    return node


def _player(state: State) -> int:
    if state.finished:
        return TERMINAL
    return CHANCE if state.player is None else state.player


class SampledStart(Unchanging):
    """The start of games whose chance is sampled: its one outcome starts one from a new seed."""

    player = CHANCE
    outcomes = ((0, 1.0),)
    settled = None

    def __init__(self, game: Game, utility: str, seeds: Stream) -> None:
        self._game = game
        self._utility = utility
        self._seeds = seeds

    @property
    def utilities(self) -> list[float]:
        """What each seat has got: nothing."""
        return [0.0] * self._game.players

    def after(self, _outcome: int) -> GameNode:
        """Return the first decision of a new game."""
        return GameNode(self._game.start(self._seeds.next()), self._utility)

    def name(self, _outcome: int) -> str:
        """Return the outcome in words."""
        return "a new deal"

    def __str__(self) -> str:
        """Return what is there: nothing yet."""
        return f"{self._game.name}: chance is drawn"
