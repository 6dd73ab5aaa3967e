"""Ways to call the command line: in this process, and as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from cardwright.interfaces.cli.group import commands
from commands import leave_pictures_empty
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parent / "data"


@pytest.fixture(autouse=True)
def _in_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test stand in the folder of the small games, without the caller's wishes."""
    monkeypatch.chdir(DATA)
    for name in ("NO_COLOR", "FORCE_COLOR", "CARDWRIGHT_TRACEBACK", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module", autouse=True)
def _empty_pictures(request: pytest.FixtureRequest) -> Iterator[None]:
    """Leave pictures empty but where it is they that are looked at."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in {"test_cli_figures.py", "test_cli_match.py"}:
            leave_pictures_empty(patch)
        yield


@pytest.fixture
def run() -> Callable[..., Result]:
    def call(*words: str, **settings: Any) -> Result:
        return CliRunner().invoke(commands, list(words), prog_name="cardwright", **settings)

    return call


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    def call(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cardwright", *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            **settings,
        )

    return call
