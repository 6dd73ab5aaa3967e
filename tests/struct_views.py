"""Structs in blocks of bytes, with which kernels run as plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.compiler.intrinsics import Bytes, Pointer, load, load_signed, store
from cardwright.compiler.structs import Type

if TYPE_CHECKING:
    from cardwright.compiler.structs import Field, Struct


class StructView:
    """A struct at an address; its fields are attributes, and arrays have indices.

    A view lets a kernel run as plain Python on the same bytes as native code. A field that holds a
    pointer is the exception: the pointers that Python put there are kept beside the bytes.
    """

    __slots__ = ("_pointer", "_pointers", "_struct")
    _struct: Struct
    _pointer: Pointer
    _pointers: dict[int, Pointer]

    def __init__(
        self, struct: Struct, at: Pointer | Bytes, *, pointers: dict[int, Pointer] | None = None
    ) -> None:
        pointer = at if isinstance(at, Pointer) else Pointer(at, 0)
        object.__setattr__(self, "_struct", struct)
        object.__setattr__(self, "_pointer", pointer)
        object.__setattr__(self, "_pointers", {} if pointers is None else pointers)

    def _like(self, at: Pointer) -> StructView:
        return StructView(self._struct, at, pointers=self._pointers)

    @classmethod
    def new(cls, struct: Struct) -> StructView:
        """Return a struct of zeros in a block of its own."""
        return cls(struct, bytearray(struct.bytes))

    def __getattr__(self, name: str) -> Any:
        place = self._field(name)
        return place if place.strides else place.get()

    def __setattr__(self, name: str, value: Any) -> None:
        place = self._field(name)
        if place.strides:
            msg = f"{self._struct.name}.{name} is an array"
            raise TypeError(msg)
        place.set(value)

    def _field(self, name: str) -> FieldPlace:
        field = self._struct.fields.get(name)
        if field is None:
            msg = f"{self._struct.name} has no field {name}"
            raise AttributeError(msg)
        at = self._pointer.at + field.offset
        return FieldPlace(self._pointer.buffer, at, field, field.strides, self._pointers)

    def __eq__(self, other: object) -> bool:
        """Whether both are the struct at the same address, as kernels compare them."""
        return isinstance(other, StructView) and self._pointer == other._pointer

    def __hash__(self) -> int:
        return hash(self._pointer)

    def __repr__(self) -> str:
        return f"<{self._struct.name} at {self._pointer.at}>"


@dataclass(frozen=True, slots=True, eq=False)
class FieldPlace(Pointer):
    """The place of a field; if it has strides, an array and the address of its first item.

    With fewer indices than strides, an index gives the smaller array within.
    """

    field: Field
    strides: tuple[int, ...]
    pointers: dict[int, Pointer]

    def __getitem__(self, index: int | tuple[int, ...]) -> Any:
        place = self._item(index)
        return place if place.strides else place.get()

    def __setitem__(self, index: int | tuple[int, ...], value: Any) -> None:
        place = self._item(index)
        if place.strides:
            msg = "too few indices for an array of a struct"
            raise TypeError(msg)
        place.set(value)

    def _item(self, index: int | tuple[int, ...]) -> FieldPlace:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) > len(self.strides):
            msg = "too many indices for an array of a struct"
            raise TypeError(msg)
        at = self.at + sum(i * stride for i, stride in zip(indices, self.strides, strict=False))
        strides = self.strides[len(indices) :]
        return FieldPlace(self.buffer, at, self.field, strides, self.pointers)

    def get(self) -> int | Pointer:
        """The contents of the field."""
        field = self.field
        if field.type is Type.POINTER:
            return self.pointers[self.at]
        value = load_signed(self, field.width) if field.signed else load(self, field.width)
        return value != 0 if field.type is Type.BOOL else value

    def set(self, value: Any) -> None:
        """Put a value into the field."""
        if self.field.type is Type.POINTER:
            self.pointers[self.at] = value
        else:
            store(self, value, self.field.width)
