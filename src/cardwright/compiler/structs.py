"""Structs: the offsets and types of fields in blocks of memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Type(Enum):
    """The type of an expression; a wide integer has 128 bits."""

    BOOL = "bool"
    INT = "int"
    WIDE = "wide"
    POINTER = "pointer"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Field:
    """The offset and the width of a field.

    A field with strides is an array: `field[i, j]` lies at offset + i * strides[0] + j *
    strides[1]. Fields with different tags never alias.
    """

    offset: int
    width: int
    signed: bool = False
    strides: tuple[int, ...] = ()
    type: Type = Type.INT
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """A type of memory block with named fields."""

    name: str
    fields: Mapping[str, Field]
    bytes: int
