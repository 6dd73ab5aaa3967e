"""Kinds of players by name, their parameters, what making one may load, and players from elsewhere.

Packages above this one add their kinds by `register`. What a player that a text names may load
depends on where the text comes from. One that a person has typed may name any file. One that was
read from a file, or has come over a network, names players that load nothing; anything more needs
the person's word for this one run.
"""

from __future__ import annotations

import re
import shlex
import sys
import traceback
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import stream_apart
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from enum import StrEnum
    from types import ModuleType

    from cardwright.game.game import Game, State
    from cardwright.game.likelihood import ChoiceModel
    from cardwright.players.player import Answer, Decision, Player


class PlayerSpecError(CardwrightError):
    """A text that does not name a player; the message says what to write."""

    wrong_call = True


@dataclass(frozen=True)
class Parameter:
    """A parameter; `read` raises ValueError, and a default of None is not passed on."""

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

    Files in `folder`, that of the data, may be read, though not run as programs. Paths are
    resolved, so that no link leads out. `can_ask`: the person can allow files by `--allow-file`.
    """

    everything: bool = False
    files: tuple[Path, ...] = ()
    folder: Path | None = None
    can_ask: bool = False

    def check(self, player: str, loads: Loads, file: str) -> None:
        """Raise UntrustedPlayerError if the player `player` may not load a file in this way."""
        if self.everything or loads is Loads.NOTHING:
            return
        path, reads = resolved(file), loads is Loads.FILE
        beside = reads and self.folder is not None and path.is_relative_to(self.folder)
        if beside or path in self.files:
            return
        does = "read the file" if reads else "run the program"
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
    """Return the trust in data, in `folder`, for which a person has allowed files to be loaded."""
    allowed = tuple(resolved(file) for file in files)
    return Trust(False, allowed, None if folder is None else resolved(folder), can_ask=True)


def resolved(file: str | Path) -> Path:
    """Return the path that a text leads to, without links; raises PlayerSpecError if none can."""
    try:
        return Path(file).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PlayerSpecError(f"{str(file)!r:.80} is not the path of a file: {error}") from None


# Kinds -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its factory and its parameters.

    `make` is called with the value of each parameter that is given or has a default, by name, and
    of `argument`, which is written right after the colon; with `others`, any further keywords are
    passed on as text. `caution` takes a player and the game that it is to play, and says in a
    sentence what the player does not see there, None if nothing; it raises CardwrightError where
    the player cannot play at all. `model` makes a model of the choices of such players, for others
    that search, at a decision of theirs.

    A kind that `loads` anything takes the file as its argument, unless that is the argument's
    default or one of those `shipped` with the package; others take no text that could name a file.
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
    model: Callable[[Decision], ChoiceModel[State]] | None = None

    def __post_init__(self) -> None:
        if self.loads is Loads.NOTHING:
            taken = filter(None, (*self.parameters, self.argument))
            if self.others or any(parameter.free for parameter in taken):
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
        values = {key: its.default for key, its in known.items() if its.default is not None}
        for key, text in texts.items():
            values[key] = known[key].value(text, name) if key in known else text
        if self.argument is not None and argument is not None:
            values[self.argument.name] = self.argument.value(argument, name)
        return values

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
        raise PlayerSpecError(f"a player in the list has no name; players: {listed}")
    if name not in KINDS:
        advice = did_you_mean(name, KINDS)
        raise PlayerSpecError(
            f"there is no player {name!r}; {f'{advice} ' if advice else ''}(players: {listed})"
        )
    return KINDS[name]


# Players from outside this package --------------------------------------------------------------

PLAYER = "foreign player"
"""The purpose of the streams given to such players."""


class Foreign:
    """A `player` that learns nothing from its draws: its streams do not reveal other seeds.

    For every decision it gets a stream derived one-way from the current state of the seat's own.
    """

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, decision: Decision) -> Answer:
        """Return the player's answer."""
        return self.player.choose(replace(decision, stream=stream_apart(decision.stream, PLAYER)))


def seated(made: Any, maker: str) -> Player:
    """Return a player to seat, in `Foreign` if not ours; raises PlayerSpecError."""
    if not callable(getattr(made, "choose", None)):
        raise PlayerSpecError(
            f"{maker} makes a {type(made).__name__}, which is not a player: "
            "it has no method choose(decision)"
        )
    package = type(made).__module__.partition(".")[0]
    player: Player = made
    return player if package == __name__.partition(".")[0] else Foreign(player)


def load_player(place: str, **texts: str) -> Player:
    """Return a new player: an instance of the class `Name` in a file, given keywords as text.

    `place` is `path.py:Name`, where the name is that of a class with a method `choose`: nothing
    else in the file is called. The player is wrapped in `Foreign`. Raises PlayerSpecError, which
    says what is wrong with the file.
    """
    path, colon, name = place.rpartition(":")
    if not colon or not path.strip() or not name.strip().isidentifier():
        raise PlayerSpecError(f"python:{place} names no player; write python:path.py:Name")
    factory = _factory(path.strip(), name.strip())
    try:
        made: Any = factory(**texts)
    except (Exception, SystemExit) as error:
        call = f"{name.strip()}({', '.join(f'{key}={value!r}' for key, value in texts.items())})"
        problem = f"python:{place}: {call} failed: {_summary(error, Path(path))}"
        raise PlayerSpecError(problem) from error
    return seated(made, f"python:{place}: {name.strip()}")


def _factory(path: str, name: str) -> type[Any]:
    file = Path(path).expanduser().resolve()
    try:
        changed = file.stat().st_mtime_ns
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise PlayerSpecError(f"python:{path}:{name}: {path} cannot be read: {reason}") from None
    module = _module(file, changed)
    names = vars(module)
    if name not in names:
        own = [key for key, value in names.items() if _plays(value) and key[0] != "_"]
        advice = did_you_mean(name, own)
        raise PlayerSpecError(
            f"python:{path}:{name}: {path} has no {name}"
            + (f"; {advice}" if advice else f"; it has {', '.join(own)}" if own else "")
        )
    factory: type[Any] = names[name]
    if not _plays(factory):
        what = "class" if isinstance(factory, type) else type(factory).__name__
        raise PlayerSpecError(
            f"python:{path}:{name}: {name} is a {what}, but a player is made by a class that has a "
            "method choose(decision)"
        )
    return factory


def _plays(value: object) -> bool:
    return isinstance(value, type) and callable(getattr(value, "choose", None))


@lru_cache(maxsize=64)
def _module(file: Path, changed: int) -> ModuleType:
    """Return the module of a file, cached by the time of its last change."""
    name = f"cardwright_player_{file.stem}_{changed}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PlayerSpecError(f"{file} is not a Python file: its name must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles of the file look for it there
    folder = str(file.parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        problem = f"{file} cannot be run: {_summary(error, file)}"
        if isinstance(error, SyntaxError):
            where = Path(error.filename or file).name
            problem = f"{file}: {where} is not valid Python: line {error.lineno}: {error.msg}"
        raise PlayerSpecError(problem) from error
    finally:
        sys.path.remove(folder)
    return module


def _summary(error: BaseException, file: Path) -> str:
    """Return an error as one line, with the last line of the file in its traceback."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == file.name
    ]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"
