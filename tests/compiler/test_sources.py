"""What is compiled is used again only while everything that it follows from stays as it is."""

from __future__ import annotations

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cardwright
from broken_rules import BREAKS
from cardwright.compiler import cache
from cardwright.compiler.kernel_sets import KernelSet
from deep import usually
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PACKAGE = Path(cardwright.__file__).parent

START = f"""
from cardwright.program.check import check
from cardwright.syntax.source import Source
program = check(Source("game", {BREAKS!r}), {{}}, None).program
assert program
"""

KEY = f"""{START}
from cardwright.compiler.kernel_sets import KernelSet
from cardwright.compiler.native import cache_key
print(cache_key(program))
print(cache_key(program, KernelSet("hearts", ("cardwright.hearts.kernels.playouts",), ())))
"""

LOADED = f"""{START}
import json, sys
from cardwright.compiler.kernel_sets import KernelSet
from cardwright.compiler.native import compilation
compilation(program, KernelSet("", tuple(sys.argv[1:]), ())).listing("llvm")
found = {{name: getattr(module, "__file__", "") for name, module in sys.modules.items()}}
print(json.dumps([place for name, place in found.items() if name.startswith("cardwright.")]))
"""


def printed_by(code: str, *args: str, home: Path | None = None) -> list[str]:
    """Return the lines that some code prints in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(home or PACKAGE.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True, text=True, timeout=PATIENCE, check=False, env=env,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A copy of the package's sources, and the keys that it gives."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        PACKAGE, home / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "*.rcy")
    )
    return home, printed_by(KEY, home=home)


def letter_changed(text: str) -> str:
    """Change one letter, so that the file is as long as before."""
    assert " a " in text
    return text.replace(" a ", " b ", 1)


def line_added(text: str) -> str:
    return f"{text}\n# another line\n"


@pytest.mark.parametrize(
    ("place", "change", "plain", "extended"),
    [
        pytest.param("program/frame.py", line_added, True, True, marks=pytest.mark.deep),
        pytest.param("program/lint/visibility.py", line_added, True, True, marks=pytest.mark.deep),
        ("syntax/reader.py", letter_changed, True, True),
        pytest.param(
            "compiler/lower/points.py", letter_changed, True, True, marks=pytest.mark.deep
        ),
        pytest.param("compiler/kernels/lists.py", line_added, True, True, marks=pytest.mark.deep),
        ("hearts/cards.py", line_added, False, True),
        ("hearts/kernels/playouts.py", letter_changed, False, True),
        ("_version.py", lambda text: text.replace('"0', '"9'), True, True),
        ("interfaces/cli/games.py", line_added, False, False),
    ],
)
def test_a_change_of_what_code_follows_from_is_another_key(
    copied: tuple[Path, list[str]],
    place: str,
    change: Callable[[str], str],
    plain: bool,
    extended: bool,
) -> None:
    """One changed line or letter asks for new code, even where size and time stay; others do not.

    Code of an extension depends on the package of its kernels, too.
    """
    home, before = copied
    file = home / PACKAGE.name / place
    text, status = file.read_text("utf-8"), file.stat()
    try:
        file.write_text(change(text), "utf-8")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        after = printed_by(KEY, home=home)
    finally:
        file.write_text(text, "utf-8")
    assert [a != b for a, b in zip(before, after, strict=True)] == [plain, extended]


def test_a_copy_elsewhere_is_the_same(copied: tuple[Path, list[str]]) -> None:
    """Where the package lies, and when it was written, does not count."""
    assert printed_by(KEY) == copied[1]


def extensions() -> list[KernelSet]:
    """Return every extension that a module of the package makes."""
    found: dict[str, KernelSet] = {}
    for place in sorted(PACKAGE.rglob("*.py")):
        text = place.read_text("utf-8")
        if "KernelSet(" in text or "searches_by(" in text:
            module = importlib.import_module(
                ".".join(place.relative_to(PACKAGE.parent).with_suffix("").parts)
            )
            made = [value for value in vars(module).values() if isinstance(value, KernelSet)]
            found.update((extension.name, extension) for extension in made)
    return [KernelSet("none", (), ()), *found.values()]


def covered(modules: Iterable[str]) -> set[Path]:
    """Return the sources of the packages that count."""
    packages = cache.PACKAGES | {name.split(".")[1] for name in modules}
    return {place for package in packages for place in (PACKAGE / package).rglob("*.py")}


FREE = {PACKAGE / "_public.py", PACKAGE / "_version.py"}


@pytest.mark.slow
def test_all_that_compiling_loads_counts() -> None:
    """No module that compiling loads is left out of the key, for any extension of the package.

    What loads and says nothing is free: the package itself, its names, and its version, which
    counts.
    """
    known = extensions()
    unlike = {"none", "batches", "searches", "the Hearts League"}
    assert unlike <= {each.name for each in known}
    for extension in known:
        if usually(extension.name not in unlike - {"batches"}, False):
            continue
        (line,) = printed_by(LOADED, *extension.modules)
        loaded = {Path(place) for place in json.loads(line)} - FREE
        assert PACKAGE / "compiler/lower/points.py" in loaded
        assert loaded <= covered(extension.modules), extension.name


def test_kernels_of_other_packages_are_refused() -> None:
    """Of sources elsewhere nothing is known, so nothing could be kept of them."""
    with pytest.raises(ValueError, match=r"not in elsewhere\.kernels"):
        cache.source_digest(["elsewhere.kernels"])


def test_constants_of_kernels_come_from_rooms_that_count() -> None:
    """Not even a function body of the compiler's imports another package's values."""
    packages = cache.PACKAGES | {"_version"}
    for place in covered(()):
        for node in ast.walk(ast.parse(place.read_bytes())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cardwright."):
                assert node.module.split(".")[1] in packages, place  # type: ignore[union-attr]
