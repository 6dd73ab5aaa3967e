"""Scenes: all that is drawn of one moment of a session, as values.

A scene is made from what the shown seat sees (`View`) and from public score sheets, so nothing can
be drawn from it that this seat may not know. It does not change while a computer player is
thinking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.view import Back
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.log import Log
from cardwright.interfaces.play.screen.selection import Menu
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.view import View
    from cardwright.interfaces.play.narrated_game import Event
    from cardwright.interfaces.play.score_sheet import HeartsSheet, ScoreSheet, Trick
    from cardwright.interfaces.play.screen.card_face import Face, Faces
    from cardwright.interfaces.play.session import PlaySession
    from cardwright.program.cards import Card, Location

_TRICK = "TRICK"
"""The name in the library's games of the location for a seat's card in a trick."""
_SCORES = frozenset({"SCORE", "AFTER"})


@dataclass(frozen=True)
class PileShown:
    """A pile with cards: its name, visible cards from bottom to top, and how many are hidden."""

    name: str
    faces: tuple[Face, ...]
    backs: int

    @property
    def count(self) -> int:
        """The number of cards."""
        return len(self.faces) + self.backs


@dataclass(frozen=True)
class TrickShown:
    """Cards of a trick by seat, in the order of play; None for an unknown leader or winner."""

    cards: tuple[tuple[int, Face], ...] = ()
    leader: int | None = None
    winner: int | None = None


@dataclass(frozen=True)
class SeatShown:
    """A seat: its name, the number of hidden cards in its hand, and what is face up in front of it.

    `score` is its current score; `points` what it got in this deal, in games of the Hearts family.
    """

    seat: int
    name: str
    due: bool
    score: int | None
    points: int | None
    backs: int
    piles: tuple[PileShown, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """One moment of a session, as the shown seat sees it.

    `shown` is that seat, and `watching` says that no person plays it. `hand` has the faces of
    `cards`; `words` are those of the choices of `menu`. `last` is the previous trick and `taken`
    the penalty cards of each seat, in games of the Hearts family. `deal` is the number of the deal
    on the table, from 1; `moves` is the number of decisions so far, and `log` describes them.
    """

    game: str
    shown: int
    watching: bool
    mine: bool
    finished: bool
    due: int | None
    names: tuple[str, ...]
    seats: tuple[SeatShown, ...]
    piles: tuple[PileShown, ...]
    facts: tuple[str, ...]
    hand: tuple[Face, ...]
    cards: tuple[Card, ...]
    menu: Menu
    words: tuple[str, ...]
    trick: TrickShown | None
    last: TrickShown | None
    taken: tuple[tuple[Face, ...], ...]
    deal: int
    moves: int
    log: tuple[str, ...]
    sheet: ScoreSheet
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None

    @property
    def hearts(self) -> HeartsSheet | None:
        """The public state of a Hearts deal; None in other games."""
        return self.sheet.hearts


def scene_of(session: PlaySession, faces: Faces, log: Log | None = None) -> Scene:
    """Return the current scene of a session; passing its log saves formatting all events again."""
    view, sheet, shown = session.view(), session.sheet(), session.seat
    names = tuple(map(printable, session.names))
    hand, events = session.hand(), session.events()
    choices = session.choices() if session.mine else ()
    looks = tuple(map(faces.of, hand))
    scores = session.scores()
    hearts = sheet.hearts
    reader = _SceneReader(session, view, faces)
    return Scene(
        game=printable(session.game.name).capitalize(),
        shown=shown,
        watching=session.setup.seat is None,
        mine=session.mine,
        finished=session.finished,
        due=session.due,
        names=names,
        seats=tuple(
            SeatShown(
                seat=seat,
                name=names[seat],
                due=seat == session.due,
                score=None if scores is None else scores[seat],
                points=None if hearts is None else hearts.points[seat],
                backs=reader.backs(seat),
                piles=tuple(reader.piles(seat)),
                facts=() if hearts else tuple(reader.facts(seat)),
            )
            for seat in range(len(names))
        ),
        piles=tuple(reader.piles(None)),
        facts=tuple(_hearts_facts(hearts)) if hearts else tuple(reader.facts(None)),
        hand=looks,
        cards=hand,
        menu=Menu(
            tuple(int(card.id) for card in hand), tuple(look.typed for look in looks), choices
        ),
        words=tuple(faces.words(one.words) for one in choices),
        trick=_played(hearts.trick, faces) if hearts else reader.trick(),
        last=_played(hearts.last, faces) if hearts else None,
        taken=tuple(faces.seen(cards) for cards in hearts.taken) if hearts else (),
        deal=len(sheet.deals) + 1,
        moves=len(events),
        log=(log or Log(names, faces)).lines(session.opening, events),
        sheet=sheet,
        scores=scores,
        ranks=session.ranks(),
    )


def finished_trick(before: Scene, after: Scene, event: Event, faces: Faces) -> TrickShown | None:
    """Return the trick that a move has completed, which the scene after it no longer shows.

    None if it has completed none. The winner is known if it is the last trick of the scene after.
    """
    trick = before.trick
    if trick is None or len(trick.cards) + 1 != len(before.names) or len(event.cards) != 1:
        return None
    cards = (*trick.cards, (event.seat, faces.of(event.cards[0])))
    if after.last is not None and after.last.cards == cards:
        return after.last
    if event.seat in dict(trick.cards) or (after.trick and len(after.trick.cards) > 1):
        return None
    return TrickShown(cards, trick.leader)


def _played(trick: Trick | None, faces: Faces) -> TrickShown | None:
    if trick is None:
        return None
    cards = tuple((seat, faces.of(card)) for seat, card in trick.cards)
    return TrickShown(cards, trick.leader, trick.winner)


def _hearts_facts(sheet: HeartsSheet) -> Iterator[str]:
    yield "hearts broken" if sheet.broken else "hearts not broken"
    if sheet.passing and sheet.to_pass:
        yield f"passing {sheet.passing.lower()}"


class _SceneReader:
    """Reads a view, seat by seat."""

    def __init__(self, session: PlaySession, view: View, faces: Faces) -> None:
        self._program = session.game.program
        self._shown = session.seat
        self._held = frozenset(card.id for card in session.hand())
        self._hearts = session.sheet().hearts is not None
        self._view = view
        self._faces = faces

    def _owner(self, seat: int | None) -> int:
        return self._program.table if seat is None else seat

    def _of(self, seat: int | None) -> Iterator[tuple[Location, tuple[Card | Back, ...]]]:
        owner = self._owner(seat)
        for location, cards in self._view.locations.items():
            if location.owner == owner:
                yield location, cards

    def backs(self, seat: int) -> int:
        """Return the number of hidden cards in a seat's hand."""
        return sum(
            sum(isinstance(card, Back) for card in cards)
            for location, cards in self._of(seat)
            if location.kind is not LocationKind.HIDDEN
        )

    def piles(self, seat: int | None) -> Iterator[PileShown]:
        """Yield the piles of a seat, or of the table, except hands and cards of a trick."""
        for location, cards in self._of(seat):
            if location.kind is LocationKind.MEMORY or self._elsewhere(location, cards, seat):
                continue
            number = f" {location.at}" if location.at else ""
            faces = self._faces.seen(cards)
            yield PileShown(printable(location.name) + number, faces, len(cards) - len(faces))

    def _elsewhere(
        self, location: Location, cards: tuple[Card | Back, ...], seat: int | None
    ) -> bool:
        """Say whether a pile is drawn elsewhere: as a hand, or in the trick."""
        if seat is None:
            return False
        if location.name == _TRICK and location.kind is LocationKind.VISIBLE:
            return True
        if self._hearts and location.name == "TRICKSWON":
            return True
        if all(isinstance(card, Back) for card in cards):
            return location.kind is not LocationKind.HIDDEN
        return all(not isinstance(card, Back) and card.id in self._held for card in cards)

    def trick(self) -> TrickShown | None:
        """Return the cards in the seats' locations for a trick; None without such locations."""
        cards = [
            (location.owner, self._faces.of(card))
            for location, pile in self._view.locations.items()
            if location.name == _TRICK and location.kind is LocationKind.VISIBLE
            for card in pile
            if location.owner < self._program.players and not isinstance(card, Back)
        ]
        return TrickShown(tuple((int(owner), face) for owner, face in cards)) if cards else None

    def facts(self, seat: int | None) -> Iterator[str]:
        """Yield stored values of a seat, or of the table, as name and value."""
        owner = self._owner(seat)
        for stored in (self._view.strings, self._view.integers):
            for (whose, name), value in stored.items():
                if whose == owner and not (seat is not None and name in _SCORES):
                    yield f"{printable(name)} {printable(str(value))}"
