"""Structs in blocks of bytes, read and written in the syntax of kernels.

A view lets a kernel run as plain Python on the same bytes as native code. A field that holds a
pointer is the exception: the pointers that Python put there are kept beside the bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.compiler.intrinsics import Bytes, Pointer, load, load_signed, offset, store
from cardwright.compiler.structs import Type

if TYPE_CHECKING:
    from cardwright.compiler.structs import Field, Struct


class StructView:
    """A struct at an address; its fields are attributes, and arrays have indices."""

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

    @classmethod
    def new(cls, struct: Struct) -> StructView:
        """Return a struct of zeros in a block of its own."""
        return cls(struct, bytearray(struct.bytes))

    def __getattr__(self, name: str) -> Any:
        field = self._field(name)
        place = offset(self._pointer, field.offset)
        if field.strides:
            return FieldArray(place, field, 0, self._pointers)
        return _get(place, field, self._pointers)

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field.strides:
            msg = f"{self._struct.name}.{name} is an array"
            raise TypeError(msg)
        _set(offset(self._pointer, field.offset), field, value, self._pointers)

    def _field(self, name: str) -> Field:
        try:
            return self._struct.fields[name]
        except KeyError:
            msg = f"{self._struct.name} has no field {name}"
            raise AttributeError(msg) from None

    def __eq__(self, other: object) -> bool:
        """Whether both are the struct at the same address, as kernels compare them."""
        return isinstance(other, StructView) and self._pointer == other._pointer

    def __hash__(self) -> int:
        return hash(self._pointer)

    def __repr__(self) -> str:
        return f"<{self._struct.name} at {self._pointer.at}>"


class FieldArray(Pointer):
    """An array of a struct, which is also the address of its first item.

    With fewer indices than strides, an index gives the smaller array within.
    """

    __slots__ = ("_done", "_field", "_pointers")

    def __init__(
        self, place: Pointer, field: Field, done: int, pointers: dict[int, Pointer]
    ) -> None:
        super().__init__(place.buffer, place.at)
        object.__setattr__(self, "_field", field)
        object.__setattr__(self, "_done", done)
        object.__setattr__(self, "_pointers", pointers)

    _field: Field
    _done: int
    _pointers: dict[int, Pointer]

    def __getitem__(self, index: int | tuple[int, ...]) -> Any:
        place, done = self._item(index)
        if done < len(self._field.strides):
            return FieldArray(place, self._field, done, self._pointers)
        return _get(place, self._field, self._pointers)

    def __setitem__(self, index: int | tuple[int, ...], value: Any) -> None:
        place, done = self._item(index)
        if done < len(self._field.strides):
            msg = "too few indices for an array of a struct"
            raise TypeError(msg)
        _set(place, self._field, value, self._pointers)

    def _item(self, index: int | tuple[int, ...]) -> tuple[Pointer, int]:
        indices = index if isinstance(index, tuple) else (index,)
        strides = self._field.strides[self._done :]
        if len(indices) > len(strides):
            msg = "too many indices for an array of a struct"
            raise TypeError(msg)
        bytes_on = sum(i * stride for i, stride in zip(indices, strides, strict=False))
        return offset(self, bytes_on), self._done + len(indices)


def _get(place: Pointer, field: Field, pointers: dict[int, Pointer]) -> int | Pointer:
    """The contents of a field."""
    if field.type is Type.POINTER:
        return pointers[place.at]
    value = load_signed(place, field.width) if field.signed else load(place, field.width)
    return value != 0 if field.type is Type.BOOL else value


def _set(place: Pointer, field: Field, value: Any, pointers: dict[int, Pointer]) -> None:
    """Put a value into a field."""
    if field.type is Type.POINTER:
        pointers[place.at] = value
    else:
        store(place, value, field.width)
