"""What is in a page: whose work, under which licences, and of what size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cardwright.page.source import unarchived

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
    cardwright = len(python["cardwright.pack"])
    return {
        "Python": sum(map(len, python.values())) - cardwright,
        "Cardwright": cardwright,
        "the client": sum(map(len, static.values())),
    }


def licences(python: Mapping[str, bytes], static: Mapping[str, bytes]) -> str:
    """Return whose work is in a page, and the licences under which it may be given on."""
    texts = [_NOTICE]
    for archive in ("packages.pack", "studio.pack", "console.pack"):
        texts += [
            f"{name}\n\n{content.decode()}"
            for name, content in unarchived(python[archive]).items()
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
