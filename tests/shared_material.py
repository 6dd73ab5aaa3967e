"""Material beside the checkout that some tests use where it is present."""

from __future__ import annotations

import os
from pathlib import Path


def shared_folder(name: str) -> Path | None:
    """Return a folder of the shared material, or None where there is none.

    It is looked for under `CARDWRIGHT_SHARED`, or in a folder `shared` beside the checkout.
    """
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("CARDWRIGHT_SHARED", beside)) / name
    return folder if folder.is_dir() else None
