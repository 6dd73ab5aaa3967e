"""Scenes: all that a client draws of one moment of a table, as one pair of eyes sees it.

`TableScene.data()` is the scene as JSON has it: an object for each class below, with its fields as
members. A face has `id`, `name`, `short`, `rank`, `suit` and `attributes`; an event, which comes
with scenes, has `version`, `kind`, `number`, `seat`, `words`, `cards`, `changes`, `trick` and
`deal`.

Seats, decisions and options count from 0, deals from 1; the seed is a string, as JSON's numbers are
smaller. Nothing depends on what the eyes do not see: such cards are only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright.program.cards import Card
    from cardwright.table.setup import Watch


@dataclass(frozen=True)
class CardFace:
    """A card that is seen. `rank` and `suit` are None where the deck has none."""

    card: Card
    name: str
    short: str
    rank: str | None
    suit: str | None

    @property
    def id(self) -> int:
        """The number of the card, by which options name it."""
        return int(self.card.id)

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "id": self.id,
            "name": self.name,
            "short": self.short,
            "rank": self.rank,
            "suit": self.suit,
            "attributes": dict(self.card.attributes),
        }


@dataclass(frozen=True)
class ScenePile:
    """A pile with cards: those that are seen, the top one last, and how many are hidden.

    `at` is its index among those of one name, from 0; None where there is only one. `place` is what
    the rules call it, with its kind before it, as in `vloc DISCARD`, for programs.
    """

    name: str
    place: str
    at: int | None
    cards: tuple[CardFace, ...]
    hidden: int

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "name": self.name,
            "place": self.place,
            "at": self.at,
            "cards": [face.data() for face in self.cards],
            "hidden": self.hidden,
        }


@dataclass(frozen=True)
class SceneTrick:
    """Cards of a trick by seat, in the order of play.

    `winner` has it so far, or took it; None where that is not known.
    """

    cards: tuple[tuple[int, CardFace], ...]
    leader: int
    winner: int | None

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "cards": [{"seat": seat, "card": face.data()} for seat, face in self.cards],
            "leader": self.leader,
            "winner": self.winner,
        }


@dataclass(frozen=True)
class SceneSeat:
    """A seat: who sits there, and what is known of its hand and what lies in front of it.

    `player` is the spec of a computer player. `score` is the current score; `points` what it got in
    this deal, in games of the Hearts family. `cards` counts the cards of its hand that are hidden,
    and `hand` has those that are seen, where they are not those of the scene itself. `team` counts
    teams, where there are any with several players. `taken` are the cards that count among those
    won in this deal, in games of the Hearts family.
    """

    seat: int
    name: str
    kind: str
    player: str | None
    here: bool
    due: bool
    score: int | None
    points: int | None
    team: int | None
    cards: int
    hand: tuple[CardFace, ...]
    piles: tuple[ScenePile, ...]
    facts: tuple[str, ...]
    taken: tuple[CardFace, ...]

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "seat": self.seat,
            "name": self.name,
            "kind": self.kind,
            "player": self.player,
            "here": self.here,
            "due": self.due,
            "score": self.score,
            "points": self.points,
            "team": self.team,
            "cards": self.cards,
            "hand": [face.data() for face in self.hand],
            "piles": [pile.data() for pile in self.piles],
            "facts": list(self.facts),
            "taken": [face.data() for face in self.taken],
        }


@dataclass(frozen=True)
class SceneOption:
    """An option: its words, the cards that it names, by number, and the seats that it picks."""

    index: int
    words: str
    cards: tuple[int, ...]
    players: tuple[int, ...]

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "index": self.index,
            "words": self.words,
            "cards": list(self.cards),
            "players": list(self.players),
        }


@dataclass(frozen=True)
class SceneDecision:
    """The pending decision, for the seat that has to make it.

    An option takes `least` to `most` cards of the hand.
    """

    number: int
    prompt: str
    least: int
    most: int
    options: tuple[SceneOption, ...]

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "number": self.number,
            "prompt": self.prompt,
            "least": self.least,
            "most": self.most,
            "options": [option.data() for option in self.options],
        }


@dataclass(frozen=True)
class SceneSheet:
    """The score of every finished deal by seat, and the current totals; None if not known yet."""

    deals: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...] | None
    higher_wins: bool

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "deals": [list(deal) for deal in self.deals],
            "totals": None if self.totals is None else list(self.totals),
            "higher_wins": self.higher_wins,
        }


@dataclass(frozen=True)
class SceneOver:
    """The end of a game: the result in words, and what replays the game."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    seed: int
    choices: tuple[int, ...]
    words: str

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "seed": str(self.seed),
            "choices": list(self.choices),
            "words": self.words,
        }


