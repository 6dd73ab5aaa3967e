"""Balanced orders: each player in every seat, and each two in all pairs of seats, equally often.

Rotations of one order balance the seats alone: everybody keeps the same left neighbour, whose play
is taken for that of whoever sits beside it. Here each ordered pair of players has each ordered pair
of seats equally often, so that each has every other at every distance around the table. No fewer
than n (n - 1) orders of n players do that: each of the n (n - 1) pairs has a turn in two given
seats.

The orders are a group of permutations that is transitive on pairs. If n is a power of a prime, they
are the maps a x + b of the field with n elements, n (n - 1) in number: a complete set of orthogonal
Latin squares, one for each a (Bose 1938, "On the application of the properties of Galois fields to
the problem of construction of hyper-Graeco-Latin squares"). If n - 1 is an odd one, they are the
fractional linear maps with a square determinant, on that field and infinity, n (n - 1) (n - 2) / 2
in number (Dixon and Mortimer, "Permutation Groups", 1996, section 2.8).
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=16)
def balanced_orders(players: int) -> tuple[tuple[int, ...], ...] | None:
    """Return balanced orders of players 0, 1, ...; None if neither construction has any."""
    if _prime_power(players):
        return _affine(_Field(players))
    if players % 2 == 0 and _prime_power(players - 1):
        return _fractional(_Field(players - 1))
    return None


def order_count(players: int) -> int | None:
    """Return how many `balanced_orders` there are, without making them."""
    if _prime_power(players):
        return players * (players - 1)
    if players % 2 == 0 and _prime_power(players - 1):
        return players * (players - 1) * (players - 2) // 2
    return None


def _prime_power(number: int) -> tuple[int, int] | None:
    """Return (prime, exponent) of a power of a prime; None for any other number."""
    prime = next((one for one in range(2, number + 1) if number % one == 0), 0)
    exponent = 0
    while prime and number % prime == 0:
        number, exponent = number // prime, exponent + 1
    return (prime, exponent) if number == 1 and exponent else None


class _Field:
    """The field with `size` elements, a power of a prime.

    An element is a number whose digits to the base of the prime are the coefficients of a
    polynomial in a generator x, whose `powers` are all elements but 0.
    """

    def __init__(self, size: int) -> None:
        found = _prime_power(size)
        assert found is not None
        self.size = size
        self._prime = found[0]
        self.powers = next(
            powers
            for reduced in range(1, size)
            if len({0, *(powers := self._tried(reduced))}) == size
        )
        self.logs = {element: log for log, element in enumerate(self.powers)}

    def add(self, one: int, other: int) -> int:
        """Return the sum of two elements."""
        if not one or not other:
            return one or other
        digit = (one + other) % self._prime
        return digit + self._prime * self.add(one // self._prime, other // self._prime)

    def times(self, log: int, element: int) -> int:
        """Return a power of the generator times an element."""
        return self.power(log + self.logs[element]) if element else 0

    def power(self, log: int) -> int:
        """Return a power of the generator."""
        return self.powers[log % (self.size - 1)]

    def _tried(self, reduced: int) -> list[int]:
        """Return the first powers of x if its lowest power that is no polynomial is `reduced`."""
        powers = [1]
        while len(powers) < self.size - 1:
            top, rest = divmod(powers[-1], self.size // self._prime)
            product = rest * self._prime
            for _ in range(top):
                product = self.add(product, reduced)
            powers.append(product)
        return powers


def _affine(field: _Field) -> tuple[tuple[int, ...], ...]:
    """Return the maps a x + b: with a prime number of elements, those of a = 1 are rotations."""
    seats = range(field.size)
    return tuple(
        tuple(field.add(field.times(log, seat), moved) for seat in seats)
        for log in range(field.size - 1)
        for moved in seats
    )


def _fractional(field: _Field) -> tuple[tuple[int, ...], ...]:
    """Return the maps a x + b and b - a / (x + c) with square a; infinity is the last element."""
    infinity = field.size
    squares, seats = range(0, field.size - 1, 2), range(field.size)
    minus = (field.size - 1) // 2  # the logarithm of -1

    def turned(element: int) -> int:
        return field.power(minus - field.logs[element])

    found = []
    for square in squares:
        for moved in seats:
            found.append(
                (*(field.add(field.times(square, seat), moved) for seat in seats), infinity)
            )
            for shift in seats:
                order = [
                    field.add(field.times(square, turned(sum_)), moved) if sum_ else infinity
                    for sum_ in (field.add(seat, shift) for seat in seats)
                ]
                found.append((*order, moved))
    return tuple(found)
