"""Setups: what defines a session, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.arena.plan import GameRef

HUMAN = "human"
"""The spec of the person's seat."""


@dataclass(frozen=True)
class SessionSetup:
    """The game and its players.

    `players` has the specs of all seats in order, `human` at `seat` (from 0); without a seat all
    are computer players. `hint` is the spec of the player for hints.
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

    `pause` is in seconds per move of the computer. `save` is the file where an interrupted game is
    saved; None for nowhere.
    """

    pause: float
    auto: bool = False
    save: Path | None = None
    colour: bool = True
    symbols: bool = True
    four_colours: bool = False
