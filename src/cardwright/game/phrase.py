"""Phrases: texts with places for values, in which authors say what things mean to people.

`{}` is what the phrase is about, `{LEVEL}` another stored value, and what stands after a colon says
how: `{:trick}` counts (`1 trick`, `3 tricks`; `{:life|lives}` where the plural needs a word of its
own), `{:player}` names the player of a number, and `{:whose}` says what is that player's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.verbs import agreeing, marked

if TYPE_CHECKING:
    from collections.abc import Callable

_PLACE = re.compile(r"\{([A-Za-z0-9_]*)(?::([^{}:]+))?\}")
PLAYER, WHOSE = "player", "whose"
"""What a place has after its colon if its value is the number of a player: `Ann`, `Ann's`."""


class PhraseError(ValueError):
    """A text that is no phrase; the message says why."""


class Blank(NamedTuple):
    """A place for a value in a phrase: its name, and how it is told; empty for the usual."""

    name: str
    how: str = ""


@dataclass(frozen=True)
class Phrase:
    """A text with places for values."""

    parts: tuple[str | Blank, ...]

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The places for values, in order."""
        return tuple(part for part in self.parts if isinstance(part, Blank))

    def fill(self, value: Callable[[Blank], str | None]) -> str | None:
        """Return the text with a value for each place; None if one has no value."""
        texts: list[str] = []
        for part in self.parts:
            text = value(part) if isinstance(part, Blank) else part
            if text is None:
                return None
            texts.append(text)
        return " ".join("".join(texts).split())

    def sentence(self, value: Callable[[Blank], str | None]) -> str | None:
        """Return the text filled, with verbs that agree with the player that it names."""
        text = self.fill(value)
        you = any(value(blank) == "you" for blank in self.blanks if blank.how == PLAYER)
        return text and agreeing(text, you=you)


@lru_cache(maxsize=4096)
def phrase(text: str) -> Phrase:
    """Return the phrase of a text; raises PhraseError for a brace that belongs to no place."""
    parts: list[str | Blank] = []
    at = 0
    for found in _PLACE.finditer(text):
        parts += [marked(text[at : found.start()]), Blank(found[1], (found[2] or "").strip())]
        at = found.end()
    parts.append(marked(text[at:]))
    for part in parts:
        if isinstance(part, str) and ("{" in part or "}" in part):
            raise PhraseError(
                f"{text!r} has a brace that belongs to no place for a value; such places are "
                "written {}, {NAME}, {:noun} or {NAME:noun}"
            )
    return Phrase(tuple(part for part in parts if part))


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 trick`, `3 tricks`; `life|lives` has both forms."""
    one, bar, many = noun.partition("|")
    if not bar:
        many = plural(one)
    return f"{count} {one if abs(count) == 1 else many}"


def plural(noun: str) -> str:
    """Return the regular plural of an English noun: `tricks`, `boxes`, `ladies`."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"
