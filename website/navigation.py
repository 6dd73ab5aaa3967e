"""The order of the pages: navigation.toml, compared with the pages that there are."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ORDER = Path(__file__).parent / "navigation.toml"
HOME = "index.md"

Entry = str | dict[str, Any]
"""A page, or a title with a page or a list of entries, as MkDocs wants them."""


class NavigationError(Exception):
    """The order names a page that there is not, or leaves one out, or has one twice."""


def navigation(pages: Collection[str], order: Path = ORDER) -> list[Entry]:
    """Return the navigation of all pages, named by their paths from docs/.

    Pages under `files/` are only reached from links. Sections without pages are left out.
    """
    sections = tomllib.loads(order.read_text(encoding="utf-8"))["section"]
    entries = [{section["title"]: _entries(section, pages)} for section in sections]
    found: list[Entry] = [{"Home": HOME}, *(one for one in entries if any(one.values()))]
    _compare(Counter(named(found)), {page for page in pages if not page.startswith("files/")})
    return found


def _entries(section: dict[str, Any], pages: Collection[str]) -> list[Entry]:
    found: list[Entry] = list(section.get("pages", []))
    if folder := section.get("folder"):
        first = [f"{folder}/{name}" for name in section.get("first", [])]
        inside = sorted(page for page in pages if page.startswith(f"{folder}/"))
        found += first if inside else []
        found += [page for page in inside if page not in first]
    for part in section.get("part", []):
        if entries := _entries(part, pages):
            found.append({part["title"]: entries})
    return found


def named(entries: list[Entry]) -> Iterator[str]:
    """Yield the pages of a navigation in their order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
            continue
        for inner in entry.values():
            yield from named(inner if isinstance(inner, list) else [inner])


def _compare(listed: Counter[str], pages: set[str]) -> None:
    said = [f"{page} is listed, and there is no such page" for page in sorted(set(listed) - pages)]
    said += [f"{page} is not listed" for page in sorted(pages - set(listed))]
    said += [f"{page} is listed {times} times" for page, times in listed.items() if times > 1]
    if said:
        raise NavigationError(f"{ORDER.name}: " + "; ".join(said))
