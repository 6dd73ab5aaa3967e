"""What an option does, in words: clauses such as `play the queen of spades` or `bid 3`.

None of them depends on the other options that are offered, as what others may choose can tell of
their cards.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.game.label_words import LabelWords
from cardwright.game.move_words import Carried, MoveWords
from cardwright.game.note_words import NoteWords
from cardwright.game.verbs import Clause
from cardwright.interpreter.effects import Exchanged, Moved, Swapped, Turned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.people import PeopleNamer, StoredValues
    from cardwright.game.phrase import Blank
    from cardwright.game.sight import OptionSight
    from cardwright.game.wording import Wording
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.program.cards import CardId, Location

_ON_CARDS = (Moved, Swapped, Exchanged)


class DeedWords:
    """Says what a player does, to a reader; `you` is the reader's seat, if it has one.

    `stored` are the values that the reader knows. If they are `general`, it is left out which cards
    are meant.
    """

    def __init__(
        self,
        namer: PeopleNamer,
        you: int | None,
        stored: StoredValues,
        *,
        general: bool = False,
    ) -> None:
        self._namer = namer
        self._you = you
        self._general = general
        self._moves = MoveWords(namer, you)
        self._notes = NoteWords(namer, you, stored)
        self._labels = LabelWords(namer, you, self._notes)

    def of(
        self,
        actor: int,
        option: BuiltOption,
        wording: Wording,
        sight: OptionSight,
        *,
        whole: bool = False,
    ) -> tuple[Clause, ...]:
        """Return what a player does by an option; the `whole` of it if less is not enough.

        A label is all that is told, if the reader may hear it.
        """
        label = self._labels.clause(actor, option, sight)
        if label is not None and not whole:
            return (label,)
        clauses = list(self._on_cards(actor, option, wording, sight))
        beside = any(isinstance(effect, _ON_CARDS) for effect in option.effects)
        notes = [effect for effect in option.effects if sight.note(effect, wording)]
        if beside and not whole:
            program = self._namer.program
            notes = [
                effect
                for effect in notes
                if wording.tells(option, effect, program) or self._notes.an_act(effect)
            ]
        clauses += self._notes.clauses(option, notes, wording, bare=not clauses, whole=whole)
        if not clauses:
            turned = (e.new for e in option.effects if isinstance(e, Turned) and e.new is not None)
            clauses = [Clause(f"choose {self._namer.who(seat, self._you)}") for seat in turned]
        return tuple(dict.fromkeys(clauses)) or (self._notes.passing(),)

    def _on_cards(
        self, actor: int, option: BuiltOption, wording: Wording, sight: OptionSight
    ) -> Iterator[Clause]:
        """Yield what is done with cards; moves on one way are told together."""

        def stored(blank: Blank) -> str | None:
            return self._notes.stored(blank, option, actor)

        effects = [effect for effect in option.effects if isinstance(effect, _ON_CARDS)]
        for route, run in groupby(effects, _route):
            if route is None:
                yield from filter(None, (self._other(actor, effect, sight) for effect in run))
                continue
            moves = [effect for effect in run if isinstance(effect, Moved)]
            seen = [self._namer.program.cards[move.card] for move in moves if sight.move(move)]
            if self._general:
                seen = []
            cards = self._namer.cards.several(seen, len(moves) - len(seen))
            carried = Carried(*route, cards, len(moves))
            clause = self._moves.deed(actor, carried, stored, one_pile=wording.one_pile)
            if clause is not None:
                yield clause

    def _other(self, actor: int, effect: Effect, sight: OptionSight) -> Clause | None:
        match effect:
            case Swapped():
                places = effect.left_place, effect.right_place
                left = self._swapped(actor, effect.left, sight, *places)
                right = self._swapped(actor, effect.right, sight, *reversed(places))
                return Clause(f"swap {left} for {right}")
            case Exchanged(left_place, right_place):
                return self._moves.exchange(actor, left_place, right_place)
        return None

    def _swapped(
        self, actor: int, card: CardId, sight: OptionSight, place: Location, other: Location
    ) -> str:
        if self._general:
            return "a card"
        if sight.swap(place, other):
            return self._namer.cards.single(self._namer.program.cards[card])
        return f"a card of {self._moves.the(place, actor)}"


def _route(effect: Effect) -> tuple[Location, Location] | None:
    """Return what moves of one clause have in common; None for effects that are not moves."""
    return (effect.source, effect.target) if isinstance(effect, Moved) else None
