"""Names for the types of kernels; in plain Python all structs are views of bytes."""

from __future__ import annotations

from typing import TypeAlias

from cardwright.compiler.intrinsics import StructView as Board
from cardwright.compiler.intrinsics import StructView as Context
from cardwright.compiler.intrinsics import StructView as Node
from cardwright.compiler.intrinsics import StructView as Search
from cardwright.compiler.intrinsics import StructView as Stream
from cardwright.compiler.intrinsics import StructView as Tally

__all__ = ["Board", "Context", "Mask", "Node", "Search", "Stream", "Tally"]

Mask: TypeAlias = int
"""A set of cards: an integer of 64 or 128 bits, as the layout says."""
