"""Machine code is tested here as users have it."""

from __future__ import annotations

import pytest

import deep

PLAIN = frozenset(
    f"test_{name}.py"
    for name in (
        "adversity",
        "batch_kernels",
        "best_cards",
        "computed_locations",
        "deferral",
        "differential_conformance",
        "endless_stages",
        "filtered_picks",
        "forks",
        "form_faults",
        "groups_in_choices",
        "late_points",
        "limits",
        "list_kernels",
        "random_draws",
        "rounds",
        "set_combinations",
        "unwatched",
        "wasm_games",
        "wide_masks",
    )
)
"""Files that compare many small programs and kernels, optimised in a deep run alone.

What LLVM makes of games is compared in any run with the games of the library and generated ones.
"""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let LLVM optimise for the tests of the compiler, except those marked `optimised(False)`."""
    ours = deep.asked or item.path.name not in PLAIN
    if ours and item.get_closest_marker("optimised") is None:
        item.add_marker(pytest.mark.optimised)
