"""What a player is asked, and what it has to answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from cardwright.game.determinise import Mode

if TYPE_CHECKING:
    from cardwright.game.option import Content
    from cardwright.game.state import State
    from cardwright.game.view import View
    from cardwright.interpreter.stream import Stream
    from cardwright.program.cards import Seat


@dataclass(frozen=True)
class Decision:
    """A decision that is due: who decides, between how many options, with which chances.

    `stream` is the seat's own in this game: whoever draws from nothing else can be replayed. What
    the seat sees is worked out when it is first asked for, for that takes longer than many a player
    thinks; it has to be asked for before the answer is given. Players that search play on in states
    that they `imagine`: the true one they never get.
    """

    seat: Seat
    option_count: int
    stream: Stream
    _state: State = field(repr=False, compare=False)
    _made: int = field(repr=False, compare=False)

    @cached_property
    def view(self) -> View:
        """What the seat sees, its options included."""
        return self._due().view(self.seat)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        """What each option means to the seat, in order; cheaper than the whole view."""
        return self._due().contents()

    def imagine(self, stream: Stream, mode: Mode = Mode.BASIC) -> State:
        """Return a state drawn from those that the seat cannot tell from the true one.

        It stands at the same decision; its options have the same contents, unless they depend on
        cards that the seat does not see. Raises GameError where the drawn deal allows no option.
        """
        return self._due().determinise(self.seat, stream, mode)

    def _due(self) -> State:
        """Return the state, if the decision is still the one that is due in it."""
        if len(self._state.choices) != self._made:
            raise RuntimeError("what a seat sees is to be asked for before the decision is made")
        return self._state


class Player(Protocol):
    """Whoever decides for a seat. Every game is played by new players: they remember no other."""

    def choose(self, decision: Decision) -> int:
        """Return the index of an option, from 0."""
        ...
