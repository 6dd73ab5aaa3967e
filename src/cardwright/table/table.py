"""Tables: one game between people and computer players, with one referee; and what they refuse.

The referee alone knows everything. Each seat has an account of what it was told, and sees scenes;
so have spectators. Computer players that think do it elsewhere: the table gets choices only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

from cardwright.arena.entrants import parse_spec
from cardwright.english import Clause, counted_or_a
from cardwright.game.errors import (
    CardwrightError,
    GameError,
    IllegalOptionError,
    UndoError,
)
from cardwright.game.wording.naming import PeopleNamer
from cardwright.hearts.rule import FirstPlayer
from cardwright.hearts.table import table_of
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import NO_TRUST
from cardwright.players.player import Decision, RandomPlayer, checked_answer
from cardwright.program.cards import Seat
from cardwright.table.account import Audience, DealBegun, HandedOver, TableNote, TakenBack
from cardwright.table.claims import CLAIMED, claim_of, plays_tricks
from cardwright.table.early import EarlyDecisions
from cardwright.table.feats import counted_feats
from cardwright.table.narrator import OPEN, PUBLIC, Eyes
from cardwright.table.reason import general_reason, hearts_reason
from cardwright.table.referee import GameCourse, Referee, RefereeRules
from cardwright.table.scene import SceneEarly, SceneUndo, TableLook
from cardwright.table.scene_maker import SceneMaker, scene_game
from cardwright.table.setup import MOST_SECONDS, SeatSetup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.game.game import Game
    from cardwright.hearts.family import HeartsFamily
    from cardwright.hearts.table import HeartsView
    from cardwright.interpreter.effects import Effect
    from cardwright.players.player import Player
    from cardwright.program.cards import Card
    from cardwright.table.account import Account, Event
    from cardwright.table.referee import DealEnd
    from cardwright.table.scene import CardFace, TableScene
    from cardwright.table.setup import TableSetup, Watch


class TableError(CardwrightError):
    """A request that a table cannot carry out; nothing has changed, and the message says why.

    `code` is for programs, and the same for all errors of a kind.
    """

    code = "not-allowed"
    wrong_call = True


class StaleError(TableError):
    """An answer to a decision that is not pending any more, or not yet."""

    code = "stale"


class NotYourTurnError(TableError, IllegalOptionError):
    """A decision of another seat."""

    code = "not-your-turn"


class RestingError(TableError, IllegalOptionError):
    """A decision at a table that rests between two deals."""

    code = "resting"


class GameOverError(TableError, IllegalOptionError):
    """A decision in a game that is over."""

    code = "game-over"


class NoSuchOptionError(TableError, IllegalOptionError):
    """An option that the pending decision does not have."""

    code = "illegal-option"


class NotProvedError(TableError):
    """A claim that is not proved."""

    code = "not-proved"


class NoUndoError(TableError, UndoError):
    """Moves that cannot be taken back: not at this table, or not these."""


class SeatError(TableError):
    """What cannot be done from a seat, or with it, because of who sits there."""

    code = "conflict"


PHRASES = {
    "hello": "Hello!",
    "good-luck": "Good luck!",
    "well-played": "Well played!",
    "thanks": "Thank you!",
    "sorry": "Sorry!",
    "moment": "One moment, please.",
    "back": "I am back.",
    "again": "Another game?",
    "bye": "I have to go. Goodbye!",
}
"""What people can say to each other at a table: nothing else, so that nobody can be abused."""


class OpenHands:
    """Which people have agreed that spectators see their hands.

    A person who plays against computer players alone has, as there is nobody to be asked.
    """

    def __init__(self, seats: Sequence[SeatSetup]) -> None:
        alone = sum(one.kind != "computer" for one in seats) == 1
        self._agreed = set(_people(seats)) if alone else set()

    def agree(self, seat: int, *, yes: bool) -> bool:
        """Note what a person says; return whether that is new."""
        if yes is (seat in self._agreed):
            return False
        self._agreed ^= {seat}
        return True

    def awaited(self, seats: Sequence[SeatSetup]) -> tuple[int, ...]:
        """Return the seats of the people who have not agreed: none if all hands are seen."""
        return tuple(seat for seat in _people(seats) if seat not in self._agreed)


def _people(seats: Sequence[SeatSetup]) -> list[int]:
    return [seat for seat, one in enumerate(seats) if one.kind == "person"]


_LOOK_AT_NOTHING: Mapping[str, Player] = {"random": RandomPlayer(), "first": FirstPlayer()}
"""The players that need no process to think in, by their specs."""

REST_AMONG_PEOPLE = 30.0
"""Seconds for which a table of several people rests after a deal at the most."""

REST_OF_COMPUTERS = 4.0
"""The pauses for which a table without people does."""


class Table:
    """A game between people and computer players, from its first decision to its last.

    `setup` says who sits where now. `game` is that of the setup, if the caller has loaded it
    already; `choices` have been made before. `person` says whether seats are called `you` in their
    own accounts. A table that `rests` stops after each deal until the people there have seen how it
    ended and `go_on`. Raises what loading the game may raise, IllegalOptionError for choices that
    the game does not have, and GameError if it breaks a rule.
    """

    def __init__(
        self,
        setup: TableSetup,
        choices: Sequence[int] = (),
        *,
        game: Game | None = None,
        person: bool = True,
        rests: bool = False,
    ) -> None:
        self.game = game or setup.game.load()
        if len(setup.seats) != self.game.players:
            raise SeatError(
                f"{self.game.name} has {self.game.players} seats, and the table {len(setup.seats)}"
            )
        self.setup = replace(setup, seats=tuple(map(_named, range(len(setup.seats)), setup.seats)))
        self.rules = RefereeRules(self.game)
        self._names = PeopleNamer(self.game.program, self.game.words)
        namer = self._namer()
        self._course = GameCourse(Referee(self.rules, setup.seed, namer))
        self._maker = SceneMaker(
            self.rules, namer, scene_game(self.game, setup.preset, setup.title)
        )
        delayed = setup.watch == "delayed"
        self._audience = Audience(self._course, self._maker, person=person, delayed=delayed)
        self._open = OpenHands(self.setup.seats)
        self._asked: SceneUndo | None = None
        self._again: int | None = None
        self._rests = rests
        self._rest: _TableRest | None = None
        self._claim: tuple[int, str | None] = -1, None
        self._early = EarlyDecisions(self.rules, self._course)
        for choice in choices:
            self._carry_out(self._checked(choice))

    @property
    def namer(self) -> PeopleNamer:
        """What names everything at this table."""
        return self.referee.namer

    def _namer(self) -> PeopleNamer:
        return self._names.named([seat.name for seat in self.setup.seats])

    # The state of the table ---------------------------------------------------------------

    @property
    def number(self) -> int:
        """How many decisions have been made: the number of the one that is pending."""
        return self.referee.number

    @property
    def due(self) -> int | None:
        """The seat that has to decide; None when the game is over."""
        return self.referee.due

    @property
    def choices(self) -> tuple[int, ...]:
        """The choices so far, by index."""
        return tuple(self.referee.choices)

    @property
    def ordinal(self) -> int:
        """How many decisions the seat that is due has made, which gives its stream."""
        return sum(seat == self.due for seat in self._course.deciders)

    @property
    def option_at_once(self) -> int | None:
        """The option of the computer player that is due, if it looks at nothing; else None."""
        seat = self.due
        if seat is None or self.setup.seats[seat].kind != "computer":
            return None
        player = _LOOK_AT_NOTHING.get(self.setup.seats[seat].player)
        if player is None:
            return None
        referee = self.referee
        stream = Stream.of_decision(self.setup.seed, seat, self.ordinal)
        state = referee.state()
        return checked_answer(
            player, Decision(Seat(seat), state.option_count, stream, state, referee.number)
        )

    @property
    def referee(self) -> Referee:
        """The referee, which knows everything: for clients that everybody here may trust."""
        return self._course.referee

    @property
    def deciders(self) -> tuple[int, ...]:
        """Who made each decision."""
        return tuple(self._course.deciders)

    def account(self, who: int | Watch) -> Account:
        """Return what a seat or the spectators were told so far."""
        return self._audience.account(self._eyes(who))

    def version(self, who: int | Watch) -> int:
        """Return the number of events in an account."""
        return len(self.account(who).events)

    def events(self, who: int | Watch, since: int = 0) -> tuple[Event, ...]:
        """Return what a seat or the spectators were told after the event of a version."""
        return self.account(who).since(since)

    def look(self, who: int | Watch, since: int) -> TableLook:
        """Return the scene for a seat or the spectators, and the events since a version."""
        you = self._eyes(who).seat
        events = tuple(event.sent(self._maker, you) for event in self.events(who, since))
        return TableLook(self.version(who), self.scene(who), events)

    def scene(self, who: int | Watch) -> TableScene:
        """Return what a seat or the spectators see now."""
        eyes, seats, rest = self._eyes(who), self.setup.seats, self._rest
        if rest is None:
            return self._completed(self._audience.scene(eyes, seats), who)
        scene = structs.replace(self._audience.rest(eyes, seats, rest.end), number=self.number)
        end = self._maker.deal_end(rest.end, eyes.seat)
        assert end is not None
        end = structs.replace(end, waiting_for=self._not_gone_on(rest), seconds=self.rest_seconds)
        return self._completed(structs.replace(scene, deal_end=end), who)

    def _completed(self, scene: TableScene, who: int | Watch) -> TableScene:
        """Add what only the table knows."""
        asked, held = self._asked or SceneUndo(), {face.id for face in scene.hand}
        new = self.account(who).new_cards(self._maker.hands) & held
        possible = (
            isinstance(who, int)
            and self._asked is None
            and self.setup.seats[who].kind == "person"
            and isinstance(self._undo_number(who), int)
        )
        return structs.replace(
            scene,
            watching=who if isinstance(who, str) else None,
            new=tuple(sorted(new)),
            opening=self.account(who).opening,
            practice=self.setup.practice,
            hints=isinstance(who, int) and self.hints(who),
            early=self._scene_early(who) if isinstance(who, int) else None,
            choosing=self._choosing() if who != "delayed" else (),
            claim=self.claimable(who) if isinstance(who, int) else None,
            watch=self.setup.watch,
            awaited=self._awaited(),
            undo=structs.replace(asked, possible=possible),
            pace=self.setup.pace,
            again=self._again,
        )

    def _eyes(self, who: int | Watch) -> Eyes:
        if isinstance(who, int):
            if not 0 <= who < self.game.players:
                raise SeatError(
                    f"there is no seat {who}: seats are numbered 0 to {self.game.players - 1}"
                )
            return Eyes.of(who)
        if who == "no" or who != self.setup.watch:
            raise TableError("this table cannot be watched like that")
        return PUBLIC if who == "public" or self._awaited() else OPEN

    def hints(self, seat: int) -> bool:
        """Return whether the person in a seat may ask for hints: alone, or in practice."""
        people = _people(self.setup.seats)
        return seat in people and (len(people) == 1 or self.setup.practice)

    def _awaited(self) -> tuple[int, ...]:
        """Return who has to agree before spectators see all hands, where they may."""
        return self._open.awaited(self.setup.seats) if self.setup.watch == "open" else ()

    def feats(self) -> dict[str, tuple[int, ...]]:
        """Return how often each seat has done what the words of the game call a feat."""
        return counted_feats(self.game, self._audience.past)

    # Decisions ----------------------------------------------------------------------------

    def choose(self, seat: int, number: int, option: int) -> None:
        """Make the pending decision, whose number it must be, for the seat that is due.

        Decisions that were made early are played after it. One can be made by its number before its
        turn where that is proved to make no difference (see `early`), and is kept until then.

        Raises StaleError, GameOverError, NotYourTurnError or NoSuchOptionError, and GameError if
        the game then breaks a rule: nothing has changed after any of them.
        """
        if number > self.number and self._early_numbers().get(seat) == number:
            self._early.keep(seat, self._checked(option, self._early.referee(seat)))
            return
        if number != self.number:
            raise StaleError(
                f"decision {number} is over" if number < self.number else f"{number} is not yet due"
            )
        if self.due is None:
            raise GameOverError("the game is over")
        if self._rest is not None:
            raise RestingError(f"deal {self._rest.end.number} is over: go on to the next one first")
        if seat != self.due:
            raise NotYourTurnError("it is not your turn to decide")
        self._carry_out(self._checked(option))
        self._play_early()

    def _checked(self, option: int, referee: Referee | None = None) -> int:
        """Return an option of the pending decision, or of another referee's; or raise."""
        count = (referee or self.referee).option_count
        if not 0 <= option < count:
            known = f"options are numbered 0 to {count - 1}" if count else "the game is over"
            raise NoSuchOptionError(f"there is no option {option}: {known}")
        return option

    def _carry_out(self, option: int) -> None:
        if self._rest is not None:  # it was made before, so that they have gone on
            self._begin_deal(self._rest)
        ply = self._audience.choose(option, self.setup.seats, rests=self._rests)
        self._asked = None
        if self._rests and ply.deal is not None and self.due is not None:
            self._rest = _TableRest(ply.deal, ply.begun)

    # Choosing early -----------------------------------------------------------------------

    def _early_numbers(self) -> dict[int, int]:
        """Return the numbers of the decisions that people can make before their turn.

        There are none for somebody who plays against computers alone, and waits for them only.
        """
        people = _people(self.setup.seats)
        return self._early.of(people) if self._rest is None and len(people) > 1 else {}

    def _choosing(self) -> tuple[int, ...]:
        """Return the seats that choose now: the one that is due, and those that still can early."""
        if self.due is None or self._rest is not None:
            return ()
        open_ = {seat for seat in self._early_numbers() if self._early.chosen(seat) is None}
        return tuple(sorted({self.due, *open_}))

    def _scene_early(self, seat: int) -> SceneEarly | None:
        if seat not in self._early_numbers():
            return None
        decision = self._maker.decision(self._early.referee(seat))
        return SceneEarly(decision, self._early.chosen(seat))

    def reconsider(self, seat: int, number: int) -> None:
        """Take back a choice that a seat has made early, for the decision of a number.

        Raises StaleError if it has made none, or it has been played.
        """
        if self._early_numbers().get(seat) != number or self._early.chosen(seat) is None:
            raise StaleError(f"nothing that was chosen early waits for decision {number}")
        self._early.drop(seat)

    def _play_early(self) -> None:
        """Play what has been chosen early by those who are due."""
        while self._rest is None and (option := self._early.take()) is not None:
            try:
                self._carry_out(option)
            except GameError:  # as it breaks a rule, it has to be chosen and refused in its turn
                return

    # Claims -------------------------------------------------------------------------------

    def claimable(self, seat: int) -> str | None:
        """Return what the person in a seat may claim now, in words; see `claims`."""
        if self.due != seat or self._rest is not None or self.setup.seats[seat].kind != "person":
            return None
        number, found = self._claim
        if number != self.number:
            found = claim_of(self.rules, self._maker.hands, self.referee, seat)
            self._claim = self.number, found
        return found

    def claim(self, seat: int, number: int) -> None:
        """Claim the rest of the tricks for a seat: all cards are played, in some order.

        Raises StaleError for another decision than the pending one, and NotProvedError where other
        results are possible, for all that the seat knows.
        """
        if number != self.number:
            raise StaleError(f"decision {number} is not the pending one")
        words = self.claimable(seat)
        if words is None:
            raise NotProvedError("it is not proved that all ways to play on end the same")
        self._note(seat, f"claim the rest: {CLAIMED[words]}")
        deals = len(self.referee.book.deals)
        while plays_tricks(self.referee, self._maker.hands):
            self._carry_out(0)
            if len(self.referee.book.deals) > deals:
                return

    # Between two deals --------------------------------------------------------------------

    @property
    def resting(self) -> int | None:
        """The number of the deal that has just ended, while the table rests; otherwise None."""
        return None if self._rest is None else self._rest.end.number

    @property
    def rest_seconds(self) -> float | None:
        """After how many seconds a rest should end by itself; None if one person alone decides."""
        people = sum(one.kind == "person" for one in self.setup.seats)
        if people == 1:
            return None
        return REST_AMONG_PEOPLE if people else REST_OF_COMPUTERS * self.setup.pace

    def go_on(self, seat: int | None, deal: int) -> None:
        """Go on after a deal: for a seat, or for all if there is none.

        The next deal begins when all people have gone on. Raises StaleError if the table does not
        rest after that deal.
        """
        rest = self._rest
        if rest is None or rest.end.number != deal:
            raise StaleError(f"the table does not rest after deal {deal}")
        if seat is None:
            self._begin_deal(rest)
            self._play_early()
            return
        self._check_person(seat)
        rest.gone_on.add(seat)
        self._settle_rest()

    def _not_gone_on(self, rest: _TableRest) -> tuple[int, ...]:
        seats = enumerate(self.setup.seats)
        return tuple(at for at, one in seats if one.kind == "person" and at not in rest.gone_on)

    def _settle_rest(self) -> None:
        """Begin the next deal if all people there have gone on."""
        rest = self._rest
        if rest is not None and rest.gone_on and not self._not_gone_on(rest):
            self._begin_deal(rest)
            self._play_early()

    def _begin_deal(self, rest: _TableRest) -> None:
        self._rest = None
        self._audience.note(DealBegun(rest.end.number + 1, rest.begun))

    # Taking back --------------------------------------------------------------------------

    def undo(self, seat: int) -> None:
        """Ask to go back to a seat's previous decision; it happens when all other people agree.

        Computer players always do. Raises NoUndoError if there is nothing that can be taken back.
        """
        self._check_person(seat)
        if self._asked is not None:
            raise NoUndoError("somebody has asked for that already: answer first")
        number = self._undo_number(seat)
        if isinstance(number, str):
            raise NoUndoError(number)
        self._asked = SceneUndo(False, seat, number, tuple(self._others(seat)))
        if self._asked.waiting_for:
            self._note(seat, f"ask to take back {counted_or_a(self.number - number, 'move')}")
        self._settle()

    def agree(self, seat: int, *, yes: bool) -> None:
        """Answer somebody who wants to take moves back; one `no` is enough to refuse."""
        asked = self._asked
        if asked is None or seat not in asked.waiting_for:
            raise NoUndoError("nobody waits for your answer")
        if not yes:
            self._asked = None
            self._note(seat, "do not agree")
            return
        left = tuple(other for other in asked.waiting_for if other != seat)
        self._asked = structs.replace(asked, waiting_for=left)
        self._note(seat, "agree")
        self._settle()

    def _settle(self) -> None:
        """Take moves back if nobody has to be waited for."""
        asked = self._asked
        if asked is None or asked.waiting_for:
            return
        assert asked.number is not None
        assert asked.asked_by is not None
        count = self.number - asked.number
        self._course.back(asked.number)
        self._claim = -1, None
        self._early.back(asked.number)
        self._asked = self._rest = None
        clause = Clause(f"take back {counted_or_a(count, 'move')}")
        self._audience.note(TakenBack(asked.asked_by, asked.number, clause))

    def _undo_number(self, seat: int) -> int | str:
        """Return the decision to which a seat could go back, or why it cannot."""
        if not self.setup.practice:
            return "moves can be taken back in practice only"
        people = sum(one.kind == "person" for one in self.setup.seats)
        if self.due is None and people > 1:
            return "the game is over"
        own = [number for number, decider in enumerate(self._course.deciders) if decider == seat]
        if not own:
            return "there is nothing to take back: you have not decided anything yet"
        if self._audience.revealed is not None and own[-1] <= self._audience.revealed:
            return "spectators have seen the hands of that deal: it cannot be taken back"
        return own[-1]

    def _others(self, seat: int) -> list[int]:
        """Return the other seats with people."""
        seats = enumerate(self.setup.seats)
        return [other for other, one in seats if one.kind == "person" and other != seat]

    # Who sits where, and who sees them ----------------------------------------------------

    def sit(self, seat: int, player: str | None, name: str) -> None:
        """Let a computer player sit in a seat, or a person if no player is given.

        Raises PlayerSpecError for an unknown player.
        """
        before = self._seat(seat)
        name = name or before.name
        if player is None:
            after = SeatSetup("person", name=name)
            note: TableNote | HandedOver = TableNote(seat, Clause("sit down"))
        else:
            after = SeatSetup("computer", str(parse_spec(player, NO_TRUST)), name)
            note = HandedOver(seat)
        self._reseat(seat, after)
        self._audience.note(note)
        self._settle_rest()
        if self._asked is not None and after.kind != "person":
            left = tuple(other for other in self._asked.waiting_for if other != seat)
            gone = self._asked.asked_by == seat
            self._asked = None if gone else structs.replace(self._asked, waiting_for=left)
            self._settle()

    def open_hands(self, seat: int, *, yes: bool) -> None:
        """Agree that spectators see all hands, or take that back: they do when all people agree.

        Raises TableError where spectators may not see them at all.
        """
        self._check_person(seat)
        if self.setup.watch != "open":
            raise TableError("at this table spectators do not see hands while they are played")
        if self._open.agree(seat, yes=yes):
            self._note(seat, f"{'' if yes else 'do not '}let spectators see all hands")

    def say(self, seat: int, phrase: str) -> None:
        """Say one of the `PHRASES` to all at the table."""
        self._audience.note(TableNote(seat, Clause(f"say “{PHRASES[phrase]}”"), said=True))

    def play_again(self, seat: int, table: str) -> None:
        """Note that a seat has made another table for the same people, of a name."""
        self._again = seat
        self._note(seat, "ask to play again")

    def rename(self, seat: int, name: str) -> None:
        """Give the player of a seat another name."""
        before = self._seat(seat)
        self._note(seat, f"are called {name} now")
        self._reseat(seat, replace(before, name=name))

    def _reseat(self, seat: int, after: SeatSetup) -> None:
        self.setup = self.setup.with_seat(seat, after)
        namer = self._namer()
        self._course.rename(namer)
        self._early.rename()
        self._audience.rename(namer)

    def _seat(self, seat: int) -> SeatSetup:
        self._eyes(seat)
        return self.setup.seats[seat]

    def _check_person(self, seat: int) -> None:
        if self._seat(seat).kind != "person":
            raise SeatError("no person sits there")

    def set_pace(self, seat: int, pace: float) -> None:
        """Set the pause after a computer player's move, in seconds."""
        self._seat(seat)
        if not 0 <= pace <= MOST_SECONDS:
            raise TableError(f"a pause is 0 to {MOST_SECONDS:g} seconds, not {pace:g}")
        self.setup = replace(self.setup, pace=pace)
        self._note(seat, f"let the computer players pause for {pace:g} s")

    def _note(self, seat: int, words: str) -> None:
        self._audience.note(TableNote(seat, Clause(words)))

    # Reasons ------------------------------------------------------------------------------

    def held(self, seat: int, number: int) -> Card:
        """Return the card of a number, if the seat holds it; raises SeatError."""
        self._seat(seat)
        for face in self._audience.scene(Eyes.of(seat), self.setup.seats).hand:
            if face.id == number:
                return self._card(face)
        raise SeatError("that card is not in your hand")

    def _card(self, face: CardFace) -> Card:
        return self.game.program.cards[face.id]

    def why(self, seat: int, card: Card) -> str | None:
        """Return why a seat cannot choose a card of its hand; None if it can."""
        if self._rest is not None:
            return "the deal is over"
        early = seat in self._early_numbers()
        if self.due != seat and not early:
            return "the game is over" if self.due is None else "it is not your turn"
        referee = self._early.referee(seat) if early else self.referee
        options = referee.options()
        if any(card in option.cards for option in options):
            return None
        found = None
        if self.family is not None and not early:
            view, number = self.hearts_view(), self.family.numbers[card.id]
            found = hearts_reason(self.game, view, referee.world, number)
        hand = list(map(self._card, self._audience.scene(Eyes.of(seat), self.setup.seats).hand))
        return found or general_reason(self.namer, card, hand, options)

    @property
    def family(self) -> HeartsFamily | None:
        """The data of the Hearts family, if the game is of it."""
        return self._maker.family

    def hearts_view(self) -> HeartsView:
        """Return what the seat that is due sees, as players of the Hearts family do.

        Raises NotHeartsError for any other game.
        """
        referee, seat = self.referee, self.due
        assert seat is not None
        stream = Stream.of_decision(0, seat, 0)  # nothing is drawn
        state = referee.state()
        return table_of(Decision(Seat(seat), state.option_count, stream, state, referee.number))


@dataclass
class _TableRest:
    """A rest after a deal, how the next one begins, and the people who have gone on."""

    end: DealEnd
    begun: tuple[Effect, ...]
    gone_on: set[int] = field(default_factory=set)


def _named(seat: int, setup: SeatSetup) -> SeatSetup:
    """Return a seat with a name for its player, if it has none."""
    return setup if setup.name else replace(setup, name=f"Player {seat + 1}")
