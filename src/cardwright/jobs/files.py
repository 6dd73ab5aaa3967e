"""Files that exist completely or not at all: written, packed, digested, and their errors."""

from __future__ import annotations

import hashlib
import io
import json
import os
import warnings
import zipfile
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.syntax.data_files import open_regular, parse_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray


class RecordsError(CardwrightError):
    """A folder whose records cannot be read, written or resumed; the message says why."""


class DamagedError(RecordsError):
    """A file of records that is damaged: `reason` says what is wrong with it.

    `what` is a job, such as `run`, whose file holds `tasks`, such as `deals`; `advice` is what to
    do about it, if that is not the usual.
    """

    def __init__(self, file: str, reason: str, what: str, tasks: str, advice: str = "") -> None:
        self.reason = reason
        usual = (
            f"remove this file and resume the {what}, or let `cardwright records` set it aside: "
            f"its {tasks} are played again"
        )
        super().__init__(f"{file} is damaged ({reason}); {advice or usual}")


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that after any crash there is the old one, the new one, or none.

    Raises RecordsError if that fails.
    """
    write_several({file: content})


def write_several(contents: Mapping[Path, bytes]) -> None:
    """Write several files of one folder as `write_whole` does, but wait for the disk only once.

    Flushing the first of them flushes all that were written before as well. Raises
    RecordsError if that fails.
    """
    file = None
    fresh = {file: file.with_name(f".{file.name}.new") for file in contents}
    try:
        for file, content in contents.items():
            fresh[file].write_bytes(content)
        for file, new in fresh.items():
            _sync(new)
            new.replace(file)
        for folder in {file.parent for file in contents}:
            _sync(folder)
    except OSError as error:
        for new in fresh.values():
            with suppress(OSError):
                new.unlink(missing_ok=True)
        raise RecordsError(f"{file} cannot be written: {error.strerror or error}") from None


def write_secret(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, where the system knows such files.

    It is there whole, or not at all. Raises RecordsError if that fails.
    """
    new = file.with_name(f".{file.name}.new")
    try:
        new.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        _sync(new)
        new.replace(file)
        _sync(file.parent)
    except OSError as error:
        raise RecordsError(f"{file} cannot be written: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, where the system can."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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


_TEXTS = "texts"
_MOST_BYTES = 4 << 30
_YEAR = (1980, 1, 1, 0, 0, 0)
"""The timestamp of all parts of a pack, so that its bytes do not depend on the time."""


def pack(texts: Any, arrays: Mapping[str, NDArray[Any]], stored: Collection[str] = ()) -> bytes:
    """Return data and arrays as a ZIP file of NumPy arrays; those `stored` are not compressed."""
    encoded = np.frombuffer(json.dumps(texts).encode(), np.uint8)
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, array in {_TEXTS: encoded, **arrays}.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
            how = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _YEAR), part.getbuffer(), how)
    return memory.getvalue()


def unpack(content: bytes) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Return what `pack` was given; raises an error of some kind for other bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(one.file_size for one in archive.infolist()) > _MOST_BYTES:
            raise ValueError("it unpacks to more than can be")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        kept = {name: arrays[name] for name in arrays.files}
    return parse_json(kept.pop(_TEXTS).tobytes()), kept


@contextmanager
def told_of(file: str, what: str, tasks: str) -> Iterator[None]:
    """Raise DamagedError, with these arguments, for whatever goes wrong with a file's content.

    Bad bytes cause errors of many kinds.
    """
    try:
        yield
    except Exception as error:
        raise DamagedError(file, f"{type(error).__name__}: {error}", what, tasks) from None
