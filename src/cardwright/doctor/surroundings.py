"""What the machine offers beyond the core: the sandbox, extras, fonts, a browser, the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import webbrowser

from cardwright.doctor.checked_part import CheckedPart, Health
from cardwright.extras import EXTRAS, absent, advice

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
