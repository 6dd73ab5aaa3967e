"""Eyes: whose sight a game is told and drawn by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from cardwright.program.cards import Location
    from cardwright.program.program import Program


class EyeKind(Enum):
    """What is seen: what a seat sees, what everybody sees, what anybody sees, or all there is."""

    SEAT = "seat"
    PUBLIC = "public"
    OPEN = "open"
    ALL = "all"


@dataclass(frozen=True)
class Eyes:
    """The eyes of a seat, or of somebody who has none.

    Public eyes see only the cards that every seat sees. Open ones see what any seat does: all
    hands, but no card that lies face down for everybody.
    """

    kind: EyeKind
    seat: int | None = None

    @classmethod
    def of(cls, seat: int | None) -> Eyes:
        """Return the eyes of a seat; those that see all there is, if it is None."""
        return cls(EyeKind.ALL) if seat is None else cls(EyeKind.SEAT, seat)

    def see(self, program: Program, location: Location) -> bool:
        """Return whether the cards of a location are seen."""
        match self.kind:
            case EyeKind.SEAT:
                assert self.seat is not None
                return sees(program, self.seat, location)
            case EyeKind.PUBLIC:
                return all(sees(program, seat, location) for seat in range(program.players))
            case EyeKind.OPEN:
                return any(sees(program, seat, location) for seat in range(program.players))
            case EyeKind.ALL:
                return True


PUBLIC = Eyes(EyeKind.PUBLIC)
OPEN = Eyes(EyeKind.OPEN)
