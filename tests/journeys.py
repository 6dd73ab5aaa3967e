"""Which modules of the package a journey of data goes through, from a call to its end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cardwright

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ROOT = Path(cardwright.__file__).parent


@contextmanager
def entered() -> Iterator[set[str]]:
    """Yield the modules that this thread enters, by their places below the package.

    Modules that are only imported do not count.
    """
    modules: set[str] = set()
    known: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename not in known and code.co_name != "<module>":
            known.add(code.co_filename)
            path = Path(code.co_filename)
            if ROOT in path.parents:
                modules.add(path.relative_to(ROOT).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield modules
    finally:
        sys.setprofile(before)
