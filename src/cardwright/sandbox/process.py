"""The process of a sandbox: what it is told, how it is started, observed and ended."""

from __future__ import annotations

import itertools
import json
import marshal
import os
import platform
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from cardwright.sandbox.allowance import clock_of, state_of
from cardwright.sandbox.errors import ConfineError, how_it_ended
from cardwright.sandbox.limits import SandboxLevel
from cardwright.sandbox.seccomp import assembled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType

    from cardwright.sandbox.limits import SandboxLimits

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
"""The complete environment of a sandbox; NumPy must not try to start threads."""


class _Starter:
    """The thread that starts all processes, created when needed, and again in a fork.

    A sandbox dies with the *thread* that started it (prctl(2), PR_SET_PDEATHSIG), so it must be one
    that lives as long as this process.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the thread in a fork, which inherits the object but not the thread."""
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None

    def thread(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "sandboxes")
            return self._thread


_starter = _Starter()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_starter.forget)


def start(command: Sequence[str], inherited: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a command in its own session, with pipes to its three standard streams.

    `inherited` are further descriptors that it gets. Raises OSError if it cannot be started.
    """
    pipe = subprocess.PIPE
    return (
        _starter.thread()
        .submit(
            subprocess.Popen, command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe,
            pass_fds=inherited, cwd="/", env=ENVIRONMENT, start_new_session=True,
        )
        .result()
    )  # fmt: skip


RANGE = range(60_600, 61_184)
"""User ids that neither Debian nor systemd assign ("Users, Groups, UIDs and GIDs on systemd
Systems")."""

_turns = itertools.count(os.getpid())


_CAP_KILL = 1 << 5


def may_kill_others() -> bool:
    """Say whether this process, being root, can kill those of other users; see capabilities(7)."""
    status = Path("/proc/self/status").read_text("ascii")
    effective = re.search(r"^CapEff:\s*(\w+)", status, re.MULTILINE)
    return effective is not None and bool(int(effective[1], 16) & _CAP_KILL)


class Lease:
    """One such user id, reserved on this machine until `end`.

    It is reserved by binding an abstract unix socket, which is atomic, leaves no file, and is
    released when this process ends.
    """

    def __init__(self) -> None:
        for _ in RANGE:
            uid = RANGE[next(_turns) % len(RANGE)]
            holder = socket.socket(socket.AF_UNIX)
            with suppress(OSError):
                holder.bind(f"\0cardwright-sandbox-{uid}")
                self.uid = uid
                self._holder = holder
                return
            holder.close()
        raise OSError(f"all {len(RANGE)} users for sandboxes are taken; end some sandboxes")

    def end(self) -> None:
        """Release the user id, once no process has it."""
        self._holder.close()


SYSTEM = (
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
)
"""Shared libraries, and the time zones, which pandas reads."""

ALIASES = ("/lib", "/lib32", "/lib64")
"""Links into /usr on most systems, folders on others."""

_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Interpreter:
    """What is needed to run Python here."""

    program: str
    """The interpreter itself, with links resolved, so that it looks for no virtual environment."""

    modules: tuple[str, ...]
    """Folders of installed packages, as in this process; nothing else of its `sys.path`."""

    readable: tuple[str, ...]
    """Files and folders to be read, none below another, with links resolved."""

    def hidden(self) -> list[tuple[str, list[str]]]:
        """Return the folders that unprivileged users cannot enter, with what is needed below.

        There are some if root's own Python is in /root, for example. Raises PermissionError if
        something needed cannot itself be read by others.
        """
        found: dict[str, list[str]] = {}
        for name in self.readable:
            path = Path(name)
            if not _open_to_all(path):
                raise PermissionError(f"{path} cannot be read by other users than its owner")
            closed = [folder for folder in path.parents if not folder.stat().st_mode & stat.S_IXOTH]
            if closed:
                found.setdefault(str(closed[-1]), []).append(name)
        return list(found.items())


def _open_to_all(path: Path) -> bool:
    needed = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
    return path.stat().st_mode & needed == needed


@cache
def interpreter() -> Interpreter:
    """Return the interpreter of this process."""
    program = Path(sys.executable).resolve()
    modules = [Path(name).resolve() for name in sys.path if Path(name).name in _PACKAGES]
    modules = [folder for folder in modules if folder.is_dir()]
    homes = {Path(name).resolve() for name in (sys.base_prefix, sys.base_exec_prefix)}
    libraries = [home / name for home in homes for name in ("lib", "lib64")]
    system = [Path(name) for name in (*SYSTEM, *ALIASES)]
    wanted = {path.resolve() for path in (program, *modules, *libraries, *system) if path.exists()}
    return Interpreter(
        str(program),
        tuple(dict.fromkeys(map(str, modules))),
        tuple(sorted(str(path) for path in wanted if not wanted.intersection(path.parents))),
    )


_NO_NAMESPACES_SINCE = (0, 8)
"""The first version of bubblewrap with `--disable-userns`."""

_SEARCHED = "/usr/local/bin:/usr/bin:/bin"
"""Where to look when it is not on the caller's PATH."""


@cache
def bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None."""
    return shutil.which("bwrap") or shutil.which("bwrap", path=_SEARCHED)


@cache
def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return tuple(map(int, re.findall(r"\d+", said.stdout)[:2]))


def bubblewrapped(program: str, python: Interpreter, root: bool, info_fd: int) -> list[str]:
    """Return the arguments to put before a command so that bubblewrap runs it.

    `program` is the path of bubblewrap, `info_fd` the descriptor to which it writes the id of the
    process inside. For root there is no user namespace: in one, another user would still be root
    outside. So root keeps the two capabilities with which the sandbox becomes an unused user. There
    is no /proc, no /dev and no /tmp inside.

    Process 1 inside is bubblewrap's, not the program's (`--as-pid-1`): the kernel lets the death of
    a parent kill only processes that the parent may signal, and a bubblewrap without capabilities
    may not signal another user's. It can kill its own process 1, which ends everything inside.
    """
    words = [program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    words += ["--cap-drop", "ALL"]
    if root:
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
        words += ["--disable-userns"] if _version(program) >= _NO_NAMESPACES_SINCE else []
    for folder in sorted({above for path in python.readable for above in Path(path).parents}):
        # Otherwise other users could not pass through the folders above a file.
        words += ["--dir", str(folder)]
    for path in python.readable:
        words += ["--ro-bind", path, path]
    for alias in map(Path, ALIASES):
        if alias.is_symlink():
            words += ["--symlink", str(alias.readlink()), str(alias)]
    words += ["--remount-ro", "/", "--chdir", "/", "--info-fd", str(info_fd), "--"]
    return words


FLAGS = ("-s", "-S", "-P", "-B")
"""Only Python: no user packages, no `site`, nothing from the current folder, no caches written.

`-I` would do the same, but also ignore the hash seed in the environment.
"""

BOOT = """
import marshal, sys
order = marshal.loads(open(0, "rb", closefd=False).read(int(sys.argv[1])))
tools = {name: {"__name__": name} for name in order["code"]}
for name, code in order.pop("code").items():
    exec(code, tools[name])
tools["child"]["main"](order, tools)
"""
"""Run by `-c`, with the length of the order as its argument. It only runs trusted code."""


def packed(  # noqa: PLR0917 - as a sandbox is described
    level: SandboxLevel,
    limits: SandboxLimits,
    user: int | None,
    processor: int | None,
    runtime: bytes,
    imports: Sequence[str],
) -> bytes:
    """Return the order for a sandbox; `user` is the user that it becomes, None for no change.

    `processor` is the processor that it runs on, None for any; `imports` are the modules that it
    may import besides those that the runtime loads.

    Raises PermissionError if that user could not read what it needs, or could not be killed.
    """
    python = interpreter()
    confined = level >= SandboxLevel.CONFINED
    # bubblewrap has already rebuilt all paths
    covered = user is not None and level == SandboxLevel.CONFINED
    if covered and not may_kill_others():
        raise PermissionError("root has no CAP_KILL here and could not end a sandbox")
    return marshal.dumps(
        {
            "code": {name: _code(name) for name in ("confine", "imports", "child")},
            "confined": confined,
            "uid": user,
            "processor": processor,
            "hidden": python.hidden() if covered else [],
            "readable": list(python.readable),
            "limits": _resources(limits, confined),
            "filter": assembled(platform.machine(), sealed=False) if confined else b"",
            "seal": assembled(platform.machine(), sealed=True) if confined else b"",
            "imports": list(imports),
            "modules": list(python.modules),
            "runtime": runtime,
        }
    )


def _resources(limits: SandboxLimits, confined: bool) -> list[tuple[str, int]]:
    """Return the limits by the names of the module `resource`; see getrlimit(2)."""
    found = [
        ("RLIMIT_AS", limits.memory),
        ("RLIMIT_CPU", limits.cpu_seconds),
        ("RLIMIT_NOFILE", limits.open_files),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
    ]
    if sys.platform != "linux":
        del found[0]  # macOS refuses to limit address space
    if confined:
        found += [("RLIMIT_NPROC", 0), ("RLIMIT_MEMLOCK", 0), ("RLIMIT_MSGQUEUE", 0)]
    return found


@cache
def _code(module: str) -> CodeType:
    name = f"{module}.py"
    return compile(files("cardwright.sandbox").joinpath(name).read_text("utf-8"), name, "exec")


_EXIT_SECONDS = 1.0
"""Seconds that a process which has closed its pipe may take to exit by itself."""

_SIGNALLED = 128
"""What bubblewrap adds to a signal's number to form an exit code."""


class SandboxProcess:
    """The process of one sandbox, with its pipes; `open` starts it, `close` leaves nothing."""

    requests: int
    """The descriptor to write to; it never blocks."""

    replies: int
    errors: int

    def __init__(self, level: SandboxLevel) -> None:
        self._level = level
        self._lease: Lease | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._info_fd: int | None = None
        self._inner: int | None = None
        self.pid = 0
        """The id of the process, or of process 1 in its namespace, which ends with it."""
        self.clock: Callable[[], int] | None = None
        """Reads its processor time, once it is confined; None where that is not possible."""
        self.asleep: Callable[[], bool] | None = None
        """Says whether it sleeps, once it is confined; None where that is not possible."""

    def order(
        self, limits: SandboxLimits, processor: int | None, runtime: bytes, imports: Sequence[str]
    ) -> bytes:
        """Return the order to send first; raises ConfineError if the sandbox cannot work."""
        try:
            if self._level >= SandboxLevel.CONFINED and os.geteuid() == 0:
                self._lease = Lease()
            user = self._lease.uid if self._lease else None
            return packed(self._level, limits, user, processor, runtime, imports)
        except OSError as error:
            raise ConfineError(str(error)) from None

    def open(self, length: int) -> None:
        """Start the process, which waits for an order of `length` bytes."""
        python = interpreter()
        command = [python.program, *FLAGS, "-c", BOOT, str(length)]
        inherited: tuple[int, ...] = ()
        try:
            if self._level == SandboxLevel.WALLED:
                program = bubblewrap()
                if program is None:
                    raise ConfineError("bubblewrap is not installed")
                self._info_fd, info_out = os.pipe()
                inherited = (info_out,)
                command = (
                    bubblewrapped(program, python, self._lease is not None, info_out) + command
                )
            self._process = process = start(command, inherited)
        except OSError as error:
            raise ConfineError(f"cannot start a process: {error}") from None
        finally:
            for file in inherited:
                os.close(file)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.pid = process.pid
        self.requests = process.stdin.fileno()
        self.replies = process.stdout.fileno()
        self.errors = process.stderr.fileno()
        os.set_blocking(self.requests, False)

    def confined(self) -> None:
        """Find the process inside bubblewrap, which must exist by now, its clock and its state."""
        if self._info_fd is not None:
            self.pid = json.loads(os.read(self._info_fd, 1 << 12))["child-pid"]
            self._inner = os.pidfd_open(self.pid)
            inner = _only_child(self.pid)
        else:
            inner = self.pid
        if inner is not None:
            self.clock, self.asleep = clock_of(inner), state_of(inner)

    def ended(self) -> str:
        """Wait a little for a process that seems to have ended, and return how it ended."""
        process = self._process
        assert process is not None
        until = time.monotonic() + _EXIT_SECONDS
        while not _has_ended(process):
            if time.monotonic() > until:
                return "closed the pipes of its requests and replies"
            time.sleep(0.001)
        self._kill()
        code = process.returncode
        if self._level == SandboxLevel.WALLED and code > _SIGNALLED:
            code = _SIGNALLED - code
        return how_it_ended(code)

    def close(self) -> None:
        """Kill the process and release all its resources. May be repeated."""
        self._kill()
        for file in (self._info_fd, self._inner):
            if file is not None:
                os.close(file)
        self._info_fd = self._inner = None
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
        if self._lease is not None:
            self._lease.end()
            self._lease = None

    def _kill(self) -> None:
        """Kill what is still alive and wait until it is gone.

        Bubblewrap has time to reap the processes inside before it exits; killed first, it would
        leave an orphan to a process 1 that, in a container, may not reap it.
        """
        process = self._process
        if process is None or process.returncode is not None:
            return
        if self._inner is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
            until = time.monotonic() + _EXIT_SECONDS
            while not _has_ended(process) and time.monotonic() < until:
                time.sleep(0.0005)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # not yet waited for, so the id is still its own
        process.wait()


def _only_child(pid: int) -> int | None:
    """Return the single child of a process; None if the kernel does not say."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return None
    return int(listed[0]) if len(listed) == 1 else None


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Say whether a process has ended, without reaping it where that is possible."""
    if sys.platform != "linux":
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None
