"""Who sits where: the tables at which every deal of a contest is played.

A table is a seating: for each seat the index of an entrant. All tables of a contest are played with
the same deals, so that the luck of the cards evens out: what one entrant is dealt at one table, the
others are dealt at another. Bridge calls this duplicate play; chess testers play an opening with
colours swapped.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, factorial
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Seating: TypeAlias = "tuple[int, ...]"
"""The entrant of each seat, by index."""

Tables: TypeAlias = "tuple[Seating, ...]"

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


def all_orders(entrants: Sequence[int]) -> Tables:
    """Return every order in which these entrants can sit."""
    _check_count(factorial(len(entrants)), "all orders")
    return _distinct(permutations(entrants))


def match_tables(
    entrants: int, seats: int, *, mix: bool = False, every_order: bool = False
) -> Tables:
    """Return the tables of a match between entrants 0, 1, ... in a game with this many seats.

    Two entrants at more than two seats: the first alone against copies of the second in all
    rotations, or all balanced seatings with `mix`. As many entrants as seats: all rotations of
    their order, or with `every_order` all orders. Raises ScheduleError for other numbers.
    """
    if mix and every_order:
        raise ScheduleError("all balanced seatings and all orders cannot both be asked for")
    if seats < 2:
        raise ScheduleError("a match needs a game for two players or more")
    if entrants < 2:
        raise ScheduleError("a match needs two entrants; it may be the same player twice")
    if every_order and entrants != seats:
        raise ScheduleError(f"all orders need an entrant for each of the {seats} seats")
    if mix and entrants != 2:
        raise ScheduleError(f"balanced seatings are for two entrants, not for {entrants}")
    if entrants == seats:
        order = range(entrants)
        return all_orders(order) if every_order else rotations(order)
    if entrants == 2:
        return balanced(seats) if mix else one_against_rest(seats)
    raise ScheduleError(
        f"{entrants} entrants cannot share {seats} seats fairly; give two of them, or {seats}"
        if seats > 2
        else f"{entrants} entrants cannot play a match for two; a tournament plays all pairs"
    )


def tournament_tables(entrants: int, seats: int, *, together: bool = False) -> Tables:
    """Return the tables of a tournament.

    Each pair plays one against the rest, both ways round, and each entrant once against copies of
    itself: the whole payoff matrix. With `together`, each group of as many entrants as there are
    seats plays in all rotations. Raises ScheduleError for too few or too many entrants.
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
        _check_count(comb(entrants, seats) * seats, "all groups")
        groups = combinations(range(entrants), seats)
        return _distinct(table for group in groups for table in rotations(group))
    _check_count(entrants * (entrants - 1) * seats, "all pairs")
    pairs = ((one, rest) for one in range(entrants) for rest in range(entrants))
    return _distinct(table for pair in pairs for table in one_against_rest(seats, *pair))


def ladder_tables(entrants: int, field: int, seats: int) -> Tables:
    """Return the tables of a ladder: each entrant, in every seat, against the same field.

    The field's members are the entrants that follow: with three entrants and a field of one kind,
    the field has index 3 and takes all remaining seats. Raises ScheduleError unless the field is of
    one kind or fills the remaining seats.
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
    _check_count(entrants * seats, "all entrants")
    others = tuple(range(entrants, entrants + field)) * (1 if field > 1 else seats - 1)
    return _distinct(table for one in range(entrants) for table in rotations((one, *others)))


def is_among_copies(table: Seating) -> bool:
    """Say whether all seats of a table are one entrant's: its games do not compare entrants."""
    return len(set(table)) == 1


def _distinct(tables: Iterable[Seating]) -> Tables:
    """Return the tables, each once, in order of first appearance."""
    return tuple(dict.fromkeys(tables))


def _check_count(tables: int, what: str) -> None:
    if tables > MOST_TABLES:
        raise ScheduleError(
            f"{what} would be {tables:,} tables for each deal; {MOST_TABLES:,} are the most"
        )
