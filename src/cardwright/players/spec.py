"""Players as users write them: `random`, `pimc:rollouts=50,mode=known`, `python:mine.py:Name`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cardwright.players import kinds as _kinds  # noqa: F401 - it registers this package's players
from cardwright.players.kind import KINDS, PlayerKind, find_kind, register
from cardwright.players.parameter import PlayerSpecError

if TYPE_CHECKING:
    from cardwright.players.parameter import Parameter
    from cardwright.players.player import Player
    from cardwright.players.trust import Loads, Trust

__all__ = [
    "KINDS",
    "PlayerKind",
    "PlayerSpec",
    "PlayerSpecError",
    "for_seats",
    "parse_spec",
    "parse_specs",
    "register",
    "split_specs",
    "tried_spec",
    "tried_specs",
]  # fmt: skip

Seated = TypeVar("Seated")

_PARAMETER = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")


@dataclass(frozen=True)
class PlayerSpec:
    """A player as written: the name of its kind, its argument, and its parameters in order.

    The argument is what some kinds take right after the colon; None if there is none. It is no
    player but makes them: call it for a new one. `trust` says what players made of it may load.
    """

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    argument: str | None = None
    trust: Trust = field(kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        listed = [] if self.argument is None else [self.argument]
        listed += [f"{key}={value}" for key, value in self.parameters]
        return f"{self.name}:{','.join(listed)}" if listed else self.name

    @property
    def loads(self) -> Loads:
        """What making a player loads."""
        return find_kind(self.name).loaded(self.argument)[0]

    def check_trust(self) -> None:
        """Raise UntrustedPlayerError if a player of it would load what it may not."""
        self.trust.check(str(self), *find_kind(self.name).loaded(self.argument))

    def build(self) -> Player:
        """Return a new player of this kind; raises PlayerSpecError if it cannot be made.

        That is an UntrustedPlayerError, before anything is loaded, for one that may not be loaded.
        """
        self.check_trust()
        kind = find_kind(self.name)
        return kind.make(**kind.values(self.name, self.argument, dict(self.parameters)))

    __call__ = build


def parse_specs(text: str, trust: Trust) -> tuple[PlayerSpec, ...]:
    """Return the players in a comma-separated list; raises PlayerSpecError."""
    return tuple(parse_spec(one, trust) for one in split_specs(text))


def split_specs(text: str) -> list[str]:
    """Return the texts of the players in a comma-separated list.

    Commas separate the parameters of one player too: a piece `key=value` without a name belongs to
    the player before it.
    """
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and "=" in piece.split(":", 1)[0]:
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return [piece.strip() for piece in pieces]


def parse_spec(text: str, trust: Trust) -> PlayerSpec:
    """Return the player that a text names; raises PlayerSpecError if it names none.

    Nothing is made or loaded: `build` does that, as far as the `trust` in the text goes.
    """
    name, colon, rest = text.strip().partition(":")
    name = name.strip()
    kind = find_kind(name)
    pieces = rest.split(",") if colon else []
    argument = _argument(name, kind.argument, pieces)
    parameters = tuple(_parameter(piece, name, kind) for piece in pieces)
    keys = [key for key, _ in parameters]
    for key in keys:
        if keys.count(key) > 1:
            raise PlayerSpecError(f"the player {name!r} is given {key!r} twice")
    kind.values(name, argument, dict(parameters))  # raises an error for impossible values
    return PlayerSpec(name, parameters, argument, trust=trust)


def tried_spec(text: str, trust: Trust) -> PlayerSpec:
    """Return the player that a text names, after making one.

    So all that is wrong with it shows now, and not in the middle of games. Raises PlayerSpecError.
    """
    spec = parse_spec(text, trust)
    spec.build()
    return spec


def tried_specs(text: str, trust: Trust) -> tuple[PlayerSpec, ...]:
    """Return the players in a comma-separated list, each tried; raises PlayerSpecError."""
    return tuple(tried_spec(one, trust) for one in split_specs(text))


def _argument(name: str, takes: Parameter | None, pieces: list[str]) -> str | None:
    """Take the argument, which has no key, from the front of the pieces; None if there is none."""
    if takes is None or "=" in "".join(pieces[:1]):
        found = None
    else:
        found = pieces.pop(0).strip() if pieces else None
    if takes is not None and (found == "" or (found is None and takes.default is None)):
        raise PlayerSpecError(f"the player {name!r} needs more; write {name}:{takes.values}")
    return found


def _parameter(text: str, name: str, kind: PlayerKind) -> tuple[str, str]:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise PlayerSpecError(
            f"{text.strip()!r} is not a parameter of the player {name!r}; write {name}:key=value"
        )
    kind.check_key(name, match[1])
    return match[1], match[2]


def for_seats(players: tuple[Seated, ...], seats: int) -> tuple[Seated, ...]:
    """Return one player per seat: the single one given for all of them, or one for each."""
    if len(players) == 1:
        return players * seats
    if len(players) != seats:
        raise PlayerSpecError(
            f"{len(players)} players are given for {seats} seat{'s' if seats != 1 else ''}; "
            "give one for all of them, or one for each"
        )
    return players
