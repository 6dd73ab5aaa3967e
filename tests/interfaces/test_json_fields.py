"""The JSON of the commands and its description in `docs/command-line.md` have the same fields."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
GIVEN = {"traces"}
"""Fields whose values are somebody else's: there is nothing in them to describe here."""

CALLS = {
    "check": ("check", "wrong.rcy", "--format", "json"),
    "simulate": ("simulate", "coin.rcy", "--games", "3", "--seed", "1", "--json", "--trace"),
    "replay": ("replay", "coin.rcy", "--seed", "1", "--format", "json"),
    "match": ("match", "random", "random", "coin.rcy", "--deals", "40", "--seed", "1", "--json"),
    "bench": ("bench", "coin.rcy", "--seconds", "0.01", "--format", "json"),
    "test": ("test", "coin.rcy", "failing.positions.toml", "--json"),
    "explain-diff": (
        "explain-diff",
        "agram",
        "agram",
        "--set",
        "HANDSIZE=5",
        "--json",
        "--diff",
    ),
    "doctor": ("doctor", "--json"),
    "cache": ("cache", "--format", "json"),
}
"""A call of each command whose page lists the fields of its JSON."""


def fields(value: Any) -> Iterator[str]:
    """Yield the names of all fields of a JSON value, those of objects in it too."""
    if isinstance(value, list):
        for item in value:
            yield from fields(item)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name not in GIVEN:
                yield from fields(inner)


def described(command: str) -> tuple[set[str], set[str]]:
    """Return the words in backticks of a command's section, and the first ones of table rows."""
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (own,) = (part for part in section if part.split("\n")[0].strip() == command)
    rows = re.split(r"^\| field \| meaning \|$", own, flags=re.MULTILINE)[1:]
    table = "".join(row.split("\n\n")[0] for row in rows)
    first = {
        name
        for line in re.findall(r"^\| (`[^|]*) \|", table, flags=re.MULTILINE)
        for name in re.findall(r"`(\w+)`", line)
    }
    return set(re.findall(r"`(\w+)`", own)), first


@pytest.mark.parametrize("command", CALLS)
def test_json_has_the_fields_of_its_page(run, command, tmp_path):
    """A new field needs its row, and a row that is left over goes."""
    outcome = run(*CALLS[command])
    assert outcome.exit_code in {0, 1}, outcome.output
    found = set(fields(json.loads(outcome.stdout)))
    words, first = described(command)
    assert found <= words, f"not in the section {command} of {PAGE.name}: {found - words}"
    assert first <= found, f"no longer in the JSON of {command}: {first - found}"
