"""Mutation testing: sources are changed one place at a time, and the tests that concern them run.

    scripts/mutate --count 100 --seed 7 --out build/mutants.jsonl

It works on a copy of the tree. The tests of a mutant are the files that import its module, then
those of its subpackage, then some more; they run until one fails. A test counts only if it passes
on the unchanged copy. What was done before is in the file of `--out` and is not done again. Changes
that make no difference to anybody are in `equivalent_mutants.txt`, with the reason. What takes
longer than the timeout is left undecided. Compiled games are kept in a cache of the run's own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mutants import Mutant, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).parent / "equivalent_mutants.txt"

MORE = {
    "syntax": ("program", "interfaces/test_cli_format.py", "interfaces/test_cli_check.py"),
    "program": ("conformance", "compiler/test_sources.py", "interfaces/test_cli_check.py"),
    "interpreter": ("conformance", "compiler/test_form_faults.py", "compiler/test_adversity.py"),
    "compiler": (
        "conformance", "game", "players", "interfaces/test_cli_compile.py",
        "interfaces/test_cli_cache.py",
    ),
    "game": ("compiler/test_adversity.py", "players", "interfaces/test_cli_simulate.py"),
    "players": ("game", "arena"),
    "analysis": ("interfaces/test_cli_analyze.py", "interfaces/test_cli_figures.py"),
    "jobs": ("arena", "lab/test_lab_run.py", "league/test_season_run.py"),
    "arena": ("players", "interfaces/test_cli_match.py"),
    "lab": ("interfaces/test_cli_lab.py",),
    "league": ("interfaces/test_cli_league_author.py", "interfaces/test_cli_league_run.py"),
    "sandbox": ("league",),
}  # fmt: skip
"""Which tests besides a subpackage's own are about it."""


class Result(NamedTuple):
    """What became of a mutant: killed, survived, equivalent or timeout; by which test; seconds."""

    name: str
    fate: str
    by: str
    seconds: float
    diff: str


def main() -> int:
    """Make mutants, run their tests, and say which survived."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left running
    args = _arguments()
    package = ROOT / "src/cardwright"
    subpackages = args.subpackages or sorted(
        path.name for path in package.iterdir() if (path / "__init__.py").exists()
    )
    chosen = sample(package, args.count, random.Random(args.seed), subpackages)
    done = _done(args.out)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder) / "tree"
        _copy(tree)
        trial = Trial(tree, args.timeout)
        for mutant in chosen:
            if mutant.name not in done:
                done[mutant.name] = result = trial.result(mutant)
                what = f"{mutant.place}:{mutant.line} {mutant.what}"
                _say(f"{result.fate:10} {result.seconds:6.1f} s  {what}  {result.by}")
                if args.out:
                    with args.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(result) + "\n")
    results = [done[mutant.name] for mutant in chosen]
    for result in results:
        if result.fate == "survived":
            _say(f"\n{result.diff}")
    count = Counter(result.fate for result in results)
    real = count["killed"] + count["survived"]
    dead = real - count["survived"]
    fates = ", ".join(f"{number} {fate}" for fate, number in sorted(count.items()))
    _say(f"\n{fates}: {dead} of {real} noticed ({100 * dead / max(real, 1):.0f} %)")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=20, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for the tests of one")
    parser.add_argument("--out", type=Path, help="a file for the results, one JSON list a line")
    parser.add_argument("subpackages", nargs="*", help="subpackages; all if none is named")
    return parser.parse_args()


def _done(out: Path | None) -> dict[str, Result]:
    if out is None or not out.exists():
        return {}
    results = (Result(*json.loads(line)) for line in out.read_text("utf-8").splitlines())
    return {result.name: result for result in results}


def _copy(tree: Path) -> None:
    """Copy the tree, and use the environment of this one."""
    left = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "build")
    shutil.copytree(ROOT, tree, ignore=left, symlinks=True)
    (tree / ".venv").symlink_to(ROOT / ".venv")


MEMORY = 6 << 30
"""Bytes that the tests of a mutant may fill: one that never ends may gather ever more."""


class Trial:
    """A copy of the tree in which mutants are tried, each for at most `timeout` seconds."""

    def __init__(self, tree: Path, timeout: float) -> None:
        self._tree, self._timeout = tree, timeout
        self._sound: dict[str, bool] = {}  # whether a test passes on the unchanged tree

    def result(self, mutant: Mutant) -> Result:
        """Say what becomes of a mutant."""
        known = {line.split(" # ")[0] for line in EQUIVALENT.read_text("utf-8").splitlines()}
        if mutant.same or mutant.name in known:
            return Result(mutant.name, "equivalent", "", 0.0, mutant.diff)
        begun = time.monotonic()
        fate, by = self._fate(mutant, begun + self._timeout)
        return Result(mutant.name, fate, by, round(time.monotonic() - begun, 1), mutant.diff)

    def _fate(self, mutant: Mutant, end: float) -> tuple[str, str]:
        file = self._tree / "src/cardwright" / mutant.place
        tests = files_about(mutant.place, self._tree / "tests")
        while True:
            left_out = [f"--deselect={name}" for name, sound in self._sound.items() if not sound]
            file.write_text(mutant.after, "utf-8")
            try:
                fate, by = self._run([*tests, *left_out], end - time.monotonic())
            finally:
                file.write_text(mutant.before, "utf-8")
            name = by.partition("[")[0]  # names of parameters may be cut at a space
            if "::" in name and name not in self._sound:
                self._sound[name] = self._run([name], self._timeout)[0] == "survived"
            if self._sound.get(name, True):
                return fate, by
            _say(f"{name} fails on the unchanged tree too: left out")

    def _run(self, tests: list[str], timeout: float) -> tuple[str, str]:
        """Run tests until one fails; in a process group of their own, which ends with the time."""
        env = {
            **os.environ,
            "PYTHONPATH": str(self._tree / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CARDWRIGHT_CACHE": str(self._tree.parent / "cache"),
        }
        options = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no"]
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=self._tree, env=env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
        try:
            said, _ = process.communicate(timeout=max(timeout, 1))
        except subprocess.TimeoutExpired:
            return "timeout", ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if process.returncode == 0:
            return "survived", ""
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
        return "killed", failed[1] if failed else said.strip().splitlines()[-1]


def files_about(place: str, tests: Path) -> list[str]:
    """Return the files of tests that concern a module, the nearest first."""
    subpackage = place.split("/", maxsplit=1)[0]
    files = [
        *_files(tests / subpackage),
        *(file for more in MORE.get(subpackage, ()) for file in _files(tests / more)),
    ]
    everywhere = importers(place, tests)
    file = Path(place).stem
    near = [found for found in files if found.stem == f"test_{file}"]
    ordered = dict.fromkeys([*near, *(f for f in everywhere if f in files), *files, *everywhere])
    return [str(file.relative_to(tests.parent)) for file in ordered]


def importers(place: str, tests: Path) -> list[Path]:
    """Return the files of tests that name a module, by its path in the package."""
    module = "cardwright." + place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    parent, _, stem = module.rpartition(".")
    named = re.compile(
        rf"{re.escape(module)}\b|from {re.escape(parent)} import [^\n]*\b{re.escape(stem)}\b"
    )
    return [file for file in _files(tests) if named.search(file.read_text("utf-8"))]


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    yield from sorted(place.rglob("test_*.py"))


if __name__ == "__main__":
    sys.exit(main())
