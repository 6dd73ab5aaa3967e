"""Where tables are kept: in the folder that the platform has for what programs keep for people."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_data_folder() -> Path:
    """Return the folder for tables; raises RuntimeError for someone without a home."""
    if sys.platform == "win32":
        named, usual = os.environ.get("LOCALAPPDATA", ""), "AppData/Local"
    elif sys.platform == "darwin":
        named, usual = "", "Library/Application Support"
    else:
        named, usual = os.environ.get("XDG_DATA_HOME", ""), ".local/share"
    # By the XDG specification, a path that is not absolute is ignored.
    base = Path(named) if Path(named).is_absolute() else Path.home() / usual
    return base / "cardwright"
