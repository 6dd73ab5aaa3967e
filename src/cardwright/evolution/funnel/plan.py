"""How far candidates are measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.players.kind import NO_TRUST

if TYPE_CHECKING:
    from cardwright.players.kind import Trust


@dataclass(frozen=True)
class FunnelPlan:
    """How far candidates are measured, and what they must pass.

    `trials` games are played by the interpreter, `games` at random by machine code, and `deals`
    deals by each of the `players`, specs of searching players from weak to strong; without any of
    these there is no step of search. `measures` are the names of the measures that are wanted:
    what none of them needs is not played. All games follow from `seed`.
    `trust` says what the players may load, and is no part of what is kept.
    """

    seed: int = 0
    trials: int = 5
    games: int = 200
    deals: int = 20
    players: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    trust: Trust = field(default=NO_TRUST, compare=False, repr=False)
