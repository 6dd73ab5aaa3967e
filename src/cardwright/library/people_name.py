"""Games as people call them: `Crazy Eights`, where the library says `crazyeights`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.library import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping


def people_name(
    name: str, preset: str | None = None, settings: Mapping[str, str] | None = None
) -> str:
    """Return a game's title, with what was chosen of its options in brackets.

    `name` is that of the library or the path of a file, which is called by its name without folder
    and extension.
    """
    title = catalogue.facts(name).title if name in catalogue.names() else Path(name).stem
    chosen = [preset] if preset else []
    chosen += [f"{key} = {value}" for key, value in (settings or {}).items()]
    return f"{title} ({', '.join(chosen)})" if chosen else title
