"""The past of a state: its board after fewer choices, for taking choices back.

Nothing is kept until choices are first taken back. Then the board is replayed from the beginning of
the state, and from there on the boards of the last choices are kept, so that going back and forth
costs one copy for each choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import UndoError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.board import Board

_KEPT = 64
"""Most boards that are kept; for Hearts they take 100 kB."""

_BEHIND = 32
"""Boards that are kept before one that had to be replayed."""

Snapshot: TypeAlias = "Callable[[], Board]"
"""Makes a new board in the state of another; may be called any number of times."""


class Past:
    """The boards of a state, from its beginning on.

    `first` is how many choices had been made at the beginning: none in a game that was started, and
    those of the true game in a determinised state.
    """

    __slots__ = ("_begin", "_boards", "_first")

    def __init__(self, begin: Snapshot, first: int) -> None:
        self._begin = begin
        self._first = first
        self._boards: list[tuple[int, Snapshot]] = []

    def copy(self) -> Past:
        """Return the past of a copy of the state."""
        past = Past(self._begin, self._first)
        past._boards = self._boards.copy()
        return past

    def check(self, made: int, count: int) -> None:
        """Raise UndoError if the last `count` of the choices made so far cannot be taken back."""
        since = made - self._first
        if count <= since:
            return
        if self._first:
            raise UndoError(
                f"this state was determinised after {self._first} choices, and {since} were made "
                f"in it: {count} cannot be taken back; ask the state that was started"
            )
        raise UndoError(f"{since} choices have been made: {count} cannot be taken back")

    def keep(self, made: int, board: Board) -> None:
        """Keep the board of a state after a number of choices."""
        if not self._boards or self._boards[-1][0] < made:
            self._boards.append((made, board.snapshot()))
            del self._boards[:-_KEPT]

    def board_after(self, choices: Sequence[int]) -> Board:
        """Return the board after these choices, the first of all that were made."""
        made = len(choices)
        while self._boards and self._boards[-1][0] > made:
            self._boards.pop()
        done, begin = self._boards[-1] if self._boards else (self._first, self._begin)
        board = begin()
        for at in range(done, made):
            if made - at <= _BEHIND:
                self.keep(at, board)
            board.play(choices[at])
        self.keep(made, board)
        return board
