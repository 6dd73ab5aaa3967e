"""Machine code from LLVM text, for this machine, and loading it.

llvmlite is imported when it is first needed. One thread at a time is in LLVM; the others wait.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from cardwright.compiler.effort import FULL, LEAST
from cardwright.compiler.helpers import with_helpers

_LOCK = threading.Lock()
_LIBRARY = "cardwright"

_WORTH_INLINING = {LEAST: "nounwind noinline", FULL: "nounwind alwaysinline"}
"""What becomes of functions that are worth inlining."""


class Loaded:
    """Machine code in memory, for as long as this object lives."""

    def __init__(self, linker: Any, library: Any) -> None:
        self._held = [library]
        self._linker = linker

    def address(self, name: str) -> int:
        """Return the address of an exported function; KeyError if there is none of the name."""
        with _LOCK:
            try:
                found = self._linker.lookup(_LIBRARY, name)
            except RuntimeError as error:
                if "Symbols not found" in str(error):
                    raise KeyError(name) from error
                raise
            # A symbol that was looked up also keeps the library in use, and is released with it.
            self._held.append(found)
        address: int = found[name]
        return address


def load_object(code: bytes) -> Loaded:
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
    return Loaded(linker, library)


def compile_object(text: str, level: int = FULL) -> bytes:
    """Return the object code of a module, optimised at a level of `effort`, for this machine."""
    with _LOCK:
        module, machine = _optimised(text, level)
        code: bytes = machine.emit_object(module)
    return code


def assembly(text: str, level: int = FULL) -> str:
    """Return the assembly code of a module, for people."""
    with _LOCK:
        module, machine = _optimised(text, level)
        code: str = machine.emit_assembly(module)
    return code


def optimised(text: str, level: int = FULL) -> str:
    """Return the LLVM text of a module after optimisation, for people."""
    with _LOCK:
        module, _ = _optimised(text, level)
        return str(module)


def host_cpu() -> str:
    """Return what object code depends on besides its source.

    That is llvmlite's and LLVM's version, the system, and the processor's features.
    """
    llvm = _llvm()
    version = ".".join(map(str, llvm.llvm_version_info))
    name, features = processor()
    versions = f"LLVM {version} by llvmlite {_binding_version()}"
    return f"{versions} {triple()} {name} {features}"


def _optimised(text: str, level: int) -> tuple[Any, Any]:
    llvm = _llvm()
    _, features = processor()
    machine = _machine(level)
    whole = f"{with_helpers(text, features)}\nattributes #0 = {{ {_WORTH_INLINING[level]} }}\n"
    module = llvm.parse_assembly(whole, llvm.create_context())
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    _transform(module, llvm.create_pass_builder(machine, _tuning(level)), level)
    return module, machine


def _tuning(level: int) -> Any:
    options = _llvm().create_pipeline_tuning_options(level)
    # Lists of cards are short, so vectorised and unrolled loops are not worth their cost: a fifth
    # more time to compile.
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_interleaving = False
    options.loop_unrolling = False
    return options


def _transform(module: Any, builder: Any, level: int) -> None:
    """Inline what was chosen; then optimise each function that is left, if the level says so.

    LLVM's own order of passes would take twice as long, most of it to choose what to inline.
    """
    first = _llvm().create_new_module_pass_manager()
    first.add_sroa_pass()  # what is small before it is copied needs no work in each copy
    first.add_simplify_cfg_pass()
    first.add_always_inliner_pass()
    first.add_global_dead_code_eliminate_pass()
    if level == LEAST:
        first.add_sroa_pass()
        first.add_simplify_cfg_pass()
    first.run(module, builder)
    if level == LEAST:
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


def _machine(level: int) -> Any:
    llvm = _llvm()
    name, features = processor()
    target = llvm.Target.from_triple(triple())
    return target.create_target_machine(
        cpu=name, features=features, opt=level, reloc="pic", codemodel="small", jit=True
    )


def _binding_version() -> str:
    import llvmlite

    return str(llvmlite.__version__)


def triple() -> str:
    """Return LLVM's name for this machine and its system, and for the format of object code.

    On Windows too it is ELF, the format that LLVM's linker in memory knows best. In that of
    Windows, code with floating-point numbers asks for a symbol `_fltused` that no library exports.
    """
    found: str = _llvm().get_process_triple()
    return f"{found}-elf" if "windows" in found else found


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
