"""Changing a file of an author, which stays as it was until the change is complete."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import NamedTemporaryFile


def replace_file(file: Path, data: bytes) -> None:
    """Replace a file's content atomically, so that it is never seen half written.

    Mode and owner stay, and a symbolic link keeps pointing to the file.
    """
    place = Path(os.path.realpath(file))
    status = place.stat()
    if not os.access(place, os.W_OK):
        raise PermissionError(13, "the file is read-only", str(file))
    new = NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False)  # noqa: SIM115 - it is closed before it is moved, as Windows wants
    try:
        with new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        _take_over(new.name, status)
        Path(new.name).replace(place)
    except BaseException:
        Path(new.name).unlink(missing_ok=True)
        raise


def _take_over(name: str, status: os.stat_result) -> None:
    """Give a new file the owner and the mode of the one that it replaces."""
    if hasattr(os, "chown") and (os.getuid(), os.getgid()) != (status.st_uid, status.st_gid):
        os.chown(name, status.st_uid, status.st_gid)
    Path(name).chmod(stat.S_IMODE(status.st_mode))
