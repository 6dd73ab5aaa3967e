"""How a process gives up its rights; this runs inside, and nothing can be undone.

This file is self-contained and needs only `ctypes` and `resource`, as imports cost time at every
start. Sources: landlock(7), seccomp(2), prctl(2), capabilities(7), and the constants of
linux/landlock.h, linux/prctl.h and sys/mount.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import stat
import sys

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
PR_SET_MEMORY_MERGE, PR_GET_MEMORY_MERGE = 67, 68
SECCOMP_MODE_FILTER = 2
SIGKILL = 9

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
"""System calls with the same numbers on all processors."""

FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
"""The number of file access rights in each version of Landlock; later ones add none known here."""

READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
NETWORK_SINCE, NETWORK = 4, 3
"""The version, and the rights to bind and connect TCP sockets."""

SCOPES_SINCE, SCOPES = 6, 3
"""The version, and the scopes of abstract unix sockets and of signals."""

CAPSET, CAPABILITY_VERSION = {"x86_64": 126, "aarch64": 91}, 0x20080522
"""A system call that the C library does not wrap, and _LINUX_CAPABILITY_VERSION_3."""

CLONE_NEWNS = 0x20000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND = 1, 2, 4, 32, 4096
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18

_libc = ctypes.CDLL(None, use_errno=True)


class ConfiningError(Exception):
    """A right that could not be given up, so that nothing may be run here."""


def _die_with_parent() -> None:
    """Ask the kernel to kill this process when the thread that started it ends."""
    _prctl(PR_SET_PDEATHSIG, SIGKILL)


def confine(order: dict[str, Any]) -> None:
    """Give up everything that an order says; raises ConfiningError or OSError if that fails.

    `uid` is the user to become, None to stay the same; `hidden` is a list of folders to be covered
    so that other users can pass through them, each with the paths that stay visible below it;
    `readable` are the files and folders that may be read, `limits` pairs of a resource's name and
    its limit, and `filter` is the filter of system calls while modules are loaded.
    """
    if order["hidden"]:
        _cover(order["hidden"])
    if order["uid"] is not None:
        _become(order["uid"])
    _drop_capabilities()
    _die_with_parent()  # forgotten by the kernel when a process becomes another user
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_DUMPABLE, 0)
    _landlock(order["readable"])
    _limit(order["limits"])
    _keep_pages_apart()
    _filter(order["filter"])
    _verify(
        ("Landlock", lambda: os.open("/", os.O_RDONLY)),
        ("seccomp", lambda: os.kill(os.getpid(), 0)),
    )


def seal(code: bytes) -> None:
    """Give up what only loading needs, by a second filter that allows less than the first."""
    _filter(code)
    _verify(("the second filter", lambda: os.stat("/")))  # noqa: PTH116 - `pathlib` takes too long


def limit(order: dict[str, Any]) -> None:
    """Set only the limits of an order."""
    if sys.platform == "linux":
        _die_with_parent()
    _limit(order["limits"])


def _limit(limits: list[tuple[str, int]]) -> None:
    """Set limits of this process, which it cannot raise; unknown names are skipped."""
    for name, value in limits:
        kind = getattr(resource, name, None)
        if kind is not None:
            resource.setrlimit(kind, (value, value))


def _become(uid: int) -> None:
    """Become another user for good, with only a group of the same number."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    try:
        os.setresuid(0, 0, 0)
    except PermissionError:
        return
    raise ConfiningError("root's rights came back after they had been given up")


