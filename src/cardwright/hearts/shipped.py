"""The hierarchies that come with Cardwright, by name."""

from __future__ import annotations

from pathlib import Path

DEFAULT = "default"
"""The hierarchy that is used by default."""

FOLDER = Path(__file__).parent / "hierarchies"


def shipped() -> tuple[str, ...]:
    """Return their names."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))
