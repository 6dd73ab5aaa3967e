"""The tests that `scripts/test --quick` chooses for a change."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import quick

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("changed", "some", "none"),
    [
        (
            "src/cardwright/compiler/cache.py",
            ["compiler/test_cache.py", "compiler/test_emit.py", "interfaces/test_cli_cache.py"],
            "league/test_site.py",
        ),
        (
            "src/cardwright/library/games/hearts.rcy",
            ["library/test_goldens.py", "library/test_rules_hearts_scores.py"],
            "library/test_rules_whist.py",
        ),
        (
            "src/cardwright/library/catalogue.py",
            ["library/test_goldens.py", "library/test_library_games.py"],
            "library/test_rules_hearts.py",
        ),
        ("tests/game/test_bulk.py", ["game/test_bulk.py"], "game/test_batch.py"),
        ("tests/sandbox/conftest.py", ["sandbox/test_levels.py"], "game/test_batch.py"),
        ("tests/lab/experiments.py", ["lab/test_lab_run.py"], "lab/test_lab_design.py"),
        ("tests/game/test_that_is_gone.py", [], "game/test_batch.py"),
        ("docs/lab.md", ["test_docs.py"], "test_scripts.py"),
        ("scripts/test", ["test_scripts.py"], "test_docs.py"),
        ("LICENSE", [], "test_docs.py"),
    ],
)
def test_a_change_needs_its_package_and_who_imports_it(
    changed: str, some: list[str], none: str
) -> None:
    found = quick.needed([changed])
    assert {f"tests/{name}" for name in some} <= set(found)
    assert f"tests/{none}" not in found
    assert found == sorted(set(found))
    assert bool(found) == bool(some)


def test_what_is_not_committed_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New files too, and where there is nothing of that kind, the last commit."""

    def git(*words: str) -> None:
        name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(quick, "ROOT", tmp_path)
    git("init")
    for name in ("first", "second"):
        (tmp_path / name).touch()
        git("add", "--all")
        git("commit", "-m", name)
    assert quick.changed() == ["second"]
    (tmp_path / "first").write_text("changed")
    (tmp_path / "new").touch()
    assert quick.changed() == ["first", "new"]


def test_elsewhere_is_there() -> None:
    for place, name in quick.ELSEWHERE.items():
        assert (TESTS.parent / place).exists()
        assert (TESTS / name).is_file()
