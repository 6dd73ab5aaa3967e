"""Packing: JSON data and arrays as bytes, the same for equal ones; what is wrong with others."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.jobs.errors import DamagedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from numpy.typing import NDArray

_TEXTS = "texts"
_YEAR = (1980, 1, 1, 0, 0, 0)
"""The time that all parts of a pack have, so that its bytes say nothing of their own."""


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
    """Return what `pack` made bytes of; raises an error of some kind for other bytes."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        kept = {name: arrays[name] for name in arrays.files}
    return json.loads(kept.pop(_TEXTS).tobytes()), kept


@contextmanager
def told_of(file: str, what: str, tasks: str) -> Iterator[None]:
    """Raise DamagedError, with these, for whatever goes wrong with the content of a file.

    What is wrong with bytes shows in a great many ways.
    """
    try:
        yield
    except Exception as error:
        raise DamagedError(file, f"{type(error).__name__}: {error}", what, tasks) from None
