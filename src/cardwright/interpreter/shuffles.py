"""Which shuffles leave the order of a pile open, to be drawn by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interpreter.chance import running
from cardwright.interpreter.chance_stream import ChanceStream
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from cardwright.interpreter.world import Pile, World


def stays_open(world: World, pile: Pile) -> bool:
    """Return whether a pile that is shuffled now is drawn only as its cards are looked at.

    It is in a game by hand, if nobody sees the cards or can tell them by their backs. But where
    options are built, all of them come from the same outputs of the stream, so the outputs that a
    shuffle uses are drawn at once; so are those that are partly known from there.
    """
    stream, program = world.stream, world.rules.program
    if not isinstance(stream, ChanceStream) or world.journal is not None or stream.ahead:
        return False
    if any(sees(program, seat, pile.location) for seat in range(program.players)):
        return False
    with running(None):
        return len({program.cards[card].back for card in pile.cards}) == 1
