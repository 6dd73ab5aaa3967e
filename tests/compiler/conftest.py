"""Machine code is tested here as users have it."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let LLVM optimise for all tests of the compiler, except those marked `optimised(False)`."""
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("optimised") is None:
            item.add_marker(pytest.mark.optimised)
