"""Structs: where fields lie in blocks of memory, and of which types they are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Type(Enum):
    """What an expression gives; a wide integer has 128 bits."""

    BOOL = "bool"
    INT = "int"
    WIDE = "wide"
    POINTER = "pointer"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Field:
    """Where a struct keeps a field, and how wide it is.

    A field with strides is an array: `field[i, j]` lies at offset + i * strides[0] + j *
    strides[1]. Fields with different tags are never the same memory.
    """

    offset: int
    width: int
    signed: bool = False
    strides: tuple[int, ...] = ()
    type: Type = Type.INT
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """A kind of memory block with named fields."""

    name: str
    fields: Mapping[str, Field]
    bytes: int
