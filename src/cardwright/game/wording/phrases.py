"""Phrases of a game's author.

A phrase is a text with places for values. `{}` is what the phrase is about, `{LEVEL}` another
stored value, and what stands after a colon says how: `{:trick}` counts (`1 trick`, `3 tricks`;
`{:life|lives}` where the plural needs a word of its own), `{:player}` names the player of a number,
`{:whose}` says what is that player's, and `{STRAIN:sign}` has the sign of a string.

Phrases stand in the table `[words]` of the TOML file beside a game. Names of the rules are the keys
of its tables. A key may have the sort of owner before the name, `game`, `team` or `player`, and a
stored value after it: `"player CHIPS"`, `"BID PASS"`. The longest key that fits counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.english import NOBODY, SentenceSubject, base, marked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# Phrases ----------------------------------------------------------------------------------

_BRACKETS = re.compile(r"\[(\w+)\]")
_PLACE = re.compile(r"\{([A-Za-z0-9_]*)(?::([^{}:]+))?\}")
PLAYER, WHOSE = "player", "whose"
"""What a place has after its colon if its value is the number of a player: `Ann`, `Ann's`."""

SIGN = "sign"
"""What a place has after its colon if the sign of a string is to stand there: `♠`."""


class PhraseError(ValueError):
    """A text that is no phrase; the message says why."""


class Blank(NamedTuple):
    """A place for a value in a phrase: its name, and how it is told; empty for the usual."""

    name: str
    how: str = ""


FillBlank: TypeAlias = "Callable[[Blank], str | SentenceSubject | None]"
"""What gives the value for a place of a phrase; None if there is none."""


@dataclass(frozen=True)
class Phrase:
    """A text with places for values."""

    parts: tuple[str | Blank, ...]

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The places for values, in order."""
        return tuple(part for part in self.parts if isinstance(part, Blank))

    @property
    def of_cards(self) -> bool:
        """Whether cards are the subject, as in `{} is turned up`."""
        return bool(self.parts) and isinstance(self.parts[0], Blank) and not self.parts[0].name

    def fill(self, value: FillBlank) -> str | None:
        """Return the text with a value for each place; None if one has no value."""
        values = [value(part) if isinstance(part, Blank) else part for part in self.parts]
        texts = [str(value) for value in values if value is not None]
        return " ".join("".join(texts).split()) if len(texts) == len(values) else None

    def sentence(self, value: FillBlank) -> str | None:
        """Return the text filled, with verbs that agree with the player that it names."""
        text = self.fill(value)
        named = [value(blank) for blank in self.blanks if blank.how == PLAYER]
        subject = next((name for name in named if isinstance(name, SentenceSubject)), NOBODY)
        return text and subject.agreeing(text)

    def of_count(self, count: int, value: FillBlank) -> str | None:
        """Return a phrase `of_cards` as a sentence about so many; its author wrote it about one."""
        cards, text = value(self.blanks[0]), Phrase(self.parts[1:]).fill(value)
        if cards is None or text is None:
            return None
        verb, space, rest = text.partition(" ")
        return SentenceSubject(str(cards), plural=count != 1).does(f"{base(verb)}{space}{rest}")


@lru_cache(maxsize=4096)
def phrase(text: str) -> Phrase:
    """Return the phrase of a text; raises PhraseError for a brace that belongs to no place."""
    parts: list[str | Blank] = []
    at = 0
    for match in _PLACE.finditer(text):
        parts += [text[at : match.start()], Blank(match[1], (match[2] or "").strip())]
        at = match.end()
    parts.append(text[at:])
    for number, part in enumerate(parts):
        if isinstance(part, str):
            if "{" in part or "}" in part:
                raise PhraseError(
                    f"{text!r} has a brace that belongs to no place for a value; such places are "
                    "written {}, {NAME}, {:noun} or {NAME:noun}"
                )
            parts[number] = _BRACKETS.sub(lambda match: marked(match[1]), part)
    return Phrase(tuple(part for part in parts if part))


# The words of a game ----------------------------------------------------------------------

WordTable: TypeAlias = "tuple[tuple[str, str], ...]"
"""A table of words: its keys and texts, in the order in which they are written."""

OWNER_SORTS = ("game", "team", "player")
"""The sorts of owners, as rules write them."""

PASS = "pass"
"""The key in `choices` for an option that only passes."""

TO = " to "
"""What stands between two places in a key of `moves`: `"STOCK to HAND"`."""


