"""How long tests wait: for what must come, whatever else the machine is doing.

A limit guards against hanging, and says nothing about speed: a quiet machine never comes near it.
Each test has a limit of its own besides, twice as long: `timeout` in pyproject.toml.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 300
"""Seconds after which something is taken to hang."""


def wait_until(condition: Callable[[], object]) -> None:
    """Return as soon as a condition holds; fail if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "what was waited for has not come"
        time.sleep(0.005)
