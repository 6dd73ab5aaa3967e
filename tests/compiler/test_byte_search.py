"""`positions` and `find_byte`, in each way that this machine can run."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from native_calls import function, on_wasmtime, param

from cardwright.compiler import ir
from cardwright.compiler.llvm import backend
from cardwright.compiler.llvm.emit import emit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WAYS = {
    "of this machine": None,
    "shifts": "-ssse3,-sse4.2",
    "shuffles": "+ssse3",
    "shuffles and AVX2": "+ssse3,+avx2,+bmi2",
    "gathering": "+avx512bw,+avx512vl,+avx512bitalg",
    "WebAssembly": "",
}


def runnable() -> Iterator[str]:
    """Yield the ways for which this machine has the instructions."""
    here = backend.key()
    for name, features in WAYS.items():
        wanted = [each for each in (features or "").split(",") if each.startswith("+")]
        if all(each in here for each in wanted):
            yield name


@cache
def search(name: str, way: str) -> Callable[[object, int, int], int]:
    kinds, result = ir.INTRINSICS[name]
    params = tuple(param(f"x{i}", kind) for i, kind in enumerate(kinds))
    return compiled(params, (ir.Return(ir.Call(name, params, result)),), way, result)


def compiled(
    params: tuple[ir.Local, ...],
    body: tuple[ir.Statement, ...],
    way: str,
    result: ir.Type = ir.Type.NOTHING,
) -> Callable[[object, int, Any], int]:
    """Compile a function in a way."""
    module = ir.Module("test", {"f": function(params, result, *body)})
    if way == "WebAssembly":
        called_there = on_wasmtime(module, module.functions["f"])
        return lambda block, count, value: (called_there(block, count, value) or 0) % 2**64
    text = emit(module)
    features = WAYS[way]
    with pytest.MonkeyPatch.context() as patch:
        if features is not None:
            patch.setattr(backend, "processor", lambda: ("", features))
        loaded = backend.load(backend.compile_object(text))
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64)
    called = kind(loaded.address("f"))

    def call(block: object, count: int, value: Any) -> int:
        assert loaded
        value = value if isinstance(value, int) else ctypes.addressof(value)
        return int(called(block, count, value))

    return call


def block_of(content: bytes) -> ctypes.Array[ctypes.c_uint8]:
    """Put bytes before such as must not count."""
    return (ctypes.c_uint8 * (len(content) + 16)).from_buffer_copy(content + b"\xa1" * 16)


def positions(cards: bytes, mask: int) -> int:
    return sum(1 << i for i, card in enumerate(cards) if mask >> card & 1)


def find(content: bytes, value: int) -> int:
    at = content.find(value)
    return len(content) if at < 0 else at


@pytest.mark.parametrize("way", list(runnable()))
@given(cards=st.binary(max_size=64), mask=st.integers(0, 2**64 - 1))
def test_positions(way: str, cards: bytes, mask: int) -> None:
    cards = bytes(card & 63 for card in cards)
    assert search("positions", way)(block_of(cards), len(cards), mask) == positions(cards, mask)


@pytest.mark.parametrize("way", list(runnable()))
def test_positions_at_every_count(way: str) -> None:
    cards = bytes(i * 37 % 64 for i in range(64))
    block = block_of(cards)
    for count in range(65):
        for mask in (0, 1, 2**64 - 1, 2**63, 0x123456789ABCDEF0):
            found = search("positions", way)(block, count, mask)
            assert found == positions(cards[:count], mask), (count, mask)


def wide_positions(way: str) -> Callable[[bytes, int], int]:
    """Return a function that finds the positions of cards below 128 in a way."""
    mask, count = param("any_mask", ir.Type.POINTER), param("count", ir.Type.INT)
    cards = param("any_cards", ir.Type.POINTER)
    given = ir.Load(mask, 16, type=ir.Type.WIDE)
    found = ir.Call("positions", (cards, count, given), ir.Type.WIDE)
    called = compiled((cards, count, mask), (ir.Store(mask, found, 16),), way)

    def call(content: bytes, which: int) -> int:
        memory = (ctypes.c_uint8 * 16).from_buffer_copy(which.to_bytes(16, "little"))
        called(block_of(content), len(content), memory)
        return int.from_bytes(memory, "little")

    return call


@pytest.mark.parametrize("way", list(runnable()))
def test_positions_of_many_cards(way: str) -> None:
    """Up to 128 bytes, for cards on both sides of 64."""
    find_positions = wide_positions(way)
    cards = bytes(i * 37 % 128 for i in range(128))
    for count in (0, 1, 15, 16, 17, 63, 64, 65, 127, 128):
        for mask in (0, 1, 2**63, 2**64, 2**127, 2**128 - 1, 0x123456789ABCDEF0 * 0x100000001):
            given = cards[:count]
            assert find_positions(given, mask) == positions(given, mask), (count, mask)


@pytest.mark.parametrize("way", list(runnable()))
@given(content=st.binary(max_size=100), value=st.integers(0, 255))
def test_find_byte(way: str, content: bytes, value: int) -> None:
    find_byte = search("find_byte", way)
    assert find_byte(block_of(content), len(content), value) == find(content, value)
    for i in range(len(content)):
        assert find_byte(block_of(content), len(content), content[i]) == find(content, content[i])


@pytest.mark.parametrize("way", list(runnable()))
def test_find_byte_ignores_what_follows(way: str) -> None:
    for count in range(100):
        block = block_of(bytes([1]) * count)
        assert search("find_byte", way)(block, count, 0xA1) == count


@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded in Linux's way")
@pytest.mark.parametrize("way", [way for way in runnable() if way != "WebAssembly"])
def test_at_most_fifteen_more_bytes_are_read(way: str) -> None:
    memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_uint8.from_buffer(memory))
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert protect(start + mmap.PAGESIZE, mmap.PAGESIZE, 0) == 0
    for count in range(1, 65):
        place = start + mmap.PAGESIZE - count - 15
        assert search("positions", way)(place, count, 1) == (1 << count) - 1
        assert search("find_byte", way)(place, count, 7) == count
