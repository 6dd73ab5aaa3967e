"""The page of a report on a server: its script by its hash, and links to tables.

A file on a disk has no table to lead to. So the page has marks where links belong, and a server
that has these games puts links there.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.publication.figures import FORMATS

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE, EVOLVED, FIGURES = "index.html", "evolved", "figures"
"""The file of the page in the folder of a report, and the folders of the games and figures."""

CHARTS = ("map", "front", "measures", "progress")
"""The names of all figures that there can be, in the order of the page."""

FIGURE_FILE = rf"({'|'.join(CHARTS)})\.({'|'.join((*FORMATS, 'csv'))})"
"""What the files of figures are called, as a regular expression."""

_SCRIPT = Path(__file__).parent / "templates" / "copy.js"
_MARK = re.compile(r"<!--play:([a-z0-9-]+)-->")


def page_script() -> str:
    """Return the script of the page, which copies texts."""
    return _SCRIPT.read_text(encoding="utf-8").strip()


def script_hash() -> str:
    """Return the hash of the page's script, as policies name it."""
    digest = hashlib.sha256(page_script().encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def with_links(page: str, addresses: Mapping[str, str]) -> str:
    """Return a page with links to where games can be played; `addresses` are by their names.

    No text of a game can be such a mark, since the page escapes all of them.
    """

    def link(mark: re.Match[str]) -> str:
        address = addresses.get(mark[1])
        if address is None:
            return ""
        return f'<p><a href="{escape(address)}">Play in the browser</a></p>'

    return _MARK.sub(link, page)
