"""What is in a page: whose work, under which licences, and of what size."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTENTS = "page.json"
"""Where a page tells this of itself, among its facts."""


def told_contents(python: Mapping[str, bytes], static: Mapping[str, bytes]) -> bytes:
    """Return what a page tells of itself: its parts with their sizes in bytes, and licences."""
    told = {"parts": sizes(python, static), "licences": licences(python, static)}
    return json.dumps(told, ensure_ascii=False).encode()


def sizes(python: Mapping[str, bytes], static: Mapping[str, bytes]) -> dict[str, int]:
    """Return the sizes of the parts of a page, in bytes."""
    cardwright = len(python["cardwright.zip"])
    return {
        "Python": sum(map(len, python.values())) - cardwright,
        "Cardwright": cardwright,
        "the client": sum(map(len, static.values())),
    }


def licences(python: Mapping[str, bytes], static: Mapping[str, bytes]) -> str:
    """Return whose work is in a page, and the licences under which it may be given on."""
    texts = [_NOTICE]
    for archive in ("packages.zip", "studio.zip", "console.zip"):
        with zipfile.ZipFile(io.BytesIO(python[archive])) as packages:
            texts += [
                f"{name}\n\n{packages.read(name).decode()}"
                for name in packages.namelist()
                if "/licenses/" in name
            ]
    texts += [
        f"{name}\n\n{content.decode()}"
        for name, content in static.items()
        if name.endswith("LICENSE")
    ]
    return f"\n{'-' * 72}\n".join(texts)


_NOTICE = """This page has Cardwright in it, and what it runs on:

Cardwright: the MIT licence, https://opensource.org/license/mit
Pyodide: the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/;
its source is at https://github.com/pyodide/pyodide
Python, in Pyodide: the PSF License Version 2, https://docs.python.org/3/license.html
The packages and scripts whose licences follow.
"""
