"""Benchmarks are programs that people pipe into others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
PROGRAMS = [path for path in sorted(BENCH.glob("*.py")) if "__main__" in path.read_text()]

MANY = """
from script import carry_out

def main():
    for number in range({lines}):
        print(number)
    {end}

carry_out(main)
"""


@pytest.mark.parametrize("lines", [2, 100_000])
@pytest.mark.parametrize("end", ["pass", "raise SystemExit(3)"])
def test_output_that_nobody_reads_on_ends_a_benchmark_quietly(lines: int, end: str) -> None:
    """Whether that is noticed while it prints, or at its end."""
    program = MANY.format(lines=lines, end=end)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(
        command, cwd=BENCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == 1


def test_an_error_of_a_benchmark_stays_one() -> None:
    program = MANY.format(lines=1, end="raise ValueError('mine')")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=BENCH, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "0\n")
    assert "ValueError: mine" in done.stderr


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_every_benchmark_is_carried_out_so(path: Path) -> None:
    assert path.read_text().endswith('if __name__ == "__main__":\n    carry_out(main)\n')
