"""Machine code for other systems and processors, which can be made here but not run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deep import mostly_deep
from patience import PATIENCE

MADE = """
import sys
import llvmlite.binding as llvm
from cardwright import Game
from cardwright.compiler import kernel_sets
from cardwright.compiler.backend import FULL
from cardwright.compiler.llvm import backend
from cardwright.compiler.native import compilation

triple, cpu, features = sys.argv[1:]
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
backend.processor = lambda: (cpu, features)
llvm.get_process_triple = lambda: triple
for extension in (kernel_sets.RANDOM_GAMES, kernel_sets.OBSERVATIONS):
    text = compilation(Game.load("hearts").program, extension).listing("llvm").text
    code = backend.compile_object(text, FULL)
    print(code[:4].hex())
    for word in (b"_fltused", b"__chkstk", b"__divti3", b"__udivti3"):
        assert word not in code, word
"""

ELF, MACH_O = "7f454c46", "cffaedfe"

MACHINES = {
    "Linux, arm64": ("aarch64-unknown-linux-gnu", "generic", "", ELF),
    "macOS, arm64": ("arm64-apple-darwin24.0.0", "apple-m1", "", MACH_O),
    "Windows, x86-64": ("x86_64-pc-windows-msvc", "x86-64-v3", "+bmi,+bmi2,+popcnt", ELF),
    "Windows, x86-64, old": ("x86_64-pc-windows-msvc", "x86-64", "", ELF),
    "Windows, arm64": ("aarch64-pc-windows-msvc", "generic", "", ELF),
}


@pytest.mark.slow
@pytest.mark.parametrize("machine", mostly_deep(MACHINES, {"Windows, x86-64, old"}.__contains__))
def test_games_are_compiled_for_other_machines_and_need_no_library(machine: str) -> None:
    """Beyond memory functions, that is: what compilers' own libraries have is not to be found."""
    triple, cpu, features, form = MACHINES[machine]
    done = subprocess.run(
        [sys.executable, "-c", MADE, triple, cpu, features],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [form] * 2
