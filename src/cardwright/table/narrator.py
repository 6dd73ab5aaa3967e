"""Narration: the effects of a game in sentences, as one pair of eyes sees them.

A card is named if the reader sees the place it comes from or the place it goes to. All others are
only counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.wording.clauses import DeedWords, MadeChoice, in_sequence
from cardwright.game.wording.sight import WitnessSight
from cardwright.interpreter.effects import Moved, Stored, Swapped
from cardwright.program.cards import OwnerId
from cardwright.table.card_story import CardStory
from cardwright.table.eyes import EyeKind
from cardwright.table.value_story import ValueStory, said_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.game.wording.describe import Wording
    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import Clause
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.program.cards import Card, Location
    from cardwright.table.eyes import Eyes


class Narrator:
    """Narrates what eyes see.

    `scores` has the names of the stored numbers that scores are made of. The player of the eyes is
    called `you` if it is a `person`. `stored` are the public values, which the caller keeps up to
    date.
    """

    def __init__(
        self,
        namer: PeopleNamer,
        eyes: Eyes,
        scores: frozenset[str],
        stored: StoredValues,
        *,
        person: bool = True,
    ) -> None:
        self._namer = namer
        self._program = namer.program
        self._eyes = eyes
        self._you = eyes.seat if person else None
        self._deeds = DeedWords(namer, self._you, stored)
        self._cards = CardStory(namer, self._you, self._sees, stored)
        self._values = ValueStory(namer, self._you, scores, stored)

    def seen(self, effects: Iterable[Effect]) -> tuple[Card, ...]:
        """Return the cards that are seen to move, in order, each once."""
        found: dict[Card, None] = {}
        for effect in effects:
            match effect:
                case Moved(card=card, source=source, target=target):
                    if self._sees(source) or self._sees(target):
                        found[self._program.cards[card]] = None
                case Swapped():
                    for card in (effect.left, effect.right):
                        if self._sees(effect.left_place) or self._sees(effect.right_place):
                            found[self._program.cards[card]] = None
        return tuple(found)

    def done(self, actor: int, option: BuiltOption, wording: Wording) -> str:
        """Return what a player did, as a clause after its name: `plays the 5 of clubs`.

        After `you` it is `play the 5 of clubs`.
        """
        hears = self._eyes.kind is EyeKind.ALL or actor == self._eyes.seat
        sight = WitnessSight(self._sees, hears=hears)
        clauses = self._deeds.clauses(MadeChoice(actor, option, wording, sight))
        you = actor == self._you
        return in_sequence([clause.imperative if you else clause.third for clause in clauses])

    def said(self, seat: int, clause: Clause) -> str:
        """Return what the player of a seat does, as a sentence."""
        return said_of(self._namer.who(OwnerId(seat), self._you), clause)

    def changes(self, effects: Sequence[Effect], *, opening: bool = False) -> tuple[str, ...]:
        """Return sentences about what the rules did by themselves, between two decisions."""
        moved = self._cards.sentences(effects, opening=opening)
        stored = self._values.sentences(e for e in effects if isinstance(e, Stored))
        return tuple(dict.fromkeys((*moved, *stored)))

    def _sees(self, location: Location) -> bool:
        return self._eyes.see(self._program, location)
