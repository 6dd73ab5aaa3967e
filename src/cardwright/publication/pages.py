"""HTML pages of reports: templates, and SVG prepared to be inlined."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from cardwright.extras import missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jinja2 import Environment

_HEAD = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_ID = re.compile(r'(?<=[\s])id="([^"]+)"')
_REFERENCE = re.compile(r'((?:xlink:)?href=")#([^"]+)"|url\(#([^)]+)\)')
_VIEW = re.compile(r'viewBox="([-0-9.eE ]+)"')
_WIDTH = re.compile(r'\swidth="([0-9.]+)(pt|px)?"')


def inlined(svg: str, name: str, label: str) -> str:
    """Return the `svg` element of a file, no wider than its place, with a label for screen readers.

    `name` is prefixed to all identifiers, so that those of two pictures on a page do not clash. The
    element gets a style of its own instead of a fixed size.
    """
    text = _COMMENT.sub("", _METADATA.sub("", _HEAD.sub("", svg, count=1))).strip()
    text = _ID.sub(lambda found: f'id="{name}-{found[1]}"', text)
    text = _REFERENCE.sub(lambda found: _renamed(found, name), text)
    found = _TAG.match(text)
    if found is None:
        return ""
    return _opening(found[0], label) + text[found.end() :]


def _renamed(found: re.Match[str], name: str) -> str:
    if found[2] is not None:
        return f'{found[1]}#{name}-{found[2]}"'
    return f"url(#{name}-{found[3]})"


def _opening(tag: str, label: str) -> str:
    view, width = _VIEW.search(tag), _WIDTH.search(tag)
    box = view[1] if view else "0 0 100 100"
    wide = float(width[1]) if width else float(box.split()[2])
    if width is not None and width[2] == "pt":
        wide *= 4 / 3
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{box}" style="max-width:{wide:.0f}px;--wide:{wide:.0f}px" role="img" '
        f'aria-label="{escape(label, quote=True)}">'
    )


def templates(folder: Path, finalize: Callable[[object], object] | None = None) -> Environment:
    """Return the Jinja environment of a folder; raises MissingExtraError without Jinja.

    A name that a template uses but is not given is an error. `finalize` is applied to everything
    that is put into a page.
    """
    try:
        from jinja2 import (
            Environment,
            FileSystemLoader,
            StrictUndefined,
        )
    except ImportError:
        raise missing("jinja2") from None
    return Environment(
        autoescape=True,
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalize,
    )
