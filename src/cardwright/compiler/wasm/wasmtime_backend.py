"""WebAssembly by wasmtime: compiling, memory, and calls.

All code of the process works in one memory, from which contexts and whatever lasts longer than a
call take blocks. It is reserved as a whole, so it never moves, and Python can look into it. What a
call is lent of Python's own memory is copied in before and out after it. A store can be used by one
thread at a time: others wait. It keeps its modules to the end of the process.

Functions are called by way of wasmtime's C interface, which takes a twentieth of the time of that
for Python.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import threading
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import MachineCode, block_at, no_listing
from cardwright.compiler.wasm.emit import EMPTY, emit, table_bytes
from cardwright.compiler.wasm.expressions import LOWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from cardwright.compiler.ir import Module

listing = no_listing

ARENA_BYTES = 64 << 20
KEPT_BYTES = 16 << 20
MOST_THREADS = 1

_PAGE = 1 << 16
_MOST_PAGES = 1 << 16
_ALIGNMENT = 64
_HEAD = 8
"""Bytes before compiled code: the size of its tables."""


@cache
def key() -> str:
    """Return what compiled code depends on besides its source.

    That is wasmtime's version, the system, and the processor's features, which are all in the code
    of a module without anything.
    """
    return f"wasmtime {hashlib.sha256(compile_module(EMPTY)).hexdigest()}"


def compile(  # noqa: A001 - the contract's word
    module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
) -> MachineCode:
    """Compile a module; less effort would take as long."""
    with stage("emit"):
        content = emit(module)
    with stage("wasmtime"):
        return MachineCode(compile_module(content), effort)


def compile_module(content: bytes) -> bytes:
    """Return a module of WebAssembly as code for this machine."""
    compiled = _library().Module(_host().engine, content).serialize()
    return table_bytes(content).to_bytes(_HEAD, "little") + bytes(compiled)


def load(code: bytes) -> WasmtimeModule:
    """Load what `compile_module` returned; RuntimeError if it is not that."""
    library = _library()
    try:
        module = library.Module.deserialize(_host().engine, code[_HEAD:])
    except library.WasmtimeError as error:
        raise RuntimeError(str(error)) from error
    return WasmtimeModule(module, int.from_bytes(code[:_HEAD], "little"))


class WasmtimeModule:
    """An instance of a module, for as long as this object lives."""

    def __init__(self, module: Any, table_bytes: int) -> None:
        library, host = _library(), _host()
        self._tables = HostMemory(table_bytes)
        kind = library.GlobalType(library.ValType.i32(), False)
        with host.lock:
            place = library.Global(host.store, kind, library.Val.i32(self._tables.address))
            given = {"ask": host.ask, "memory": host.memory, "tables": place}
            imports = [given[each.name] for each in module.imports]
            self._exports = library.Instance(host.store, module, imports).exports(host.store)

    def function(self, name: str, params: str) -> Callable[..., int]:
        """Return an exported function, with a letter for each parameter; KeyError."""
        return _Function(self._exports[name], self._tables, len(params))


class _Function:
    """A function of an instance, whose tables it keeps."""

    def __init__(self, function: Any, tables: HostMemory, count: int) -> None:
        bindings = _bindings()
        self._tables = tables
        self._call = bindings._wasmtime_func_call_unchecked
        self._function = function
        self._address = ctypes.byref(function._func)
        self._values = (bindings.wasmtime_val_raw_t * max(count, 1))()
        self._words = (ctypes.c_int64 * (2 * max(count, 1))).from_buffer(self._values)
        self._trap = ctypes.POINTER(bindings.wasm_trap_t)()

    def __call__(self, *args: int | Lent) -> int:
        """Call the function with integers, addresses, and memory that is lent."""
        host, words = _host(), self._words
        with host.lock:
            taken: dict[int, tuple[HostMemory, Lent]] = {}
            for at, arg in enumerate(args):
                words[2 * at] = arg if isinstance(arg, int) else arg.taken(taken)
            error = self._call(
                host.context,
                self._address,
                self._values,
                len(self._values),
                ctypes.byref(self._trap),
            )
            if error or self._trap:
                self._raise(error)
            result = words[0]
            for block, lent in taken.values():
                lent.give_back(block)
        return result

    def _raise(self, error: Any) -> None:
        """Raise what a handler has raised while code ran, or else an error that should not be."""
        library, host = _library(), _host()
        if error:
            wrong: Exception = library.WasmtimeError._from_ptr(error)
        else:
            wrong, self._trap = library.Trap._from_ptr(self._trap), type(self._trap)()
        caught, host.caught = host.caught, None
        raise caught or wrong


# Memory -----------------------------------------------------------------------------------


class _Host:
    """What all instances of the process share."""

    def __init__(self) -> None:
        library = _library()
        config = library.Config()
        config.cranelift_opt_level = "speed"
        config.parallel_compilation = False  # a forked process would wait for threads it has not
        self.lock = threading.RLock()
        self.engine = library.Engine(config)
        self.store = library.Store(self.engine)
        self.context = self.store._context()
        limits = library.Limits(LOWEST // _PAGE, _MOST_PAGES)
        self.memory = library.Memory(self.store, library.MemoryType(limits))
        self.caught: BaseException | None = None
        answers = self._answers()
        next(answers)
        self._answer = _ANSWER(answers.__next__)
        self.ask = self._asking()
        self.place = self._place()
        self._end = LOWEST
        self._free: dict[int, list[int]] = defaultdict(list)

    def _answers(self) -> Iterator[int]:
        """Answer each time that code asks: 0 to go on, or a trap after what a handler has raised.

        Handlers of signals run where this generator resumes, as in `context.Watch`.
        """
        message = b"a handler has raised an exception"
        answer = 0
        while True:
            try:
                while True:
                    yield answer
                    answer = 0
            except GeneratorExit:
                return
            except BaseException as error:
                self.caught = error
                trap = _bindings().wasmtime_trap_new(message, len(message))
                answer = ctypes.cast(trap, ctypes.c_void_p).value or 0

    def _asking(self) -> Any:
        """Return the function that modules call: `_answer`, which wasmtime calls itself.

        A function of Python in between would run handlers before its first statement, and what they
        raise would be lost. That it is given arguments and looks at none is as C has it; so its
        result lies where its argument was, and is the same.
        """
        bindings, library = _bindings(), _library()
        i64 = library.ValType.i64
        kind = library.FuncType([i64()], [i64()])
        answer = ctypes.cast(self._answer, bindings.wasmtime_func_unchecked_callback_t)
        function = bindings.wasmtime_func_t()
        bindings.wasmtime_func_new_unchecked(
            self.context, kind.ptr(), answer, None, _NO_FINALIZER, ctypes.byref(function)
        )
        return library.Func._from_raw(function)

    def _place(self) -> int:
        return ctypes.addressof(self.memory.data_ptr(self.store).contents)

    def take(self, size: int, *, zeroed: bool) -> int:
        """Return the address of a block, whose size is a multiple of the alignment."""
        with self.lock:
            free = self._free[size]
            if free:
                address = free.pop()
                if zeroed:
                    ctypes.memset(self.place + address, 0, size)
                return address
            address, self._end = self._end, self._end + size
            lacking = self._end + _PAGE - self.memory.data_len(self.store)
            if lacking > 0:
                if self._end + _PAGE > _PAGE * _MOST_PAGES:
                    self._end = address
                    raise OSError("WebAssembly has no more than 4 GB of memory")
                self.memory.grow(self.store, -(-lacking // _PAGE))
                assert self._place() == self.place, "the memory has moved"
            return address

    def give_back(self, address: int, size: int) -> None:
        """Let a block be used again."""
        self._free[size].append(address)

    def close(self) -> None:
        """Free all at the end of the process, while wasmtime can still do that."""
        self.store.close()
        self.engine.close()


@cache
def _host() -> _Host:
    host = _Host()
    atexit.register(host.close)
    return host


class HostMemory:
    """A block of the memory of all instances; of zeros, unless it need not be."""

    def __init__(self, size: int, *, zeroed: bool = True) -> None:
        self._size = max(_ALIGNMENT, size + -size % _ALIGNMENT)
        self._host = _host()
        self.address = self._host.take(self._size, zeroed=zeroed)
        self.place = self._host.place + self.address

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""
        return ctypes.string_at(self.place + at, size)

    def __del__(self) -> None:
        if hasattr(self, "address"):
            self._host.give_back(self.address, self._size)


memory = HostMemory


class Lent:
    """Some of Python's memory as an argument of a call, or a place in it."""

    __slots__ = ("_held", "_offset", "_place", "_size", "_writable")

    def __init__(self, held: Any, offset: int = 0) -> None:
        self._held = held
        self._place, self._size, self._writable = block_at(held)
        self._offset = offset

    def __add__(self, offset: int) -> Lent:
        return Lent(self._held, self._offset + offset)

    def taken(self, taken: dict[int, tuple[HostMemory, Lent]]) -> int:
        """Copy the content to where a call finds it, if it is not there; return the address."""
        if self._place not in taken:
            block = HostMemory(self._size, zeroed=False)
            ctypes.memmove(block.place, self._place, self._size)
            taken[self._place] = block, self
        return taken[self._place][0].address + self._offset

    def give_back(self, block: HostMemory) -> None:
        """Copy the content back."""
        if self._writable:
            ctypes.memmove(self._place, block.place, self._size)


lend = Lent


_ANSWER = ctypes.CFUNCTYPE(ctypes.c_size_t)
_NO_FINALIZER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)()


@cache
def _bindings() -> Any:
    """Import wasmtime's interface for C."""
    from wasmtime import _bindings

    return _bindings


@cache
def _library() -> Any:
    """Import wasmtime."""
    import wasmtime

    return wasmtime
