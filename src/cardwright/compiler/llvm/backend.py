"""Machine code by LLVM for this machine, and loading it.

llvmlite and the emitter are imported when they are first needed. One thread at a time is in LLVM;
the others wait.
"""

from __future__ import annotations

import ctypes
import mmap
import re
import sys
import threading
from ctypes import addressof
from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import FULL, LEAST, Listing, MachineCode, block_at, function_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from cardwright.compiler.ir import Module

ARENA_BYTES = 160 << 20
KEPT_BYTES = 32 << 20
MOST_THREADS = 1 << 16

MOST_LINES = 55_000
"""Lines of LLVM's text up to which all of a program is optimised."""

MOST_LINES_OF_A_FUNCTION = 15_000
"""Lines of its longest function up to which all of a program is optimised."""

_LOCK = threading.Lock()
_LIBRARY = "cardwright"

_WORTH_INLINING = {LEAST: "nounwind noinline", FULL: "nounwind alwaysinline"}
"""What becomes of functions that are worth inlining."""


def compile(  # noqa: A001 - the contract's word
    module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
) -> MachineCode:
    """Compile a module to object code, by way of LLVM's text."""
    from cardwright.compiler.llvm.emit import emit

    with stage("emit"):
        text = emit(module)
    effort = min(effort, effort_for(text))
    with stage("LLVM"):
        return MachineCode(compile_object(text, effort), effort)


def effort_for(text: str) -> int:
    """Return the effort that a text is worth: less for those that would take minutes.

    LLVM's time grows with the square of the longest function, and slightly more than linearly with
    the total. Without optimisation it grows linearly: a game of a thousand branches takes 1 second
    instead of 20, and plays at half the speed, which is still hundreds of times that of the
    interpreter. Every game of the library is far below both limits.
    """
    longest = max(function.count("\n") for function in text.split("\n}\n"))
    large = text.count("\n") > MOST_LINES or longest > MOST_LINES_OF_A_FUNCTION
    return LEAST if large else FULL


class LoadedObject:
    """Object code in memory, for as long as this object lives."""

    def __init__(self, linker: Any, library: Any) -> None:
        self._held = [library]
        self._linker = linker

    def function(self, name: str, params: str) -> Callable[..., int]:
        """Return an exported function, with a letter for each parameter; KeyError."""
        return function_at(self.address(name), params)

    def address(self, name: str) -> int:
        """Return the address of an exported function; KeyError if there is none of the name."""
        with _LOCK:
            try:
                symbol = self._linker.lookup(_LIBRARY, name)
            except RuntimeError as error:
                if "Symbols not found" in str(error):
                    raise KeyError(name) from error
                raise
            # A symbol that was looked up also keeps the library in use, and is released with it.
            self._held.append(symbol)
        address: int = symbol[name]
        return address


def load(code: bytes) -> LoadedObject:
    """Load what `compile_object` returned, on this machine or one like it.

    RuntimeError if it is not object code.
    """
    llvm = _llvm()
    with _LOCK:
        # A linker for each library: a shared one would retain some memory for each. JITLink places
        # code, tables and stubs for external functions side by side, within the short distances
        # that the code relies on; with LLVM's older linker the process dies where they are not.
        linker = llvm.create_lljit_compiler(use_jit_link=True, suppress_errors=True)
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        library = builder.link(linker, _LIBRARY)
    return LoadedObject(linker, library)


def compile_object(text: str, effort: int = FULL) -> bytes:
    """Return the object code of a module, optimised with an effort, for this machine."""
    with _LOCK:
        module, machine = _optimised(text, effort)
        code: bytes = machine.emit_object(module)
    return code


def listing(module: Module, form: str, effort: int) -> Listing:
    """Return LLVM's text ("llvm"), the same after its optimisation ("optimised"), or "asm"."""
    from cardwright.compiler.llvm.emit import emit

    text = emit(module)
    if form != "llvm":
        text = shown(text, min(effort, effort_for(text)), assembly=form == "asm")
    functions = assembly_functions if form == "asm" else llvm_functions
    return Listing(text, functions(text))


def shown(text: str, effort: int, *, assembly: bool) -> str:
    """Return a module after optimisation as LLVM's text or as assembly code, for people."""
    with _LOCK:
        module, machine = _optimised(text, effort)
        return str(machine.emit_assembly(module) if assembly else module)


def key() -> str:
    """Return what object code depends on besides its source.

    That is llvmlite's and LLVM's version, the system, and the processor's features.
    """
    import llvmlite

    version = ".".join(map(str, _llvm().llvm_version_info))
    name, features = processor()
    return f"LLVM {version} by llvmlite {llvmlite.__version__} {triple()} {name} {features}"


