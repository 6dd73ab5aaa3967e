"""Names for the structs of kernels; in plain Python all are views of bytes."""

from __future__ import annotations

from cardwright.compiler.memory import StructView as Board
from cardwright.compiler.memory import StructView as Context
from cardwright.compiler.memory import StructView as Node
from cardwright.compiler.memory import StructView as Search
from cardwright.compiler.memory import StructView as Stream
from cardwright.compiler.memory import StructView as Tally

__all__ = ["Board", "Context", "Node", "Search", "Stream", "Tally"]
