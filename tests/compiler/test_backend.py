"""What compiles the IR is one package, and all else goes by its contract."""

from __future__ import annotations

import ast
import ctypes
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cardwright
from broken_rules import BREAKS
from cardwright import Game
from cardwright.compiler import backend, native
from cardwright.compiler.backend import FULL, LEAST, Backend, MachineCode
from cardwright.compiler.kernel_sets import PLAY
from cardwright.compiler.llvm import backend as llvm_backend
from cardwright.compiler.wasm import wasmtime_backend
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(cardwright.__file__).parent

LOWERED = f"""
import sys
sys.modules["llvmlite"] = sys.modules["numpy"] = None
from cardwright.compiler.kernel_sets import SEARCHES
from cardwright.compiler.native import compilation
from cardwright.program.check import check
from cardwright.syntax.source import Source
heavy = ("ir", "builder", "lower", "llvm", "verify", "wasm")
assert not [name for name in heavy if f"cardwright.compiler.{{name}}" in sys.modules]
program = check(Source("game", {BREAKS!r}), {{}}, None).program
assert compilation(program, SEARCHES).lowered.module.functions
assert not [name for name in sys.modules if name.startswith("cardwright.compiler.llvm")]
"""


def imported(place: Path) -> Iterator[str]:
    """Yield the names of the modules that a module which names a backend imports, anywhere."""
    text = place.read_text("utf-8")
    named = "llvm" in text or "wasm" in text  # most need not be parsed
    for node in ast.walk(ast.parse(text)) if named else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("package", "library", "chosen"),
    [("llvm", "llvmlite", llvm_backend), ("wasm", "wasmtime", wasmtime_backend)],
)
def test_a_backend_is_known_to_one_package(package: str, library: str, chosen: Backend) -> None:
    """Nothing else imports it, or its library: it is chosen by the name of its engine."""
    knowing: dict[str, set[str]] = {library: set(), f"cardwright.compiler.{package}": set()}
    for place in PACKAGE.rglob("*.py"):
        for name in imported(place):
            for known, places in knowing.items():
                if f"{name}.".startswith(f"{known}."):
                    places.add(place.relative_to(PACKAGE).as_posix())
    folder = PACKAGE / "compiler" / package
    inner = {place.relative_to(PACKAGE).as_posix() for place in folder.glob("*.py")}
    inner.add("interfaces/cli/compile.py")  # which writes modules of WebAssembly
    assert all(places and places <= inner for places in knowing.values())
    assert backend.backend("native" if package == "llvm" else package) is chosen


def test_lowering_needs_no_library() -> None:
    """The IR is made without llvmlite and NumPy, and code from the cache is used without the IR."""
    done = subprocess.run(
        [sys.executable, "-c", LOWERED],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_another_backend_has_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its key is a part of the cache's, and it is asked for code, effort and stages."""
    program = Game.load("leduc").program
    ours = native.cache_key(program)
    asked = []

    class Another:
        """A backend that keeps what it is asked."""

        @staticmethod
        def key() -> str:
            return "another"

        @staticmethod
        def compile(module: object, effort: int, stage: object) -> MachineCode:
            asked.append((module, effort))
            return MachineCode(b"code", effort)

    monkeypatch.setattr(native, "backend", lambda engine: {"another": Another}[engine])
    another = native.NativeProgram(program, "another")
    assert native.cache_key(program, machine=another.machine) != ours
    assert "another" in native.cache_key(program, machine=another.machine)
    compilation = native.Compilation(another, PLAY)
    assert compilation.compiled.code == b"code"
    assert asked == [(compilation.lowered.module, LEAST)]
    assert compilation.machine_code.effort < FULL


@pytest.mark.parametrize("engine", ["native", "wasm"])
@pytest.mark.parametrize("size", [100, 1 << 20])
def test_memory_is_zero_and_has_an_address(engine: str, size: int) -> None:
    """Also where other content was before."""
    machine = backend.backend(engine)
    for _ in range(2):
        block = machine.memory(size)
        assert block.address
        assert block.read(size - 10, 10) == bytes(10)
        ctypes.memset(block.place, 7, size)
        assert block.read(0, size) == b"\x07" * size
