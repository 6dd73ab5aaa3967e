"""Blocks: the outcomes of consecutive deals as bytes, the same bytes for equal outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.jobs.packing import pack, told_of, unpack

if TYPE_CHECKING:
    from cardwright.lab.task import Part

_FORMAT = 1
OF_DEALS = ("experiment", "deals")
"""What a DamagedError says about the files of an experiment."""


@dataclass(frozen=True, eq=False)
class LabBlock:
    """The sums of consecutive deals from the `first`, of the plan whose text has this digest."""

    plan: str
    first: int
    sums: Part

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return len(self.sums[0])

    def before(self, deal: int) -> LabBlock:
        """Return the part of it before a deal."""
        return LabBlock(self.plan, self.first, tuple(one[: deal - self.first] for one in self.sums))

    def packed(self) -> bytes:
        """Return this as bytes."""
        texts = {"format": _FORMAT, "plan": self.plan, "first": self.first}
        return pack(texts, {f"sums.{number}": one for number, one in enumerate(self.sums)})

    @classmethod
    def unpacked(cls, content: bytes, file: str, shape: tuple[int, int, int]) -> LabBlock:
        """Return what `packed` was given, for (classes of opponents, cells, responses).

        Raises DamagedError, which names the file, for any other bytes.
        """
        with told_of(file, *OF_DEALS):
            texts, kept = unpack(content)
            if texts["format"] != _FORMAT:
                raise ValueError(f"its format is {texts['format']!r}, and {_FORMAT} can be read")
            sums = tuple(kept[f"sums.{number}"] for number in range(shape[0]))
            if len(kept) != shape[0] or any(
                one.dtype != np.int32 or one.shape != (len(sums[0]), *shape[1:]) for one in sums
            ):
                raise ValueError("its arrays are not those of this experiment")
            return cls(str(texts["plan"]), int(texts["first"]), sums)
