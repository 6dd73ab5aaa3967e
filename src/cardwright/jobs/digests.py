"""Digests of files: whether a folder still holds what was written there."""

from __future__ import annotations

import hashlib
import warnings
from typing import TYPE_CHECKING

from cardwright.syntax.data_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class UncheckedWarning(UserWarning):
    """Records that were written without digests, so that changes to them cannot be detected."""


def digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes, as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


def changed(folder: Path, name: str, digests: Mapping[str, str]) -> str:
    """Say how a file of a folder has changed since its digest was taken; empty if it has not.

    A file without a digest is not looked at.
    """
    if name not in digests:
        return ""
    try:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            return "it lies outside of the folder"
        with open_regular(folder / name) as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return error.strerror or str(error)
    if found == digests[name]:
        return ""
    return "it has changed since it was written: its digest is not the one in manifest.json"


def warn_unchecked(folder: Path) -> None:
    """Warn that the records of a folder have no digests."""
    warnings.warn(
        f"the records in {folder} have no digests, so damage to them would not be noticed",
        UncheckedWarning,
        stacklevel=3,
    )
