"""Facts about the library's games, for people who choose one and for the documentation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import NotFoundError
from cardwright.game.find import library_folder, library_names
from cardwright.game.settings import TABLES, FactsError, check_fields, parse_settings, read_table
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.settings import Settings


@dataclass(frozen=True)
class CatalogueEntry:
    """What is known about a game apart from its rules in RECYCLE; the texts are for people.

    `players` lists the numbers of players it is meant for, and `opponent` names the computer player
    that sits at a table of people unless another is chosen, as `ismcts:iterations=1000`.
    `mechanics` names what players do in it, and `information` how cards are hidden or shown.
    `rules` says how it is played, `left_out` which parts of the usual game are missing, `notes` how
    the file differs otherwise. `settings` explains each constant that may be set when the game is
    loaded, and names variants.
    """

    name: str
    title: str
    players: tuple[int, ...]
    default_players: int
    opponent: str
    deck: str
    origin: str
    date: str
    source: str
    mechanics: tuple[str, ...]
    information: tuple[str, ...]
    rules: str
    left_out: str
    notes: str
    settings: Settings

    @property
    def declared(self) -> dict[str, str]:
        """The meaning of each constant that may be set."""
        return {name: setting.about for name, setting in self.settings.declared.items()}


STANDARD = "standard"
"""The preset of a game that is played unless another is chosen, where the file has it."""

PLAIN = frozenset(field.name for field in fields(CatalogueEntry)) - {"name", "settings"}
"""Fields of a file of facts that have a single value."""


def names() -> list[str]:
    """Return the names of the library's games, in alphabetical order."""
    return library_names()


@cache
def facts(name: str) -> CatalogueEntry:
    """Return the facts about a game of the library; raises NotFoundError if it is not there."""
    known = names()
    if name not in known:
        advice = did_you_mean(name, known) or f"the library has {', '.join(known)}"
        raise NotFoundError(f"there is no game {name!r} in the library; {advice}")
    file = library_folder() / f"{name}.toml"
    if not file.is_file():
        raise FactsError(f"the game {name!r} has no file of facts {name}.toml")
    return parse(name, file.read_text(encoding="utf-8"))


def library_games() -> dict[str, CatalogueEntry]:
    """Return every game of the library by its name, in order of names, with the facts about it."""
    return {name: facts(name) for name in names()}


def usual_preset(entry: CatalogueEntry) -> str | None:
    """Return the preset that people play unless they choose: `standard`, where there is one."""
    return STANDARD if STANDARD in entry.settings.presets else None


def parse(name: str, text: str) -> CatalogueEntry:
    """Return the facts about a game in a TOML text; raises FactsError if it is wrong."""
    file = f"{name}.toml"
    table = read_table(file, text)
    check_fields(file, table, {*PLAIN, "declared"}, TABLES)
    values = {key: _value(name, key, table[key]) for key in PLAIN}
    return CatalogueEntry(name=name, settings=parse_settings(file, table), **values)


def _value(name: str, key: str, value: Any) -> Any:
    listed = key in {"players", "mechanics", "information"}
    kind, word = (int, "number") if key in {"players", "default_players"} else (str, "string")
    items = value if listed else [value]
    # A truth value is no number in TOML.
    good = isinstance(items, list) and all(type(item) is kind for item in items)
    if not good or (key == "players" and not value):
        raise FactsError(f"{name}.toml: {key} is not a {f'list of {word}s' if listed else word}")
    return tuple(value) if listed else value


def people_name(
    name: str, preset: str | None = None, settings: Mapping[str, str] | None = None
) -> str:
    """Return a game's title, by its name or path, with what was chosen of its options."""
    title = facts(name).title if name in names() else Path(name).stem
    chosen = [preset] if preset else []
    chosen += [f"{key} = {value}" for key, value in (settings or {}).items()]
    return f"{title} ({', '.join(chosen)})" if chosen else title
