"""What a program itself says of its game: players, cards, places and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.game.errors import override_text
from cardwright.game.wording.naming import attributes_of, places_of

if TYPE_CHECKING:
    from cardwright.program.program import Program


def facts_of(program: Program) -> dict[str, Any]:
    """Return the facts that the studio shows beside the rules."""
    return {
        "players": program.players,
        "teams": [list(team) for team in program.teams],
        "cards": len(program.cards),
        "highest_wins": program.highest_wins,
        "attributes": attributes_of(program.cards),
        "places": [place._asdict() for place in places_of(program)],
        "constants": [
            {"name": one.name, "value": override_text(one.value)}
            for one in program.declared
            if one.value is not None
        ],
    }
