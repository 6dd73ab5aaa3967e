"""Scenes: all that a client draws of one moment of a table, for one viewer.

These classes are the format in which tables are sent: JSON has an object for each, with its fields
as members, and the published schemas follow from them (`schemas`). Seats, decisions and options
count from 0, deals from 1. Nothing depends on what the viewer does not see: such cards are only
counted.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from cardwright.table.setup import SeatKind, Watch  # noqa: TC001 - types of what is sent

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, description="a seat, from 0")]


class ScenePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of what is sent."""

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return data


class CardFace(ScenePart, frozen=True):
    """A card that is seen; `rank` and `suit` are null where the deck has none."""

    id: int
    name: str
    short: str
    rank: str | None
    suit: str | None
    attributes: dict[str, str]


class ScenePile(ScenePart, frozen=True):
    """A pile with cards: those that are seen, the top one last, and how many are hidden.

    `at` is its index among those of one name, from 0, where there are several. `place` is what the
    rules call it, with its kind before it, as in `vloc DISCARD`, for programs. `shape` is how its
    cards lie by the game's words: in a `row`, the `top` one alone, those that came `last`, which
    are as many as `shown` says, none of them until they are asked for (`count`), or by `suits`;
    null is as usual. `note` says what lies there, or is empty.
    """

    name: str
    place: str
    at: int | None
    cards: tuple[CardFace, ...]
    hidden: int
    shape: str | None = None
    note: str = ""
    shown: int = 0


class PlayedCard(ScenePart, frozen=True):
    """A card of a trick, and who played it."""

    seat: SeatNumber
    card: CardFace


class SceneTrick(ScenePart, frozen=True):
    """The cards of a trick in the order of play.

    `winner` has it so far, or took it, where that is known.
    """

    cards: tuple[PlayedCard, ...]
    leader: SeatNumber
    winner: SeatNumber | None


class SceneSeat(ScenePart, frozen=True):
    """A seat: who sits there, and what is known of its hand and what lies in front of it.

    `player` is the spec of a computer player. `score` is the current score; `points` what it got in
    this deal, in games of the Hearts family. `cards` counts the cards of its hand that are hidden,
    and `hand` has those that are seen, where they are not those of the scene itself. `team` counts
    teams, where there are any with several players. `taken` are the cards that count among those
    won in this deal, in games of the Hearts family.
    """

    seat: SeatNumber
    name: str
    kind: SeatKind
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


class SceneSide(ScenePart, frozen=True):
    """A team: its number, its players by name, and what is shown of it."""

    team: int
    name: str
    facts: tuple[str, ...]


class SceneSign(ScenePart, frozen=True):
    """Something that is drawn large, such as the trump suit: `♠`, or a word; and what it says."""

    sign: str
    words: str


class ScenePeg(ScenePart, frozen=True):
    """Where somebody stands on a track, by holes: a seat, or a team where `seat` is null."""

    seat: SeatNumber | None
    team: int | None
    name: str
    hole: int


class SceneTrack(ScenePart, frozen=True):
    """A row of holes for each player or team, with a peg in it."""

    name: str
    holes: int
    pegs: tuple[ScenePeg, ...]


class SceneGroups(ScenePart, frozen=True):
    """How the viewer's hand lies best in groups: their cards by number, and what is left over."""

    groups: tuple[tuple[int, ...], ...]
    words: str


class ScenePlace(ScenePart, frozen=True):
    """A pile of the table, as `ScenePile` has it."""

    place: str
    at: int | None


class SceneOption(ScenePart, frozen=True):
    """An option: its words, the cards that it names, by number, and the seats that it picks.

    `draws` is the pile from which it takes a hidden card. `call` is what it is called where there
    is little room, as in the table of an auction; it may be empty.
    """

    index: int
    words: str
    cards: tuple[int, ...]
    players: tuple[SeatNumber, ...]
    draws: ScenePlace | None = None
    call: str = ""


class SceneDecision(ScenePart, frozen=True):
    """The pending decision, for the seat that has to make it.

    An option takes `least` to `most` cards of the hand.
    """

    number: int
    prompt: str
    least: int
    most: int
    options: tuple[SceneOption, ...]


class SceneEarly(ScenePart, frozen=True):
    """A decision that the viewer may make before its turn, as nothing until then can change it.

    `chosen` is the option that it has chosen so far, which is played when its turn comes.
    """

    decision: SceneDecision
    chosen: int | None


class SceneSheet(ScenePart, frozen=True):
    """The score of every finished deal by seat, and the current totals where they are known.

    `shared` says whether all seats have one score in any case, which they make together.
    """

    deals: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...] | None
    higher_wins: bool
    shared: bool = False


