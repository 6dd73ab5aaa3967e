"""What the compiler makes from a program, declared for the kernels that use it.

The functions have no meaning as plain Python, and the constants that of the smallest game; tests
replace both.
"""

# mypy: disable-error-code="empty-body"

from __future__ import annotations

from typing import Any, TypeAlias

from cardwright.compiler.intrinsics import Pointer

__all__ = ["Board", "Context", "Mask", "Node", "Pointer", "Search", "Stream", "Tally"]

Board: TypeAlias = Any
Context: TypeAlias = Any
Node: TypeAlias = Any
Search: TypeAlias = Any
Stream: TypeAlias = Any
Tally: TypeAlias = Any
"""Structs: these names are all that the lowering reads."""

Mask: TypeAlias = int
"""A set of cards: an integer of 64 or 128 bits, as the layout says."""

# Constants, which `BoardLayout.parameters` has for a game ------------------------------------

PLAYERS = TABLE = BACKS = STRINGS = 1
CARDS = CAPACITY = 0
CARD_BYTES = CARD_WORDS = ENTRY_WORDS = ENTRY_CARDS = 1
MASK_BITS = 64
FIXED_SLOTS = POOL_SLOTS = SLOTS = UNORDERED = PURE = MASKS = SORTED = KNOWN = 0
DEALT = 0
"""The slot from which cards are dealt as sets, plus 1; 0 for none."""
STATE_BYTES = HEAD_BYTES = PILE_BYTES = PILES_AT = CARDS_AT = KNOWN_AT = 0

# Functions -----------------------------------------------------------------------------------

PAUSED = 3
"""What `play_on` returns where it pauses."""


def start(board: Board, context: Context, seed: int) -> int:
    """Set a board up."""


def arrive(board: Board, context: Context) -> int:
    """Run to the next decision: returns 1 there, 0 when the game is over, or -1 for a fault."""


def find_options(board: Board, context: Context) -> int:
    """Find the options of the pending decision and return their number, or -1 for a fault."""


def advance(board: Board, context: Context) -> int:
    """Run to the next decision and return the number of options."""


def prefix(board: Board, context: Context) -> int:
    """Run what comes first and is the same for every seed; return the rounds it took, or -1."""


def play_on(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat choosing at random.

    Returns 0 at the end, -1 for a fault, 1 if it was stopped, or PAUSED at a decision if there have
    been as many as the `pause` of the context says. Its options are yet to be found.
    """


def play_counted(board: Board, context: Context, streams: Stream) -> int:
    """Do the same as `play_on`, and count the options in the tallies of the context."""


def play_by_policy(board: Board, context: Context, streams: Stream) -> int:
    """Do the same as `play_on`, but by an extension's policy where there are several options.

    `policy_card` takes a board, a context, the stream of the seat that decides and the legal cards,
    at a choice between single cards, and returns one; `policy` takes the number of options, which
    the context has, and returns an index. The board must stay as it is.
    """


def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end by a search's policy; returns the same as `play_on`."""


def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Return the option that a search's policy takes in the tree; -1 to leave it to the tree."""


def settled_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Do the same as `settled` at a choice between single cards, given the legal ones as a set."""


def preferred(board: Board, context: Context, count: int) -> int:
    """Return the option that a tree tries first; -1 for no preference."""


def preferred_card(board: Board, context: Context, legal: int) -> int:
    """Do the same as `preferred` at a choice between single cards."""


def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the reward of every seat at the end of an iteration; returns -1 for a fault."""


def begin(board: Board, context: Context) -> int:
    """Prepare a search's policy for a new world, where an iteration begins; -1 for a fault."""


def act(board: Board, context: Context, index: int) -> int:
    """Carry out an option, as a search's policy does in the tree."""


def carry_out(board: Board, context: Context, index: int) -> int:
    """Carry out an option."""


def card_choice(board: Board) -> int:
    """Return 1 if the pending decision is a choice between single cards, else 0."""


def card_options(board: Board, context: Context) -> int:
    """Return the cards of a choice between single cards, as a set; 0 for a fault."""


def play_card(board: Board, context: Context, card: int) -> int:
    """Carry out the option of a card, one of those that `card_options` has found last."""


def scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game."""


def player(board: Board) -> int:
    """Return the seat that has to decide."""


def explore(board: Board, context: Context, which: int) -> int:
    """Run a branch with the picks of the trail."""


def too_many(context: Context, site: int) -> int:
    """Report at a site that there is no room for more options, and return -1."""


def slot_kind(board: Board, slot: int) -> int:
    """Return the kind of a location."""


def slot_owner(board: Board, slot: int) -> int:
    """Return the owner of a location."""


def slot_name(board: Board, slot: int) -> int:
    """Return the number of a location's name, which grows in alphabetical order."""


def slot_at(board: Board, slot: int) -> int:
    """Return the index of a location."""


def in_order(at: int) -> int:
    """Return the slot at a place in the order of dealing, among those of fixed locations."""


def member(owner: int, seat: int) -> int:
    """Return 1 if a seat is behind an owner, else 0."""


def back(card: int) -> int:
    """Return the number of a card's back."""


def listed(kind: int, name: int) -> int:
    """Return 1 if `indexed` may list locations of a kind and name, else 0."""
