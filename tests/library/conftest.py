"""What holds for the rules of all games of the library."""

from __future__ import annotations

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Try every third of alike examples of a rule.

    In any run each game is played as it was recorded, with all its options in words, and most are
    followed by a model of their rules: what a further example finds has changed none of these.
    """
    if item.path.name.startswith("test_rules_"):
        item.add_marker(pytest.mark.sweep)
