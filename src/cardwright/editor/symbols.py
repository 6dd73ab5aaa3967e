"""What an author gives names to, and where these names stand in a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.syntax.source import Span


class SymbolSort(Enum):
    """What a name is a name of."""

    CONSTANT = "constant"
    VARIABLE = "variable"
    DEFINITION = "definition"
    STORAGE = "storage"
    LOCATION = "location"
    ATTRIBUTE = "attribute"
    VALUE = "value"


class Use(Enum):
    """What is done with a name in one place."""

    BINDS = "binds"
    """A variable is bound, or an attribute or its value given to cards."""
    FILLS = "fills"
    """Something is put there."""
    READS = "reads"


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name.

    `home` tells apart what has the same name: of a variable or a constant it is the offset of its
    binding, of a storage or location its owner's sort and its word, as in `player sto`. The names
    of attributes, and all other strings, are known in the whole file.
    """

    sort: SymbolSort
    name: str
    home: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a name stands. The span of a variable has its apostrophe."""

    span: Span
    symbol: Symbol
    use: Use
