"""Kinds of players by name. Packages above this one add theirs by `register`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.players.parameter import PlayerSpecError
from cardwright.players.trust import Loads
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.game.game import Game
    from cardwright.players.parameter import Parameter
    from cardwright.players.player import Player


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its factory and its parameters.

    `make` is called with the value of every parameter by name, and with that of `argument`, if
    there is one, which is written right after the colon without its name. Nothing is passed for a
    parameter that is not given and has no default. With `others`, further keywords are passed on as
    text. `about` describes the player in a line. `caution` takes a player and the game that it is
    to play, and says in a sentence what the player does not see there, None if nothing; it raises
    CardwrightError where the player cannot play at all.

    `loads` says what making one loads: a kind that loads anything takes the file as its argument,
    unless it is the argument's default, or the name of something `shipped` with the package. One
    that loads nothing takes no text that could name a file. A player that `cheats` sees hidden
    cards.
    """

    make: Callable[..., Player]
    parameters: tuple[Parameter, ...] = ()
    about: str = ""
    argument: Parameter | None = None
    others: bool = False
    caution: Callable[[Player, Game], str | None] | None = None
    cheats: bool = False
    shipped: tuple[str, ...] = ()
    loads: Loads = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.loads is Loads.NOTHING:
            free = [one.name for one in (*self.parameters, self.argument) if one and one.free]
            if self.others or free:
                raise ValueError("a kind of player that loads nothing takes no free texts")
        elif self.argument is None:
            raise ValueError("a kind of player that loads a file takes it as its argument")

    @property
    def needs_file(self) -> bool:
        """Whether none can be made without loading a file."""
        taken = self.argument
        return self.loads is not Loads.NOTHING and taken is not None and taken.default is None

    def loaded(self, argument: str | None) -> tuple[Loads, str]:
        """Return what making one with this argument loads, and the file."""
        if self.loads is Loads.NOTHING or argument is None or self.argument is None:
            return Loads.NOTHING, ""
        if self.loads is Loads.PROGRAM:
            return self.loads, argument.rpartition(":")[0].strip()
        ours = argument in {self.argument.default, *self.shipped}
        return (Loads.NOTHING, "") if ours else (self.loads, argument)

    def values(self, name: str, argument: str | None, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the arguments for `make`; raises PlayerSpecError for impossible values."""
        known = {one.name: one for one in self.parameters}
        given = {
            key: known[key].value(text, name) if key in known else text
            for key, text in texts.items()
        }
        if self.argument is not None and argument is not None:
            given[self.argument.name] = self.argument.value(argument, name)
        defaults = {one.name: one.default for one in self.parameters if one.default is not None}
        return defaults | given

    def check_key(self, name: str, key: str) -> None:
        """Raise PlayerSpecError if there is no such parameter."""
        known = [one.name for one in self.parameters]
        if key in known or self.others:
            return
        takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
        advice = did_you_mean(key, known)
        raise PlayerSpecError(f"the player {name!r} has no parameter {key!r}; {advice or takes}")


KINDS: dict[str, PlayerKind] = {}
"""All registered kinds of players, by name."""


def register(name: str, kind: PlayerKind) -> None:
    """Register a kind of player; raises ValueError if the name is taken."""
    if KINDS.setdefault(name, kind) is not kind:
        raise ValueError(f"there is another kind of player with the name {name!r}")


def find_kind(name: str) -> PlayerKind:
    """Return the kind of a name; raises PlayerSpecError if there is none."""
    listed = ", ".join(sorted(KINDS))
    if not name:
        raise PlayerSpecError(f"there is a player without a name in the list; players: {listed}")
    if name not in KINDS:
        advice = did_you_mean(name, KINDS)
        raise PlayerSpecError(
            f"there is no player {name!r}; {f'{advice} ' if advice else ''}(players: {listed})"
        )
    return KINDS[name]