@dataclass(frozen=True)
class SceneDealEnd:
    """The end of a deal: its number, what each seat got in it, the totals, who shot the moon.

    While the table rests before the next deal, `waiting_for` has the people who have not gone on
    yet, and after `seconds` it goes on by itself; None if it waits for as long as it takes.
    """

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    moon: int | None
    waiting_for: tuple[int, ...] = ()
    seconds: float | None = None

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "number": self.number,
            "points": list(self.points),
            "totals": list(self.totals),
            "moon": self.moon,
            "waiting_for": list(self.waiting_for),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class SceneUndo:
    """Whether these eyes can ask for moves to be taken back, who has asked, and who has to agree.

    `number` is the decision to which the game would go back, as it was asked for.
    """

    possible: bool = False
    asked_by: int | None = None
    number: int | None = None
    waiting_for: tuple[int, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "possible": self.possible,
            "asked_by": self.asked_by,
            "number": self.number,
            "waiting_for": list(self.waiting_for),
        }


@dataclass(frozen=True)
class SceneGame:
    """The game that is played: its name, its title for people, and its options."""

    name: str
    title: str
    preset: str | None
    options: tuple[tuple[str, str], ...]

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "name": self.name,
            "title": self.title,
            "preset": self.preset,
            "options": dict(self.options),
        }


@dataclass(frozen=True)
class TableScene:
    """One moment of a table.

    `number` is that of the pending decision, and `due` the seat that has to make it. `seat` is that
    of the eyes; for spectators it is None, and `watching` says what they see. `hand` is sorted;
    `opening` says what happened before the first decision. `practice` says whether moves can be
    taken back at this table at all, and `watch` what spectators see, so that those who play know;
    if that is all hands, they do not as long as the people in the seats `awaited` have not agreed.
    `deal_end` is the end of a deal, while the table rests and the last trick still lies there: then
    nobody is due, and `number` is that of the first decision of the next deal; or the end of the
    last deal when the game is over.
    """

    number: int
    due: int | None
    game: SceneGame
    seat: int | None
    watching: str | None
    seats: tuple[SceneSeat, ...]
    piles: tuple[ScenePile, ...]
    facts: tuple[str, ...]
    hand: tuple[CardFace, ...]
    trick: SceneTrick | None
    last: SceneTrick | None
    decision: SceneDecision | None
    deal: int
    sheet: SceneSheet
    over: SceneOver | None
    deal_end: SceneDealEnd | None = None
    opening: tuple[str, ...] = ()
    practice: bool = False
    watch: Watch = "no"
    awaited: tuple[int, ...] = ()
    undo: SceneUndo = SceneUndo()
    pace: float = 1.0

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "number": self.number,
            "due": self.due,
            "game": self.game.data(),
            "seat": self.seat,
            "watching": self.watching,
            "seats": [seat.data() for seat in self.seats],
            "piles": [pile.data() for pile in self.piles],
            "facts": list(self.facts),
            "hand": [face.data() for face in self.hand],
            "trick": self.trick.data() if self.trick else None,
            "last": self.last.data() if self.last else None,
            "decision": self.decision.data() if self.decision else None,
            "deal": self.deal,
            "sheet": self.sheet.data(),
            "over": self.over.data() if self.over else None,
            "deal_end": self.deal_end.data() if self.deal_end else None,
            "opening": list(self.opening),
            "practice": self.practice,
            "watch": self.watch,
            "awaited": list(self.awaited),
            "undo": self.undo.data(),
            "pace": self.pace,
        }
