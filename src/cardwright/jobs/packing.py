"""Packing: JSON data and arrays as bytes, the same for equal data; and errors for other bytes."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.jobs.errors import DamagedError
from cardwright.syntax.data_files import parse_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from numpy.typing import NDArray

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
