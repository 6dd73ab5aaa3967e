"""What an option stores, in words: those of the game's author, or what can be made of the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.card_words import plain_word
from cardwright.game.game_words import PASS
from cardwright.game.picked import picked_players
from cardwright.game.verbs import KNOWN, Clause, listed
from cardwright.interpreter.effects import Passed, Stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.game.people import PeopleNamer, StoredValues
    from cardwright.game.phrase import Blank, Phrase
    from cardwright.game.wording import Wording
    from cardwright.interpreter.effects import BuiltOption, Effect


def chosen(text: str) -> Clause:
    """Return that something is chosen that is called so; a verb is what the player does."""
    return Clause(text) if text.split(" ", maxsplit=1)[0] in KNOWN else Clause(f"choose {text}")


class NoteWords:
    """Says to a reader what options store; `you` is the reader's seat, if it has one.

    `stored` are values that the reader knows, which phrases may name beside what an option stores.
    """

    def __init__(self, namer: PeopleNamer, you: int | None, stored: StoredValues) -> None:
        self._namer = namer
        self._words = namer.words
        self._you = you
        self._stored = stored

    def clauses(
        self,
        option: BuiltOption,
        notes: Iterable[Effect],
        wording: Wording,
        *,
        bare: bool,
        whole: bool,
    ) -> list[Clause]:
        """Return what some notes of an option say.

        Where the author has words for some values that players store, others are told only of an
        option that is `bare` without them, or if the `whole` of it is wanted.
        """
        clauses, unworded = [], []
        for effect in notes:
            match effect:
                case Stored("integers" | "strings"):
                    text = self._authored(effect, option)
                    if text is None:
                        unworded.append(effect)
                    elif text:
                        clauses.append(Clause(text))
                case Passed() if bare:
                    clauses.append(self.passing())
        if whole or not self._words.choices or (bare and not clauses):
            clauses += self._plain(unworded, option, wording, whole=whole)
        return clauses

    def passing(self) -> Clause:
        """Return what it is to do nothing."""
        phrase = self._words.find("choices", [PASS])
        return Clause((phrase and phrase.fill(lambda _: None)) or "pass")

    def stored(self, blank: Blank, option: BuiltOption, owner: int) -> str | None:
        """Return a value for a place in a phrase: one that an option stores, or else an older one.

        That is one of an owner, or of the table.
        """
        for effect in option.effects:
            if isinstance(effect, Stored) and effect.name == blank.name:
                return self._namer.value(effect.new, blank.how, self._you)
        return self._namer.blank(blank, owner, self._stored, self._you)

    def an_act(self, effect: Effect) -> bool:
        """Return whether the author has words for an effect that say no value, such as `knock`.

        They are an act of their own, which the cards that are moved besides do not show.
        """
        if not isinstance(effect, Stored):
            return False
        phrase = self._phrase(effect)
        return phrase is not None and bool(phrase.parts) and not phrase.blanks

    def _phrase(self, effect: Stored) -> Phrase | None:
        keys = self._namer.value_keys(effect.owner, effect.name, effect.new)
        return self._words.find("choices", keys)

    def _authored(self, effect: Stored, option: BuiltOption) -> str | None:
        """Return the author's words for a stored value; None if there are none."""
        phrase = self._phrase(effect)
        if phrase is None:
            return None

        def value(blank: Blank) -> str | None:
            if blank.name:
                return self.stored(blank, option, effect.owner)
            return self._namer.value(effect.new, blank.how, self._you)

        return phrase.fill(value)

    def _plain(
        self, stored: list[Stored], option: BuiltOption, wording: Wording, *, whole: bool
    ) -> Iterator[Clause]:
        """Yield values without words of the author's.

        Strings say most; without any, numbers that follow from a pick; and else all numbers.
        """
        said = [self._namer.text(effect.new) for effect in stored if isinstance(effect.new, str)]
        if any(said):
            yield chosen(listed(list(filter(None, said))))
            if not whole:
                return
        numbers = [effect for effect in stored if isinstance(effect.new, int)]
        picked = [effect for effect in numbers if wording.deciding(option, effect)]
        players = {seat + self._namer.program.base: seat for seat in picked_players(option)}
        for effect in numbers if whole else picked or numbers:
            name = plain_word(effect.name)
            if effect in picked and effect.new in players:
                yield Clause(f"choose {self._namer.who(players[effect.new], self._you)}")
            elif name.split(" ")[0] in KNOWN:
                yield Clause(f"{name} {effect.new}")
            else:
                yield Clause(f"set {name} to {effect.new}")
