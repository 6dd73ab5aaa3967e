"""What rules store by themselves, in sentences: scores, and what authors have words for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.wording.phrases import Clause, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import Blank, Phrase
    from cardwright.interpreter.effects import Stored
    from cardwright.program.cards import OwnerId

_UNIT = "point"


class _Change(NamedTuple):
    """A value that has changed between two decisions."""

    owner: OwnerId
    name: str
    old: int | str
    new: int | str


class ValueStory:
    """Tells changed values; `you` is the reader's seat, if it has one."""

    def __init__(
        self, namer: PeopleNamer, you: int | None, scores: frozenset[str], stored: StoredValues
    ) -> None:
        self._namer = namer
        self._you = you
        self._scores = scores
        self._stored = stored
        self._unit = namer.words.unit or _UNIT

    def sentences(self, effects: Iterable[Stored]) -> Iterator[str]:
        """Yield a sentence for each change that is told, scores last."""
        told = list(_changes(effects))
        for score in (False, True):
            for change in told:
                phrase = self._phrase(change)
                of_score = phrase is None and change.name in self._scores
                if of_score is score and (text := self._sentence(change, phrase)):
                    yield text

    def _phrase(self, change: _Change) -> Phrase | None:
        keys = self._namer.value_keys(change.owner, change.name, change.new)
        return self._namer.words.find("changes", keys)

    def _sentence(self, change: _Change, phrase: Phrase | None) -> str | None:
        if phrase is None:
            return self._score(change) if change.name in self._scores else None
        who = self._namer.who(change.owner, self._you)
        if not who:
            return phrase.sentence(lambda blank: self._filled(blank, change))
        text = phrase.fill(lambda blank: self._filled(blank, change))
        return said_of(who, Clause(text)) if text else None

    def _filled(self, blank: Blank, change: _Change) -> str | None:
        match blank.name, change.old, change.new:
            case "", _, new:
                return self._namer.value(new, blank.how, self._you)
            case "more", int(old), int(new):
                return self._namer.value(abs(new - old), blank.how, self._you)
        return self._namer.blank(blank, change.owner, self._stored, self._you)

    def _score(self, change: _Change) -> str | None:
        """Return how a score has changed: `Ann gets 4 points, 12 in all`."""
        who = self._namer.who(change.owner, self._you)
        match change.old, change.new:
            case int(old), int(new) if who and old != new:
                verb = "get" if new > old else "lose"
                total = f", {new} in all" if old else ""
                return said_of(who, Clause(f"{verb} {counted(abs(new - old), self._unit)}{total}"))
        return None


def said_of(who: str, clause: Clause) -> str:
    """Return what somebody does as a sentence: `Ann wins the trick`, `you win the trick`."""
    several = who == "you" or " and " in who
    return f"{who} {clause.imperative if several else clause.third}"


def _changes(effects: Iterable[Stored]) -> Iterator[_Change]:
    """Yield which values have changed, from the first to the last, in order of their owners."""
    found: dict[tuple[OwnerId, str], _Change] = {}
    for effect in effects:
        if isinstance(effect.new, int | str):
            cell = effect.owner, effect.name
            old = "" if isinstance(effect.new, str) else 0
            first = found[cell].old if cell in found else (effect.old or old)
            found[cell] = _Change(*cell, first, effect.new)
    for _, change in sorted(found.items(), key=lambda item: item[0]):
        if change.old != change.new:
            yield change
