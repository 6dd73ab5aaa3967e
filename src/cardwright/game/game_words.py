"""The words that a game's author gives to people, from `[words]` of the file beside the game.

Names of the rules are keys of its tables, and phrases (`game/phrase.py`) their values. A key may
have the sort of owner before the name, `game`, `team` or `player`, and a stored value after it:
`"player CHIPS"`, `"BID PASS"`. The longest key that fits counts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.phrase import phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.game.phrase import Phrase

Told: TypeAlias = "tuple[tuple[str, str], ...]"
"""A table of words: its keys and texts, in the order in which they are written."""

OWNER_SORTS = ("game", "team", "player")
"""The sorts of owners, as rules write them."""

PASS = "pass"
"""The key in `choices` for an option that only passes."""

TO = " to "
"""What stands between two places in a key of `moves`: `"STOCK to HAND"`."""


@dataclass(frozen=True)
class GameWords:
    """Words for people, by table.

    `unit` is what scores count, in the singular. `cards` names values of attributes and whole
    cards, `texts` strings of the rules, `places` locations. `moves` say what it means that cards go
    somewhere, `choices` that a player stores a value by choosing, `labels` that an option with a
    label is chosen, and `changes` that the rules store a value. `facts` are stored values as they
    stand, and `prompts` what is asked where an option does something.
    """

    unit: str = ""
    cards: Told = ()
    texts: Told = ()
    places: Told = ()
    moves: Told = ()
    labels: Told = ()
    choices: Told = ()
    changes: Told = ()
    facts: Told = ()
    prompts: Told = ()

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return any(getattr(self, field.name) for field in fields(self))

    @cached_property
    def _tables(self) -> Mapping[str, Mapping[str, Phrase]]:
        return {
            name: {key: phrase(text) for key, text in getattr(self, name)} for name in WORD_TABLES
        }

    def phrases(self, table: str) -> Mapping[str, Phrase]:
        """Return the phrases of a table by their keys, in the order in which they are written."""
        return self._tables[table]

    def find(self, table: str, keys: Iterable[str]) -> Phrase | None:
        """Return the phrase of the first of some keys that a table has; None if it has none."""
        phrases = self._tables[table]
        return next((phrases[key] for key in keys if key in phrases), None)


WORD_TABLES = tuple(field.name for field in fields(GameWords) if field.name != "unit")
"""The names of the tables of words."""


def value_keys(sort: str, name: str, value: object) -> tuple[str, ...]:
    """Return the keys for a stored value, those that say more first."""
    return f"{sort} {name} {value}", f"{name} {value}", f"{sort} {name}", name


def place_keys(sort: str, name: str) -> tuple[str, ...]:
    """Return the keys for a place, that with the sort of its owner first."""
    return f"{sort} {name}", name


def move_keys(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys for cards that go from one place to another, from keys for both."""
    return *(f"{one}{TO}{other}" for other in target for one in source), *target
