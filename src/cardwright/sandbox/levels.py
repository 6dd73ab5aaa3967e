"""The levels that this machine offers, found by building each sandbox once."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from functools import cache

from cardwright.sandbox.errors import SandboxError
from cardwright.sandbox.limits import LevelError, SandboxLevel
from cardwright.sandbox.sandbox import Sandbox
from cardwright.sandbox.seccomp import PROCESSORS

__all__ = [
    "AvailableLevel", "LevelError", "SandboxLevel", "describe", "reason_against", "require",
    "strongest",
]  # fmt: skip

_ECHO = b"def serve(payload): return lambda request: request + payload"

WORDS = {
    SandboxLevel.LIMITS: "limits of memory, files and time only: for your own programs",
    SandboxLevel.CONFINED: "an unprivileged process with Landlock, seccomp and limits",
    SandboxLevel.WALLED: "level 2 in namespaces of its own (bubblewrap)",
}

_HELP = (
    ("bubblewrap is not installed", "install the package `bubblewrap`"),
    (
        "setting up uid map",
        "namespaces are refused to users: AppArmor does so since Ubuntu 23.10, unless by a profile",
    ),
    (
        "o permissions to create",
        "namespaces are refused to users: by sysctl user.max_user_namespaces, or by a container",
    ),
    ("Creating new namespace failed", "this system, or the container, refuses namespaces"),
    ("Landlock is not in this kernel", "it takes Linux 5.13 or later with Landlock built in"),
    ("Landlock is switched off", "add `landlock` to the kernel's option `lsm=`"),
    (
        "cannot be read by other users",
        "root's sandboxes run as other users: use a Python that all can read, or drop root",
    ),
    ("no CAP_KILL", "give this container CAP_KILL, or do not run as root"),
    (
        "make a mount namespace",
        "root's own Python is hidden from others here: use one that all can read",
    ),
)
"""Advice, by a part of the error message."""


@dataclass(frozen=True)
class AvailableLevel:
    """The strongest level that works here, and why each stronger one does not."""

    level: SandboxLevel
    missing: tuple[tuple[SandboxLevel, str], ...]
    """Weakest first."""


@cache
def strongest() -> AvailableLevel:
    """Return what works here.

    Raises LevelError where there is none at all: on Windows.
    """
    if os.name != "posix":
        raise LevelError("programs of others can only be run on Linux, your own on macOS too")
    missing: list[tuple[SandboxLevel, str]] = []
    for level in sorted(SandboxLevel, reverse=True):
        reason = reason_against(level)
        if reason is None:
            return AvailableLevel(level, tuple(reversed(missing)))
        missing.append((level, reason))
    raise LevelError(f"no process can be started to run a program in: {missing[-1][1]}")


def require(level: SandboxLevel) -> None:
    """Raise LevelError if this machine does not offer a level."""
    found = strongest()
    if found.level < level:
        reasons = "; ".join(f"level {int(at)}: {why}" for at, why in found.missing if at <= level)
        raise LevelError(
            f"level {int(level)} ({WORDS[level]}) is asked for, but this machine offers only "
            f"level {int(found.level)}: {reasons}"
        )


def describe(found: AvailableLevel | None = None) -> str:
    """Return lines that say which level is active, and why no stronger one is."""
    found = found or strongest()
    lines = [f"level {int(found.level)}: {WORDS[found.level]}"]
    lines += [f"  not level {int(level)}: {reason}" for level, reason in found.missing]
    return "\n".join(lines)


@cache
def reason_against(level: SandboxLevel) -> str | None:
    """Try a level, once per process; return None if it works, or the reason for the user."""
    if level > SandboxLevel.LIMITS:
        if sys.platform != "linux":
            return "it needs Linux"
        machine = platform.machine()
        if machine not in PROCESSORS:
            return (
                f"system calls of {machine} are not known, only those of {' and '.join(PROCESSORS)}"
            )
    try:
        with Sandbox(_ECHO, b"o", level, name="probe") as sandbox:
            works = sandbox.ask(b"ech", 5.0) == b"echo"
    except SandboxError as error:
        reason = error.reason.strip()
        advice = [words for piece, words in _HELP if piece in reason]
        return f"{reason} ({advice[0]})" if advice else reason
    return None if works else "a trial run gave a wrong answer"
