"""Narration: the effects of a game in sentences, for one viewer, whose eyes these are.

A card is named if the reader sees the place it comes from or the place it goes to. All others are
only counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.english import (
    EVERYBODY,
    NOBODY,
    Clause,
    SentenceSubject,
    capital,
    counted,
    counted_or_a,
)
from cardwright.game.wording.clauses import (
    Carried,
    DeedWords,
    MadeChoice,
    MoveWords,
    in_sequence,
)
from cardwright.game.wording.sight import WitnessSight
from cardwright.interpreter.effects import Exchanged, Moved, Shuffled, Stored, Swapped, Turned
from cardwright.interpreter.world import sees
from cardwright.program.cards import LocationKind, OwnerId
from cardwright.table.deal_results import results_in_words
from cardwright.table.trick_facts import TRICK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardwright.game.wording.describe import Wording
    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import Blank, FillBlank, Phrase
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.program.cards import Card, CardId, Location
    from cardwright.program.program import Program
    from cardwright.table.deal_results import DealResult


class EyeKind(Enum):
    """What is seen: what a seat sees, what everybody sees, what anybody sees, or all there is."""

    SEAT = "seat"
    PUBLIC = "public"
    OPEN = "open"
    ALL = "all"


@dataclass(frozen=True)
class Eyes:
    """The eyes of a seat, or of somebody who has none.

    Public eyes see only the cards that every seat sees. Open ones see what any seat does: all
    hands, but no card that lies face down for everybody.
    """

    kind: EyeKind
    seat: int | None = None

    @classmethod
    def of(cls, seat: int | None) -> Eyes:
        """Return the eyes of a seat; those that see all there is, if it is None."""
        return cls(EyeKind.ALL) if seat is None else cls(EyeKind.SEAT, seat)

    def see(self, program: Program, location: Location) -> bool:
        """Return whether the cards of a location are seen."""
        match self.kind:
            case EyeKind.SEAT:
                assert self.seat is not None
                return sees(program, self.seat, location)
            case EyeKind.PUBLIC:
                return all(sees(program, seat, location) for seat in range(program.players))
            case EyeKind.OPEN:
                return any(sees(program, seat, location) for seat in range(program.players))
            case EyeKind.ALL:
                return True


PUBLIC = Eyes(EyeKind.PUBLIC)
OPEN = Eyes(EyeKind.OPEN)


# Journeys ---------------------------------------------------------------------------------------
#
# Rules often lay a card somewhere only to look at it, as in a place to show it. Where a reader sees
# a card all the way, and the author has no words for a part of it, only its beginning and its end
# are told. What the reader does not see is never followed from one place to the next.


class Journey(NamedTuple):
    """A card went from one place to another; `shown` says whether the reader knows which card."""

    card: CardId
    source: Location
    target: Location
    shown: bool


Happening: TypeAlias = "Journey | Swapped | Exchanged | Shuffled"
"""What rules do with cards."""


def journeys(
    effects: Iterable[Effect],
    sees: Callable[[Location], bool],
    worded: Callable[[Location, Location], bool],
) -> list[Happening]:
    """Return what happened to cards, in order; `worded` are ways for which there are words."""
    found: list[Happening | None] = []
    last: dict[CardId, int] = {}
    for effect in effects:
        match effect:
            case Moved(card, source, _, target):
                way = Journey(card, source, target, sees(source) or sees(target))
                before = found[last[card]] if card in last else None
                if isinstance(before, Journey) and _goes_on(before, way, worded):
                    found[last[card]] = None
                    way = way._replace(source=before.source)
                    if before.source == target:
                        way = before
                last[card] = len(found)
                found.append(way)
            case Swapped() | Exchanged() | Shuffled():
                found.append(effect)
                last.clear()
    return [one for one in found if one is not None]


def _goes_on(before: Journey, way: Journey, worded: Callable[[Location, Location], bool]) -> bool:
    """Return whether two parts of a way are told as one."""
    return (
        before.shown
        and way.shown
        and before.target == way.source
        and not of_trick(before)
        and not of_trick(way)
        and not worded(before.source, before.target)
        and not worded(way.source, way.target)
    )


def of_trick(happening: Happening) -> bool:
    """Return whether a card of a trick was taken up."""
    if not isinstance(happening, Journey):
        return False
    return happening.source.name == TRICK and happening.source.kind is LocationKind.VISIBLE


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

    def sentences(
        self, effects: Iterable[Stored], results: Sequence[DealResult] = ()
    ) -> Iterator[str]:
        """Yield a sentence for each change that is told; then the results of a deal, and scores."""
        told = list(_changes(effects))
        for score in (False, True):
            if score:
                yield from (words for words, _ in results_in_words(results, self._namer, self._you))
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
        subject = self._namer.subject(change.owner, self._you)
        if subject is None:
            text = phrase.sentence(lambda blank: self._filled(blank, change))
            return text and capital(text)
        text = phrase.fill(lambda blank: self._filled(blank, change))
        return subject.sentence(text) if text else None

    def _filled(self, blank: Blank, change: _Change) -> str | SentenceSubject | None:
        match blank.name, change.old, change.new:
            case "", _, new:
                return self._namer.value(new, blank.how, self._you)
            case "more", int(old), int(new):
                return self._namer.value(abs(new - old), blank.how, self._you)
        return self._namer.blank(blank, change.owner, self._stored, self._you)

    def _score(self, change: _Change) -> str | None:
        """Return how a score has changed: `Ann gets 4 points, 12 in all`."""
        subject = self._namer.subject(change.owner, self._you)
        match change.old, change.new:
            case int(old), int(new) if subject and old != new:
                verb = "get" if new > old else "lose"
                total = f", {new} in all" if old else ""
                return subject.sentence(f"{verb} {counted(abs(new - old), self._unit)}{total}")
        return None


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


_NAMED = 13
"""The most cards of a player that are named; more are counted."""

_LAID = 4
"""The most cards that are named when they are dealt, or go to a pile of the table."""


class CardStory:
    """Tells what rules do with cards; `you` is the reader's seat, if it has one."""

    def __init__(
        self,
        namer: PeopleNamer,
        you: int | None,
        sees: Callable[[Location], bool],
        stored: StoredValues,
    ) -> None:
        self._namer = namer
        self._program = namer.program
        self._you = you
        self._sees = sees
        self._stored = stored
        self._moves = MoveWords(namer, you)

    def sentences(self, effects: Sequence[Effect], *, opening: bool) -> Iterator[str]:
        """Yield what happened between two decisions, or in the `opening` before the first."""
        told = journeys(effects, self._sees, self._worded)
        dealing = opening or (self._shuffles(effects) and self._deals(told))
        for kind, run in groupby(told, self._kind):
            alike = list(run)
            ways = [one for one in alike if isinstance(one, Journey)]
            match kind:
                case "trick":
                    yield from self._trick(ways, effects)
                case "deal":
                    yield from self._dealt(ways, dealing=dealing)
                case "way":
                    yield from self._went(ways)
                case _ if not dealing:
                    yield from filter(None, map(self._other, alike))

    def _shuffles(self, effects: Sequence[Effect]) -> bool:
        """Return whether more than half of all cards are shuffled, as for a new deal."""
        cards = len(self._program.cards)
        return any(isinstance(one, Shuffled) and 2 * len(one.after) > cards for one in effects)

    def _deals(self, told: Sequence[Happening]) -> bool:
        """Return whether several players get cards from the table."""
        dealt = (one for one in told if self._kind(one) == "deal")
        return len({one.target.owner for one in dealt if isinstance(one, Journey)}) > 1

    def _worded(self, source: Location, target: Location) -> bool:
        return self._moves.phrase(source, target) is not None

    def _kind(self, happening: Happening) -> str:
        if not isinstance(happening, Journey):
            return "other"
        source, target = happening.source, happening.target
        if of_trick(happening):
            return "trick"
        concealed = target.kind is not LocationKind.VISIBLE
        from_table = source.owner == self._program.table
        dealt = from_table and target.owner < self._program.players and concealed
        return "deal" if dealt else "way"

    # Tricks and deals ---------------------------------------------------------------------

    def _trick(self, ways: list[Journey], effects: Sequence[Effect]) -> Iterator[str]:
        """Yield who wins a trick, and what else the author has to say of its cards.

        It is won by who gets its cards, or else by who is to lead to the next one.
        """
        if len(ways) < 2:
            yield from self._went(ways)
            return
        owners = {way.target.owner for way in ways} - {self._program.table}
        turned = [e.new for e in effects if isinstance(e, Turned) and e.queue and e.new is not None]
        winner = owners.pop() if len(owners) == 1 else turned[-1] if turned else None
        first = ways[0]
        phrase = self._moves.phrase(first.source, first.target)
        if winner is None or (phrase is not None and not phrase.parts):
            return
        carried = self._carried(ways)
        text = None if phrase is None else self._moves.filled(phrase, carried, self._value(first))
        whole = text if phrase is not None and phrase.of_cards else None
        yield capital(whole) if whole else self._does(winner, text or "win the trick")

    def _dealt(self, ways: list[Journey], *, dealing: bool) -> Iterator[str]:
        """Yield which cards players get from the table, or how many."""
        told = [way for way in ways if not self._moves.untold(way.source, way.target)]
        counts = Counter(way.target.owner for way in told)
        everybody = len(counts) == self._program.players > 1 and len(set(counts.values())) == 1
        if everybody and len(told) > _LAID:
            cards = counted_or_a(next(iter(counts.values())), "card")
            clause = self._draws(told[0], cards, counts[told[0].target.owner], dealing=dealing)
            yield EVERYBODY.sentence(clause)
            return
        for owner in counts:
            got = [way for way in told if way.target.owner == owner]
            cards = counted_or_a(len(got), "card") if len(got) > _LAID else self._named(got)
            yield self._does(owner, self._draws(got[0], cards, len(got), dealing=dealing))

    def _draws(self, way: Journey, cards: str, number: int, *, dealing: bool) -> Clause:
        phrase = self._moves.phrase(way.source, way.target)
        if phrase is not None and not phrase.of_cards and not dealing:
            carried = Carried(way.source, way.target, cards, number)
            text = self._moves.filled(phrase, carried, self._value(way))
            if text:
                return Clause(text)
        if dealing:
            return Clause(f"are dealt {cards}")
        open_source = way.source.kind is LocationKind.VISIBLE
        origin = f" from {self._moves.the(way.source)}" if open_source else ""
        return Clause(f"{'take' if open_source else 'draw'} {cards}{origin}")

    # Other ways ---------------------------------------------------------------------------

    def _went(self, ways: list[Journey]) -> Iterator[str]:
        """Yield where cards went, one sentence for consecutive cards to the same place."""
        for (target, _, _), run in groupby(ways, _route):
            alike = list(run)
            source = alike[0].source
            if self._moves.untold(source, target) or self._restocks(alike):
                continue
            phrase = self._moves.phrase(source, target)
            text = None if phrase is None else self._worded_way(phrase, alike)
            yield text or self._usual(alike)

    def _restocks(self, ways: list[Journey]) -> bool:
        """Return whether cards only go unseen from one pile of the table to another."""
        return all(
            way.source.owner == way.target.owner == self._program.table
            and LocationKind.VISIBLE not in {way.source.kind, way.target.kind}
            and not way.shown
            for way in ways
        )

    def _worded_way(self, phrase: Phrase, ways: list[Journey]) -> str | None:
        """Return the author's words for a way of cards, as a sentence."""
        way, carried = ways[0], self._carried(ways)
        text = self._moves.filled(phrase, carried, self._value(way))
        if not text:
            return None
        doer = None if phrase.of_cards else self._doer(way)
        return capital(NOBODY.agreeing(text)) if doer is None else self._does(doer, text)

    def _doer(self, way: Journey) -> int | None:
        """Return who is said to do it: who gets cards, or else whose they were."""
        for owner in (way.target.owner, way.source.owner):
            if owner != self._program.table:
                return owner
        return None

    def _usual(self, ways: list[Journey]) -> str:
        """Return where cards went, without words of the author's."""
        source, target = ways[0].source, ways[0].target
        table, cards = self._program.table, self._carried(ways).cards
        if target.owner == table:
            hidden = source.kind is not LocationKind.VISIBLE and source.owner == table
            shown = hidden and target.kind is LocationKind.VISIBLE
            does = "are turned up" if shown else f"go to {self._moves.the(target)}"
            return SentenceSubject(cards, plural=len(ways) > 1).sentence(does)
        owners = {way.source.owner for way in ways}
        if owners == {target.owner}:
            if target.name == TRICK and target.kind is LocationKind.VISIBLE:
                return self._does(target.owner, f"play {cards}")
            if source.name == target.name and target.kind is LocationKind.VISIBLE:
                return self._does(target.owner, f"show {cards}")
            return self._does(target.owner, f"move {cards} to the {self._namer.noun(target)}")
        if len(owners) == 1:
            (owner,) = owners
            origin = self._namer.who(owner, self._you) or self._moves.the(source)
            return self._does(target.owner, f"get {cards} from {origin}")
        return self._does(target.owner, f"take {cards}")

    def _does(self, owner: int, clause: Clause | str) -> str:
        """Return what a player or a team does, as a sentence."""
        return (self._namer.subject(owner, self._you) or NOBODY).sentence(clause)

    def _other(self, happening: Happening) -> str | None:
        match happening:
            case Swapped():
                known = self._sees(happening.left_place) or self._sees(happening.right_place)
                if not known:
                    return None
                left, right = (
                    self._namer.cards.single(self._card(card))
                    for card in (happening.left, happening.right)
                )
                return capital(f"{left} and {right} change places")
            case Exchanged(left_place, right_place):
                if self._moves.untold(left_place, right_place):
                    return None
                left, right = map(self._moves.the, (left_place, right_place))
                return capital(f"{left} and {right} change places")
            case Shuffled(location) if self._namer.noun(location):
                return capital(f"{self._moves.the(location)} is shuffled")
        return None

    # Words --------------------------------------------------------------------------------

    def _carried(self, ways: list[Journey]) -> Carried:
        to_table = ways[0].target.owner == self._program.table
        many = len(ways) > (_LAID if to_table else _NAMED)
        cards = counted_or_a(len(ways), "card") if many else self._named(ways)
        return Carried(ways[0].source, ways[0].target, cards, len(ways))

    def _named(self, ways: list[Journey]) -> str:
        """Name cards, or count those that the reader does not see."""
        shown = [self._card(way.card) for way in ways if way.shown]
        return self._namer.cards.several(shown, len(ways) - len(shown))

    def _card(self, card: int) -> Card:
        return self._program.cards[card]

    def _value(self, way: Journey) -> FillBlank:
        owner = self._doer(way)
        whose = self._program.table if owner is None else owner
        return lambda blank: self._namer.blank(blank, whose, self._stored, self._you)


