"""A wrapper for players from outside this package."""

from __future__ import annotations

import sys
import traceback
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.seeds import stream_apart
from cardwright.players.kind import PlayerSpecError
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from cardwright.players.player import Decision, Player

PLAYER = "foreign player"
"""The purpose of the streams given to such players."""


class Foreign:
    """A `player` that learns nothing from its draws: its streams do not reveal other seeds.

    For every decision it gets a stream derived one-way from the current state of the seat's own.
    """

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, decision: Decision) -> int:
        """Return the player's answer."""
        return self.player.choose(replace(decision, stream=stream_apart(decision.stream, PLAYER)))


def seated(made: Any, maker: str) -> Player:
    """Return a player to seat: one of this package unchanged, any other wrapped in `Foreign`.

    Raises PlayerSpecError, which names `maker`, for anything that is not a player.
    """
    if not callable(getattr(made, "choose", None)):
        raise PlayerSpecError(
            f"{maker} makes a {type(made).__name__}, which is not a player: "
            "it has no method choose(decision)"
        )
    player: Player = made
    return player if is_ours(player) else Foreign(player)


def is_ours(player: Player) -> bool:
    """Say whether a player's class is one of this package, even if a user's file made it."""
    return type(player).__module__.partition(".")[0] == __name__.partition(".")[0]


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
        raise PlayerSpecError(
            f"python:{place}: {name.strip()}({_call(texts)}) failed: {_summary(error, Path(path))}"
        ) from error
    return seated(made, f"python:{place}: {name.strip()}")


def _call(texts: dict[str, str]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in texts.items())


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
        own = [key for key, value in names.items() if _plays(value) and not key.startswith("_")]
        advice = did_you_mean(name, own)
        raise PlayerSpecError(
            f"python:{path}:{name}: {path} has no {name}"
            + (f"; {advice}" if advice else f"; it has {', '.join(own)}" if own else "")
        )
    factory: Any = names[name]
    if not _plays(factory):
        what = "class" if isinstance(factory, type) else type(factory).__name__
        raise PlayerSpecError(
            f"python:{path}:{name}: {name} is a {what}, but a player is made by a class that has a "
            "method choose(decision)"
        )
    made: type[Any] = factory
    return made


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
    try:
        with _beside(file):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        where = Path(error.filename or file).name
        raise PlayerSpecError(
            f"{file}: {where} is no Python: line {error.lineno}: {error.msg}"
        ) from error
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PlayerSpecError(f"{file} cannot be run: {_summary(error, file)}") from error
    return module


@contextmanager
def _beside(file: Path) -> Iterator[None]:
    folder = str(file.parent)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _summary(error: BaseException, file: Path) -> str:
    """Return an error as one line, with the last line of the file in its traceback."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == file.name
    ]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"
