"""Scenes: all that is drawn of one moment of a session, as values.

A scene is made from that of the table for the shown seat and from public score sheets, so nothing
can be drawn from it that this seat may not know. It does not change while a computer player is
thinking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.selection import Menu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.interfaces.play.screen.card_face import Face, Faces
    from cardwright.program.cards import Card
    from cardwright.table.account import Event
    from cardwright.table.scene import ScenePile, SceneSeat, SceneTrick
    from cardwright.table.score_sheet import DealEnd, HeartsSheet, ScoreSheet, Trick
    from cardwright.table.session import PlaySession


class Log:
    """Makes the lines of a game, each event's only once; what is undone is dropped."""

    def __init__(self, names: tuple[str, ...], faces: Faces) -> None:
        self._names = names
        self._faces = faces
        self._told = 0
        self._last: Event | None = None
        self._lines: list[str] = []

    def lines(self, opening: Sequence[str], events: Sequence[Event]) -> tuple[str, ...]:
        """Return what happened, one sentence per line, the earliest first."""
        # After moves were undone, all events of the game are new objects.
        if not 0 < self._told <= len(events) or events[self._told - 1] is not self._last:
            self._told = 0
            self._lines = list(map(self._faces.words, opening))
        for event in events[self._told :]:
            self._lines += self._of(event)
            self._last = event
        self._told = len(events)
        return tuple(self._lines)

    def _of(self, event: Event) -> Iterator[str]:
        assert event.seat is not None
        yield f"{self._names[event.seat]} {self._faces.words(event.words)}"
        for change in event.told:
            yield f"  {self._faces.words(change)}"


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
    `cards`; `words` are those of the choices of `menu`, and `asked` is the question. `last` is the
    previous trick and `taken` the penalty cards of each seat, in games of the Hearts family.
    `ended` is the end of the deal that is summed up, if one is. `deal` is the number of the deal on
    the table, from 1; `moves` is the number of decisions so far, and `log` describes them.
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
    asked: str
    trick: TrickShown | None
    last: TrickShown | None
    taken: tuple[tuple[Face, ...], ...]
    deal: int
    moves: int
    log: tuple[str, ...]
    sheet: ScoreSheet
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    ended: DealEnd | None = None

    @property
    def hearts(self) -> HeartsSheet | None:
        """The public state of a Hearts deal; None in other games."""
        return self.sheet.hearts


def scene_of(session: PlaySession, faces: Faces, log: Log | None = None) -> Scene:
    """Return the current scene of a session; passing its log saves formatting all events again."""
    told, sheet = session.scene(), session.sheet()
    names = tuple(map(printable, session.names))
    events, hearts = session.events(), sheet.hearts
    choices = session.choices()
    cards = session.hand()
    looks = tuple(map(faces.of, cards))
    return Scene(
        game=printable(session.game.name).capitalize(),
        shown=session.seat,
        watching=session.own is None,
        mine=session.mine,
        finished=session.finished,
        due=session.due,
        names=names,
        seats=tuple(_seat(seat, names[seat.seat], faces, hearts) for seat in told.seats),
        piles=_piles(told.piles, faces),
        facts=tuple(_hearts_facts(hearts)) if hearts else tuple(map(printable, told.facts)),
        hand=looks,
        cards=cards,
        menu=Menu(
            tuple(int(card.id) for card in cards), tuple(look.typed for look in looks), choices
        ),
        words=tuple(faces.words(one.words) for one in choices),
        asked=printable(session.prompt()),
        trick=_played(hearts.trick, faces) if hearts else _shown(told.trick, faces),
        last=_played(hearts.last, faces) if hearts else None,
        taken=tuple(faces.seen(cards) for cards in hearts.taken) if hearts else (),
        deal=len(sheet.deals) + 1,
        moves=len(events),
        log=(log or Log(names, faces)).lines(session.opening, events),
        sheet=sheet,
        scores=session.scores(),
        ranks=session.ranks(),
    )


def finished_trick(event: Event, faces: Faces) -> TrickShown | None:
    """Return the trick that a move has completed, which the scene after it no longer shows."""
    return _played(event.trick, faces)


def _played(trick: Trick | None, faces: Faces) -> TrickShown | None:
    if trick is None:
        return None
    cards = tuple((seat, faces.of(card)) for seat, card in trick.cards)
    return TrickShown(cards, trick.leader, trick.winner)


def _shown(trick: SceneTrick | None, faces: Faces) -> TrickShown | None:
    if trick is None:
        return None
    cards = tuple((one.seat, faces.face(one.card)) for one in trick.cards)
    return TrickShown(cards, trick.leader, trick.winner)


def _seat(seat: SceneSeat, name: str, faces: Faces, hearts: HeartsSheet | None) -> SeatShown:
    return SeatShown(
        seat=seat.seat,
        name=name,
        due=seat.due,
        score=seat.score,
        points=seat.points,
        backs=seat.cards,
        piles=_piles(seat.piles, faces),
        facts=() if hearts else tuple(map(printable, seat.facts)),
    )


def _piles(piles: Iterable[ScenePile], faces: Faces) -> tuple[PileShown, ...]:
    return tuple(
        PileShown(
            printable(pile.name) + (f" {pile.at}" if pile.at else ""),
            tuple(map(faces.face, pile.cards)),
            pile.hidden,
        )
        for pile in piles
    )


def _hearts_facts(sheet: HeartsSheet) -> Iterator[str]:
    yield "hearts broken" if sheet.broken else "hearts not broken"
    if sheet.passing and sheet.to_pass:
        yield f"passing {sheet.passing.lower()}"
