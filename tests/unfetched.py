"""Pages that are made without what is fetched for them."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from cardwright.page import build
from cardwright.page.bytecode import NoBytecodeError

if TYPE_CHECKING:
    import pytest


def nothing_fetched(patch: pytest.MonkeyPatch) -> None:
    """Have pages made of nothing that is fetched, and without bytecode."""

    def compiled(*_: object) -> None:
        raise NoBytecodeError("Node is not installed")

    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("package.py", b"")
    patch.setattr(build, "pyodide_files", lambda: {"pyodide.mjs": b"export {};"})
    patch.setattr(build, "library_files", lambda _: {"os.py": b""})
    patch.setattr(build, "fetched", lambda _: wheel.getvalue())
    patch.setattr(build, "compiled", compiled)