@dataclass(frozen=True)
class ResultWords:
    """What a deal has brought where a condition holds at its end, for each owner of a sort.

    The condition is in RECYCLE, about constants and stored values: those of the owner, or else of
    the table. `text` is a phrase like those of `changes`, and `sign` a picture beside it. A record
    of games counts it as a `feat`, a noun in the plural, of the owner; if that is the table, of the
    player whose number is stored under the name `by`.
    """

    condition: str
    text: str
    of: str = OWNER_SORTS[0]
    sign: str = ""
    feat: str = ""
    by: str = ""


YOU_ALONE = "you"
"""Who is told something of a player that nobody else may know: that player."""


@dataclass(frozen=True)
class DisplayWords:
    """What is shown at any moment where a condition holds, for each owner of a sort.

    The condition, `values` and what a track shows are forms of RECYCLE, as in the rules. `text` is
    a phrase, in which the names of `values` stand for what these give. It is shown at the seat of a
    player, in the row of a team, or in the middle, and `at` a place under its pile; beside the
    `sign` of a value, it is drawn large. A `track` is a row of holes, as many as `to`, with a peg.
    """

    text: str
    condition: str = ""
    of: str = OWNER_SORTS[0]
    at: str = ""
    sign: str = ""
    track: str = ""
    to: str = ""
    values: WordTable = ()


NEVER = -(10**6)
"""A number above which cards count in any point map."""


@dataclass(frozen=True)
class HandWords:
    """How a hand is sorted, and laid in groups: sets of cards alike, and runs of a suit.

    `order` is the point map of the table by which the hand is sorted; cards that count no more than
    `above` come first, by suit and rank. `sets` is the attribute that the cards of a set share;
    `runs` the point map of the table by which cards of a run follow each other, and `suit` the
    attribute that they share; `least` is how many cards a group has at least. Of all ways the one
    is chosen in which the cards left over cost least by the point map `cost`. `text` tells what
    they cost, if it is known.
    """

    order: str = ""
    above: int = NEVER
    sets: str = ""
    runs: str = ""
    suit: str = "SUIT"
    least: int = 3
    cost: str = ""
    text: str = ""


@dataclass(frozen=True)
class GameWords:
    """Words for people, by table.

    `unit` is what scores count, in the singular. `cards` names values of attributes and whole
    cards, `texts` strings of the rules, `places` locations; `notes` say what is stored under the
    name of a location, which stands beside it. `moves` say what it means that cards go
    somewhere, `choices` that a player stores a value by choosing, `labels` that an option with a
    label is chosen, and `changes` that the rules store a value. `facts` are stored values as they
    stand, and `prompts` what is asked where an option does something. `signs` are short for
    strings, such as a suit's, and `calls` labels as they stand in the table of an auction. `piles`
    say how the cards of a place lie. `results` say how a deal has ended, `displays` what is shown
    while a condition holds, and `hand` how a hand is laid.
    """

    unit: str = ""
    cards: WordTable = ()
    texts: WordTable = ()
    places: WordTable = ()
    notes: WordTable = ()
    moves: WordTable = ()
    labels: WordTable = ()
    choices: WordTable = ()
    changes: WordTable = ()
    facts: WordTable = ()
    prompts: WordTable = ()
    signs: WordTable = ()
    calls: WordTable = ()
    piles: WordTable = ()
    results: tuple[ResultWords, ...] = ()
    displays: tuple[DisplayWords, ...] = ()
    hand: HandWords | None = None

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


RESULTS, DISPLAYS, HAND = "results", "displays", "hand"
"""What words have besides tables: what is said of the end of a deal, at any moment, of hands."""

PILES = "piles"
"""The name of the table that says how cards lie."""

UNSHOWN = "none"
"""How the cards of a place lie that is not shown."""

PILE_SHAPES = ("row", "top", "last", "count", "suits", UNSHOWN)
"""How the cards of a place can lie: all in a row, the top one, those that came last together, none
until asked, by suits."""

WORD_TABLES = tuple(
    field.name for field in fields(GameWords) if field.name not in {"unit", RESULTS, DISPLAYS, HAND}
)
"""The names of the tables of words."""


def value_keys(sort: str, name: str, value: object) -> tuple[str, ...]:
    """Return the keys for a stored value, those that say more first."""
    return f"{sort} {name} {value}", f"{name} {value}", f"{sort} {name}", name


def place_keys(sort: str, name: str) -> tuple[str, ...]:
    """Return the keys for a place, that with the sort of its owner first."""
    return f"{sort} {name}", name


def label_key(parts: Iterable[object]) -> str:
    """Return the words of a label that are written out: `ASK FOR`, empty if it has none."""
    return " ".join(part.upper() for part in parts if isinstance(part, str))
