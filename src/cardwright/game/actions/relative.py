"""Owners as a seat sees them: itself first, then the next seat, and its own team first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from cardwright.program.program import Program


@dataclass(frozen=True, slots=True)
class Relative:
    """The owners of a program, relative to a seat.

    Seats count from the observer, in turn order: 0 is the observer itself, 1 the next seat. Teams
    count from the observer's own, the first that has it, in order of their numbers; for a seat
    without a team they keep their numbers.
    """

    program: Program
    seat: int

    def seat_number(self, seat: int) -> int:
        """Return how many places a seat comes after the observer."""
        return (seat - self.seat) % self.program.players

    def team_number(self, team: int) -> int:
        """Return how many places a team comes after the observer's own."""
        return (team - self.first_team) % len(self.program.teams)

    @property
    def first_team(self) -> int:
        """The number of the observer's team; 0 if it has none."""
        has = (at for at, team in enumerate(self.program.teams) if self.seat in team)
        return next(has, 0)

    def owner(self, owner: int) -> OwnerId:
        """Return what an owner is to the observer: the owner that it is to the first seat.

        The table is the same to everybody.
        """
        players = self.program.players
        if owner < players:
            return OwnerId(self.seat_number(owner))
        if owner < self.program.table:
            return OwnerId(players + self.team_number(owner - players))
        return OwnerId(owner)


def owner_name(program: Program, owner: int) -> str:
    """Return the name of a relative owner: `me`, `me+1`, `team`, `team+1` or `game`."""
    if owner == program.table:
        return "game"
    word, number = ("me", owner) if owner < program.players else ("team", owner - program.players)
    return f"{word}+{number}" if number else word
