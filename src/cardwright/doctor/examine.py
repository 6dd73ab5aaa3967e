"""What works on this machine, looked at in order, and what to do about what does not."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import webbrowser
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.extras import EXTRAS, absent, advice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Health(StrEnum):
    """How a part is."""

    WORKS = "works"
    MISSING = "missing"
    """Something can be added; all else works without."""

    BROKEN = "broken"
    """Nothing can be relied on until it is mended."""


@dataclass(frozen=True)
class CheckedPart:
    """A part of the machine or the installation: what was found, and what to do."""

    name: str
    health: Health
    found: str
    advice: str | None = None
    """What to do, as a sentence without a full stop; None where there is nothing to do."""

    extra: str | None = None
    """The extra that it is, if it is one."""

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "part": self.name,
            "health": str(self.health),
            "found": self.found,
            "advice": self.advice,
        }


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
    return _engine("engine", "native", "install numpy and llvmlite again")


def wasm_engine() -> list[CheckedPart]:
    """Return the same of WebAssembly, where wasmtime is installed."""
    if absent("wasmtime"):
        return []
    return [_engine("engine wasm", "wasm", "install wasmtime again")]


def _engine(part: str, name: str, mend: str) -> CheckedPart:
    try:
        with _no_cache():
            compiled, slow = _games(name), _games("interpreter")
    except Exception as error:  # whatever stops it is what the user has to know
        return CheckedPart(
            part, Health.BROKEN, f"{_GAME} cannot be compiled: {error}",
            f"{mend}; until then give --engine interpreter",
        )  # fmt: skip
    if compiled != slow:
        return CheckedPart(
            part, Health.BROKEN, f"{_GAME} is played differently by the two engines",
            f"do not trust {name} results here: give --engine interpreter, and report this table",
        )  # fmt: skip
    games = len(_SEEDS)
    return CheckedPart(
        part, Health.WORKS, f"compiles; {games} games of {_GAME} as the interpreter plays them"
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
    size = sum(entry.size for entry in kept.entries()) / _MEGABYTE
    found = f"{folder}, {size:.1f} of at most {LIMIT / _MEGABYTE:.0f} MB"
    return CheckedPart("cache", Health.WORKS, found)


_WITHOUT_SANDBOX = "bots of others are refused here: play your own with --trusted"


def sandbox() -> CheckedPart:
    """Return the strongest level of the sandbox, found by building each once."""
    from cardwright.sandbox.levels import describe, strongest
    from cardwright.sandbox.limits import LevelError, SandboxLevel

    try:
        best = strongest()
    except LevelError as error:
        return CheckedPart("sandbox", Health.MISSING, str(error), _WITHOUT_SANDBOX)
    found = describe(best)
    if best.level == max(SandboxLevel):
        return CheckedPart("sandbox", Health.WORKS, found)
    if best.level == SandboxLevel.LIMITS:
        return CheckedPart("sandbox", Health.MISSING, found, _WITHOUT_SANDBOX)
    return CheckedPart(
        "sandbox",
        Health.WORKS,
        found,
        "bots of others can be played; docs/sandbox.md says more",
    )


def extras() -> list[CheckedPart]:
    """Return each extra, with what is missing of it."""
    return [_extra(name) for name in EXTRAS]


def _extra(name: str) -> CheckedPart:
    has = EXTRAS[name]
    gone = absent(*has)
    if not gone:
        return CheckedPart(f"extra {name}", Health.WORKS, ", ".join(has.values()), extra=name)
    lacking = ", ".join(has[module] for module in gone)
    return CheckedPart(
        f"extra {name}", Health.MISSING, f"not installed: {lacking}", advice(name), extra=name
    )


def fonts() -> CheckedPart:
    """Return the fonts of both styles of figures."""
    if absent("matplotlib"):
        return CheckedPart(
            "fonts", Health.MISSING, "figures need matplotlib, which has fonts", advice("arena")
        )
    from cardwright.analysis.figures.theme import fonts_of

    chosen = {style: fonts_of(style) for style in ("cardwright", "valet")}
    found = ", ".join(f"{style} figures in {names[0]}" for style, names in chosen.items() if names)
    if all(chosen.values()):
        return CheckedPart("fonts", Health.WORKS, found)
    return CheckedPart(
        "fonts", Health.MISSING, found or "none of those of figures",
        "install DejaVu Sans, or matplotlib again, which brings it",
    )  # fmt: skip


def browser() -> CheckedPart:
    """Return what `serve --open` opens, and whether there is Chromium, which tests need."""
    try:
        opened = webbrowser.get().name
    except webbrowser.Error:
        opened = None
    chromium = shutil.which("chromium")
    tests = f"{chromium} for tests" if chromium else "no chromium, which only tests need"
    if opened is None:
        return CheckedPart(
            "browser", Health.MISSING, f"none that can be opened from here; {tests}",
            "open the address that `serve` prints in any browser",
        )  # fmt: skip
    return CheckedPart("browser", Health.WORKS, f"{opened} is opened; {tests}")


def terminal() -> CheckedPart:
    """Return the standard output's kind, size and encoding."""
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    if not sys.stdout.isatty():
        return CheckedPart("terminal", Health.WORKS, f"none, a file or a pipe; {encoding}")
    width, height = shutil.get_terminal_size()
    kind = os.environ.get("TERM", "unknown" if os.name == "posix" else "console")
    found = f"{kind}, {width} columns, {height} lines, {encoding}"
    try:
        "♠ – █".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return CheckedPart(
            "terminal", Health.MISSING, found,
            "set PYTHONUTF8=1, or a UTF-8 locale, for suits and lines of tables",
        )  # fmt: skip
    if kind == "dumb":
        return CheckedPart(
            "terminal", Health.MISSING, found, "`play` has no full screen here: use another one"
        )
    return CheckedPart("terminal", Health.WORKS, found)


def examine() -> tuple[CheckedPart, ...]:
    """Look at everything; it takes a few seconds, as a game is compiled and sandboxes are built."""
    return (
        *versions(),
        engine(),
        *wasm_engine(),
        cache(),
        sandbox(),
        *extras(),
        fonts(),
        browser(),
        terminal(),
    )


def healthy(parts: Sequence[CheckedPart]) -> bool:
    """Say whether nothing that the core needs is broken."""
    return all(part.health is not Health.BROKEN for part in parts)


def what_to_do(parts: Sequence[CheckedPart]) -> str:
    """Return a sentence about what to do first: what is broken comes before what can be added."""
    broken = [part for part in parts if part.health is Health.BROKEN]
    if broken:
        return f"Mend {broken[0].name} first: {broken[0].advice}."
    missing = [part for part in parts if part.health is Health.MISSING]
    lacking = [part.extra for part in missing if part.extra]
    if lacking:
        line = advice(*lacking, several=True)
        return f"The core works. Extras are missing; for all of them, {line}"
    if missing:
        return f"The core works. About {missing[0].name}: {missing[0].advice}."
    return "All of it works; there is nothing to do."
