"""Hadamard matrices: matrices of signs whose rows are mutually orthogonal.

Orders are 4 to 100 by four. They come from quadratic residues (Paley, Journal of Mathematics and
Physics 12, 1933), by doubling a smaller one (Sylvester, 1867), and for three orders from four
circulants (Williamson, Duke Mathematical Journal 11, 1944; of order 92 the first was found by
Baumert, Golomb and Hall, Bulletin of the AMS 68, 1962).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_RUNS = 100

Matrix: TypeAlias = "tuple[tuple[int, ...], ...]"

_CIRCULANTS = {
    52: ("+---++++++---", "+++-++--++-++", "++-+-++++-+-+", "++--+-++-+--+"),
    92: (
        "+--+-+-++++++++++-+-+--",
        "+--+--+++------+++--+--",
        "+--++-+-+-++++-+-+-++--",
        "+++---++--++++--++---++",
    ),
    100: (
        "+--+++---++++++++---+++--",
        "+-+++-+--+-+--+-+--+-+++-",
        "++-+---++-++++++-++---+-+",
        "+---+----++-++-++----+---",
    ),
}
"""First rows of symmetric circulants whose squares add up to the order times the identity
matrix."""


@lru_cache(maxsize=32)
def hadamard(order: int) -> Matrix:
    """Return a Hadamard matrix with a first row and a first column of ones.

    Raises ValueError for an order that is not one of 4, 8, 12... MOST_RUNS.
    """
    if order % 4 or not 4 <= order <= MOST_RUNS:
        raise ValueError(f"no Hadamard matrix of order {order} is made here")
    if order in _CIRCULANTS:
        return _normalised(_williamson(_CIRCULANTS[order]))
    if _prime(order - 1):
        return _normalised(_paley(order - 1))
    if order % 8 == 4:
        return _normalised(_double_paley(order // 2 - 1))
    half = hadamard(order // 2)
    return tuple(row + tuple(sign * one for one in row) for sign in (1, -1) for row in half)


def _paley(prime: int) -> Matrix:
    """Return a matrix of order p + 1 for a prime p that leaves 3 when divided by four."""
    signs = _residues(prime)
    rows = [(1,) * (prime + 1)]
    for row in range(prime):
        rest = [signs[(row - column) % prime] - (row == column) for column in range(prime)]
        rows.append((1, *rest))
    return tuple(rows)


def _double_paley(prime: int) -> Matrix:
    """Return a matrix of order 2(p + 1) for a prime p that leaves 1 when divided by four."""
    signs = _residues(prime)
    inner = [[signs[(row - column) % prime] for column in range(prime)] for row in range(prime)]
    core = [[0, *(1,) * prime], *([1, *row] for row in inner)]
    upper = [[part for one in row for part in _block(one)[0]] for row in core]
    lower = [[part for one in row for part in _block(one)[1]] for row in core]
    return tuple(tuple(row) for pair in zip(upper, lower, strict=True) for row in pair)


def _block(entry: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the block that replaces an entry of a symmetric conference matrix."""
    if not entry:
        return (1, -1), (-1, -1)
    return (entry, entry), (entry, -entry)


def _williamson(rows: Sequence[str]) -> Matrix:
    a, b, c, d = ([1 if mark == "+" else -1 for mark in row] for row in rows)
    pattern = (
        ((a, 1), (b, 1), (c, 1), (d, 1)),
        ((b, -1), (a, 1), (d, -1), (c, 1)),
        ((c, -1), (d, 1), (a, 1), (b, -1)),
        ((d, -1), (c, -1), (b, 1), (a, 1)),
    )
    size = len(a)
    return tuple(
        tuple(
            sign * first[(column - row) % size] for first, sign in blocks for column in range(size)
        )
        for blocks in pattern
        for row in range(size)
    )


def _normalised(matrix: Matrix) -> Matrix:
    """Flip signs of columns and rows so that the first of each are ones."""
    top = matrix[0]
    turned = [[sign * first for sign, first in zip(row, top, strict=True)] for row in matrix]
    return tuple(tuple(row[0] * sign for sign in row) for row in turned)


def _residues(prime: int) -> list[int]:
    """Return for each number below a prime 1 for a square, -1 for a non-square, 0 for 0."""
    squares = {one * one % prime for one in range(1, prime)}
    return [0, *(1 if one in squares else -1 for one in range(1, prime))]


def _prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
