"""Accounts: what was told to each pair of eyes of an audience, in the order of what happened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from cardwright.interpreter.effects import Moved, Shuffled, Stored
from cardwright.table.narrator import OPEN, PUBLIC, Narrator
from cardwright.table.referee import Ply
from cardwright.table.scene import SceneEvent
from cardwright.table.vocabulary import deal_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.english import Clause
    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import Cell
    from cardwright.program.cards import Card, CardId
    from cardwright.table.narrator import Eyes
    from cardwright.table.referee import DealEnd, GameCourse, RefereeRules, Trick
    from cardwright.table.scene import TableScene
    from cardwright.table.scene_maker import HandPlaces, SceneMaker
    from cardwright.table.setup import SeatSetup


@dataclass(frozen=True)
class Event:
    """A move as it was seen, or something that happened at the table itself.

    `version` counts the events of an account from 1. `words` is a clause without the name of the
    seat, as in `plays the 5 of clubs`; what you do yourself is `play the 5 of clubs`. A
    `move` is a decision with its `number`, from 0; `cards` are those it moved that were seen.
    `changes` are sentences about what followed before the next decision: a trick taken, cards
    dealt, a score. `trick` is the trick that was completed, and `deal` the end of the deal. How
    the next deal began is in `begun`, at tables that do not rest between deals.

    Of the `table` are people who come and go, and moves that are taken back: then `number` is that
    of the decision which is pending again. A `phrase` is what somebody says to the others. At
    tables that rest, the end of a `deal` and the beginning of the next one are events of no seat,
    as is a computer player that takes one: their `words` are a whole sentence.
    """

    version: int = field(compare=False)
    kind: Literal["move", "table", "deal", "phrase"]
    number: int | None
    seat: int | None
    words: str
    cards: tuple[Card, ...] = ()
    changes: tuple[str, ...] = ()
    trick: Trick | None = None
    deal: DealEnd | None = None
    begun: tuple[str, ...] = ()
    call: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """All that followed, in sentences, with the beginning of the next deal."""
        return (*self.changes, *self.begun)

    def sent(self, maker: SceneMaker, you: int | None) -> SceneEvent:
        """Return the event as it is sent to a seat, if it is to one."""
        return SceneEvent(
            self.version, self.kind, self.number, self.seat, self.words,
            maker.faces.all(self.cards), self.told, maker.trick(self.trick),
            maker.deal_end(self.deal, you), self.call,
        )  # fmt: skip


@dataclass(frozen=True)
class TableNote:
    """Something that happened at the table itself, as a clause after the name of a seat.

    `said` is what somebody has said to the others.
    """

    seat: int
    clause: Clause
    said: bool = False


@dataclass(frozen=True)
class HandedOver:
    """A computer player has taken the seat of somebody."""

    seat: int


@dataclass(frozen=True)
class TakenBack:
    """Moves were taken back for a seat: the decision of this number is pending again."""

    seat: int
    number: int
    clause: Clause


@dataclass(frozen=True)
class DealOver:
    """A deal is over, and the table rests."""

    deal: DealEnd


@dataclass(frozen=True)
class DealBegun:
    """The table goes on with the next deal, which has a number from 1, and begins like this."""

    number: int
    effects: tuple[Effect, ...]


Entry: TypeAlias = "Ply | DealOver | DealBegun | TableNote | HandedOver | TakenBack | PeopleNamer"
"""What a table keeps of its past; from a namer on, everything is told in its words."""


class Account:
    """What one pair of eyes was told: `events` are all, `moves` those that were not taken back.

    `person` says whether the player of the eyes is called `you`. `opening` says what happened
    before the first decision.
    """

    def __init__(
        self, rules: RefereeRules, eyes: Eyes, opening: Sequence[Effect], namer: PeopleNamer, *,
        person: bool,
    ) -> None:  # fmt: skip
        self.eyes = eyes
        self.events: list[Event] = []
        self.moves: list[Event] = []
        self._rules = rules
        self._person = person
        self._read = 0
        self._dealt = opening
        self._plies: list[Ply] = []
        self._stored: dict[Cell, int | str] = {}
        self._learn(opening)
        self._narrator = self._of(namer)
        self.opening = self._narrator.changes(opening, opening=True)

    def _of(self, namer: PeopleNamer) -> Narrator:
        scores = self._rules.score.names
        return Narrator(namer, self.eyes, scores, self._stored, person=self._person)

    def _learn(self, effects: Sequence[Effect]) -> None:
        """Keep the values that are stored: what is told may name them."""
        for effect in effects:
            if isinstance(effect, Stored) and effect.storage != "points":
                self._stored[effect.owner, effect.name] = effect.new

    def _forget(self, number: int) -> None:
        """Forget the moves from that of a number on."""
        del self.moves[number:], self._plies[number:]
        self._stored.clear()
        self._learn(self._dealt)
        for ply in self._plies:
            self._learn((*ply.option.effects, *ply.effects, *ply.begun))

    def follow(self, past: Sequence[Entry], end: int | None = None) -> None:
        """Tell what has happened since the last time, up to the entry of a number, if given."""
        for entry in past[self._read : end]:
            self._tell(entry)
            self._read += 1

    def _tell(self, entry: Entry) -> None:
        version = len(self.events) + 1
        match entry:
            case Ply():
                event = self._move(version, entry)
                self.moves.append(event)
            case DealOver(deal):
                event = Event(version, "deal", None, None, deal_over(deal.number), deal=deal)
            case DealBegun(number, effects):
                ply = self._plies[-1] = replace(self._plies[-1], begun=effects)
                self._learn(effects)
                changes = self._narrator.changes(effects)
                assert ply.deal is not None
                begun = (deal_over(ply.deal.number), *changes)
                self.moves[-1] = replace(self.moves[-1], begun=begun)
                words = f"Deal {number} begins"
                event = Event(version, "deal", None, None, words, changes=changes)
            case TableNote(seat, clause, said):
                words = self._narrator.said(seat, clause)
                event = Event(version, "phrase" if said else "table", None, seat, words)
            case HandedOver(seat):
                words = f"A computer player takes {self._narrator.whose(seat)} seat"
                event = Event(version, "table", None, None, words)
            case TakenBack(seat, number, clause):
                self._forget(number)
                event = Event(version, "table", number, seat, self._narrator.said(seat, clause))
            case _:
                self._narrator = self._of(entry)
                return
        self.events.append(event)

    def _move(self, version: int, ply: Ply) -> Event:
        self._plies.append(ply)
        self._learn((*ply.option.effects, *ply.effects))
        done = self._narrator.done(ply.seat, ply.option, ply.wording)
        results = () if ply.deal is None else ply.deal.results
        changes = self._narrator.changes(ply.effects, results)
        self._learn(ply.begun)
        begun = self._narrator.changes(ply.begun)
        if ply.deal is not None and begun:
            begun = (deal_over(ply.deal.number), *begun)
        return Event(
            version=version,
            kind="move",
            number=ply.number,
            seat=ply.seat,
            words=done,
            cards=self._narrator.seen(ply.option.effects),
            changes=changes,
            trick=ply.trick,
            deal=ply.deal,
            begun=begun,
            call=self._narrator.call(ply.seat, ply.option, ply.wording),
        )

    def new_cards(self, hands: HandPlaces) -> frozenset[CardId]:
        """Return the cards that came to the reader's hand since its last choice, with that.

        Those that were dealt are not new: everything is.
        """
        seat = self.eyes.seat
        found: set[CardId] = set()
        own = [at for at, ply in enumerate(self._plies) if ply.seat == seat]
        if seat is None or not own:
            return frozenset()
        half = len(self._rules.game.cards) / 2
        for ply in self._plies[own[-1] :]:
            dealt = False
            for effect in (*ply.option.effects, *ply.effects, *ply.begun):
                match effect:
                    case Shuffled(after=after) if len(after) > half:
                        dealt = True
                        found.clear()
                    case Moved(card=card, source=source, target=target):
                        held, holds = hands.holds(source, seat), hands.holds(target, seat)
                        if held and not holds:
                            found.discard(card)
                        elif holds and not held and not dealt:
                            found.add(card)
        return frozenset(found)

    def since(self, version: int) -> tuple[Event, ...]:
        """Return the events after that of a version."""
        return tuple(self.events[version:])


class Audience:
    """The accounts of a game, written when somebody asks for them, and its scenes.

    If it is `delayed`, open eyes are told of finished deals only: `revealed` is the last decision
    of such a deal, or None. At the end of the game they are told the rest. `person` says whether
    seats are called `you` in their own accounts.
    """

    def __init__(
        self, course: GameCourse, maker: SceneMaker, *, person: bool, delayed: bool
    ) -> None:
        self.revealed: int | None = None
        self._course = course
        self._maker = maker
        self._first = maker.namer
        self._person = person
        self._delayed = delayed
        self._past: list[Entry] = []
        self._accounts: dict[Eyes, Account] = {}
        self._shown: TableScene | None = None
        self._told = 0

    @property
    def rules(self) -> RefereeRules:
        """The rules of the game."""
        return self._maker.rules

    @property
    def past(self) -> Sequence[Entry]:
        """All that has happened, from the first decision."""
        return self._past

    def note(self, entry: Entry) -> None:
        """Note what has happened, for all to be told."""
        self._past.append(entry)

    def rename(self, namer: PeopleNamer) -> None:
        """Tell what happens from now on by another namer."""
        self._maker.use(namer)
        self._past.append(namer)

    def choose(self, option: int, seats: Sequence[SeatSetup], *, rests: bool = False) -> Ply:
        """Let the course go on by an option, and note it; raises GameError: nothing has changed.

        Where the table `rests`, the end of a deal of several is told, but not yet how the next one
        begins.
        """
        scene = self._maker.scene(self._course.referee, OPEN, seats) if self._delayed else None
        deals = len(self._course.referee.book.deals)
        ply = self._course.choose(option)
        if scene is not None and ply.deals > deals:
            self.revealed, self._shown, self._told = ply.number, scene, len(self._past)
        over = self._course.referee.due is None
        if rests and ply.deal is not None and ply.deal.number > int(over):
            self._past += (replace(ply, begun=()), DealOver(ply.deal))
        else:
            self._past.append(ply)
        return ply

    def account(self, eyes: Eyes) -> Account:
        """Return what eyes were told so far."""
        account = self._accounts.get(eyes)
        if account is None:
            opening = self._course.beginning.opening
            account = self._accounts[eyes] = Account(
                self.rules, eyes, opening, self._first, person=self._person
            )
        account.follow(self._past, self._told if self._waits(eyes) else None)
        return account

    def scene(self, eyes: Eyes, seats: Sequence[SeatSetup]) -> TableScene:
        """Return what eyes see now.

        Delayed ones see the last decision of the last finished deal, since what follows it shows
        new cards; before that, the beginning as all see it.
        """
        if not self._waits(eyes):
            return self._maker.scene(self._course.referee, eyes, seats)
        return self._shown or self._maker.scene(self._course.beginning, PUBLIC, seats)

    def rest(self, eyes: Eyes, seats: Sequence[SeatSetup], end: DealEnd) -> TableScene:
        """Return what eyes see of a deal that has just ended."""
        if self._waits(eyes):
            return self.scene(eyes, seats)
        return self._maker.rest(self._course.moment(), eyes, seats, end)

    def _waits(self, eyes: Eyes) -> bool:
        return self._delayed and eyes == OPEN and self._course.referee.due is not None
