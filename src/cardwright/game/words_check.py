"""Checking words for people: that the rules have the names for which words are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.game_words import OWNER_SORTS, PASS, TO
from cardwright.game.phrase import phrase
from cardwright.game.rule_names import RuleNames
from cardwright.game.verbs import KNOWN, third
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cardwright.game.phrase import Blank
    from cardwright.program.program import Program

BLANKS = {
    "cards": (),
    "texts": (),
    "places": ("",),
    "moves": ("", "at", "to", "from"),
    "labels": (),
    "choices": ("",),
    "changes": ("", "more"),
    "facts": ("",),
    "prompts": ("",),
}
"""The places for values that phrases of a table may have besides names of stored values."""


_DEEDS = ("moves", "labels", "choices")
"""The tables whose phrases begin with what somebody does."""

_THIRD = {third(verb): verb for verb in (*KNOWN, "have", "do")}
"""Verbs in the third person, and their usual forms."""


class WrongWords(NamedTuple):
    """A mistake in the words of a game, and what to do about it."""

    message: str
    advice: str = ""


class WordsCheck:
    """Compares words with the rules of one game."""

    def __init__(self, program: Program) -> None:
        self._names = RuleNames(program)

    def wrong(self, table: str, key: str, text: str) -> Iterator[WrongWords]:
        """Yield what is wrong with the key and the phrase of an entry of a table."""
        yield from self._key(table, key)
        verb = text.split(" ", maxsplit=1)[0]
        if table in _DEEDS and verb in _THIRD:
            yield WrongWords(
                f"{verb} is not as it is with `you`: the others' form is made of that",
                f"write {_THIRD[verb]}",
            )
        for blank in phrase(text).blanks:
            yield from self._blank(table, key, blank)

    def _key(self, table: str, key: str) -> Iterator[WrongWords]:
        names = self._names
        match table:
            case "cards":
                yield from _known(key, names.cards, "card or value of an attribute")
            case "texts":
                yield from self._used(key, names.texts, "string")
            case "places":
                yield from self._used(_unowned(key), names.places, "place")
            case "moves":
                for place in key.split(TO):
                    yield from self._used(_unowned(place), names.places, "place")
            case "labels":
                yield from _known(key, names.labels, "label")
            case "prompts":
                parts = key.split(TO)
                if len(parts) == 1:
                    every = {*names.places, *names.stored, *names.labels, PASS}
                    yield from self._used(_unowned(key), every, "place, stored value or label")
                else:
                    yield from self._key("moves", key)
            case _ if table != "choices" or key != PASS:
                yield from self._stored(key)

    def _stored(self, key: str) -> Iterator[WrongWords]:
        name, blank, value = _unowned(key).partition(" ")
        yield from self._used(name, self._names.stored, "stored value")
        if blank and not value.removeprefix("-").isdecimal():
            yield from self._used(value, self._names.texts, "string")

    def _blank(self, table: str, key: str, blank: Blank) -> Iterator[WrongWords]:
        name = blank.name
        if name in BLANKS[table]:
            return
        if table in {"cards", "texts", "places"}:
            allowed = "only {}" if BLANKS[table] else "none"
            yield WrongWords(f"{{{name}}} is no value here: phrases for {table} have {allowed}")
        elif table == "labels" and name.isdecimal():
            values = self._names.labels.get(key, 0)
            if not 1 <= int(name) <= values:
                yield WrongWords(f"there is no value {{{name}}}: the label has {values}")
        elif blank.how in self._names.stored and name not in self._names.stored:
            yield WrongWords(
                f"{{{name}:{blank.how}}} names no stored value: after a colon stands a noun",
                f"write {{{blank.how}}}, which is the actor's or the table's",
            )
        else:
            yield from self._used(name, {*self._names.stored, *BLANKS[table]}, "stored value")

    def _used(self, name: str, known: Collection[str], what: str) -> Iterator[WrongWords]:
        """Yield that the rules use no such name, with whatever values of their constants."""
        if name not in self._names.elsewhere:
            yield from _known(name, known, what)


def _unowned(key: str) -> str:
    """Return a key without the sort of owner before the name."""
    first, _, rest = key.partition(" ")
    return rest if first in OWNER_SORTS and rest else key


def _known(name: str, known: Collection[str], what: str) -> Iterator[WrongWords]:
    """Yield that the rules have no such name, if so."""
    if name not in known:
        advice = did_you_mean(name, sorted(known))
        yield WrongWords(f"the rules have no {what} {name}", advice)