def _drop_capabilities() -> None:
    """Empty all sets of capabilities, including the inheritable ones."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    done = _libc.syscall(CAPSET[os.uname().machine], ctypes.byref(header), ctypes.byref(nothing))
    _checked(done, "drop capabilities")


def _cover(hidden: list[tuple[str, list[str]]]) -> None:
    """Mount an empty folder over each folder, for this process alone, with some paths in it."""
    _checked(_libc.unshare(CLONE_NEWNS), "make a mount namespace")
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    for folder, kept in hidden:
        files = [os.open(path, os.O_PATH) for path in kept]
        _mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=64k")
        for path, file in zip(kept, files, strict=True):
            if stat.S_ISDIR(os.fstat(file).st_mode):
                _make_folders(path)
            else:
                _make_folders(path.rpartition("/")[0])
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            _mount(f"/proc/self/fd/{file}", path, None, MS_BIND | MS_REC)
            os.close(file)
        _mount(None, folder, None, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _make_folders(path: str) -> None:
    os.makedirs(path, exist_ok=True)  # noqa: PTH103 - importing `pathlib` takes too long here


def _mount(what: str | None, where: str, kind: str | None, flags: int, data: str = "") -> None:
    words = [word and word.encode() for word in (what, where, kind)]
    done = _libc.mount(*words, ctypes.c_ulong(flags), data.encode())
    _checked(done, f"mount something on {where}")


def _landlock(readable: list[str]) -> None:
    """Allow reading some files and folders, and nothing else that Landlock controls."""
    version = _libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    if version < 1:
        code = ctypes.get_errno()
        off = "is switched off" if code == errno.EOPNOTSUPP else "is not in this kernel"
        raise ConfiningError(f"Landlock {off} ({os.strerror(code)})")
    files = (1 << FILE_RIGHTS[min(version, len(FILE_RIGHTS) - 1)]) - 1
    handled = (ctypes.c_uint64 * 3)(
        files,
        NETWORK if version >= NETWORK_SINCE else 0,
        SCOPES if version >= SCOPES_SINCE else 0,
    )
    size = 24 if version >= SCOPES_SINCE else 16 if version >= NETWORK_SINCE else 8
    rules = _libc.syscall(
        LANDLOCK_CREATE, ctypes.byref(handled), ctypes.c_size_t(size), ctypes.c_uint(0)
    )
    _checked(rules, "make a Landlock ruleset")
    for path in readable:
        _allow_reading(rules, path)
    _checked(_libc.syscall(LANDLOCK_RESTRICT, rules, ctypes.c_uint(0)), "be restricted by Landlock")
    os.close(rules)


class _Beneath(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("file", ctypes.c_int32))


def _allow_reading(rules: int, path: str) -> None:
    file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    folder = stat.S_ISDIR(os.fstat(file).st_mode)
    beneath = _Beneath(READ_FILE | READ_FOLDER if folder else READ_FILE, file)
    added = _libc.syscall(LANDLOCK_ADD, rules, 1, ctypes.byref(beneath), ctypes.c_uint(0))
    _checked(added, f"allow reading {path}")
    os.close(file)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _filter(code: bytes) -> None:
    program = _Program(len(code) // 8, code)
    done = _libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)
    _checked(done, "set a seccomp filter")


def _verify(*attempts: tuple[str, Callable[[], object]]) -> None:
    """Try what must no longer work, so that no failure goes unnoticed."""
    for what, attempt in attempts:
        try:
            attempt()
        except PermissionError:
            continue
        raise ConfiningError(f"{what} was set up but does not hold")


def _keep_pages_apart() -> None:
    """Have the kernel never make one page of two equal ones, which whoever started this may want.

    Writing to such a page takes longer, which tells that somebody else has the same.
    """
    if _libc.prctl(PR_GET_MEMORY_MERGE, *[ctypes.c_ulong(0)] * 4) > 0:
        _prctl(PR_SET_MEMORY_MERGE, 0)


def _prctl(*arguments: int) -> None:
    rest = [ctypes.c_ulong(value) for value in arguments[1:]] + [ctypes.c_ulong(0)] * 3
    _checked(_libc.prctl(arguments[0], *rest), f"do prctl {arguments[0]}")


def _checked(result: int, what: str) -> None:
    if result < 0:
        raise ConfiningError(f"could not {what}: {os.strerror(ctypes.get_errno())}")
