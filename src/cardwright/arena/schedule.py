"""Who sits where: the tables at which every deal of a contest is played.

A table is a seating: for each seat the index of an entrant. All tables of a contest are played with
the same deals, so that the luck of the cards evens out: what one entrant is dealt at one table, the
others are dealt at another. Bridge calls this duplicate play; chess testers play an opening with
colours swapped.

Where three players or more meet, whoever plays before and after somebody matters too: see
`balanced_orders`. A deal has all of them, so that a value per deal is of a balanced block.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import TYPE_CHECKING, TypeAlias, get_args

from cardwright.arena.settings import Orders
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@lru_cache(maxsize=16)
def balanced_orders(players: int) -> tuple[tuple[int, ...], ...] | None:
    """Return balanced orders of players 0, 1, ...; None if neither construction has any.

    Rotations of one order balance the seats alone: everybody keeps the same left neighbour, whose
    play is taken for that of whoever sits beside it. Here each ordered pair of players has each
    ordered pair of seats equally often, so that each has every other at every distance around the
    table. No fewer than n (n - 1) orders of n players do that: each of the n (n - 1) pairs has a
    turn in two given seats.

    The orders are a group of permutations that is transitive on pairs. If n is a power of a prime,
    they are the maps a x + b of the field with n elements, n (n - 1) in number: a complete set of
    orthogonal Latin squares, one for each a (Bose 1938, "On the application of the properties of
    Galois fields to the problem of construction of hyper-Graeco-Latin squares"). If n - 1 is an odd
    one, they are the fractional linear maps with a square determinant, on that field and infinity,
    n (n - 1) (n - 2) / 2 in number (Dixon and Mortimer, "Permutation Groups", 1996, section 2.8).
    """
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
    prime = next((divisor for divisor in range(2, number + 1) if number % divisor == 0), 0)
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
        power = _prime_power(size)
        assert power is not None
        self.size = size
        self._prime = power[0]
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

    orders = []
    for square in squares:
        for moved in seats:
            orders.append(
                (*(field.add(field.times(square, seat), moved) for seat in seats), infinity)
            )
            for shift in seats:
                order = [
                    field.add(field.times(square, turned(sum_)), moved) if sum_ else infinity
                    for sum_ in (field.add(seat, shift) for seat in seats)
                ]
                orders.append((*order, moved))
    return tuple(orders)


Seating: TypeAlias = "tuple[int, ...]"
"""The entrant of each seat, by index."""

Tables: TypeAlias = "tuple[Seating, ...]"

ORDERS: tuple[Orders, ...] = get_args(Orders)

MOST_TABLES = 10_000
"""The most tables of one contest: more would be a mistake, such as all orders of eight players."""


class ScheduleError(CardwrightError):
    """Entrants that cannot be seated as asked; the message says what can."""

    wrong_call = True


def rotations(seating: Sequence[int]) -> Tables:
    """Return all rotations of a seating, each different one once."""
    turned = (tuple(seating[-by:]) + tuple(seating[:-by]) for by in range(len(seating)))
    return _distinct(turned)


def one_against_rest(seats: int, one: int = 0, rest: int = 1) -> Tables:
    """Return the tables at which one entrant sits, in every seat once, against many of another."""
    return rotations((one,) + (rest,) * (seats - 1))


def balanced(seats: int, one: int = 0, other: int = 1) -> Tables:
    """Return all seatings of two entrants that have as many seats each.

    For an odd number of seats these are the seatings in which one of them has a seat more, and
    those in which the other has.
    """
    sizes = {seats // 2, seats - seats // 2}
    return _distinct(
        tuple(one if seat in taken else other for seat in range(seats))
        for size in sorted(sizes)
        for taken in combinations(range(seats), size)
    )


def in_orders(entrants: Sequence[int], orders: Orders = "balanced") -> Tables:
    """Return the tables at which these entrants, all different, sit down in such orders.

    Raises ScheduleError if there would be too many, or no balanced ones are known.
    """
    _check_count(_orders_count(len(entrants), orders), "these orders")
    match orders:
        case "balanced":
            balanced = balanced_orders(len(entrants)) or ()
            return tuple(tuple(entrants[who] for who in order) for order in balanced)
        case "rotations":
            return rotations(entrants)
        case "all":
            return tuple(permutations(entrants))


def match_tables(
    entrants: int, seats: int, *, mix: bool = False, orders: Orders = "balanced"
) -> Tables:
    """Return the tables of a match between entrants 0, 1, ... in a game with this many seats.

    Two entrants at more than two seats: the first alone against copies of the second in all
    rotations, or all balanced seatings with `mix`. As many entrants as seats: all of them in such
    `orders`. Raises ScheduleError for other numbers.
    """
    if seats < 2:
        raise ScheduleError("a match needs a game for two players or more")
    if entrants < 2:
        raise ScheduleError("a match needs two entrants; it may be the same player twice")
    if mix and entrants != 2:
        raise ScheduleError(f"balanced seatings are for two entrants, not for {entrants}")
    if entrants == seats and not mix:
        return in_orders(range(entrants), orders)
    if entrants == 2:
        _check_no_orders(orders, "two entrants")
        return balanced(seats) if mix else one_against_rest(seats)
    raise ScheduleError(
        f"{entrants} entrants cannot share {seats} seats fairly; give two of them, or {seats}"
        if seats > 2
        else f"{entrants} entrants cannot play a match for two; a tournament plays all pairs"
    )


def tournament_tables(
    entrants: int, seats: int, *, together: bool = False, orders: Orders = "balanced"
) -> Tables:
    """Return the tables of a tournament.

    Each pair plays one against the rest, both ways round, and each entrant once against copies of
    itself: the whole payoff matrix. With `together`, each group of as many entrants as there are
    seats plays in such `orders`. Raises ScheduleError for too few or too many entrants.
    """
    if entrants < 2:
        raise ScheduleError("a tournament needs two entrants or more")
    if seats < 2:
        raise ScheduleError("a tournament needs a game for two players or more")
    if together:
        if entrants < seats:
            raise ScheduleError(
                f"{entrants} entrants do not fill the {seats} seats; give more, or let pairs play"
            )
        _check_count(comb(entrants, seats) * _orders_count(seats, orders), "all groups")
        groups = combinations(range(entrants), seats)
        return tuple(table for group in groups for table in in_orders(group, orders))
    _check_no_orders(orders, "pairs")
    _check_count(entrants * (entrants - 1) * seats, "all pairs")
    pairs = ((lone, rest) for lone in range(entrants) for rest in range(entrants))
    return _distinct(table for pair in pairs for table in one_against_rest(seats, *pair))


def ladder_tables(entrants: int, field: int, seats: int, orders: Orders = "balanced") -> Tables:
    """Return the tables of a ladder: each entrant, in every seat, against the same field.

    The field's members are the entrants that follow: with three entrants and a field of one kind,
    the field has index 3 and takes all remaining seats; members of several kinds sit down with each
    entrant in such `orders`. Raises ScheduleError unless the field is of one kind or fills the
    remaining seats.
    """
    if entrants < 1:
        raise ScheduleError("a ladder needs an entrant")
    if seats < 2:
        raise ScheduleError("a ladder needs a game for two players or more")
    if field not in (1, seats - 1):
        raise ScheduleError(
            f"the field has {field} players for {seats - 1} seats; "
            "give one for all of these seats, or one for each"
        )
    if field == 1:
        _check_no_orders(orders, "a field of one kind")
        _check_count(entrants * seats, "all entrants")
        return tuple(
            table for lone in range(entrants) for table in one_against_rest(seats, lone, entrants)
        )
    _check_count(entrants * _orders_count(seats, orders), "all entrants")
    others = range(entrants, entrants + field)
    return tuple(table for lone in range(entrants) for table in in_orders((lone, *others), orders))


def leaves_triples(seats: int, orders: Orders) -> bool:
    """Say whether such orders of different players are balanced for two of them, and not for three.

    Then what two do together to a third is made chance: by drawing anew for each deal who has which
    place in the orders.
    """
    return orders == "balanced" and seats > 3


def is_balanced(tables: Tables) -> bool:
    """Say whether at the tables of each group two entrants are equally often at every distance.

    The distance is the number of seats from one on to the other, around the table. Copies of an
    entrant are not told apart.
    """
    distances: defaultdict[tuple[Seating, int, int], Counter[int]] = defaultdict(Counter)
    for table in tables:
        group = tuple(sorted(table))
        for seat, who in enumerate(table):
            for distance in range(1, len(table)):
                other = table[(seat + distance) % len(table)]
                if other != who:
                    distances[group, who, other][distance] += 1
    return all(
        len(counts) == len(group) - 1 and len(set(counts.values())) == 1
        for (group, _, _), counts in distances.items()
    )


def neighbour_words(tables: Tables) -> str | None:
    """Return a sentence on who sits beside whom; None where nobody has two different neighbours."""
    if all(len(set(table)) < 3 for table in tables):
        return None
    if is_balanced(tables):
        return "A deal has everybody in every seat, and next to everybody else, equally often."
    return "Rotations only: everybody keeps the same neighbours, who may make the difference."


def is_among_copies(table: Seating) -> bool:
    """Say whether all seats of a table are one entrant's: its games do not compare entrants."""
    return len(set(table)) == 1


def _distinct(tables: Iterable[Seating]) -> Tables:
    """Return the tables, each once, in order of first appearance."""
    return tuple(dict.fromkeys(tables))


def _orders_count(players: int, orders: Orders) -> int:
    """Return how many such orders of players there are."""
    if orders not in ORDERS:
        raise ScheduleError(f"orders are one of {', '.join(map(repr, ORDERS))}, not {orders!r}")
    if orders == "rotations":
        return players
    count = factorial(players) if orders == "all" else order_count(players)
    if count is None:
        raise ScheduleError(
            f"no balanced orders of {players} players are known here; ask for rotations, in which "
            "everybody keeps the same neighbours"
        )
    return count


def _check_no_orders(orders: Orders, who: str) -> None:
    if orders != "balanced":
        raise ScheduleError(
            f"orders ({orders}) are of a different player for each seat; {who} play all seatings, "
            "and have copies as neighbours"
        )


def _check_count(tables: int, what: str) -> None:
    if tables > MOST_TABLES:
        raise ScheduleError(
            f"{what} would be {tables:,} tables for each deal; {MOST_TABLES:,} are the most"
        )