def _route(way: Journey) -> tuple[Location, str, bool]:
    """Return what cards of one sentence have in common."""
    return way.target, way.source.name, way.source.owner == way.target.owner


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
        found: dict[CardId, None] = {}
        for effect in effects:
            match effect:
                case Moved(card=card, source=source, target=target):
                    if self._sees(source) or self._sees(target):
                        found[card] = None
                case Swapped():
                    for card in (effect.left, effect.right):
                        if self._sees(effect.left_place) or self._sees(effect.right_place):
                            found[card] = None
        return tuple(self._program.cards[card] for card in found)

    def done(self, actor: int, option: BuiltOption, wording: Wording) -> str:
        """Return what a player did, as a clause after its name: `plays the 5 of clubs`.

        After `you` it is `play the 5 of clubs`.
        """
        clauses = self._deeds.clauses(self._choice(actor, option, wording))
        return in_sequence(list(map(self.subject(actor).form, clauses)))

    def call(self, actor: int, option: BuiltOption, wording: Wording) -> str:
        """Return what a player did as it stands in the table of an auction; empty if nothing."""
        return self._deeds.call(self._choice(actor, option, wording))

    def _choice(self, actor: int, option: BuiltOption, wording: Wording) -> MadeChoice:
        hears = self._eyes.kind is EyeKind.ALL or actor == self._eyes.seat
        return MadeChoice(actor, option, wording, WitnessSight(self._sees, hears=hears))

    def said(self, seat: int, clause: Clause) -> str:
        """Return what the player of a seat does, as a clause after its name."""
        return self.subject(seat).form(clause)

    def whose(self, seat: int) -> str:
        """Return the player of a seat, as of what it has: `Ann's`, `your`."""
        return self._namer.whose(seat, self._you)

    def subject(self, seat: int) -> SentenceSubject:
        """Return the player of a seat, as the reader calls it."""
        subject = self._namer.subject(seat, self._you)
        assert subject is not None
        return subject

    def changes(
        self,
        effects: Sequence[Effect],
        results: Sequence[DealResult] = (),
        *,
        opening: bool = False,
    ) -> tuple[str, ...]:
        """Return sentences about what the rules did by themselves, between two decisions.

        `results` are those of the deal that has ended then.
        """
        moved = self._cards.sentences(effects, opening=opening)
        stored = self._values.sentences((e for e in effects if isinstance(e, Stored)), results)
        return tuple(dict.fromkeys((*moved, *stored)))

    def _sees(self, location: Location) -> bool:
        return self._eyes.see(self._program, location)
