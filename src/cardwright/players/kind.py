"""Kinds of players by name, their parameters, and what making one may load.

Packages above this one add their kinds by `register`. What a player that a text names may load
depends on where the text comes from. One that a person has typed may name any file. One that was
read from a file, or has come over a network, names players that load nothing; anything more needs
the person's word for this one run.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from enum import StrEnum

    from cardwright.game.game import Game
    from cardwright.players.player import Player


class PlayerSpecError(CardwrightError):
    """A text that does not name a player; the message says what to write."""

    wrong_call = True


@dataclass(frozen=True)
class Parameter:
    """A parameter: `read` turns a text into a value, or raises ValueError.

    `default` is the value if none is given (None: it is not passed). `values` says in words what
    may be written, and `about` what the parameter does.
    """

    name: str
    read: Callable[[str], Any]
    values: str
    default: Any = None
    about: str = ""

    @property
    def free(self) -> bool:
        """Whether any text is a value."""
        return self.read is str

    def value(self, text: str, player: str) -> Any:
        """Return the value that a text stands for; raises PlayerSpecError."""
        try:
            return self.read(text)
        except ValueError:
            raise PlayerSpecError(
                f"{player}:{self.name}={text} is not possible: write {self.values}"
            ) from None


def whole(name: str, default: int | None, least: int, most: int, about: str = "") -> Parameter:
    """Return a parameter that is an integer from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise ValueError(text)
        return int(_between(int(text), least, most))

    return Parameter(name, read, f"a number from {least:,} to {most:,}", default, about)


def real(name: str, default: float | None, least: float, most: float, about: str = "") -> Parameter:
    """Return a parameter that is a real number from `least` to `most`."""

    def read(text: str) -> float:
        return _between(float(text), least, most)

    return Parameter(name, read, f"a number from {least:g} to {most:g}", default, about)


def _between(value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise ValueError(value)
    return value


def choice(name: str, default: StrEnum, about: str = "") -> Parameter:
    """Return a parameter that is one of the values of an enumeration, that of its default."""
    kind = type(default)
    return Parameter(name, kind, f"one of {', '.join(kind)}", default, about)


def switch(name: str, *, default: bool, about: str = "") -> Parameter:
    """Return a parameter that is `yes` or `no`."""

    def read(text: str) -> bool:
        if text not in {"yes", "no"}:
            raise ValueError(text)
        return text == "yes"

    return Parameter(name, read, "yes or no", default, about)


# Trust -----------------------------------------------------------------------------------------


class Loads(Enum):
    """What making a player of a kind loads."""

    NOTHING = "nothing"
    FILE = "a file that is only read"
    PROGRAM = "a program that is run"


class UntrustedPlayerError(PlayerSpecError):
    """A player from data that would load a file which nobody has allowed; the message says how."""

    wrong_call = False


@dataclass(frozen=True)
class Trust:
    """What players may load: with `everything` any file, and otherwise the files listed.

    `folder` is that of the data: files there may be read, though not run as programs. `files` and
    `folder` are resolved, so that no link leads out of them. `can_ask` says that the person can
    allow files with `--allow-file`.
    """

    everything: bool = False
    files: tuple[Path, ...] = ()
    folder: Path | None = None
    can_ask: bool = False

    def check(self, player: str, loads: Loads, file: str) -> None:
        """Raise UntrustedPlayerError if the player `player` may not load a file in this way."""
        if self.everything or loads is Loads.NOTHING:
            return
        path = resolved(file)
        if path in self.files:
            return
        does = "run the program"
        if loads is Loads.FILE:
            if self.folder is not None and path.is_relative_to(self.folder):
                return
            does = "read the file"
        said = (
            f"if you trust it, allow it for this run: --allow-file {shlex.quote(str(path))} "
            "(allow_files in Python)"
            if self.can_ask
            else "players that are named in data here load no files"
        )
        raise UntrustedPlayerError(
            f"the player {player} would {does} {path}; it is named in data, which may be from "
            f"somebody else: {said}"
        )


FULL_TRUST = Trust(everything=True)
"""For what a person has written into a command or a program of their own."""

NO_TRUST = Trust()
"""For data: players load nothing, and nobody is there to be asked."""


def trust_in(files: Iterable[str | Path] = (), folder: Path | None = None) -> Trust:
    """Return the trust in data of which a person has allowed these files to be loaded.

    Further files that are only read may be in `folder`, that of the data.
    """
    allowed = tuple(resolved(file) for file in files)
    return Trust(False, allowed, None if folder is None else resolved(folder), can_ask=True)


def resolved(file: str | Path) -> Path:
    """Return the path that a text leads to, without links; raises PlayerSpecError if none can."""
    try:
        return Path(file).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PlayerSpecError(f"{str(file)!r:.80} is no path of a file: {error}") from None


# Kinds -----------------------------------------------------------------------------------------


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
    loads: Loads = Loads.NOTHING

    def __post_init__(self) -> None:
        if self.loads is Loads.NOTHING:
            free = [
                parameter.name
                for parameter in (*self.parameters, self.argument)
                if parameter and parameter.free
            ]
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
        known = {parameter.name: parameter for parameter in self.parameters}
        given = {
            key: known[key].value(text, name) if key in known else text
            for key, text in texts.items()
        }
        if self.argument is not None and argument is not None:
            given[self.argument.name] = self.argument.value(argument, name)
        defaults = {
            parameter.name: parameter.default
            for parameter in self.parameters
            if parameter.default is not None
        }
        return defaults | given

    def check_key(self, name: str, key: str) -> None:
        """Raise PlayerSpecError if there is no such parameter."""
        known = [parameter.name for parameter in self.parameters]
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
