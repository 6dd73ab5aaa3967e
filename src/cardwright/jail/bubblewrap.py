"""The bubblewrap command, which runs a program in namespaces of its own; see bwrap(1)."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.jail.interpreter import ALIASES

if TYPE_CHECKING:
    from cardwright.jail.interpreter import Interpreter

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
