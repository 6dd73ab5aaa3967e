"""Fast views: a few places and stored values as one seat sees them, read much faster than a view.

What to read is named once, in a `FastViewSpec`, which then works for many states. Of a native
state only the bytes of these places are read.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from cardwright.compiler.layout import PileForm
from cardwright.game.reference import ReferenceBoard
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.compiler.layout import BoardLayout
    from cardwright.game.actions.observation import Numbers, ObservationLayout
    from cardwright.game.board import Board
    from cardwright.game.followers import GameFollower
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.interpreter.world import Cell
    from cardwright.program.cards import CardId, Location, Seat
    from cardwright.program.program import Program

Cards: TypeAlias = "tuple[CardId, ...]"


class FastView(NamedTuple):
    """The values read, each in the order of the spec.

    `cards` has the cards of each place from bottom to top; integers and strings that were never
    set are 0 and empty.
    """

    cards: tuple[Cards, ...]
    integers: tuple[int, ...]
    strings: tuple[str, ...]


@dataclass(eq=False, slots=True)
class FastViewSpec:
    """The places and stored values of a program that one seat wants to see.

    Stored values are public. Raises ValueError for a place whose cards the seat does not see.
    """

    program: Program
    seat: Seat
    places: Sequence[Location]
    integers: Sequence[Cell] = ()
    strings: Sequence[Cell] = ()
    _engine: NativeEngine | None = field(default=None, init=False, repr=False)
    _read: Callable[[bytearray], FastView] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for place in self.places:
            if not sees(self.program, self.seat, place):
                whose = self.program.owner_name(place.owner)
                raise ValueError(f"p{self.seat + 1} does not see {whose} {place.kind} {place.name}")

    def at(self, board: Board) -> FastView:
        """Return what the seat sees on a board of this program."""
        if isinstance(board, ReferenceBoard):
            return self._of_world(board)
        native = cast("NativeBoard", board)
        if native.engine is not self._engine:
            self._engine, self._read = native.engine, _reader(self, native.engine)
        return self._of_world(board) if self._read is None else self._read(native.state)

    def _of_world(self, board: Board) -> FastView:
        world = board.world()
        piles = [world.piles.get(place) for place in self.places]
        return FastView(
            tuple(() if pile is None else tuple(pile.cards) for pile in piles),
            tuple(world.integers.get(cell, 0) for cell in self.integers),
            tuple(world.strings.get(cell, "") for cell in self.strings),
        )


def _reader(look: FastViewSpec, engine: NativeEngine) -> Callable[[bytearray], FastView] | None:
    """Return a reader of states; None if cards take two bytes or places get slots in play."""
    layout, texts = engine.native.layout, engine.native.names.texts
    fields = layout.board.fields
    if layout.places.pool or layout.card_bytes != 1 or fields["count"].width != 1:
        return None
    slots = {place: slot for slot, place in enumerate(layout.places.locations)}
    # A place or value that no form of the program names is empty in every state.
    piles = [_pile_reader(layout, slots.get(place)) for place in look.places]
    integers = {cell: at for at, cell in enumerate(layout.integers.owners)}
    strings = {cell: at for at, cell in enumerate(layout.strings.owners)}
    first_integer, first_string = fields["integers"].offset, fields["strings"].offset
    numbers = [
        first_integer + 8 * integers[cell] if cell in integers else None for cell in look.integers
    ]
    words = [first_string + 2 * strings[cell] if cell in strings else None for cell in look.strings]

    def read(state: bytearray) -> FastView:
        return FastView(
            tuple(pile(state) for pile in piles),
            tuple(
                0 if at is None else int.from_bytes(state[at : at + 8], "little", signed=True)
                for at in numbers
            ),
            tuple("" if at is None else texts[state[at] | state[at + 1] << 8] for at in words),
        )

    return read


def _pile_reader(layout: BoardLayout, slot: int | None) -> Callable[[bytearray], Cards]:
    """Return a function that reads the cards of a slot from the bytes of a state."""
    if slot is None:
        return lambda _: ()
    fields = layout.board.fields
    step = fields["count"].strides[0]
    size, first = fields["count"].offset + step * slot, fields["card"].offset + step * slot
    mask = fields["mask"].offset + fields["mask"].width * slot
    end = mask + fields["mask"].width

    form = layout.forms.form_of(slot)

    def pile(state: bytearray) -> Cards:
        return cast("Cards", tuple(state[first : first + state[size]]))

    def masked(state: bytearray) -> Cards:
        held = int.from_bytes(state[mask:end], "little")
        cards = tuple(at for at in range(held.bit_length()) if held >> at & 1)
        if form is PileForm.LAZY and len(cards) > 1:
            cards = tuple(state[first : first + len(cards)])
        return cast("Cards", cards)

    return masked if form in {PileForm.MASK, PileForm.LAZY} else pile


def observe_board(
    board: Board, layout: ObservationLayout, seat: Seat, follower: GameFollower | None
) -> Numbers:
    """Return what a seat sees of a board, by machine code if that plays it.

    A layout with a history needs a follower of the game that has as many entries.
    """
    import numpy as np

    from cardwright.game.actions.observation import observe_world
    from cardwright.game.native.engine import NativeBoard

    if not isinstance(board, NativeBoard):
        recalled = () if follower is None else follower.seen.recalled[: layout.history]
        return observe_world(layout, board.world(), seat, board.player, recalled)
    out = np.empty(layout.size, np.float32)
    engine, mover = board.engine, -1 if board.player is None else board.player
    entries = array("q") if follower is None else follower.entries(layout.history)
    places = engine.observed(layout).address, engine.lend(entries), engine.lend(out)
    engine.call("cw_observe_one", board.address, seat, mover, *places)
    return out
