"""Open hands: spectators see all of them if all people at the table have agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.table.setup import SeatSetup


class OpenHands:
    """Which people have agreed that spectators see their hands.

    A person who plays against computer players alone has, as there is nobody to be asked.
    """

    def __init__(self, seats: Sequence[SeatSetup]) -> None:
        people = _people(seats)
        self._agreed = set(people) if len(people) == 1 else set()

    def agree(self, seat: int, *, yes: bool) -> bool:
        """Note what a person says; return whether that is new."""
        if yes is (seat in self._agreed):
            return False
        self._agreed ^= {seat}
        return True

    def awaited(self, seats: Sequence[SeatSetup]) -> tuple[int, ...]:
        """Return the seats of the people who have not agreed: none if all hands are seen."""
        return tuple(seat for seat in _people(seats) if seat not in self._agreed)


def _people(seats: Sequence[SeatSetup]) -> list[int]:
    return [seat for seat, one in enumerate(seats) if one.kind == "person"]
