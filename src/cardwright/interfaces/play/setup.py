"""Setups: all that makes a session, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.arena.plan import GameRef

HUMAN = "human"
"""The spec of the seat of the person."""


@dataclass(frozen=True)
class SessionSetup:
    """What is played and by whom.

    `players` has the specs of all seats in their order, `human` at `seat` (from 0); without a seat
    computer players have them all. `hint` is the spec of the player that is asked for hints.
    """

    ref: GameRef
    seed: int
    seat: int | None
    players: tuple[str, ...]
    practice: bool
    hint: str


@dataclass(frozen=True)
class DisplayOptions:
    """How a session is shown: nothing in it changes the game.

    `pause` is in seconds a move of the computer. `save` is where an interrupted game is kept; None
    for nowhere.
    """

    pause: float
    auto: bool = False
    save: Path | None = None
    colour: bool = True
    symbols: bool = True
    four_colours: bool = False
