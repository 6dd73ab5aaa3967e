"""`nth_bit`, `nth_one` and `deposit`, in each way that this machine can run."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from native_calls import function, on_wasmtime, param

from cardwright.compiler import ir
from cardwright.compiler.llvm import backend
from cardwright.compiler.llvm.emit import emit

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = {"by halves and bit by bit": "-bmi2", "by one instruction": "+bmi2", "WebAssembly": ""}
WORDS = st.integers(0, 2**64 - 1)


@cache
def search(name: str, way: str) -> Callable[[int, int], int]:
    if WAYS[way].startswith("+") and "+bmi2" not in backend.key():
        pytest.skip("this processor lacks the instruction")
    kinds, result = ir.INTRINSICS[name]
    params = tuple(param(f"x{i}", kind) for i, kind in enumerate(kinds))
    body = ir.Return(ir.Call(name, params, result))
    module = ir.Module("test", {"f": function(params, result, body)})
    if way == "WebAssembly":
        called_there = on_wasmtime(module, module.functions["f"])
        return lambda left, right: int(called_there(left, right)) % 2**64
    text = emit(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "processor", lambda: ("", WAYS[way]))
        loaded = backend.load(backend.compile_object(text))
    called = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)(
        loaded.address("f")
    )

    def call(left: int, right: int) -> int:
        assert loaded
        return int(called(left, right))

    return call


@pytest.mark.parametrize("way", list(WAYS))
@given(mask=WORDS, number=st.integers(0, 63))
def test_nth(way: str, mask: int, number: int) -> None:
    mask = mask or 1
    number %= mask.bit_count()
    at = [at for at in range(64) if mask >> at & 1][number]
    assert search("nth_one", way)(mask, number) == at
    assert search("nth_bit", way)(mask, number) == 1 << at


@pytest.mark.parametrize("way", list(WAYS))
@given(bits=WORDS, mask=WORDS)
def test_deposit(way: str, bits: int, mask: int) -> None:
    places = [at for at in range(64) if mask >> at & 1]
    expected = sum(1 << at for i, at in enumerate(places) if bits >> i & 1)
    assert search("deposit", way)(bits, mask) == expected
