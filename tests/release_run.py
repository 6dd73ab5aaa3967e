"""Builds the distributions, and tries them in fresh environments: `sh scripts/release`."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

from every_command import CALLS, prepare

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PATIENCE = 300
"""Seconds that a call may take."""

SERVES = 20
"""Seconds that a server may run: that it was still there is what is wanted of it."""


def build(folder: Path = DIST) -> tuple[Path, Path]:
    """Build the source distribution and the wheel from it; return both, checked by twine."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    return source, wheel


def run(*words: str | Path, cwd: Path = ROOT, quiet: bool = False) -> None:
    """Run a program; one that fails ends this one."""
    print("+", shlex.join(map(str, words)), flush=True)
    done = subprocess.run(
        words, cwd=cwd, env=plain_environment(), check=False,
        stdout=subprocess.DEVNULL if quiet else None,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.returncode)


def plain_environment() -> dict[str, str]:
    """Return the environment without what would show a fresh installation this tree."""
    left_out = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def show_contents(source: Path, wheel: Path) -> None:
    """Print how many files of which folder each distribution has, and its size."""
    with tarfile.open(source) as packed:
        names = [one.name.partition("/")[2] for one in packed.getmembers() if one.isfile()]
    with zipfile.ZipFile(wheel) as zipped:
        pairs = ((source, names), (wheel, zipped.namelist()))
    for file, found in pairs:
        print(f"\n{file.name}: {len(found)} files, {file.stat().st_size:,} bytes")
        for folder, count in sorted(Counter(name.partition("/")[0] for name in found).items()):
            print(f"  {folder:<30} {count:>5}")


def python_of(version: str) -> Path:
    """Return the Python of a version, such as `3.12`, on the PATH or of pyenv."""
    found = [shutil.which(f"python{version}"), *pyenv(version)]
    for one in filter(None, found):
        done = subprocess.run([one, "-c", ""], check=False, capture_output=True)
        if done.returncode == 0:
            return Path(one)
    sys.exit(f"cardwright: error: there is no Python {version} on the PATH or in pyenv")


def pyenv(version: str) -> list[str]:
    """Return the Pythons of pyenv that have this version."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = sorted((root / "versions").glob(f"{version}*"))
    return [str(one / "bin" / "python") for one in folders]


def environment(folder: Path, python: Path, *requirements: str) -> Path:
    """Make a fresh environment, install into it, and return its folder of programs."""
    run(python, "-m", "venv", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", *requirements)
    return programs


def run_tests(version: str, arguments: list[str], place: Path) -> None:
    """Run the tests from the unpacked source distribution, in a fresh environment."""
    source, _ = build(place / "dist")
    with tarfile.open(source) as packed:
        packed.extractall(place, filter="data")
    tree = place / source.name.removesuffix(".tar.gz")
    programs = environment(tree / ".venv", python_of(version), f"{tree}[dev]")
    given = arguments or ["-n", "auto", "--dist", "worksteal"]
    run(programs / "python", "-m", "pytest", *given, cwd=tree)


def try_wheel(extras: list[str], place: Path) -> None:
    """Print a table of every command for the wheel alone, and one for each extra."""
    _, wheel = build(place / "dist")
    for extra in [None, *extras]:
        name = extra or "no extra"
        requirement = f"{wheel}[{extra}]" if extra else str(wheel)
        programs = environment(place / name, Path(sys.executable), requirement)
        folder = place / f"calls with {name}"
        folder.mkdir()
        prepare(folder)
        print(f"\n| with {name}: call | exit code | first words of what it said |\n|---|---|---|")
        for call in CALLS:
            code, said = tried(call, programs, folder)
            print(f"| `{call}` | {code} | {said} |", flush=True)


def tried(call: str, programs: Path, folder: Path) -> tuple[str, str]:
    """Return the exit code of a call, and the first line of its errors or else of its output."""
    patience = SERVES if call.startswith("serve ") else PATIENCE
    try:
        done = subprocess.run(
            [programs / "cardwright", *shlex.split(call)],
            cwd=folder, env=plain_environment(), stdin=subprocess.DEVNULL, text=True,
            capture_output=True, check=False, timeout=patience,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "-", f"still running after {patience} s"
    errors = re.findall(r"^error: .*", done.stderr, re.MULTILINE)
    said = errors or [line for line in done.stdout.splitlines() if line.strip()] or [""]
    return str(done.returncode), said[0].strip()


def main() -> None:
    """Do what the words of the call say."""
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("build", help="build and check, and say what is in it")
    wheel = parts.add_parser("wheel", help="try every command of the wheel")
    wheel.add_argument("extras", nargs="*", metavar="EXTRA")
    tests = parts.add_parser("tests", help="run the tests from the source distribution")
    tests.add_argument("python", metavar="PYTHON", help="its version, such as 3.12")
    given, more = parser.parse_known_args()
    if more and given.part != "tests":
        parser.error(f"there is no {more[0]} here")
    if given.part == "build":
        show_contents(*build())
        return
    with tempfile.TemporaryDirectory(prefix="cardwright-release-") as place:
        if given.part == "wheel":
            try_wheel(given.extras, Path(place))
        else:
            run_tests(given.python, more, Path(place))


if __name__ == "__main__":
    main()
