"""Entrants: the players of all rooms by name. Whoever plays for the arena is read here.

The room of players knows its own kinds only; importing this module adds those of Hearts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.players.kind import KINDS
from cardwright.players.spec import PlayerSpecError, parse_spec, parse_specs

if TYPE_CHECKING:
    from cardwright.players.kind import PlayerKind
    from cardwright.players.spec import Spec

__all__ = ["PlayerSpecError", "entrant", "entrants", "kinds"]


def entrant(text: str) -> Spec:
    """Return the player that a text names; raises PlayerSpecError if it names none."""
    return parse_spec(text)


def entrants(text: str) -> tuple[Spec, ...]:
    """Return the players of a list separated by commas; raises PlayerSpecError."""
    return parse_specs(text)


def kinds() -> dict[str, PlayerKind]:
    """Return every kind of player by its name, in order of names."""
    return dict(sorted(KINDS.items()))
