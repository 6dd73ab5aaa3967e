"""What a state and its board hold as plain values, for pickles, and boards made of it again.

A board of machine code is its bytes. Machine code does not check what it reads, so nothing but what
the same version wrote, unchanged, gets there. What seats know and boards for `undo` are not
pickled: they are worked out again, from the seed or from where a determinised state began.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler.layout import SLACK
from cardwright.game.chance import ChanceBoard, by_hand
from cardwright.game.engines import native_engine
from cardwright.game.errors import UnreadablePickleError
from cardwright.game.native.engine import NativeBoard
from cardwright.game.reference import ReferenceBoard
from cardwright.interpreter.world import Fault, WorldContent, content_of_world, world_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.compiler.native import NativeProgram
    from cardwright.game.board import Board
    from cardwright.game.engines import Playable
    from cardwright.game.information.past import Begun, Past
    from cardwright.interpreter.world import World


# Boards -----------------------------------------------------------------------------------------


class BoardBytes(NamedTuple):
    """Bytes that machine code reads, with what shows that they are whole and of this layout."""

    content: bytes
    check: int
    layout: str

    @classmethod
    def of(cls, content: bytes, native: NativeProgram) -> BoardBytes:
        """Return bytes that lie as machine code of a program has them."""
        return cls(content, zlib.crc32(content), _layout_digest(native))

    def checked(self, native: NativeProgram, size: int) -> bytes:
        """Return the bytes; raises UnreadablePickleError unless they are as they were written."""
        if self.layout != _layout_digest(native):
            raise UnreadablePickleError(
                "the pickle was written with a memory layout that is not that of this Cardwright"
            )
        if len(self.content) != size or zlib.crc32(self.content) != self.check:
            raise UnreadablePickleError("the pickle is damaged: a board is not what was written")
        return self.content


class ChanceContent(NamedTuple):
    """The world from which a board whose chance is taken by hand goes on."""

    world: WorldContent


BoardContent: TypeAlias = "tuple[WorldContent | BoardBytes | ChanceContent, int]"
"""What a board holds, and how many options it has; 0 if they were not found or there are none.

-1 stands for a draw that is due, for the options of the first decision.
"""


def _layout_digest(native: NativeProgram) -> str:
    """Return what is the same for boards that lie in memory alike."""
    parts = native.layout.board, native.names.texts, native.plan.end
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def content_of_board(board: Board) -> BoardContent:
    """Return the content of a board; of one by hand only where it begins."""
    match board:
        case NativeBoard():
            return BoardBytes.of(bytes(board.state), board.engine.native), board.option_count
        case ChanceBoard():
            count = board.option_count if board.draw is None else -1
            return ChanceContent(content_of_world(board.rest)), count
    return content_of_world(board.world()), board.option_count


def board_with(game: Playable, content: BoardContent) -> Board:
    """Return a board of a game with a content; raises UnreadablePickleError if it cannot be."""
    what, options = content
    board = _board(game, what)
    if options:
        try:
            board.advance()
        except Fault as fault:
            raise UnreadablePickleError(f"the pickle is damaged: {fault.message}") from None
        if options > 0 and board.option_count != options:
            raise UnreadablePickleError("the pickle is damaged: its options are others")
    return board


def _board(game: Playable, what: object) -> Board:
    match what:
        case BoardBytes():
            machine = native_engine(game, "a pickled board needs")
            size = machine.native.state_bytes + SLACK
            return NativeBoard(machine, what.checked(machine.native, size))
        case ChanceContent(world):
            return ChanceBoard(by_hand(_world(game, world)), game._reference.limits)
        case WorldContent():
            return ReferenceBoard(_world(game, what), game._reference.limits)
    raise UnreadablePickleError("the pickle is damaged: it has no board")


def _world(game: Playable, what: WorldContent) -> World:
    rules = game._reference.rules
    try:
        world = world_with(rules, what)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadablePickleError(f"the pickle is damaged: {error!r}") from None
    if len(world.where) != len(rules.program.cards):
        raise UnreadablePickleError("the pickle is damaged: cards are missing")
    return world


# States -----------------------------------------------------------------------------------------


class PastContent(NamedTuple):
    """Where a state came from: a seed, or how it began, with the board there and the source."""

    seed: int | None
    begun: Begun | None = None
    board: BoardContent | None = None
    source: PastContent | None = None

    @classmethod
    def of(cls, past: Past) -> PastContent:
        """Return the past of a state to be pickled."""
        if past.begun is None:
            return cls(past.seed)
        source = cls.of(past.source) if past.source else None
        return cls(past.seed, past.begun, content_of_board(past.first()), source)

    def past(self, game: Playable, make: Callable[[int | None], Past]) -> Past:
        """Return the past again, of a game with a function that makes a past of a seed."""
        past = make(self.seed)
        if self.board is not None:
            past.first, past.begun = board_with(game, self.board).snapshot(), self.begun
            past.source = self.source.past(game, make) if self.source else None
        return past


class StateContent(NamedTuple):
    """A state as plain values, without its game.

    A state whose chance is taken by hand has no board: its steps are made again. `pending` are the
    actions made so far of the decision that is due.
    """

    steps: tuple[int, ...]
    scores: tuple[int, ...] | None
    board: BoardContent | None
    past: PastContent
    pending: tuple[int, ...]
