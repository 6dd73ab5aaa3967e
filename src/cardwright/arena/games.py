"""Single games between players that are given by texts, classes or functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.entrants import entrant_of, entrants, is_player
from cardwright.arena.referee import referee_game
from cardwright.game.seeds import GAME_BITS, drawn_seed
from cardwright.players.foreign import seated
from cardwright.players.spec import for_seats

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex

    from cardwright.arena.entrants import PlayerLike
    from cardwright.arena.referee import GameRecord
    from cardwright.game.game import Game
    from cardwright.players.player import Player

    Seatable: TypeAlias = PlayerLike | Player


def play_game(
    game: Game, players: str | Sequence[Seatable], *, seed: SupportsIndex | None = None
) -> GameRecord:
    """Play one game, and return what happened in it.

    `players` has one for each seat, or one for all seats: a text such as `pimc:rollouts=20`, a
    class or function that makes a player, or a player that is new. A single text may name several,
    with commas between them. The seed gives the cards and what players draw; one is drawn if there
    is none. A game that breaks a rule has the message in `error`. What a player raises is raised
    here. Raises PlayerSpecError for what is no player, and IllegalOptionError for an answer that is
    no option.
    """
    given = entrants(players) if isinstance(players, str) else tuple(players)
    chosen = for_seats(given, game.players)
    own = drawn_seed(GAME_BITS) if seed is None else seed
    return referee_game(game, own, [_seated(one) for one in chosen])


def _seated(given: Seatable) -> Player:
    """Return a player for one game: what is a player already plays as it is."""
    if is_player(given):
        return seated(given, type(given).__name__)
    return entrant_of(given)()  # type: ignore[arg-type] # it is no player
