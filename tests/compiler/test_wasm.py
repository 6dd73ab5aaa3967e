"""Modules of WebAssembly: their bytes, their memory, and what is lent to them."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
import wasmtime
from hypothesis import given, strategies as st
from native_calls import BOOL, INT, POINTER, function, number, on_wasmtime, param

from cardwright import Game, Stream
from cardwright.compiler import ir
from cardwright.compiler.backend import NoListingError, Words, backend
from cardwright.compiler.kernel_sets import PLAY
from cardwright.compiler.native import cache_key, compilation
from cardwright.compiler.wasm import encoding, wasmtime_backend
from cardwright.compiler.wasm.emit import EMPTY, TABLES, emit, table_bytes
from cardwright.extras import MissingExtraError
from cardwright.game.errors import EngineError
from cardwright.game.search import SearchTask
from patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

A, P, Q = param("a"), param("p", POINTER), param("q", POINTER)

DIGEST = """
import hashlib
from cardwright import Game
from cardwright.compiler.kernel_sets import PLAY
from cardwright.compiler.native import compilation
from cardwright.compiler.wasm.emit import emit
module = emit(compilation(Game.load("rummy").program, PLAY).lowered.module)
print(hashlib.sha256(module).hexdigest())
"""


def digest() -> str:
    """Return what `DIGEST` prints."""
    module = emit(compilation(Game.load("rummy").program, PLAY).lowered.module)
    return hashlib.sha256(module).hexdigest()


def module_of(body: ir.Function, data: dict[str, bytes] | None = None) -> ir.Module:
    return ir.Module("test", {body.name: body}, data or {})


# Bytes ------------------------------------------------------------------------------------


@given(value=st.integers(0, 2**70))
def test_unsigned_integers_are_read_as_they_are_written(value: int) -> None:
    encoded = encoding.unsigned(value)
    assert encoding.read_unsigned(b"\xff" + encoded, 1) == (value, 1 + len(encoded))
    assert len(encoded) == max(1, -(-value.bit_length() // 7))


@pytest.mark.parametrize(
    ("value", "encoded"),
    [(0, "00"), (63, "3f"), (64, "c000"), (-1, "7f"), (-64, "40"), (-65, "bf7f")],
)
def test_signed_integers(value: int, encoded: str) -> None:
    """A byte is added where the sign would be wrong."""
    assert encoding.signed(value).hex() == encoded


def test_a_game_is_the_same_module_in_every_process() -> None:
    """Whatever the order of sets is there."""
    other = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True, text=True, check=True, timeout=PATIENCE,
    ).stdout.strip()  # fmt: skip
    assert digest() == other


def test_a_module_says_how_large_its_tables_are() -> None:
    look = function((A,), INT, ir.Return(ir.Load(ir.Offset(ir.Data("second"), A), 1)))
    tables = {"first": b"abc", "second": bytes(200)}
    assert table_bytes(emit(module_of(look, tables))) == 64 + 200
    assert table_bytes(emit(module_of(look, {"second": b""}))) == 0
    assert encoding.custom_section(emit(module_of(look, tables)), "other") is None
    assert encoding.custom_section(EMPTY, TABLES) is None


def test_only_what_is_called_is_written() -> None:
    never = ir.Inline.NEVER
    unused = function((A,), INT, ir.Return(A), name="unused", exported=False, inline=never)
    used = function((A,), INT, ir.Return(A), name="f")
    alone = emit(module_of(used))
    assert emit(ir.Module("test", {"unused": unused, "f": used})) == alone


# Addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [-4_000, -1, 0, 250])
def test_an_index_into_a_table_may_be_below_0(index: int) -> None:
    """Where a constant makes up for it, wherever a host puts the tables."""
    content = bytes(at % 251 for at in range(8_000))
    place = ir.Offset(ir.Data("table"), ir.Binary(ir.Op.ADD, A, number(4_000)))
    look = function((A,), INT, ir.Return(ir.Load(place, 1)))
    store = wasmtime.Store()
    i32, i64 = wasmtime.ValType.i32(), wasmtime.ValType.i64()
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(1, None)))
    tables = wasmtime.Global(store, wasmtime.GlobalType(i32, False), wasmtime.Val.i32(64))
    ask = wasmtime.Func(store, wasmtime.FuncType([i64], [i64]), pytest.fail)
    module = wasmtime.Module(store.engine, emit(module_of(look, {"table": content})))
    exports = wasmtime.Instance(store, module, [ask, memory, tables]).exports(store)
    assert exports["f"](store, index) == content[4_000 + index]  # type: ignore[operator]


def test_constants_beyond_what_an_instruction_holds_are_added() -> None:
    place = ir.Offset(ir.Offset(P, A), number(2**31 + 16))
    look = function((P, A), INT, ir.Return(ir.Load(place, 8)))
    words = (ctypes.c_int64 * 2)(5, 77)
    assert on_wasmtime(module_of(look), look)(words, -(2**31) - 8) == 77


# Memory -----------------------------------------------------------------------------------


def test_blocks_are_aligned_and_used_again() -> None:
    first = wasmtime_backend.memory(1_000_003)
    address = first.address
    assert address % 64 == 0
    ctypes.memset(first.place, 1, 1_000_003)
    del first
    again = wasmtime_backend.memory(1_000_001, zeroed=False)
    assert (again.address, again.read(5, 2)) == (address, b"\x01\x01")
    del again
    assert wasmtime_backend.memory(1_000_000).read(0, 1_000_000) == bytes(1_000_000)


def test_there_is_no_more_than_four_gigabytes() -> None:
    with pytest.raises(OSError, match="no more than 4 GB"):
        wasmtime_backend.memory(1 << 32)
    assert wasmtime_backend.memory(64).read(0, 64) == bytes(64)


def test_words_stay_where_they_are() -> None:
    machine = backend("wasm")
    words = Words(machine, [3, -1])
    add = function(
        (P,), INT, ir.Store(P, ir.Binary(ir.Op.ADD, ir.Load(P, 8), number(4)), 8),
        ir.Return(ir.Load(ir.Offset(P, number(8)), 8)),
    )  # fmt: skip
    assert on_wasmtime(module_of(add), add)(words.address) == -1
    assert list(words.array) == [7, -1]


def test_memory_that_is_lent_twice_is_the_same() -> None:
    """Also from different places on, and for arrays of all sorts that are written back."""
    third = ir.Offset(P, number(16))
    move = function(
        (P, Q, A), INT, ir.Store(Q, ir.Load(P, 8), 8),
        ir.If(ir.Convert(A, BOOL), (ir.Store(third, A, 8),)), ir.Return(ir.Load(P, 8)),
    )  # fmt: skip
    loaded = wasmtime_backend.load(wasmtime_backend.compile_module(emit(module_of(move))))
    called = loaded.function("f", "ppi")
    words = np.arange(1, 5, dtype=np.int64)
    lent = wasmtime_backend.lend(words)
    assert called(lent, lent + 8, 9) == 1
    assert words.tolist() == [1, 1, 9, 4]
    assert called(lent + 24, lent, 0) == 4
    assert words.tolist() == [4, 1, 9, 4]
    fixed = np.frombuffer(bytes(16), np.int64)
    assert called(lent, wasmtime_backend.lend(fixed), 0) == 4
    assert fixed.tolist() == [0, 0]
    with pytest.raises(KeyError):
        loaded.function("g", "")


def test_code_of_another_library_is_refused() -> None:
    with pytest.raises(RuntimeError):
        wasmtime_backend.load(bytes(8) + b"no module")


# The engine -------------------------------------------------------------------------------


def test_code_is_kept_for_both_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr("cardwright.compiler.native._LOADED", {})
    game = Game.load("kuhn", engine="wasm")
    assert cache_key(game.program, machine=backend("wasm")) != cache_key(game.program)
    game.start(1)
    (entry,) = tmp_path.iterdir()
    monkeypatch.setattr("cardwright.compiler.native._LOADED", {})
    monkeypatch.setattr(wasmtime_backend, "compile_module", pytest.fail)
    assert game.with_engine("native").with_engine("wasm").start(2).option_count > 0
    assert [*tmp_path.iterdir()] == [entry]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_forked_process_compiles_and_plays() -> None:
    """As those of Python's pools do; whatever is half done in another thread here is not there."""
    forked = """
import os, signal
from cardwright import Game, Stream
Game.load("kuhn", engine="wasm").start(1).play(0)
if os.fork():
    raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
signal.alarm(30)
state = Game.load("leduc", engine="wasm").start(1)
os._exit(0 if state.rollouts(9, Stream(1)).count == 9 else 1)
"""
    environment = {**os.environ, "CARDWRIGHT_CACHE": "off"}
    done = subprocess.run(
        [sys.executable, "-c", forked], env=environment, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0


def test_many_threads_take_the_memory_of_one() -> None:
    """They would have more contexts than there is room for, and wait for each other."""
    state = Game.load("kuhn", engine="wasm").start(1)
    task = SearchTask(iterations=5, trees=100)
    found = state.search(Stream(1), task, threads=100)
    assert found == state.search(Stream(1), task)
    batch = state.game.batch(100, 1)
    assert (batch.random_step(batch.seat_streams(2), threads=100) >= 0).all()


def test_a_game_for_which_there_is_no_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(size: int, **_: bool) -> None:
        raise OSError("WebAssembly has no more than 4 GB of memory")

    engine = Game.load("kuhn", engine="wasm")._machine
    assert engine is not None
    monkeypatch.setattr(wasmtime_backend, "memory", full)
    with pytest.raises(EngineError, match="4 GB of memory; keep fewer games in use"):
        engine.new_context()


def test_without_wasmtime_a_game_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is played; the module of a game can be written without."""
    monkeypatch.setattr("cardwright.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="needs wasmtime, which is not installed"):
        Game.load("kuhn", engine="wasm")
    with pytest.raises(MissingExtraError):
        Game.load("kuhn").with_engine("wasm")


def test_a_module_has_no_form_for_people() -> None:
    module = compilation(Game.load("kuhn").program).lowered.module
    with pytest.raises(NoListingError, match="is not shown as asm"):
        wasmtime_backend.listing(module, "asm", 0)
