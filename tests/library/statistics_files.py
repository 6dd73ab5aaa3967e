"""The files in which sums over random games are kept: one for each game of the library."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from library_statistics import Kind, Statistics, Sums
from published import FACTS

from cardwright.library.catalogue import facts

FOLDER = Path(__file__).with_name("statistics")

HEAD = """\
# Sums over random games, as whole numbers: see library_statistics.py for what they are.
# Written by scripts/statistics. A change here is a change of the game's rules or of the engine.
"""

SUMS = ("decisions", "best", "worst")
NUMBERS = ("options", "forced", "widest")
LISTS = ("winning", "first", "longest_of_hundred", "widest_of_hundred", "options_at")
"""Fields of statistics, by how they are written."""


def kinds(name: str) -> list[Kind]:
    """Return the kinds of a game that have statistics: numbers of players, presets, and constants.

    The constants are those with which somebody published a figure. A preset that is another game,
    or only another number of players, has its statistics there.
    """
    about = facts(name)
    found = [Kind(players) for players in about.players]
    found += [
        Kind(int(preset.declared.get("PLAYERS", about.default_players)), preset.name)
        for preset in about.settings.presets.values()
        if not preset.game and preset.declared.keys() - {"PLAYERS"}
    ]
    found += [fact.kind for fact in FACTS if fact.game == name]
    return list(dict.fromkeys(found))


def path(name: str) -> Path:
    """Return the file of a game."""
    return FOLDER / f"{name}.toml"


def write(name: str, found: list[Statistics]) -> None:
    """Write the statistics of a game."""
    FOLDER.mkdir(exist_ok=True)
    path(name).write_text("\n".join([HEAD, *map(_table, found)]), encoding="utf-8")


def read(name: str) -> list[Statistics]:
    """Return the statistics of a game as they were written; none if they never were."""
    if not path(name).exists():
        return []
    tables = tomllib.loads(path(name).read_text(encoding="utf-8"))["statistics"]
    return [_statistics(table) for table in tables]


def _table(found: Statistics) -> str:
    fields = {**vars(found.kind), **vars(found)}
    lines = [f"{key} = {_text(key, value)}" for key, value in fields.items() if key != "kind"]
    return "\n".join(["[[statistics]]", *lines, ""])


def _text(key: str, value: Any) -> str:
    """Return a field's value as TOML has it."""
    match value:
        case Sums():
            return json.dumps(_numbers(value))
        case (Sums(), *_):
            return json.dumps([_numbers(seat) for seat in value])
        case _ if key == "declared":
            inside = ", ".join(f"{name} = {json.dumps(of)}" for name, of in value)
            return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value)


def _numbers(sums: Sums) -> list[int]:
    return list(vars(sums).values())


def _statistics(table: dict[str, Any]) -> Statistics:
    fields: dict[str, Any] = {
        "kind": Kind(table["players"], table["preset"], tuple(table["declared"].items())),
        "scores": tuple(Sums(*seat) for seat in table["scores"]),
    }
    fields |= {key: Sums(*table[key]) for key in SUMS}
    fields |= {key: table[key] for key in NUMBERS}
    fields |= {key: tuple(table[key]) for key in LISTS}
    return Statistics(**fields)
