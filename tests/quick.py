"""Which files of tests a change needs first; `scripts/test --quick` runs what is not slow in them.

    .venv/bin/python tests/quick.py [FILE...]

They are those of the package that was changed, and all others that import the changed module.
Without files named it is about what is not committed yet, or else about the last commit.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mutation_run import importers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TESTS = Path(__file__).parent
ROOT = TESTS.parent

ELSEWHERE = {
    "docs": "test_docs.py",
    "README.md": "test_docs.py",
    "CONTRIBUTING.md": "test_docs.py",
    "scripts": "test_scripts.py",
    ".ci": "test_scripts.py",
    "pyproject.toml": "test_scripts.py",
    "website": "site/test_site_parts.py",
    "editors": "editors/test_editor_files.py",
    "bench": "test_bench.py",
    "examples": "test_examples.py",
}
"""The tests of what is neither the package nor its tests, by the first part of the path."""


def changed() -> list[str]:
    """Return the files that are not committed yet, or those of the last commit."""
    new = _git("ls-files", "--others", "--exclude-standard")
    return _git("diff", "--name-only", "HEAD") + new or _git("show", "--name-only", "--format=")


def needed(files: Iterable[str]) -> list[str]:
    """Return the files of tests that changes of some files need, each once, in order."""
    found = {file for name in files for file in _about(Path(name))}
    return sorted(str(file.relative_to(ROOT)) for file in found if file.exists())


def _about(file: Path) -> Iterator[Path]:
    first = file.parts[0]
    if file.parts[:2] == ("src", "cardwright"):
        place = Path(*file.parts[2:])
        yield from _of_package(place)
        if file.suffix == ".py":
            yield from importers(place.as_posix(), TESTS)
    elif first != "tests":
        if first in ELSEWHERE:
            yield TESTS / ELSEWHERE[first]
    elif file.name == "conftest.py" or file.suffix != ".py":
        yield from (ROOT / file).parent.rglob("test_*.py")
    elif file.name.startswith("test_"):
        yield ROOT / file
    else:
        used = re.compile(rf"^\s*(?:from|import) {file.stem}\b", re.MULTILINE)
        yield from (test for test in TESTS.rglob("test_*.py") if used.search(test.read_text()))


def _of_package(place: Path) -> Iterator[Path]:
    """Yield the tests of the package of a file; in the library those of a game are for it alone."""
    folder = TESTS / place.parts[0]
    if place.parts[:2] == ("library", "games"):
        for pattern in (f"test_rules_{place.stem}*.py", f"test_{place.stem}_*.py"):
            yield from folder.glob(pattern)
        yield from (folder / "test_catalogue.py", folder / "test_goldens.py")
    else:
        rules = "test_rules_" if place.parts[0] == "library" else "no such"
        yield from (file for file in folder.rglob("test_*.py") if not file.name.startswith(rules))


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name in needed(sys.argv[1:] or changed()))
