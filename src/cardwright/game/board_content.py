"""The content of boards as plain values, for pickles, and boards that are made of it again.

A board of machine code is its bytes. Machine code does not check what it reads, so nothing but what
the same version wrote, unchanged, gets there.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler.layout import SLACK
from cardwright.game.errors import UnreadablePickleError
from cardwright.game.late import LateBoard, LateEngine
from cardwright.game.native import NativeBoard, native_engine
from cardwright.game.reference import ReferenceBoard, ReferenceEngine
from cardwright.interpreter.world import Fault, WorldContent, content_of_world, world_with

if TYPE_CHECKING:
    from cardwright.compiler.native import NativeProgram
    from cardwright.game.board import Board
    from cardwright.game.game import Game
    from cardwright.interpreter.world import World


class BoardBytes(NamedTuple):
    """Bytes that machine code reads, with what shows that they are whole and of this layout."""

    content: bytes
    check: int
    layout: str

    @classmethod
    def of(cls, content: bytes, native: NativeProgram) -> BoardBytes:
        """Return bytes that lie as machine code of a program has them."""
        return cls(content, zlib.crc32(content), layout_digest(native))

    def checked(self, native: NativeProgram, size: int) -> bytes:
        """Return the bytes; raises UnreadablePickleError unless they are as they were written."""
        if self.layout != layout_digest(native):
            raise UnreadablePickleError(
                "the pickle has boards of another memory layout than this version of Cardwright has"
            )
        if len(self.content) != size or zlib.crc32(self.content) != self.check:
            raise UnreadablePickleError("the pickle is damaged: a board is not what was written")
        return self.content


class PlayedLate(NamedTuple):
    """The content of a board that is played by machine code once that is needed."""

    seed: int
    choices: list[int]
    board: WorldContent | BoardBytes


BoardContent: TypeAlias = "tuple[WorldContent | BoardBytes | PlayedLate, int]"
"""What a board holds, and how many options it has; 0 if they were not found or there are none."""


def layout_digest(native: NativeProgram) -> str:
    """Return what is the same for boards that lie in memory alike."""
    parts = native.layout.board, native.names.texts, native.plan.end
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def content_of_board(board: Board) -> BoardContent:
    """Return the content of a board."""
    return _content(board), board.option_count


def _content(board: Board) -> WorldContent | BoardBytes | PlayedLate:
    match board:
        case NativeBoard():
            return BoardBytes.of(bytes(board.state), board.engine.native)
        case LateBoard():
            inner = _content(board.board)
            assert not isinstance(inner, PlayedLate)
            return PlayedLate(board.seed, board.choices, inner)
    return content_of_world(board.world())


def board_with(game: Game, content: BoardContent) -> Board:
    """Return a board of a game with a content; raises UnreadablePickleError if it cannot be."""
    what, options = content
    board = _board(game, what)
    if options:
        try:
            board.advance()
        except Fault as fault:
            raise UnreadablePickleError(f"the pickle is damaged: {fault.message}") from None
        if board.option_count != options:
            raise UnreadablePickleError("the pickle is damaged: its options are others")
    return board


def _board(game: Game, what: WorldContent | BoardBytes | PlayedLate) -> Board:
    engine = game._engine
    match what:
        case BoardBytes():
            machine = native_engine(game, "a pickled board needs")
            size = machine.native.state_bytes + SLACK
            return NativeBoard(machine, bytearray(what.checked(machine.native, size)))
        case PlayedLate(seed, choices, inner) if isinstance(engine, LateEngine):
            board = _board(game, inner)
            native = board if isinstance(board, NativeBoard) else None
            return LateBoard(engine, seed, list(choices), board, native)
        case WorldContent():
            reference = engine.reference if isinstance(engine, LateEngine) else engine
            if isinstance(reference, ReferenceEngine):
                return ReferenceBoard(_world(reference, what), reference.limits)
    raise UnreadablePickleError("the pickle is damaged: its board is of another engine")


def _world(engine: ReferenceEngine, what: WorldContent) -> World:
    try:
        world = world_with(engine.rules, what)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadablePickleError(f"the pickle is damaged: {error!r}") from None
    if len(world.where) != len(engine.rules.program.cards):
        raise UnreadablePickleError("the pickle is damaged: cards are missing")
    return world
