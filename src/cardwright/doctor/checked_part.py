"""One thing that was looked at, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Health(StrEnum):
    """How a part is."""

    WORKS = "works"
    MISSING = "missing"
    """Something can be added; all else works without."""

    BROKEN = "broken"
    """Nothing can be relied on until it is mended."""


@dataclass(frozen=True)
class CheckedPart:
    """A part of the machine or the installation: what was found, and what to do."""

    name: str
    health: Health
    found: str
    advice: str | None = None
    """What to do, as a sentence without a full stop; None where there is nothing to do."""

    extra: str | None = None
    """The extra that it is, if it is one."""

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "part": self.name,
            "health": str(self.health),
            "found": self.found,
            "advice": self.advice,
        }
