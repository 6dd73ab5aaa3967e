"""Which levels this machine offers, found out by building each jail once."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from functools import cache

from cardwright.jail.inmate import Inmate
from cardwright.jail.level import Level, LevelError
from cardwright.jail.mishaps import InmateError
from cardwright.jail.syscalls import PROCESSORS

__all__ = ["Found", "Level", "LevelError", "describe", "reason_against", "require", "strongest"]

_ECHO = b"def serve(payload): return lambda request: request + payload"

WORDS = {
    Level.LIMITS: "limits of memory, files and time only: for your own programs",
    Level.CONFINED: "an unprivileged process with Landlock, seccomp and limits",
    Level.WALLED: "level 2 in namespaces of its own (bubblewrap)",
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
        "inmates of root run as nobody: use a Python that all can read, or do not run as root",
    ),
    ("no CAP_KILL", "give this container CAP_KILL, or do not run as root"),
    (
        "make a mount namespace",
        "root's own Python is hidden from others here: use one that all can read",
    ),
)
"""What helps, by a piece of what went wrong."""


@dataclass(frozen=True)
class Found:
    """The strongest level that works here, and why each stronger one does not."""

    level: Level
    missing: tuple[tuple[Level, str], ...]
    """Weakest first."""


@cache
def strongest() -> Found:
    """Return what works here.

    Raises LevelError where there is none at all: on Windows.
    """
    if os.name != "posix":
        raise LevelError("programs of others can only be run on Linux, one's own on macOS too")
    missing: list[tuple[Level, str]] = []
    for level in sorted(Level, reverse=True):
        reason = reason_against(level)
        if reason is None:
            return Found(level, tuple(reversed(missing)))
        missing.append((level, reason))
    raise LevelError(f"no process can be started to run a program in: {missing[-1][1]}")


def require(level: Level) -> None:
    """Raise LevelError if this machine does not offer a level."""
    found = strongest()
    if found.level < level:
        reasons = "; ".join(f"level {int(at)}: {why}" for at, why in found.missing if at <= level)
        raise LevelError(
            f"level {int(level)} ({WORDS[level]}) is asked for, but this machine offers only "
            f"level {int(found.level)}: {reasons}"
        )


def describe(found: Found | None = None) -> str:
    """Return lines that say which level is active, and why not a stronger one."""
    found = found or strongest()
    lines = [f"level {int(found.level)}: {WORDS[found.level]}"]
    lines += [f"  not level {int(level)}: {reason}" for level, reason in found.missing]
    return "\n".join(lines)


@cache
def reason_against(level: Level) -> str | None:
    """Try a level, once in a process's life; return None if it works, or what to tell a user."""
    if level > Level.LIMITS:
        if sys.platform != "linux":
            return "it needs Linux"
        machine = platform.machine()
        if machine not in PROCESSORS:
            return f"system calls of a {machine} are not known; {' and '.join(PROCESSORS)} are"
    try:
        with Inmate(_ECHO, b"o", level, name="probe") as inmate:
            works = inmate.ask(b"ech", 5.0) == b"echo"
    except InmateError as error:
        reason = error.reason.strip()
        advice = [words for piece, words in _HELP if piece in reason]
        return f"{reason} ({advice[0]})" if advice else reason
    return None if works else "a trial gave a wrong answer"
