"""Names for the structs of kernels; as plain Python all are views of bytes."""

from __future__ import annotations

from cardwright.compiler.memory import StructView as Board
from cardwright.compiler.memory import StructView as Context
from cardwright.compiler.memory import StructView as Stream

__all__ = ["Board", "Context", "Stream"]
