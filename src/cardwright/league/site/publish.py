"""Publishing: a folder that appears complete or not at all, in place of an older one.

The folder is made under a hidden name beside its place and renamed. An older one is renamed away
first: whoever looks between these two steps, or after a crash between them, finds no folder, and
the older one whole under the hidden name `.NAME.old`, which the next publication removes.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARK = ".cardwright-site"
"""A file by which a folder is known as a site that may be replaced."""


class SiteError(CardwrightError):
    """A site that cannot be written; the message says why."""


@contextmanager
def published(place: Path) -> Iterator[Path]:
    """Give a folder to fill, which takes its place when all went well and vanishes otherwise.

    What is at the place is replaced if it is an older site or an empty folder. Raises SiteError for
    anything else there, and if the folder cannot be written.
    """
    place = place.absolute()
    _check(place)
    fresh = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        try:
            (fresh / MARK).write_text("Written by Cardwright, which may replace this folder.\n")
            yield fresh
            _swap(fresh, place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        raise SiteError(f"{place} cannot be written: {error.strerror or error}") from None


def _check(place: Path) -> None:
    """Raise SiteError if there is something that is not ours to replace."""
    if place.is_dir():
        if (place / MARK).exists() or not any(place.iterdir()):
            return
        found = "has files in it that are no site of a season"
    elif place.exists() or place.is_symlink():
        found = "is no folder"
    else:
        return
    raise SiteError(f"{place} {found}: name another folder, with `--out`")


def _swap(fresh: Path, place: Path) -> None:
    """Put a folder in its place."""
    old = place.with_name(f".{place.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    fresh.rename(place)
    shutil.rmtree(old, ignore_errors=True)
