"""Players by name, as people write them: `random`, or `pimc:rollouts=50,mode=known`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.determinise import Mode
from cardwright.game.errors import CardwrightError
from cardwright.players.flat import MOST_ROLLOUTS, FlatMonteCarlo
from cardwright.players.random import RandomPlayer
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.players.player import Player

_PARAMETER = re.compile(r"\s*([a-z][a-z0-9_]*)\s*=\s*(.*?)\s*")


class PlayerSpecError(CardwrightError):
    """A text that names no player; the message says what to write."""


@dataclass(frozen=True)
class Kind:
    """A kind of player: what makes one, and the parameters it takes by keyword, as texts."""

    make: Callable[..., Player]
    parameters: tuple[str, ...] = ()


def _flat(rollouts: str = "10", mode: str = "basic") -> FlatMonteCarlo:
    if not re.fullmatch(r"[0-9]{1,7}", rollouts) or not 1 <= int(rollouts) <= MOST_ROLLOUTS:
        raise PlayerSpecError(
            f"pimc:rollouts={rollouts} is not possible: write a number from 1 to {MOST_ROLLOUTS:,}"
        )
    modes = [str(known) for known in Mode]
    if mode not in modes:
        raise PlayerSpecError(f"pimc:mode={mode} is not possible: the modes are {', '.join(modes)}")
    return FlatMonteCarlo(int(rollouts), Mode(mode))


KINDS = {
    "random": Kind(RandomPlayer),
    "pimc": Kind(_flat, ("rollouts", "mode")),
}
"""Every kind of player by its name."""


@dataclass(frozen=True)
class Spec:
    """A player as written: the name of its kind, and parameters in the order given."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        listed = ",".join(f"{key}={value}" for key, value in self.parameters)
        return f"{self.name}:{listed}" if listed else self.name

    def build(self) -> Player:
        """Return a new player of this kind."""
        return KINDS[self.name].make(**dict(self.parameters))


def parse_specs(text: str) -> tuple[Spec, ...]:
    """Return the players in a list separated by commas.

    A comma separates the parameters of one player too: a piece `key=value` without a name belongs
    to the player before it.
    """
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and "=" in piece.split(":", 1)[0]:
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return tuple(parse_spec(piece) for piece in pieces)


def parse_spec(text: str) -> Spec:
    """Return the player that a text names; raises PlayerSpecError if it names none."""
    name, colon, rest = text.strip().partition(":")
    name = name.strip()
    listed = ", ".join(KINDS)
    if not name:
        raise PlayerSpecError(f"there is a player without a name in the list; players: {listed}")
    if name not in KINDS:
        advice = did_you_mean(name, KINDS)
        raise PlayerSpecError(
            f"there is no player {name!r}; {f'{advice} ' if advice else ''}(players: {listed})"
        )
    spec = Spec(name, tuple(_parameter(piece, name) for piece in rest.split(",")) if colon else ())
    keys = [key for key, _ in spec.parameters]
    for key in keys:
        if keys.count(key) > 1:
            raise PlayerSpecError(f"the player {name!r} is given {key!r} twice")
    spec.build()  # complains of values that the player cannot take
    return spec


def _parameter(text: str, name: str) -> tuple[str, str]:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise PlayerSpecError(
            f"{text.strip()!r} is no parameter of the player {name!r}; write {name}:key=value"
        )
    known = KINDS[name].parameters
    if match[1] not in known:
        takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
        advice = did_you_mean(match[1], known)
        raise PlayerSpecError(
            f"the player {name!r} has no parameter {match[1]!r}; {advice or takes}"
        )
    return match[1], match[2]


def for_seats(specs: tuple[Spec, ...], seats: int) -> tuple[Spec, ...]:
    """Return one player a seat: the one given for all of them, or as many as there are seats."""
    if len(specs) == 1:
        return specs * seats
    if len(specs) != seats:
        raise PlayerSpecError(
            f"{len(specs)} players are given for {seats} seat{'s' if seats != 1 else ''}; "
            "give one for all of them, or one for each"
        )
    return specs
