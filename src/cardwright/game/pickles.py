"""What a state and its board hold as plain values, for pickles, and boards made of it again.

A board of machine code is its bytes. Machine code does not check what it reads, so nothing but what
the same version wrote, unchanged, gets there. What seats know and boards for `undo` are not
pickled: they are worked out again, from the seed or from where a determinised state began.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from cardwright.compiler.layout import SLACK
from cardwright.game.chance import ChanceBoard, by_hand
from cardwright.game.engines import LazyBoard, LazyEngine, native_engine
from cardwright.game.errors import UnreadablePickleError
from cardwright.game.information.keys import ImaginedFor, Information
from cardwright.game.information.tracker import Origin
from cardwright.game.native.engine import NativeBoard
from cardwright.game.reference import ReferenceBoard, ReferenceEngine
from cardwright.interpreter.world import Fault, WorldContent, content_of_world, world_with

if TYPE_CHECKING:
    from cardwright.compiler.native import NativeProgram
    from cardwright.game.board import Board, Engine, Snapshot
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.game.information.sightings import Recalled, Sightings
    from cardwright.game.option import SeenDecision
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
                "the pickle has boards of another memory layout than this version of Cardwright has"
            )
        if len(self.content) != size or zlib.crc32(self.content) != self.check:
            raise UnreadablePickleError("the pickle is damaged: a board is not what was written")
        return self.content


class LazyContent(NamedTuple):
    """The content of a board of the lazy engine; its bytes if machine code plays it already."""

    seed: int
    choices: list[int]
    world: WorldContent
    native: BoardBytes | None


class ChanceContent(NamedTuple):
    """The world from which a board whose chance is taken by hand goes on."""

    world: WorldContent


BoardContent: TypeAlias = "tuple[WorldContent | BoardBytes | LazyContent | ChanceContent, int]"
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
            return _native_content(board), board.option_count
        case ChanceBoard():
            count = board.option_count if board.draw is None else -1
            return ChanceContent(content_of_world(board.rest)), count
        case LazyBoard():
            native = None if board._native is None else _native_content(board._native)
            world = content_of_world(board.world())
            return LazyContent(board.seed, board.choices, world, native), board.option_count
    return content_of_world(board.world()), board.option_count


def _native_content(board: NativeBoard) -> BoardBytes:
    return BoardBytes.of(bytes(board.state), board.engine.native)


def board_with(engine: Engine, content: BoardContent) -> Board:
    """Return a board of an engine with a content; raises UnreadablePickleError if it cannot be."""
    what, options = content
    board = _board(engine, what)
    if options:
        try:
            board.advance()
        except Fault as fault:
            raise UnreadablePickleError(f"the pickle is damaged: {fault.message}") from None
        if options > 0 and board.option_count != options:
            raise UnreadablePickleError("the pickle is damaged: its options are others")
    return board


def _board(engine: Engine, what: object) -> Board:
    match what, engine:
        case BoardBytes(), _:
            machine = native_engine(engine, "a pickled board needs")
            size = machine.native.state_bytes + SLACK
            return NativeBoard(machine, bytearray(what.checked(machine.native, size)))
        case LazyContent(seed, choices, world, native), LazyEngine():
            board = native and cast("NativeBoard", _board(engine, native))
            return LazyBoard(engine, seed, list(choices), _world(engine, world), board)
        case ChanceContent(world), ReferenceEngine():
            return ChanceBoard(by_hand(_world(engine, world)), engine.limits)
        case WorldContent(), ReferenceEngine():
            return ReferenceBoard(_world(engine, what), engine.limits)
    raise UnreadablePickleError("the pickle is damaged: its board is of another engine")


def _world(engine: ReferenceEngine, what: WorldContent) -> World:
    try:
        world = world_with(engine.rules, what)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadablePickleError(f"the pickle is damaged: {error!r}") from None
    if len(world.where) != len(engine.rules.program.cards):
        raise UnreadablePickleError("the pickle is damaged: cards are missing")
    return world


# States -----------------------------------------------------------------------------------------


class BeginningContent(NamedTuple):
    """How far back `undo` goes, if not to the first decision: the board, and the steps before."""

    board: BoardContent
    made: int

    @classmethod
    def of(cls, beginning: tuple[Snapshot, int] | None) -> BeginningContent | None:
        """Return the beginning of a state to be pickled, if it has one."""
        return beginning and cls(content_of_board(beginning[0]()), beginning[1])

    def beginning(self, engine: Engine) -> tuple[Snapshot, int]:
        """Return the beginning again."""
        return board_with(engine, self.board).snapshot(), self.made


@dataclass(frozen=True)
class OriginContent:
    """The origin of a state that was determinised in mode `consistent`; see `Origin`."""

    board: BoardContent
    knowledge: Knowledge
    record: tuple[SeenDecision, ...]
    made: int

    @classmethod
    def of(cls, origin: Origin) -> OriginContent:
        """Return an origin to be pickled."""
        what, _ = content_of_board(origin.board)  # it was never advanced: its options are not known
        return cls((what, 0), origin.knowledge, origin.record, origin.made)

    def origin(self, engine: Engine) -> Origin:
        """Return the origin again."""
        return Origin(board_with(engine, self.board), self.knowledge, self.record, self.made)


@dataclass(frozen=True)
class InformationContent:
    """Where the keys of a state come from, besides its seed or beginning; see `Information`.

    For a determinised state that is the seat for which it was made, and of the true state then its
    steps, its seed or beginning, and where its keys came from.
    """

    recalled: tuple[Recalled, ...]
    seat: int = 0
    steps: tuple[int, ...] = ()
    seed: int | None = None
    beginning: BeginningContent | None = None
    source: InformationContent | None = None

    @classmethod
    def of(cls, information: Information) -> InformationContent:
        """Return the information of a state to be pickled."""
        recalled, imagined = information.recalled, information.imagined
        if imagined is None:
            return cls(recalled)
        source = imagined.source
        beginning = BeginningContent.of(source.beginning)
        return cls(recalled, imagined.seat, imagined.steps, source.seed, beginning, cls.of(source))

    def information(
        self,
        engine: Engine,
        sightings: Sightings,
        seed: int | None,
        beginning: tuple[Snapshot, int] | None,
    ) -> Information:
        """Return the information again, of a state with a seed or a beginning."""
        imagined = None
        if self.source is not None:
            begun = self.beginning and self.beginning.beginning(engine)
            source = self.source.information(engine, sightings, self.seed, begun)
            imagined = ImaginedFor(self.seat, source, self.steps)
        return Information(engine, sightings, seed, beginning, imagined, self.recalled)


@dataclass(frozen=True)
class StateContent:
    """A state as plain values, without its game.

    A state whose chance is taken by hand has no board: its steps are made again. `pending` are the
    actions made so far of the decision that is due.
    """

    seed: int | None
    steps: tuple[int, ...]
    scores: tuple[int, ...] | None
    board: BoardContent | None
    beginning: BeginningContent | None
    origin: OriginContent | None
    information: InformationContent | None
    pending: tuple[int, ...]
