"""One game between players: played to its end, or watched choice by choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.entrants import entrant_of, is_player, tried_specs
from cardwright.arena.plan import game_of
from cardwright.arena.referee import referee_game, watched_game
from cardwright.game.seeds import GAME_BITS, drawn_seed, game_seed
from cardwright.players.kind import FULL_TRUST, seated
from cardwright.players.spec import for_seats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import SupportsIndex

    from cardwright.arena.entrants import PlayerLike
    from cardwright.arena.plan import GameLike
    from cardwright.arena.referee import GameRecord
    from cardwright.game.game import Game, State
    from cardwright.game.option import Option
    from cardwright.players.player import Player

    Seatable: TypeAlias = PlayerLike | Player


def play_game(
    game: GameLike, players: Seatable | Sequence[Seatable], *, seed: SupportsIndex | None = None
) -> GameRecord:
    """Play one game, and return what happened in it.

    `game` is a `Game`, or its name or path, perhaps with a preset: `hearts:standard`. `players` has
    one for each seat, or one for all seats: a text such as `pimc:rollouts=20`, a class or function
    that makes a player, or a new player. A single text may name several, separated by commas. The
    seed gives the cards and what players draw; one is drawn if there is none. A game that breaks a
    rule has the message in `error`. What a player raises is raised here. Raises what `Game.load`
    does, PlayerSpecError for what is no player, and IllegalOptionError for an invalid answer.
    """
    return referee_game(*_one_game(game, players, seed))


def watch_game(
    game: GameLike, players: Seatable | Sequence[Seatable], *, seed: SupportsIndex | None = None
) -> Iterator[tuple[State, Option]]:
    """Play the game of `play_game` step by step, and yield each choice just before it is made.

    That is the state, which goes on by itself, and the option that its `player` has chosen; after
    the last one it is finished, and has scores. Raises what `play_game` does, and GameError where
    the game breaks a rule.
    """
    return watched_game(*_one_game(game, players, seed))


def _one_game(
    game: GameLike, players: Seatable | Sequence[Seatable], seed: SupportsIndex | None
) -> tuple[Game, int, list[Player]]:
    """Return a game, its seed and a player for each seat."""
    given: tuple[Seatable, ...]
    if isinstance(players, str):
        given = tried_specs(players, FULL_TRUST)
    else:
        given = tuple(players) if isinstance(players, Sequence) else (players,)
    loaded = game_of(game)
    chosen = for_seats(given, loaded.players)
    own = drawn_seed(GAME_BITS) if seed is None else game_seed(seed)
    return loaded, own, [_seated(player) for player in chosen]


def _seated(given: Seatable) -> Player:
    """Return a player for one game: one that is a player already is used as it is."""
    if is_player(given):
        return seated(given, type(given).__name__)
    return entrant_of(given, FULL_TRUST)()  # type: ignore[arg-type] # it is not a player
