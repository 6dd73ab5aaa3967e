"""Blocks: the outcomes of consecutive deals as bytes, the same for equal ones."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.jobs.errors import DamagedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.lab.unit import Part

_FORMAT = 1
_YEAR = (1980, 1, 1, 0, 0, 0)
"""The time that all parts of a block have, so that its bytes say nothing of their own."""


def damaged(file: str, reason: str) -> DamagedError:
    """Return the error that says that a file with deals of an experiment is damaged."""
    return DamagedError(file, reason, "experiment", "deals")


@dataclass(frozen=True, eq=False)
class Block:
    """The sums of consecutive deals from the `first`, by the plan whose text has this digest."""

    plan: str
    first: int
    sums: Part

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return len(self.sums[0])

    def before(self, deal: int) -> Block:
        """Return the part of it before a deal."""
        return Block(self.plan, self.first, tuple(one[: deal - self.first] for one in self.sums))

    def packed(self) -> bytes:
        """Return this as bytes: a ZIP file of NumPy arrays."""
        texts = {"format": _FORMAT, "plan": self.plan, "first": self.first}
        arrays: dict[str, NDArray[Any]] = {
            "texts": np.frombuffer(json.dumps(texts).encode(), np.uint8)
        }
        arrays |= {f"sums.{number}": one for number, one in enumerate(self.sums)}
        memory = io.BytesIO()
        with zipfile.ZipFile(memory, "w") as archive:
            for name, array in arrays.items():
                part = io.BytesIO()
                np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
                info = zipfile.ZipInfo(f"{name}.npy", _YEAR)
                archive.writestr(info, part.getbuffer(), zipfile.ZIP_DEFLATED)
        return memory.getvalue()

    @classmethod
    def unpacked(cls, content: bytes, file: str, shape: tuple[int, int, int]) -> Block:
        """Return what `packed` made bytes of, for (classes of opponents, cells, responses).

        Raises DamagedError, which names the file, for any other bytes.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                kept = {name: arrays[name] for name in arrays.files}
            texts = json.loads(kept.pop("texts").tobytes())
            if texts["format"] != _FORMAT:
                raise ValueError(f"its format is {texts['format']!r}, and {_FORMAT} can be read")
            sums = tuple(kept[f"sums.{number}"] for number in range(shape[0]))
            if len(kept) != shape[0] or any(
                one.dtype != np.int32 or one.shape != (len(sums[0]), *shape[1:]) for one in sums
            ):
                raise ValueError("its arrays are not those of this experiment")
            return cls(str(texts["plan"]), int(texts["first"]), sums)
        except Exception as error:  # what is wrong with the bytes shows in a great many ways
            raise damaged(file, f"{type(error).__name__}: {error}") from None
