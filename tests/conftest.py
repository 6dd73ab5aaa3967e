"""What holds for all tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_report_header() -> list[str]:
    """Say under continuous integration which levels of the jail are going to be tested."""
    if os.environ.get("CI") != "true":
        return []
    from cardwright.jail.levels import describe

    return [f"jail, {describe()}"]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled games apart from the user's, in one folder for all processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDWRIGHT_CACHE", str(folder / "objects"))
        yield
