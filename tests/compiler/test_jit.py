"""Compiling, loading and letting go of machine code."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from native_calls import INT, function, number, param

from cardwright.compiler import ir
from cardwright.compiler.backend import FULL, LEAST
from cardwright.compiler.llvm import backend
from cardwright.compiler.llvm.emit import emit
from deep import usually
from patience import PATIENCE

TEXT = """
@table = private unnamed_addr constant [8 x i8] c"abcdefgh", align 64
define internal i64 @twice(i64 %x) noinline {
  %y = add i64 %x, %x
  ret i64 %y
}
define i64 @letter(i64 %x) {
  %y = call i64 @twice(i64 %x)
  %p = getelementptr i8, ptr @table, i64 %y
  %c = load i8, ptr %p
  %r = zext i8 %c to i64
  ret i64 %r
}
define void @move(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
  ret void
}
"""


def letter(loaded: backend.LoadedObject) -> int:
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
    return int(kind(loaded.address("letter"))(3))


@pytest.mark.parametrize("level", [LEAST, FULL])
def test_what_was_compiled_runs(level: int) -> None:
    assert letter(backend.load(backend.compile_object(TEXT, level))) == ord("g")


def test_functions_that_are_not_there() -> None:
    loaded = backend.load(backend.compile_object(TEXT))
    with pytest.raises(KeyError, match="nobody"):
        loaded.address("nobody")


def test_functions_that_call_what_is_not_there() -> None:
    text = """
    declare i64 @nobody()
    define i64 @f() {
      %x = call i64 @nobody()
      ret i64 %x
    }
    """
    loaded = backend.load(backend.compile_object(text))
    with pytest.raises(RuntimeError, match="Failed"):
        loaded.address("f")


@pytest.mark.parametrize("kept", [0, 10, 64, -1])
def test_damaged_object_code_is_an_error(kept: int) -> None:
    with pytest.raises(RuntimeError):
        backend.load(backend.compile_object(TEXT)[:kept])


def test_object_code_is_the_same_each_time() -> None:
    assert backend.compile_object(TEXT) == backend.compile_object(TEXT)


def test_wrong_text_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="parsing"):
        backend.compile_object("define i64 @f() { ret i64 %nothing }")
    assert letter(backend.load(backend.compile_object(TEXT))) == ord("g")


def test_texts_for_people() -> None:
    assert "letter:" in backend.shown(TEXT, FULL, assembly=True)
    assert "@letter" in backend.shown(TEXT, FULL, assembly=False)


def test_the_processor_is_named() -> None:
    assert backend.key() == backend.key()
    assert backend.key().startswith("LLVM 22.")


def many_functions() -> bytes:
    x = param("x")
    body = ir.Return(ir.Binary(ir.Op.MUL, x, number(1234567)))
    names = [f"f{i}" for i in range(3000)]
    functions = {name: function((x,), INT, body, name=name) for name in names}
    return backend.compile_object(emit(ir.Module("big", functions)), LEAST)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in Linux's way")
def test_memory_is_given_back() -> None:
    code = many_functions()

    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    for _ in range(5):
        backend.load(code)
    before = resident()
    for _ in range(usually(40, 100)):
        backend.load(code)
    assert resident() - before < 20 * len(code)


def test_code_stays_while_it_is_held() -> None:
    code = backend.compile_object(TEXT)
    held = [backend.load(code) for _ in range(20)]
    del held[::2]
    gc.collect()
    assert [letter(each) for each in held] == [ord("g")] * 10


def test_threads_compile_and_load_together() -> None:
    seen: list[int] = []

    def work() -> None:
        seen.extend(letter(backend.load(backend.compile_object(TEXT))) for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [ord("g")] * 80


def test_llvm_is_imported_when_it_is_needed() -> None:
    code = """
import sys, cardwright, cardwright.compiler.llvm.backend, cardwright.compiler.llvm.emit
assert not [name for name in sys.modules if name.startswith("llvmlite")]
cardwright.compiler.llvm.backend.key()
assert "llvmlite.binding" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
