"""What the core needs: versions, the native engine, and the cache of compiled games."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.doctor.checked_part import CheckedPart, Health

if TYPE_CHECKING:
    from collections.abc import Iterator

_OLDEST = (3, 11)
_GAME = "kuhn"
_SEEDS = range(1, 6)
_MEGABYTE = 1_000_000


def versions() -> list[CheckedPart]:
    """Return the versions of Cardwright, Python, the platform and the libraries of the core."""
    python = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    fits = sys.version_info >= _OLDEST and sys.implementation.name == "cpython"
    return [
        CheckedPart("cardwright", Health.WORKS, f"{__version__}, results {RESULTS_VERSION}"),
        CheckedPart(
            "python", Health.WORKS if fits else Health.BROKEN, python,
            None if fits else "install CPython 3.11 or newer",
        ),
        CheckedPart(
            "platform", Health.WORKS,
            f"{platform.system()} {platform.release()}, {platform.machine()}, "
            f"{os.cpu_count() or 1} processors",
        ),
        *map(_library, ("numpy", "llvmlite")),
    ]  # fmt: skip


def _library(name: str) -> CheckedPart:
    try:
        found = version(name)
        __import__(name)
    except (PackageNotFoundError, ImportError, OSError) as error:
        advice = "install Cardwright again: pip install --force-reinstall cardwright"
        return CheckedPart(name, Health.BROKEN, f"cannot be used: {error}", advice)
    return CheckedPart(name, Health.WORKS, found)


def engine() -> CheckedPart:
    """Compile a small game, play it, and compare every decision with the interpreter's."""
    try:
        with _no_cache():
            native, slow = _games("native"), _games("interpreter")
    except Exception as error:  # whatever stops it is what the user has to know
        return CheckedPart(
            "engine", Health.BROKEN, f"{_GAME} cannot be compiled: {error}",
            "install numpy and llvmlite again; until then give --engine interpreter",
        )  # fmt: skip
    if native != slow:
        return CheckedPart(
            "engine", Health.BROKEN, f"{_GAME} is another game for both engines",
            "do not trust native results here: give --engine interpreter, and report this table",
        )  # fmt: skip
    games = len(_SEEDS)
    return CheckedPart(
        "engine", Health.WORKS, f"compiles; {games} games of {_GAME} as the interpreter plays them"
    )


def _games(name: str) -> list[tuple[list[list[str]], list[int]]]:
    """Return the options of every decision and the scores, of games with the first choices."""
    from cardwright.game.game import Game

    game = Game.load(_GAME, engine=name)
    played = []
    for seed in _SEEDS:
        state = game.start(seed=seed)
        asked = []
        while not state.finished:
            options = state.options()
            asked.append([str(option) for option in options])
            state.play(options[(seed + len(asked)) % len(options)])
        played.append((asked, list(state.scores)))
    return played


@contextmanager
def _no_cache() -> Iterator[None]:
    """Have what is compiled here compiled, not found."""
    from cardwright.compiler.cache import VARIABLE

    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "off"
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def cache() -> CheckedPart:
    """Say where compiled games are kept, how many bytes, and whether a file can be made there."""
    from cardwright.compiler.cache import LIMIT, VARIABLE, ObjectCache

    kept = ObjectCache(warn=lambda _: None)
    folder = kept.folder
    if folder is None:
        return CheckedPart(
            "cache", Health.MISSING, f"off: {VARIABLE} says so, or there is no home directory",
            f"name a folder in {VARIABLE}: without one games are compiled in every process",
        )  # fmt: skip
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return CheckedPart(
            "cache", Health.MISSING, f"{folder} cannot be written: {error.strerror or error}",
            f"name another folder in {VARIABLE}: games are compiled in every process",
        )  # fmt: skip
    size = sum(one.size for one in kept.entries()) / _MEGABYTE
    found = f"{folder}, {size:.1f} of at most {LIMIT / _MEGABYTE:.0f} MB"
    return CheckedPart("cache", Health.WORKS, found)
