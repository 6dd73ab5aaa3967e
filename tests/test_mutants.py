"""The changes by which the tests are tested are changes, and of what counts."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

import cardwright
from mutants import mutants_of, sample
from mutation_run import MORE, files_about

PACKAGE = Path(cardwright.__file__).parent
TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("x = a < b <= c", {"x = (a <= b <= c)", "x = (a < b < c)"}),
        ("x = 'ä' + b", {"x = ('ä' - b)"}),
        ("x = a and not b", {"x = (a or not b)", "x = a and b"}),
        ("def f(n: int = 3) -> 4: pass", {"def f(n: int = 4) -> 4: pass"}),
        ("x = True", {"x = False"}),
        ("if a:\n    raise E\nb = c", {"pass\nb = c"}),
        ("if a:\n    b = c", {"if (not a):\n    b = c"}),
        ("if a:\n    f()", {"if (not a):\n    f()", "if a:\n    pass"}),
        ("x = a if b else c", {"x = a if (not b) else c"}),
        ("a += f()", {"pass"}),
        (
            "try:\n    a = b\nexcept E:\n    c = d",
            {"try:\n    a = b\nexcept E:\n    raise"},
        ),
        ('"""1 < 2."""\nif TYPE_CHECKING:\n    f(1)\nassert a < 1\nx: List[1]', set()),
        ("@f(1)\ndef g(): pass\n__all__ = [1 + 1]", set()),
    ],
)
def test_changes(text: str, changes: set[str]) -> None:
    """Each place that counts is changed in its way, and the rest stays as it was written."""
    assert {mutant.after for mutant in mutants_of("a/b.py", text)} == changes


def test_changes_of_the_package_can_be_run() -> None:
    """A sample is the same for a seed, comes from every subpackage in turn, and parses."""
    subpackages = ["syntax", "library"]
    mutants = sample(PACKAGE, 30, Random(3), subpackages)
    assert [mutant.subpackage for mutant in mutants] == subpackages * 15
    assert mutants == sample(PACKAGE, 30, Random(3), subpackages)
    for mutant in mutants:
        ast.parse(mutant.after)
        assert mutant.before == (PACKAGE / mutant.place).read_text("utf-8")
        assert not mutant.same
        assert mutant.diff.count("\n+") >= 2
    assert len({mutant.name for mutant in mutants}) == 30


def test_tests_are_the_nearest_first() -> None:
    """First the file of the module's name, then those importing it, then its subpackage's."""
    chosen = files_about("compiler/cache.py", TESTS)
    assert chosen[0] == "tests/compiler/test_cache.py"
    names = [Path(file).name for file in chosen]
    assert names.index("test_cli_cache.py") < names.index("test_emit.py")
    assert "tests/conformance/test_conformance.py" in chosen
    assert len(set(chosen)) == len(chosen)
    assert all((TESTS.parent / file).is_file() for file in chosen)
    subpackages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert MORE.keys() < subpackages
    for subpackage, more in MORE.items():
        assert all((TESTS / place).exists() for place in more), subpackage
