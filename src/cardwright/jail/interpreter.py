"""The Python that runs a sandbox, and the files and folders that it needs."""

from __future__ import annotations

import stat
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
