"""Tables: the players of all seats, from the options of a command; and the file of a game.

Who sits at a table of people unless another player is chosen: for a game of the library what its
file of facts says, chosen by what was measured (docs/strength.md); for other games of the Hearts
family the expert, and for all others tree search. On the interpreter, where no tree is searched,
rules of thumb and flat Monte Carlo take their place.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec, tried_spec
from cardwright.english import counted
from cardwright.game.errors import file_stem
from cardwright.game.find import find
from cardwright.library import catalogue
from cardwright.players.kind import FULL_TRUST, PlayerSpecError
from cardwright.players.spec import PlayerSpec, split_specs
from cardwright.table.hearts_table import family_or_none
from cardwright.table.setup import HUMAN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.game import Game

PATIENT = "ismcts:iterations=1000"
"""The usual opponent in any game that is compiled, unless its facts name another."""

PATIENT_HINTS = "ismcts:iterations=2000,reward=rank"
"""The usual player for hints there."""

_SEARCHER = "pimc:rollouts=20"
"""Plays on the interpreter, where tree search cannot."""

_INTERPRETED = {"ismcts": _SEARCHER, "expert": "rule"}
"""Who takes the place of a kind of player on the interpreter; the others play there too."""

BIDDERS = frozenset({"bridge", "skat"})
"""The kinds that know an auction: where they play, a search alone would bid without sense."""

_HINTS = {"ismcts": PATIENT_HINTS}
"""Who gives hints instead of a kind of player."""


def default_player(game: Game) -> str:
    """Return the default opponent of a person; any game has one."""
    opponent = _usual(game)
    if game.engine_name != "interpreter":
        return opponent
    return _INTERPRETED.get(_kind(opponent), opponent)


def default_hint(game: Game) -> str:
    """Return the default player for hints."""
    opponent = default_player(game)
    return _SEARCHER if opponent == "rule" else _HINTS.get(_kind(opponent), opponent)


def _usual(game: Game) -> str:
    """Return the default opponent on the native engine."""
    if game.name in catalogue.names() and find(game.name).text == game.program.source.text:
        return catalogue.facts(game.name).opponent
    return PATIENT if family_or_none(game) is None else "expert"


def _kind(spec: str) -> str:
    return spec.partition(":")[0]


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
                f"{len(given)} players are given for {counted(free, 'seat')} of the computer; give "
                "one for all of them, or one for each"
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


def seated_specs(players: Iterable[str]) -> list[PlayerSpec]:
    """Return the computer players at a table that a person has set up, from the specs of seats."""
    return [parse_spec(spec, FULL_TRUST) for spec in players if spec != HUMAN]


def checked(spec: str) -> str:
    """Return the spec that a person gave in normal form; raises PlayerSpecError if it is wrong."""
    return str(tried_spec(spec, FULL_TRUST))


def default_file(name: str, seed: int) -> Path:
    """Return the file where an interrupted game is saved: in the current folder."""
    return Path(f"{file_stem(name)}-{seed}.cardwright.json")
