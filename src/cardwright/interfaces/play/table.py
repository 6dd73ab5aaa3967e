"""Tables: who sits where, from what a call says; and where a game is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.entrants import player
from cardwright.game.errors import file_stem
from cardwright.interfaces.play.hearts_table import family_or_none
from cardwright.interfaces.play.setup import HUMAN
from cardwright.players.spec import PlayerSpecError, split_specs

if TYPE_CHECKING:
    from cardwright.game.game import Game

_PATIENT = "ismcts:iterations=1000"
_HINTS = "ismcts:iterations=2000,reward=rank"
_SEARCHER = "pimc:rollouts=20"
"""Plays by the interpreter, where tree search cannot."""


def default_player(game: Game) -> str:
    """Return who sits down against a person, if nobody is asked for."""
    native = game.engine_name == "native"
    if family_or_none(game) is not None:
        return "expert" if native else "rule"
    return _PATIENT if native else _SEARCHER


def default_hint(game: Game) -> str:
    """Return who is asked for hints, if nobody is named."""
    native = game.engine_name == "native"
    if family_or_none(game) is not None and native:
        return "expert"
    return _HINTS if native else _SEARCHER


def seats(game: Game, wanted: str | None, seat: int | None) -> tuple[str, ...]:
    """Return the spec of every seat; `human` at `seat`, which is None if nobody plays.

    `wanted` is a list of players as people write it: one for all seats of the computer, or one for
    each of them in order; or one for each seat of the game, with `human` at the person's. Raises
    PlayerSpecError for any other number, and for players that there are not.
    """
    count = game.players
    free = count - (seat is not None)
    if wanted is None:
        specs = (default_player(game),) * free
    else:
        given = _listed(wanted)
        if HUMAN in given:
            return _with_human(given, count, seat)
        if len(given) not in {1, free}:
            raise PlayerSpecError(
                f"{len(given)} players are given for {free} seats of the computer; give one for "
                "all of them, or one for each"
            )
        specs = given * free if len(given) == 1 else given
    return specs if seat is None else (*specs[:seat], HUMAN, *specs[seat:])


def _with_human(given: tuple[str, ...], count: int, seat: int | None) -> tuple[str, ...]:
    where = [number for number, spec in enumerate(given) if spec == HUMAN]
    if len(given) != count or where != [seat]:
        raise PlayerSpecError(
            f"with `{HUMAN}` among them there has to be a player for each of {count} seats, and "
            f"`{HUMAN}` once, at the seat that --seat names"
        )
    return given


def _listed(text: str) -> tuple[str, ...]:
    """Return the players of a list, as texts; `human` may be among them."""
    return tuple(spec if spec == HUMAN else checked(spec) for spec in split_specs(text))


def checked(spec: str) -> str:
    """Return a player's spec as it is kept; raises PlayerSpecError if it is none."""
    return str(player(spec))


def default_file(name: str, seed: int) -> Path:
    """Return where a game is kept if it is interrupted: in the folder where one is."""
    return Path(f"{file_stem(name)}-{seed}.cardwright.json")
