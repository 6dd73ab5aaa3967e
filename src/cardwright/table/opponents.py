"""Tables: the players of all seats, from the options of a command; and the file of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.entrants import tried_spec
from cardwright.game.errors import file_stem
from cardwright.players.spec import PlayerSpecError, split_specs
from cardwright.players.trust import FULL_TRUST
from cardwright.table.hearts_table import family_or_none
from cardwright.table.setup import HUMAN

if TYPE_CHECKING:
    from cardwright.game.game import Game

PATIENT = "ismcts:iterations=1000"
"""The usual opponent in any game that is compiled."""

PATIENT_HINTS = "ismcts:iterations=2000,reward=rank"
"""The usual player for hints there."""

_SEARCHER = "pimc:rollouts=20"
"""Plays on the interpreter, where tree search cannot."""


def default_player(game: Game) -> str:
    """Return the default opponent of a person."""
    native = game.engine_name == "native"
    if family_or_none(game) is not None:
        return "expert" if native else "rule"
    return PATIENT if native else _SEARCHER


def default_hint(game: Game) -> str:
    """Return the default player for hints."""
    native = game.engine_name == "native"
    if family_or_none(game) is not None and native:
        return "expert"
    return PATIENT_HINTS if native else _SEARCHER


def seats(game: Game, wanted: str | None, seat: int | None) -> tuple[str, ...]:
    """Return the spec of every seat; `human` at `seat`, which is None if no person plays.

    `wanted` is a list of players as users write it: one for all seats of the computer, or one for
    each of them in order; or one for each seat of the game, with `human` at the person's. Raises
    PlayerSpecError for any other number, and for unknown players.
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
            f"with `{HUMAN}` among them there must be a player for each of {count} seats, and "
            f"`{HUMAN}` once, at the seat that --seat names"
        )
    return given


def _listed(text: str) -> tuple[str, ...]:
    """Return the texts of the players in a list, which may include `human`."""
    return tuple(spec if spec == HUMAN else checked(spec) for spec in split_specs(text))


def checked(spec: str) -> str:
    """Return the spec that a person gave in normal form; raises PlayerSpecError if it is wrong."""
    return str(tried_spec(spec, FULL_TRUST))


def default_file(name: str, seed: int) -> Path:
    """Return the file where an interrupted game is saved: in the current folder."""
    return Path(f"{file_stem(name)}-{seed}.cardwright.json")
