"""Machine code is tested here as users have it."""

from __future__ import annotations

from pathlib import Path

import pytest

import deep

HERE = Path(__file__).parent

PLAIN = frozenset(
    f"test_{name}.py"
    for name in (
        "adversity",
        "computed_locations",
        "differential_conformance",
        "endless_stages",
        "filtered_picks",
        "forks",
        "form_faults",
        "groups_in_choices",
        "late_points",
        "random_draws",
        "rounds",
        "set_combinations",
        "unwatched",
        "wide_masks",
    )
)
"""Files that compare many small programs on both engines, optimised in a deep run alone.

What LLVM makes of games is compared in any run with the games of the library and generated ones.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let LLVM optimise for the tests of the compiler, except those marked `optimised(False)`."""
    for item in items:
        ours = HERE in item.path.parents and item.get_closest_marker("optimised") is None
        if ours and (deep.asked or item.path.name not in PLAIN):
            item.add_marker(pytest.mark.optimised)
