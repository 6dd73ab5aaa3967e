"""What a seat knows at a node: in words, and as numbers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.option import Back

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.actions.observation import Numbers, ObservationLayout
    from cardwright.game.game import State
    from cardwright.game.option import View


class SeenBySeat:
    """What a seat knows of a state; each part is found when it is first asked for."""

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._numbers: dict[int, Numbers] = {}

    def numbers(self, layout: ObservationLayout) -> Numbers:
        """Return what the seat sees now, as numbers: `State.observation`."""
        if layout.history not in self._numbers:
            self._numbers[layout.history] = self._state.observation(self._seat, layout)
        return self._numbers[layout.history]

    @cached_property
    def observation(self) -> str:
        """What the seat sees now, in words."""
        return "; ".join(_words(self._state, self._seat))

    @cached_property
    def information(self) -> str:
        """What the seat sees now, and the key of all that it has seen and chosen so far.

        Texts are equal where the seat cannot tell the games apart: see `State.information`.
        """
        return f"{self.observation}; #{self._state.information(self._seat).hex()}"


def _words(state: State, seat: int) -> Iterator[str]:
    """Yield what a seat sees now: what lies where, what is stored, and whose turn it is."""
    view, namer = state.view(seat), state.game.namer
    yield f"p{seat + 1}"
    for location, cards in view.locations.items():
        shown = [namer.card(card) for card in cards if not isinstance(card, Back)]
        if len(shown) < len(cards):
            shown.append(f"{len(cards) - len(shown)} hidden")
        yield f"{namer.place(location, seat)}: {', '.join(shown)}"
    yield from _stored(view, state)
    if view.player is None:
        yield "the game is over"
    elif view.player != seat:
        yield f"p{view.player + 1} decides"
    else:
        yield "you decide"
        yield from (f"begun: {state.game.actions.name(action)}" for action in state.pending)


def _stored(view: View, state: State) -> Iterator[str]:
    program = state.game.program
    for cells in (view.integers, view.strings):
        for (owner, name), value in cells.items():
            whose = "" if owner == program.table else f"{program.owner_name(owner)} "
            yield f"{whose}{name} {value}"
