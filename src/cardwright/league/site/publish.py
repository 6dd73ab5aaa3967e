"""Publishing: a folder that appears complete or not at all, in place of an older one.

The folder is made under a hidden name beside its place and then renamed. An older one is renamed
first: between these two steps, or after a crash between them, there is no folder, and the older one
is complete under the hidden name `.NAME.old`, which the next publication removes.
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
"""A file that marks a folder as a site that may be replaced."""


class SiteError(CardwrightError):
    """A site that cannot be written; the message says why."""


@contextmanager
def published(place: Path) -> Iterator[Path]:
    """Yield a folder to fill, which is put in place on success and removed otherwise.

    An older site or an empty folder at the place is replaced. Raises SiteError for anything else
    there, and if the folder cannot be written.
    """
    place = place.absolute()
    _check(place)
    fresh = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        try:
            (fresh / MARK).write_bytes(b"Written by Cardwright, which may replace this folder.\n")
            yield fresh
            _swap(fresh, place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        raise SiteError(f"{place} cannot be written: {error.strerror or error}") from None


def _check(place: Path) -> None:
    """Raise SiteError if there is something that must not be replaced."""
    if place.is_dir():
        if (place / MARK).exists() or not any(place.iterdir()):
            return
        found = "has files in it that are not the site of a season"
    elif place.exists() or place.is_symlink():
        found = "is not a folder"
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
