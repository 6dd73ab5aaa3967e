"""The labels of options, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.note_words import chosen
from cardwright.game.rule_names import label_key
from cardwright.game.verbs import Clause
from cardwright.interpreter.effects import Moved
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Variable

if TYPE_CHECKING:
    from cardwright.game.note_words import NoteWords
    from cardwright.game.people import PeopleNamer
    from cardwright.game.phrase import Blank
    from cardwright.game.sight import OptionSight
    from cardwright.interpreter.effects import BuiltOption, Said


class LabelWords:
    """Says labels to a reader with notes; `you` is the reader's seat, if it has one."""

    def __init__(self, namer: PeopleNamer, you: int | None, notes: NoteWords) -> None:
        self._namer = namer
        self._you = you
        self._notes = notes

    def clause(self, actor: int, option: BuiltOption, sight: OptionSight) -> Clause | None:
        """Return what the label of an actor's option says; None if the reader may not hear it."""
        said = option.said
        if not said or not (sight.hears or all(map(self._heard, said))):
            return None
        phrase = self._namer.words.find("labels", [spoken_key(option)])
        if phrase is not None:
            text = phrase.fill(lambda blank: self._filled(blank, actor, option, sight))
            if text:
                return Clause(text)
        text = " ".join(filter(None, (self._part(part, option, sight) for part in said)))
        if not text:
            return None
        return Clause(text) if said[0].form is None else chosen(text)

    def _heard(self, part: Said) -> bool:
        """Return whether a part may be told to others; of cards they hear what they see."""
        if part.kind is ValueKind.CARD and isinstance(part.form, Variable):
            return True
        return part.form in self._namer.heard

    def _filled(
        self, blank: Blank, actor: int, option: BuiltOption, sight: OptionSight
    ) -> str | None:
        """Return what stands in a phrase's place for a value of the label, or a stored one."""
        if not blank.name.isdecimal():
            return self._notes.stored(blank, option, actor)
        values = [part for part in option.said if part.form is not None]
        part = values[int(blank.name) - 1] if 1 <= int(blank.name) <= len(values) else None
        if part is None:
            return None
        if blank.how and part.kind is ValueKind.INTEGER:
            return self._namer.value(part.value, blank.how, self._you)
        return self._part(part, option, sight)

    def _part(self, part: Said, option: BuiltOption, sight: OptionSight) -> str:
        match part.kind, part.value:
            case ValueKind.CARD, None:
                return ""
            case ValueKind.CARD, card:
                moves = (one for one in option.effects if isinstance(one, Moved))
                moved = any(move.card == card and sight.move(move) for move in moves)
                if moved or (part.place is not None and sight.place(part.place)):
                    return self._namer.cards.single(self._namer.program.cards[card])
                return "a card"
            case ValueKind.PLAYER | ValueKind.TEAM, owner:
                return self._namer.who(owner, self._you)
            case _, str(text) if part.form is not None:
                return self._namer.text(text)
        return str(part.value)


def spoken_key(option: BuiltOption) -> str:
    """Return the key of an option's label in tables of words; empty if there is none."""
    return label_key(part.value for part in option.said if part.form is None)
