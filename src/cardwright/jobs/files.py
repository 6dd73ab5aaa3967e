"""Files that exist completely or not at all: written, packed, digested, and their errors."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from cardwright.game.errors import CardwrightError
from cardwright.syntax.data_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

Kind = TypeVar("Kind")

_VALUE = "value.json"
_MOST_BYTES = 4 << 30
_YEAR = (1980, 1, 1, 0, 0, 0)
"""The timestamp of all parts of a pack, so that its bytes do not depend on the time."""


class RecordsError(CardwrightError):
    """A folder whose records cannot be read, written or resumed; the message says why."""


class DamagedError(RecordsError):
    """A file of records that is damaged: `reason` says what is wrong with it."""

    def __init__(self, file: Path, reason: str, advice: str) -> None:
        self.reason = reason
        super().__init__(f"{file} is damaged ({reason}); {advice}")


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


# Digests ------------------------------------------------------------------------------------------


def digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes, as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file, as hexadecimal text; raises OSError."""
    with open_regular(file) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def changed(folder: Path, name: str, digests: Mapping[str, str]) -> str:
    """Say how a file of a folder has changed since its digest was taken; empty if it has not.

    A file without a digest is not looked at.
    """
    if name not in digests:
        return ""
    try:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            return "it lies outside of the folder"
        if file_digest(folder / name) == digests[name]:
            return ""
    except OSError as error:
        return error.strerror or str(error)
    return "it has changed since it was written: its digest is not the one in manifest.json"


# Values as bytes ----------------------------------------------------------------------------------


def pack(value: object) -> bytes:
    """Return a dataclass, or the like, as a ZIP file of its arrays and of JSON with all else.

    Arrays may be anywhere in it; those of objects are lists in the JSON. Equal values have the same
    bytes. Arrays of bytes are not compressed: they are cards, which are nearly random.
    """
    import msgspec
    import numpy as np

    arrays: list[NDArray[Any]] = []

    def packed(part: object) -> object:
        if isinstance(part, np.ndarray) and part.dtype != np.object_:
            arrays.append(part)
            return len(arrays) - 1
        if isinstance(part, np.ndarray | np.generic):
            return part.tolist()
        raise NotImplementedError(f"{type(part).__name__} cannot be packed")

    text = msgspec.json.encode(value, enc_hook=packed, order="deterministic")
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(_VALUE, _YEAR), text, zipfile.ZIP_DEFLATED)
        for number, array in enumerate(arrays):
            part = io.BytesIO()
            np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
            how = zipfile.ZIP_STORED if array.dtype == np.uint8 else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(_array_name(number), _YEAR), part.getbuffer(), how)
    return memory.getvalue()


def unpack(content: bytes, kind: type[Kind]) -> Kind:
    """Return the value that `pack` was given; raises an error of some kind for other bytes.

    An array has to be of the type that its annotation says, as in `NDArray[np.int32]`.
    """
    import msgspec
    import numpy as np

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(part.file_size for part in archive.infolist()) > _MOST_BYTES:
            raise ValueError("it unpacks to more than can be")

        def unpacked(wanted: Any, part: Any) -> Any:
            if get_origin(wanted) is not np.ndarray:
                raise NotImplementedError(f"{wanted} cannot be unpacked")
            if not isinstance(part, int):
                return np.array(part, object)
            with archive.open(_array_name(part)) as file:
                array = np.lib.format.read_array(file, allow_pickle=False)
            (dtype,) = get_args(get_args(wanted)[1])
            if dtype is not Any and array.dtype != dtype:
                raise ValueError(f"an array in it is of {array.dtype}, not {np.dtype(dtype)}")
            return array

        return msgspec.json.decode(archive.read(_VALUE), type=kind, dec_hook=unpacked)


def _array_name(number: int) -> str:
    return f"{number}.npy"


def to_json(value: object) -> str:
    """Return a dataclass, or the like, as JSON that people can read."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def of_json(text: str, kind: type[Kind]) -> Kind:
    """Return the value of a type that a JSON text has; raises ValueError for any other text."""
    import msgspec

    try:
        return msgspec.json.decode(text, type=kind)
    except RecursionError as error:  # nested too deep
        raise ValueError(str(error)) from None
