"""Have Python show Cardwright's modules what they would find on Windows.

With this folder in PYTHONPATH, a process and all that it starts behave so. Cardwright's modules,
and nothing else, get other modules when they import: without what CPython has for Unix alone, or
none at all. In the whole process no file can be moved or removed that it has open. What differs
elsewhere stays as it is here.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ABSENT_MODULES = {
    "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios",
    "tty",
}  # fmt: skip

ABSENT = {
    "os": {
        "EX_OK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "P_PID",
        "WEXITED", "WNOHANG", "WNOWAIT", "chown", "chroot", "confstr", "fchdir", "fchown", "fork",
        "forkpty", "get_blocking", "getegid", "geteuid", "getgid", "getgroups", "getloadavg",
        "getpgid", "getpgrp", "getresuid", "getsid", "getuid", "initgroups", "killpg", "lchown",
        "memfd_create", "mkfifo", "mknod", "nice", "openpty", "pidfd_open", "pipe2",
        "posix_fadvise", "posix_spawn", "pread", "pwrite", "register_at_fork",
        "sched_getaffinity", "sched_setaffinity", "sched_yield", "set_blocking", "setgid",
        "setgroups", "setpgid", "setpriority", "setresgid", "setresuid", "setsid", "setuid",
        "statvfs", "sync", "sysconf", "tcgetpgrp", "ttyname", "uname", "wait", "wait3", "wait4",
        "waitid",
    },
    "select": {"EPOLLIN", "POLLIN", "POLLOUT", "epoll", "kqueue", "poll"},
    "socket": {"AF_NETLINK", "AF_UNIX", "SO_REUSEPORT"},
    "sys": {"abiflags", "getdlopenflags", "setdlopenflags"},
    "time": {"clock_getres", "clock_gettime", "pthread_getcpuclockid", "tzset"},
}  # fmt: skip
"""What each module has not, as documented for CPython 3.11 to 3.13."""

SIGNALS = {
    "SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN",
    "Handlers", "Signals", "default_int_handler", "getsignal", "raise_signal", "set_wakeup_fd",
    "signal", "strsignal", "valid_signals",
}  # fmt: skip
"""All that `signal` has there."""

_import = builtins.__import__


class Seen(ModuleType):
    """A module as it is seen there: what is set on it is set on the real one."""

    def __init__(self, real: ModuleType, absent: set[str], other: dict[str, object]) -> None:
        object.__setattr__(self, "_real", real)
        object.__setattr__(self, "_absent", absent)
        object.__setattr__(self, "_other", other)

    def __getattribute__(self, name: str) -> Any:
        get = object.__getattribute__
        if name in get(self, "_absent"):
            raise AttributeError(f"Windows has no {name}")
        other = get(self, "_other")
        return other[name] if name in other else getattr(get(self, "_real"), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "_real"), name, value)


def memory_map(fileno: int, length: int, tagname: str | None = None, access: int = 0) -> Any:
    """Map memory by the arguments that there are on Windows."""
    import mmap

    assert not tagname
    return mmap.mmap(fileno, length, access=access)


def locking(file: int, mode: int, count: int) -> None:
    """Lock or release the first bytes of a file, as `msvcrt` does: here all of it."""
    assert count > 0
    try:
        fcntl.flock(file, (fcntl.LOCK_UN, 0, fcntl.LOCK_EX | fcntl.LOCK_NB)[mode])
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


MSVCRT = ModuleType("msvcrt")
vars(MSVCRT).update(LK_UNLCK=0, LK_NBLCK=2, locking=locking)

OTHER: dict[str, dict[str, object]] = {
    "mmap": {"mmap": memory_map},
    "os": {"name": "nt"},
    "sys": {"platform": "win32"},
}

_seen: dict[str, Seen] = {}


def seen(name: str) -> ModuleType:
    """Return a module as it is seen there."""
    if name not in _seen:
        real = _import(name)
        absent = set(dir(real)) - SIGNALS if name == "signal" else ABSENT.get(name, set())
        if name == "mmap":
            absent = {one for one in dir(real) if one.startswith(("MAP_", "PROT_", "MADV_"))}
        absent = {one for one in absent if not one.startswith("__")}
        _seen[name] = Seen(real, absent, OTHER.get(name, {}))
    return _seen[name]


def imported(name: str, *where: Any, **other: Any) -> ModuleType:
    """Import as `import` does there."""
    if name == "msvcrt":
        return MSVCRT
    if name in ABSENT_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    if name in {*ABSENT, *OTHER, "signal"}:
        return seen(name)
    return _import(name, *where, **other)


class Loader(SourceFileLoader):
    """Loads a module of Cardwright with an `import` of its own."""

    def exec_module(self, module: ModuleType) -> None:
        """Run it."""
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": imported}
        super().exec_module(module)


class Finder(MetaPathFinder):
    """Finds Cardwright's modules, for that loader."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return where a module is and how it is loaded."""
        if name.partition(".")[0] != "cardwright":
            return None
        # An editable installation may have a finder of its own instead of a folder in the path.
        for finder in (PathFinder, *[one for one in sys.meta_path if one is not self]):
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = Loader(spec.loader.name, spec.loader.path)
                return spec
        return None


def refusing(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function of `os` that refuses to move or remove what this process has open."""

    def refused(*paths: Any, **other: Any) -> None:
        if not any(other.values()):  # names within open folders are `shutil.rmtree`'s of Unix
            for path in paths:
                if still_open(os.path.realpath(os.fsdecode(path))):
                    raise PermissionError(errno.EACCES, "it is used by a process", path)
        function(*paths, **other)

    return refused


def still_open(path: str) -> bool:
    """Say whether a file, or one in a folder, is open."""
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208 - `pathlib` takes time to import
        try:
            held = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115
        except OSError:
            continue  # the listing's own
        if held == path or held.startswith(f"{path}{os.sep}"):
            return True
    return False


for _name in ("replace", "rename", "remove", "unlink", "rmdir"):
    setattr(os, _name, refusing(getattr(os, _name)))
sys.meta_path.insert(0, Finder())
