"""The sources that determine machine code, as they are now: a change in one is a new compiler.

Machine code depends on the packages that read, check and compile a program, and for an extension on
the packages of its kernels. They are hashed whole, so that no new module in them can be forgotten,
and by their contents: neither size nor time reveals every change.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGE = str(Path(__file__).parents[1])
_ROOT = __name__.partition(".")[0]

PACKAGES = frozenset({"syntax", "program", "compiler"})
"""The packages through which every program passes on its way to machine code."""


def digest(modules: Iterable[str] = ()) -> str:
    """Return a hash of the sources behind all machine code, and behind kernels in some modules."""
    return _digest(PACKAGES.union(map(_package_of, modules)))


def _package_of(module: str) -> str:
    root, package = module.split(".")[:2]
    if root != _ROOT:
        msg = f"kernels belong in this package, not in {module}"
        raise ValueError(msg)
    return package


@cache
def _digest(packages: frozenset[str]) -> str:
    marks = hashlib.sha256()
    for package in sorted(packages):
        marks.update(_of_package(package).encode())
    return marks.hexdigest()


@cache
def _of_package(package: str) -> str:
    marks = hashlib.sha256()
    for place in sorted(_sources(os.path.join(_PACKAGE, package))):  # noqa: PTH118 - see below
        # Without Path and the layers of file objects, which halves the cost at every start of a
        # game.
        file = os.open(place, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            content = os.read(file, os.fstat(file).st_size)
        finally:
            os.close(file)
        marks.update(f"{place[len(_PACKAGE) :]}\n{len(content)}\n".encode())
        marks.update(content)
    return marks.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(".py"):
                yield entry.path
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)
