"""English for people: verbs, plurals and lists, and the phrases of a game's author.

A phrase is a text with places for values. `{}` is what the phrase is about, `{LEVEL}` another
stored value, and what stands after a colon says how: `{:trick}` counts (`1 trick`, `3 tricks`;
`{:life|lives}` where the plural needs a word of its own), `{:player}` names the player of a number,
and `{:whose}` says what is that player's.

Phrases stand in the table `[words]` of the TOML file beside a game. Names of the rules are the keys
of its tables. A key may have the sort of owner before the name, `game`, `team` or `player`, and a
stored value after it: `"player CHIPS"`, `"BID PASS"`. The longest key that fits counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Verbs ------------------------------------------------------------------------------------

_IRREGULAR = {"are": "is", "be": "is", "have": "has"}
_IRREGULAR |= {verb: verb for verb in ("can", "may", "must", "will")}

_VERBS = """
    accept add announce answer ask attack bank beat bet bid block burn buy call cancel capture
    challenge change check choose claim close collect continue count cover cut deal decline defend
    deny discard double draw drop end exchange expose finish flip fold follow give go guess hide hit
    hold join keep knock lay lead leave lift lock look lose match meld move name offer open order
    pass pay peek pick place play point put quit raise redouble refuse reject remember remove reveal
    roll save say see sell send set shoot show shuffle skip slap sort split stand start stay steal
    stop surrender swap take tell throw trade trump try turn use vote wait win
"""

KNOWN = frozenset(_VERBS.split())
"""Verbs that rules often have as names; what begins with one is what a player does."""

_FIRST = re.compile(r"\w+")
_BEGIN, _END = "\x0e", "\x0f"
"""Marks around verbs that have to agree; no brackets, as names of players may have some."""

_MARKED = re.compile(f"{_BEGIN}(\\w+){_END}")
_BRACKETS = re.compile(r"\[(\w+)\]")


class Clause(NamedTuple):
    """What somebody does: a text that begins with its verb, in the form used with `you`.

    An author marks more verbs by brackets: `take it and [play] on`.
    """

    text: str

    @property
    def verb(self) -> str:
        """The first verb."""
        match = _FIRST.match(self.text)
        return match[0] if match else ""

    @property
    def imperative(self) -> str:
        """The clause as said to the player: `play the queen`."""
        return agreeing(self.text, you=True)

    @property
    def third(self) -> str:
        """The clause as said of another: `plays the queen`."""
        return agreeing(third(self.verb) + self.text.removeprefix(self.verb), you=False)


def agreeing(text: str, *, you: bool) -> str:
    """Return a text with its marked verbs as they are with `you`, or with somebody else."""
    return _MARKED.sub(lambda match: match[1] if you else third(match[1]), text)


def third(verb: str) -> str:
    """Return a verb in the third person: `plays`, `passes`, `carries`."""
    return _IRREGULAR.get(verb) or (f"{verb}es" if verb.endswith("o") else plural(verb))


def many(verb: str) -> str:
    """Return a verb in the third person as it is with several: `is` becomes `are`."""
    if verb in {"is", "are"}:
        return "are"
    singular = {third(known): known for known in (*KNOWN, *_IRREGULAR, "come", "do", "fall", "lie")}
    return singular.get(verb, verb.removesuffix("s"))


# Nouns and lists --------------------------------------------------------------------------

_VOWEL = re.compile(r"[aeiou]|8|11\b|18\b", re.IGNORECASE)


def plural(noun: str) -> str:
    """Return the regular plural of an English noun: `tricks`, `boxes`, `ladies`."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 trick`, `3 tricks`; `life|lives` has both forms."""
    singular, _, several = noun.partition("|")
    return f"{count} {singular if abs(count) == 1 else several or plural(singular)}"


def counted_cards(count: int) -> str:
    """Return a number of cards: `a card`, `3 cards`."""
    return "a card" if count == 1 else f"{count} cards"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article: `an ace`, `a 7`."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Return texts as a list in a sentence: `a, b and c`."""
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


# Phrases ----------------------------------------------------------------------------------

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
        texts = [value(part) if isinstance(part, Blank) else part for part in self.parts]
        known = [text for text in texts if text is not None]
        return " ".join("".join(known).split()) if len(known) == len(texts) else None

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
            parts[number] = _BRACKETS.sub(f"{_BEGIN}\\1{_END}", part)
    return Phrase(tuple(part for part in parts if part))


# The words of a game ----------------------------------------------------------------------

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


def label_key(parts: Iterable[object]) -> str:
    """Return the words of a label that are written out: `ASK FOR`, empty if it has none."""
    return " ".join(part.upper() for part in parts if isinstance(part, str))