def _optimised(text: str, effort: int) -> tuple[Any, Any]:
    """Return a module, optimised, and the machine that it is for."""
    from cardwright.compiler.llvm.helpers import with_helpers

    llvm = _llvm()
    name, features = processor()
    machine = llvm.Target.from_triple(triple()).create_target_machine(
        cpu=name, features=features, opt=effort, reloc="pic", codemodel="small", jit=True
    )
    whole = f"{with_helpers(text, features)}\nattributes #0 = {{ {_WORTH_INLINING[effort]} }}\n"
    module = llvm.parse_assembly(whole, llvm.create_context())
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(effort)
    # Lists of cards are short, so vectorised and unrolled loops are not worth their cost: a fifth
    # more time to compile.
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_interleaving = False
    options.loop_unrolling = False
    _transform(module, llvm.create_pass_builder(machine, options), effort)
    return module, machine


def _transform(module: Any, builder: Any, effort: int) -> None:
    """Inline what was chosen; then optimise each function that is left, if the effort says so.

    LLVM's own order of passes would take twice as long, most of it to choose what to inline.
    """
    first = _llvm().create_new_module_pass_manager()
    first.add_sroa_pass()  # what is small before it is copied needs no work in each copy
    first.add_simplify_cfg_pass()
    first.add_always_inliner_pass()
    first.add_global_dead_code_eliminate_pass()
    if effort == LEAST:
        first.add_sroa_pass()
        first.add_simplify_cfg_pass()
    first.run(module, builder)
    if effort == LEAST:
        return
    passes = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
    last = _llvm().create_new_module_pass_manager()
    last.add_jump_threading_pass()
    last.add_sccp_pass()
    last.add_simplify_cfg_pass()
    last.run(module, builder)


def triple() -> str:
    """Return LLVM's name for this machine and its system, and for the format of object code.

    On Windows too it is ELF, the format that LLVM's linker in memory knows best. In that of
    Windows, code with floating-point numbers asks for a symbol `_fltused` that no library exports.
    """
    name: str = _llvm().get_process_triple()
    return f"{name}-elf" if "windows" in name else name


@cache
def processor() -> tuple[str, str]:
    """Return LLVM's name for this machine's processor, and its list of features."""
    llvm = _llvm()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _llvm() -> Any:
    """Import LLVM, and initialise it for this machine only: other targets take time."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


# Memory -----------------------------------------------------------------------------------


_PAGED = 1 << 16
"""Bytes from which the system provides memory page by page, as it is touched."""


class ProcessMemory:
    """A block of zeroed memory."""

    def __init__(self, size: int, *, zeroed: bool = True) -> None:
        """Take a block: it is zeroed in any case."""
        del zeroed
        if size < _PAGED:
            self._held: Any = (ctypes.c_char * size)()
        elif sys.platform == "win32":
            self._held = self._mapped(mmap.mmap(-1, size))  # private, as it has no name
        else:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
            self._held = self._mapped(mmap.mmap(-1, size, flags=flags))
        self.address = self.place = ctypes.addressof(self._held)

    @staticmethod
    def _mapped(pages: mmap.mmap) -> Any:
        return (ctypes.c_char * len(pages)).from_buffer(pages)

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""
        return ctypes.string_at(self.address + at, size)


memory = ProcessMemory


def lend(held: Any) -> int:
    """Return the address of some of Python's memory: machine code can use all of it."""
    return addressof(held) if isinstance(held, ctypes.Array) else block_at(held)[0]


# Parts of texts for people ----------------------------------------------------------------


def llvm_functions(text: str) -> Mapping[str, str]:
    """Return the definitions of functions in LLVM's text, by name."""
    definitions = re.finditer(
        r'^define [^@\n]*@(?:"([^"\n]*)"|([^"(\n]*))\(.*?^}$', text, re.MULTILINE | re.DOTALL
    )
    return {definition[1] or definition[2]: definition[0] for definition in definitions}


def assembly_functions(text: str) -> Mapping[str, str]:
    """Return the code of functions in assembly, by name: from a function's label to its end."""
    types = re.finditer(r'^\t\.type\t(?:"([^"\n]+)"|([\w.$]+)),@function$', text, re.MULTILINE)
    names = {kind[1] or kind[2] for kind in types}
    functions = {}
    for label in re.finditer(r'^(?:"([^"\n]+)"|([\w.$]+)):', text, re.MULTILINE):
        name = label[1] or label[2]
        if name in names:
            end = text.find("\n.Lfunc_end", label.start())
            functions[name] = text[label.start() : end if end >= 0 else len(text)]
    return functions
