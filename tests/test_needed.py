"""What is missing is told: a skip by day, a failure under continuous integration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import needed
from cardwright.sandbox import process
from cardwright.sandbox.levels import SandboxLevel
from sandbox import conftest as sandbox

if TYPE_CHECKING:
    from collections.abc import Callable

TESTS = Path(__file__).parent

MISSING = {
    "a module": lambda: needed.module("no_such_module"),
    "a program": lambda: needed.program("no-such-program"),
}


@pytest.mark.parametrize("look", MISSING.values(), ids=MISSING)
def test_a_missing_package_is_a_failure_under_ci_alone(
    look: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not installed, and continuous integration"):
        look()
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="not installed"):
        look()


@pytest.mark.parametrize(
    ("installed", "outcome"), [(None, pytest.fail.Exception), ("bwrap", pytest.skip.Exception)]
)
def test_walls_that_a_package_would_bring_are_another_matter_than_those_it_cannot_build(
    installed: str | None, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where bubblewrap is there and the machine refuses it namespaces, tests say so and skip."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(process, "bubblewrap", lambda: installed)
    monkeypatch.setattr(sandbox, "reason_against", lambda _: "this is why")
    with pytest.raises(outcome, match="no level 3 here: this is why"):
        sandbox.needs(SandboxLevel.WALLED)


def test_modules_are_looked_for_in_one_way() -> None:
    """`importorskip` would skip under continuous integration too."""
    for path in TESTS.rglob("*.py"):
        if path != Path(__file__):
            assert not re.search(r"importorskip\(", path.read_text(encoding="utf-8")), path
