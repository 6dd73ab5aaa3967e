"""Public names that are loaded when they are first used, so that importing a package is cheap.

The stub beside a module (`__init__.pyi`, or `errors.pyi` for `errors.py`) has each name with the
module that defines it: type checkers and editors read it, and so does the module itself.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def homes(file: str) -> dict[str, str]:
    """Return the names in the stub beside a module's file, with the modules that define them."""
    known: dict[str, str] = {}
    home = ""
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:  # noqa: PTH123 - to import pathlib takes long
        for line in stub:
            words = line.replace(",", " ").split()
            if words and words[0] == "from":
                home = words[1]
            known |= {name: home for word, name in pairwise(words) if word == "as"}
    return known


def lazily(module: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a module, by the stub beside its file.

    The stub is read when a name is first asked for, and `__all__` is one of them: most modules of a
    package are imported without it.
    What a name needs and is not installed is told by MissingExtraError.
    """

    @cache
    def known() -> dict[str, str]:
        return homes(file)

    def load(name: str) -> object:
        if name == "__all__":
            return sorted(known())
        if name in known():
            try:
                return getattr(import_module(known()[name]), name)
            except ModuleNotFoundError as error:
                from cardwright.extras import lacking

                raise lacking(name, error) from None
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return load, lambda: sorted(known())
