"""One name for one thing: no class name is defined in two modules, but for those with a reason."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "cardwright"
TWICE = {
    "GameState": "what bot authors' editors complete is a copy of what the league gives to bots",
    "Table": "the table of a program is an owner of places; people and computer players sit at one",
    "Random": "a bot finds it under the name that the standard library has for it",
}


def test_class_names_are_defined_once() -> None:
    """Whoever searches for a class finds one definition."""
    places: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for name in re.findall(
            r"^ *class (\w+)[(:]", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            places[name].add(str(path.relative_to(SOURCE)))
    twice = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert twice.keys() == TWICE.keys(), twice
