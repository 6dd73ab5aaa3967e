"""English for people: subjects and verbs that agree, plurals, lists and numbers.

A sentence is a `SentenceSubject` that does what a `Clause` says: `YOU.does("take the trick")` is
`you take the trick`, and `named("Ann").does("take the trick")` is `Ann takes the trick`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Nouns, lists and sentences ---------------------------------------------------------------

_HISSING = ("s", "x", "z", "ch", "sh")
"""Ends of words after which an s needs an e."""

_VOWEL = re.compile(r"[aeiou]|8|11\b|18\b", re.IGNORECASE)


def plural(noun: str) -> str:
    """Return the regular plural of a noun: `tricks`, `boxes`, `ladies`."""
    if noun.endswith(_HISSING):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def in_number(count: float, noun: str) -> str:
    """Return a noun as it is with so many: `trick` or `tricks`; `life|lives` has both forms."""
    singular, _, several = noun.partition("|")
    return singular if abs(count) == 1 else several or plural(singular)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 trick`, `3 tricks`, `2,000 games`."""
    return f"{count:,} {in_number(count, noun)}"


def counted_or_a(count: int, noun: str) -> str:
    """Return a number with its noun, and one with its article: `a card`, `3 cards`."""
    return with_article(noun) if count == 1 else counted(count, noun)


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article: `an ace`, `a 7`."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def listed(items: Iterable[object], last: str = "and") -> str:
    """Return a list in a sentence: `a, b and c`."""
    *texts, end = [*map(str, items)] or [""]
    return f"{', '.join(texts)} {last} {end}" if texts else end


def listed_in_part(items: Sequence[object], most: int, last: str = "and") -> str:
    """Return a list in a sentence with at most so many items: `a, b and 3 more`."""
    left = len(items) - most
    return listed([*items[:most], f"{left:,} more"] if left > 0 else items, last)


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


# Verbs ------------------------------------------------------------------------------------

_SINGULAR = {"are": "is", "have": "has", "were": "was"}
_SINGULAR |= {
    verb: verb
    for verb in ("can", "could", "may", "might", "must", "shall", "should", "will", "would")
}

_VERBS = """
    accept add announce answer ask attack bank beat bet bid block burn buy call cancel capture
    challenge change check choose claim close collect continue count cover cut deal decline defend
    deny discard double draw drop end exchange expose finish flip fold follow give go guess hide hit
    hold join keep knock lay lead leave lift lock look lose match meld move name offer open order
    pass pay peek pick place play point put quit raise redouble refuse reject remember remove reveal
    roll save say see sell send set shoot show shuffle skip slap sort split stand start stay steal
    stop surrender swap take tell throw trade trump try turn use vote wait win
"""

KNOWN_VERBS = frozenset(_VERBS.split())
"""Verbs that rules often have as names; what begins with one is what a player does."""

_FIRST = re.compile(r"\w+")
_BEGIN, _END = "\x0e", "\x0f"
"""Marks around verbs that have to agree; no brackets, as names of players may have some."""

_MARKED = re.compile(f"{_BEGIN}(\\w+){_END}")


def third(verb: str) -> str:
    """Return a verb in the third person: `plays`, `passes`, `carries`."""
    return _SINGULAR.get(verb) or (f"{verb}es" if verb.endswith("o") else plural(verb))


_HISSING_ES = tuple(f"{end}es" for end in (*_HISSING, "o"))
_BASES = {
    third(verb): verb
    for verb in (*KNOWN_VERBS, *_SINGULAR, "come", "die", "do", "fall", "lie", "tie")
}


def base(verb: str) -> str:
    """Return the form of a verb of the third person that it has with `you`: `are` for `is`."""
    if verb.endswith("ies"):
        return _BASES.get(verb, f"{verb[:-3]}y")
    return _BASES.get(verb, verb.removesuffix("es" if verb.endswith(_HISSING_ES) else "s"))


def agreed(verb: str, count: int) -> str:
    """Return a verb, given as with `you`, as it is with so many things: `is` or `are`."""
    return third(verb) if count == 1 else verb


def marked(verb: str) -> str:
    """Return a verb marked as one that has to agree, for a text that becomes a clause."""
    return f"{_BEGIN}{verb}{_END}"


class Clause(NamedTuple):
    """What somebody does: a text that begins with its verb, in the form used with `you`.

    Further verbs that have to agree are `marked`.
    """

    text: str

    @property
    def verb(self) -> str:
        """The first verb."""
        match = _FIRST.match(self.text)
        return match[0] if match else ""

    @property
    def imperative(self) -> str:
        """The clause as said to a player: `play the queen`."""
        return YOU.form(self)


@dataclass(frozen=True)
class SentenceSubject:
    """Who or what a sentence is about; verbs are as with `you` if it is `plural`.

    The text is as it stands within a sentence. One that is a `name`, or begins with one, is written
    alike at the beginning of a sentence.
    """

    text: str
    plural: bool = False
    name: bool = False

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    @classmethod
    def several(cls, members: Iterable[SentenceSubject]) -> SentenceSubject:
        """Return all of some together, the reader first: `you and Ben`; one alone stays as is."""
        ordered = sorted(members, key=lambda member: member != YOU)
        first = ordered[0]
        return first if len(ordered) == 1 else cls(listed(ordered), plural=True, name=first.name)

    def agreeing(self, text: str) -> str:
        """Return a text with its marked verbs as they are with the subject."""
        return _MARKED.sub(lambda match: match[1] if self.plural else third(match[1]), text)

    def form(self, clause: Clause) -> str:
        """Return what the subject does, without the subject: `plays the queen`."""
        verb = clause.verb
        first = verb if self.plural else third(verb)
        return self.agreeing(first + clause.text.removeprefix(verb))

    def does(self, clause: Clause | str) -> str:
        """Return what the subject does: `Ann plays the queen`."""
        return f"{self.text} {self.form(Clause(clause) if isinstance(clause, str) else clause)}"

    def sentence(self, clause: Clause | str) -> str:
        """Return what the subject does, with a capital letter at the beginning."""
        return self.does(clause) if self.name else capital(self.does(clause))


YOU = SentenceSubject("you", plural=True)
"""The reader."""

EVERYBODY = SentenceSubject("everybody")

NOBODY = SentenceSubject("")
"""The subject where a whole sentence has its own: verbs agree with one."""


def named(name: str) -> SentenceSubject:
    """Return somebody with a name as a subject."""
    return SentenceSubject(name, name=True)


# Numbers ----------------------------------------------------------------------------------

UNKNOWN = "–"
"""What stands for a number that is not known."""


def minus(text: str) -> str:
    """Return a formatted number with a true minus sign, and none before a 0."""
    return text.replace("-", "−") if text.strip("-0.,") else text.removeprefix("-")


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with so many digits after the point; a dash for none."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    return minus(f"{value:,.{digits}f}")


def percent(share: float | None, digits: int | None = 1) -> str:
    """Return a share as a percentage; without `digits` with as many as it needs: `95 %`."""
    if share is None or not math.isfinite(share):
        return UNKNOWN
    return f"{minus(f'{100 * share:g}') if digits is None else number(100 * share, digits)} %"


def ordinal(place: int) -> str:
    """Return the number of a place from 1 on: `1st`, `12th`, `23rd`."""
    teens = 10 < place % 100 < 14
    return f"{place}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"
