"""What is to be said before a game about the players that are to play it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.players.kind import find_kind
from cardwright.players.spec import PlayerSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.arena.entrants import Entrant
    from cardwright.game.game import Game


def cautions(game: Game, players: Iterable[Entrant]) -> tuple[str, ...]:
    """Return a sentence for each player that does not see all that counts in a game.

    Classes and functions of the caller's own say nothing. Raises CardwrightError, before anything
    is played, for a player that cannot play the game at all.
    """
    told = ((one, caution(game, one)) for one in dict.fromkeys(players))
    return tuple(f"{one} in {game.name}: {sentence}" for one, sentence in told if sentence)


def caution(game: Game, player: Entrant) -> str | None:
    """Return what a player does not see in a game, as a sentence; None if it sees all that counts.

    Raises CardwrightError as `cautions` does.
    """
    kind = find_kind(player.name) if isinstance(player, PlayerSpec) else None
    if kind is None or kind.caution is None:
        return None
    return kind.caution(player(), game)
