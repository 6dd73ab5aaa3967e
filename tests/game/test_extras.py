"""What is said where a library is missing: what to type, in the installation that there is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cardwright import extras

if TYPE_CHECKING:
    from pathlib import Path


def test_in_the_environment_of_a_clone_it_is_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its whole path, as the command is given in any folder."""
    folder = tmp_path / "a clone"
    (folder / "scripts").mkdir(parents=True)
    (folder / "scripts" / "setup").touch()
    monkeypatch.setattr(extras, "_CLONE", folder)
    monkeypatch.setattr(sys, "prefix", str(folder / ".venv"))
    assert str(extras.missing("polars")) == (
        "this needs polars, which is not installed; "
        f"install it with: sh '{folder}/scripts/setup' arena"
    )


@pytest.mark.parametrize("prefix", ["/usr", "elsewhere/.venv"])
def test_elsewhere_it_is_pip(prefix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_CLONE", tmp_path)
    monkeypatch.setattr(sys, "prefix", prefix)
    assert extras.advice("play") == 'install it with: pip install "cardwright[play]"'
