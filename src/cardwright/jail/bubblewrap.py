"""The command that builds walls: bubblewrap, see bwrap(1)."""

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
"""The version of bubblewrap that knows `--disable-userns`."""

_SEARCHED = "/usr/local/bin:/usr/bin:/bin"
"""Where to look when the caller's own PATH does not lead there."""


@cache
def bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None."""
    return shutil.which("bwrap") or shutil.which("bwrap", path=_SEARCHED)


@cache
def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return tuple(map(int, re.findall(r"\d+", said.stdout)[:2]))


def wall(program: str, python: Interpreter, root: bool, told: int) -> list[str]:
    """Return the words that stand before a command to run it inside walls.

    `program` is bubblewrap, `told` the descriptor where it writes the number of the process inside.
    For root there is no user namespace: there, "another user" would be root by another name. So
    root keeps the two rights by which the sandbox becomes a user that is really nobody. There is no
    /proc, no /dev and no /tmp inside.

    Process 1 inside is bubblewrap's, not the program (`--as-pid-1`): the kernel lets the death of a
    parent kill only whom the parent could kill, and a bubblewrap without rights could not kill
    another user. It can kill its own process 1, with which all that is inside ends.
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
        words += ["--dir", str(folder)]  # else those above a file could not be passed by others
    for path in python.readable:
        words += ["--ro-bind", path, path]
    for alias in map(Path, ALIASES):
        if alias.is_symlink():
            words += ["--symlink", str(alias.readlink()), str(alias)]
    words += ["--remount-ro", "/", "--chdir", "/", "--info-fd", str(told), "--"]
    return words
