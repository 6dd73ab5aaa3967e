"""Functions that the compiler makes from a program, declared for the kernels that call them.

They have no meaning as plain Python; tests replace them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.compiler.intrinsics import Pointer
    from cardwright.compiler.kernels.types import Board, Context, Search, Stream


def start(board: Board, context: Context, seed: int) -> int:
    """Set a board up."""
    raise NotImplementedError


def advance(board: Board, context: Context) -> int:
    """Run to the next decision and return the number of options."""
    raise NotImplementedError


def play_on(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat choosing at random.

    Returns 0 at the end, -1 for a fault, or 1 if it was stopped.
    """
    raise NotImplementedError


def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end by a search's policy; returns the same as `play_on`."""
    raise NotImplementedError


def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Return the option that a search's policy takes in the tree; -1 to leave it to the tree."""
    raise NotImplementedError


def preferred(board: Board, context: Context, count: int) -> int:
    """Return the option that a tree tries first; -1 for no preference."""
    raise NotImplementedError


def halts(board: Board, context: Context) -> bool:
    """Return whether an iteration ends at a decision, though the game is not over."""
    raise NotImplementedError


def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the reward of every seat at the end of an iteration; returns -1 for a fault."""
    raise NotImplementedError


def carry_out(board: Board, context: Context, index: int) -> int:
    """Carry out an option."""
    raise NotImplementedError


def scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game."""
    raise NotImplementedError


def player(board: Board) -> int:
    """Return the seat that has to decide."""
    raise NotImplementedError


def explore(board: Board, context: Context, which: int) -> int:
    """Run a branch with the picks of the trail."""
    raise NotImplementedError


def too_many(context: Context, site: int) -> int:
    """Report at a site that there is no room for more options, and return -1."""
    raise NotImplementedError


def slot_kind(board: Board, slot: int) -> int:
    """Return the kind of a location."""
    raise NotImplementedError


def slot_owner(board: Board, slot: int) -> int:
    """Return the owner of a location."""
    raise NotImplementedError


def member(owner: int, seat: int) -> int:
    """Return 1 if a seat is behind an owner, else 0."""
    raise NotImplementedError


def back(card: int) -> int:
    """Return the number of a card's back."""
    raise NotImplementedError


def listed(kind: int, name: int) -> int:
    """Return 1 if `indexed` may list locations of a kind and name, else 0."""
    raise NotImplementedError