class SceneOver(ScenePart, frozen=True):
    """The end of a game: the result in words, and what replays the game.

    The seed is text: JSON's numbers are smaller.
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    seed: str
    choices: tuple[int, ...]
    words: str


class SceneResult(ScenePart, frozen=True):
    """What a deal has brought besides points, as a sentence: a moon, a contract that failed.

    `sign` is a picture beside the words, or empty.
    """

    words: str
    sign: str


class SceneDealEnd(ScenePart, frozen=True):
    """The end of a deal: its number, what each seat got in it, the totals, and its results.

    `taken` are the cards that counted of those that each seat won, in games of the Hearts family.
    While the table rests before the next deal, `waiting_for` has the people who have not gone on
    yet, and after `seconds` it goes on by itself; null if it waits for as long as it takes.
    """

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    results: tuple[SceneResult, ...] = ()
    taken: tuple[tuple[CardFace, ...], ...] = ()
    waiting_for: tuple[SeatNumber, ...] = ()
    seconds: float | None = None


class SceneUndo(ScenePart, frozen=True):
    """Whether the viewer can ask for moves to be taken back, who has asked, and who has to agree.

    `number` is the decision to which the game would go back, as it was asked for.
    """

    possible: bool = False
    asked_by: SeatNumber | None = None
    number: int | None = None
    waiting_for: tuple[SeatNumber, ...] = ()


class SceneGame(ScenePart, frozen=True):
    """The game that is played: its name, its title for people, and its options."""

    name: str
    title: str
    preset: str | None
    options: dict[str, str]


class TableScene(ScenePart, frozen=True):
    """One moment of a table.

    `number` is that of the pending decision, and `due` the seat that has to make it. `seat` is that
    of the viewer; for spectators it is null, and `watching` says what they see. `hand` is sorted,
    and `new` are the numbers of its cards that came since the viewer's last choice; `opening` says
    what happened before the first decision. `claim` is what the viewer may claim now: why all ways
    to play the rest of the deal end the same, for all that it knows. `hints` says whether the
    viewer may ask for hints, and `practice` whether moves can be taken back at this table at all;
    `watch` what spectators see, so that those who play know; if that is all hands, they do not as
    long as the people in the seats `awaited` have not agreed.
    `deal_end` is the end of a deal, while the table rests and the last trick still lies there: then
    nobody is due, and `number` is that of the first decision of the next deal; or the end of the
    last deal when the game is over; `again` is who has made a table then to play again. `warning`
    is what players should beware of, as a sentence, such as somebody who may be shooting the moon.
    """

    number: int
    due: SeatNumber | None
    game: SceneGame
    seat: SeatNumber | None
    watching: Literal["public", "open", "delayed"] | None
    seats: tuple[SceneSeat, ...]
    piles: tuple[ScenePile, ...]
    facts: tuple[str, ...]
    hand: tuple[CardFace, ...]
    new: tuple[int, ...]
    trick: SceneTrick | None
    last: SceneTrick | None
    decision: SceneDecision | None
    deal: int
    sheet: SceneSheet
    over: SceneOver | None
    deal_end: SceneDealEnd | None = None
    warning: str | None = None
    opening: tuple[str, ...] = ()
    practice: bool = False
    hints: bool = False
    early: SceneEarly | None = None
    choosing: tuple[SeatNumber, ...] = ()
    claim: str | None = None
    watch: Watch = "no"
    awaited: tuple[SeatNumber, ...] = ()
    undo: SceneUndo = SceneUndo()
    pace: float = 1.0
    again: SeatNumber | None = None
    sides: tuple[SceneSide, ...] = ()
    signs: tuple[SceneSign, ...] = ()
    tracks: tuple[SceneTrack, ...] = ()
    groups: SceneGroups | None = None

    def lines(self) -> tuple[str, ...]:
        """Return all that is shown of the table as lines of text, for a terminal."""
        return (
            *(f"{one.words}: {one.sign}" for one in self.signs),
            *self.facts,
            *(f"{one.name}: {', '.join(one.facts)}" for one in self.sides),
            *(
                f"{one.name}: {', '.join(f'{peg.name} {peg.hole}' for peg in one.pegs)}"
                for one in self.tracks
            ),
            *([] if self.groups is None else filter(None, [self.groups.words])),
        )


class SceneEvent(ScenePart, frozen=True):
    """What was seen of a move, or something else that happened at the table.

    See `Event`, which becomes this when it is sent. `call` is what a move is called in the table of
    an auction, if the game has words for that.
    """

    version: int
    kind: Literal["move", "table", "deal", "phrase"]
    number: int | None
    seat: SeatNumber | None
    words: str
    cards: tuple[CardFace, ...]
    changes: tuple[str, ...]
    trick: SceneTrick | None
    deal: SceneDealEnd | None
    call: str = ""


class TableLook(ScenePart, frozen=True):
    """What a link shows: the scene, and the events since a version.

    `notice` is what people at the table should know of the server, such as a computer player that
    has failed.
    """

    version: int
    scene: TableScene
    events: tuple[SceneEvent, ...]
    notice: str | None = None


def schemas(place: str) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of all that is sent of a table, by name, with references to a place.

    What is sent always has all members.
    """
    _, named = msgspec.json.schema_components([TableLook], ref_template=f"{place}{{name}}")
    for schema in named.values():
        del schema["title"]
        schema["description"] = cleandoc(schema["description"])
        schema["required"] = list(schema["properties"])
        for member in schema["properties"].values():
            member.pop("default", None)
    return named
