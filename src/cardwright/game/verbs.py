"""Verbs: what somebody does, as told to that player and of another."""

from __future__ import annotations

import re
from typing import NamedTuple

_IRREGULAR = {
    "are": "is",
    "be": "is",
    "can": "can",
    "have": "has",
    "may": "may",
    "must": "must",
    "will": "will",
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

KNOWN = frozenset(_VERBS.split())
"""Verbs that rules often have as names; what begins with one is what a player does."""


_FIRST = re.compile(r"\w+")
_BEGIN, _END = "\x0e", "\x0f"
_MARKED = re.compile(f"{_BEGIN}(\\w+){_END}")
_BRACKETS = re.compile(r"\[(\w+)\]")


class Clause(NamedTuple):
    """What somebody does: a text that begins with its verb, in the form used with `you`.

    More verbs may follow that are marked (see `marked`).
    """

    text: str

    @property
    def verb(self) -> str:
        """The first verb."""
        found = _FIRST.match(self.text)
        return found[0] if found else ""

    @property
    def imperative(self) -> str:
        """The clause as said to the player: `play the queen`."""
        return agreeing(self.text, you=True)

    @property
    def third(self) -> str:
        """The clause as said of another: `plays the queen`."""
        return agreeing(third(self.verb) + self.text.removeprefix(self.verb), you=False)


def marked(text: str) -> str:
    """Return an author's text with its verbs in brackets marked: `take it and [play] on`.

    The marks are no brackets, as names of players may have some.
    """
    return _BRACKETS.sub(f"{_BEGIN}\\1{_END}", text)


def agreeing(text: str, *, you: bool) -> str:
    """Return a text with its marked verbs as they are with `you`, or with somebody else."""
    return _MARKED.sub(lambda found: found[1] if you else third(found[1]), text)


def third(verb: str) -> str:
    """Return a verb in the third person: `plays`, `passes`, `carries`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def many(verb: str) -> str:
    """Return a verb in the third person as it is with several: `is` becomes `are`."""
    if verb in {"is", "are"}:
        return "are"
    singular = {third(known): known for known in (*KNOWN, *_IRREGULAR, "come", "do", "fall", "lie")}
    return singular.get(verb, verb.removesuffix("s"))


def listed(texts: list[str] | tuple[str, ...]) -> str:
    """Return texts as a list in a sentence: `a, b and c`."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))
