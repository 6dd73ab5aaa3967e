"""Entrants: who plays, given by a text, or by a class or function that makes players."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from cardwright.bidding import kinds as _bidding  # noqa: F401 - they register their players
from cardwright.hearts import kinds as _hearts  # noqa: F401
from cardwright.players.kind import FULL_TRUST, KINDS, PlayerSpecError, find_kind, seated
from cardwright.players.spec import PlayerSpec, parse_spec, parse_specs, tried_spec, tried_specs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game
    from cardwright.players.kind import PlayerKind, Trust
    from cardwright.players.player import Player

__all__ = [
    "Entrant", "OwnPlayer", "PlayerLike", "PlayerSpecError", "Players", "entrant_of",
    "entrants_of", "kinds", "parse_spec", "parse_specs", "player", "tried_spec", "tried_specs",
]  # fmt: skip


@dataclass(frozen=True)
class OwnPlayer:
    """A player of the caller's own under a name: `make` is a class or function that makes one.

    What it makes is seated as players of files are: `decision.stream` says nothing of the cards.
    """

    name: str
    make: Callable[[], Player]

    def __str__(self) -> str:
        return self.name

    def __call__(self) -> Player:
        """Return a new player; raises PlayerSpecError if that is none, and what `make` raises."""
        return seated(self.make(), self.name)


Entrant: TypeAlias = PlayerSpec | OwnPlayer
"""Who plays: its text is its name, and a call makes a new player."""

PlayerLike: TypeAlias = "str | PlayerSpec | Callable[[], Player]"
"""What stands for a player: a text, or a class or function that makes one."""

Players: TypeAlias = "PlayerLike | Sequence[PlayerLike]"
"""What stands for some: one or more of these; a text may name several, with commas between them."""


def player(text: str) -> PlayerSpec:
    """Return the player that a text names, as `ismcts:iterations=1000`.

    That is what makes players: every game is played by new ones, for some remember. Call it for
    one, or give it wherever a text would do. The text is the caller's own: it may name a Python
    file, which is run. Raises PlayerSpecError if the text names none.
    """
    return tried_spec(text, FULL_TRUST)


def entrant_of(given: PlayerLike, trust: Trust) -> Entrant:
    """Return who is meant by a text, class or function; raises PlayerSpecError if that is nobody.

    A first player is made, so that nothing is left to go wrong when games are played.
    """
    if isinstance(given, str):
        return tried_spec(given, trust)
    if isinstance(given, PlayerSpec):
        return given
    own = given if isinstance(given, OwnPlayer) else OwnPlayer(_name(given), given)
    if is_player(own.make):
        raise PlayerSpecError(
            f"this {own.name} is a player already, and every game needs a new one; "
            f"give what makes them: the class, a text, or lambda: {own.name}(...)"
        )
    if not callable(own.make):
        raise PlayerSpecError(
            f"{own.make!r} is not a player; give a text such as 'random', or a class or function "
            "that makes a player"
        )
    try:
        own()
    except PlayerSpecError:
        raise
    except Exception as error:
        raise PlayerSpecError(
            f"{own.name}() does not make a player: {type(error).__name__}: {error}"
        ) from error
    return own


def entrants_of(given: Players, trust: Trust) -> tuple[Entrant, ...]:
    """Return who is meant by each, by one alone, or by a text with commas between them.

    Raises PlayerSpecError as `entrant_of` does.
    """
    if isinstance(given, str):
        return tried_specs(given, trust)
    if callable(given) or not isinstance(given, Iterable):
        return (entrant_of(given, trust),)
    return tuple(entrant_of(entrant, trust) for entrant in given)


def is_player(value: object) -> bool:
    """Say whether this is a player, and no class or function that makes one."""
    return not isinstance(value, type) and callable(getattr(value, "choose", None))


def kinds() -> dict[str, PlayerKind]:
    """Return every kind of player by its name, in order of names."""
    return dict(sorted(KINDS.items()))


def _name(make: object) -> str:
    """Return the name of a class or function; of a partial one with what it is called with."""
    if isinstance(make, partial):
        keywords = (f"{key}={value!r}" for key, value in make.keywords.items())
        return f"{_name(make.func)}({', '.join([*map(repr, make.args), *keywords])})"
    return str(getattr(make, "__name__", type(make).__name__))


def check_sendable(entrants: Sequence[Entrant]) -> None:
    """Raise PlayerSpecError for a player that other processes could not construct."""
    for entrant in entrants:
        if not isinstance(entrant, OwnPlayer):
            continue
        try:
            reason = (
                "they do not run this script" if b"__main__" in pickle.dumps(entrant.make) else ""
            )
        except Exception as error:  # pickle may raise anything
            reason = str(error)
        if reason:
            raise PlayerSpecError(
                f"the player {entrant.name} cannot be sent to workers ({reason}); define it at the "
                "top of a module that they can import, or play without workers"
            )


def cautions(game: Game, players: Iterable[Entrant]) -> tuple[str, ...]:
    """Return a sentence for each player that does not see all that counts in a game.

    Classes and functions of the caller's own say nothing. Raises CardwrightError, before anything
    is played, for a player that cannot play the game at all.
    """
    cautions = ((one, caution(game, one)) for one in dict.fromkeys(players))
    return tuple(f"{one} in {game.name}: {sentence}" for one, sentence in cautions if sentence)


def caution(game: Game, player: Entrant) -> str | None:
    """Return what a player does not see in a game, as a sentence; None if it sees all that counts.

    Raises CardwrightError as `cautions` does.
    """
    kind = find_kind(player.name) if isinstance(player, PlayerSpec) else None
    if kind is None or kind.caution is None:
        return None
    return kind.caution(player(), game)
