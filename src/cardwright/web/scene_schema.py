"""Schemas of what a table shows: the scene, its parts, and events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.web.schema import listing, nullable, one_of, reference, shape

if TYPE_CHECKING:
    from cardwright.web.schema import Schema

_WHOLE: Schema = {"type": "integer"}
_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_SEAT: Schema = {"type": "integer", "minimum": 0, "description": "a seat, from 0"}
_SCORES = listing(_WHOLE)

SCENE_SCHEMAS: dict[str, Schema] = {
    "Face": shape(
        "a card that is seen",
        id=_WHOLE,
        name=_TEXT,
        short=_TEXT,
        rank=nullable(_TEXT),
        suit=nullable(_TEXT),
        attributes={"type": "object", "additionalProperties": _TEXT},
    ),
    "Pile": shape(
        "a pile: the cards that are seen, the top one last, and how many are hidden",
        name=_TEXT,
        place=_TEXT,
        at=nullable(_WHOLE),
        cards=listing(reference("Face")),
        hidden=_WHOLE,
    ),
    "Trick": shape(
        "the cards of a trick in the order of play",
        cards=listing(shape("", seat=_SEAT, card=reference("Face"))),
        leader=_SEAT,
        winner=nullable(_SEAT),
    ),
    "Seat": shape(
        "a seat, who sits there, and what is known of its cards",
        seat=_SEAT,
        name=_TEXT,
        kind=one_of("person", "computer", "empty"),
        player=nullable(_TEXT),
        here=_FLAG,
        due=_FLAG,
        score=nullable(_WHOLE),
        points=nullable(_WHOLE),
        team=nullable(_WHOLE),
        cards=_WHOLE,
        hand=listing(reference("Face")),
        piles=listing(reference("Pile")),
        facts=listing(_TEXT),
        taken=listing(reference("Face")),
    ),
    "Option": shape(
        "an option of a decision, with the cards and seats that it names",
        index=_WHOLE,
        words=_TEXT,
        cards=listing(_WHOLE),
        players=listing(_SEAT),
    ),
    "Decision": shape(
        "the pending decision, for the seat that has to make it",
        number=_WHOLE,
        prompt=_TEXT,
        least=_WHOLE,
        most=_WHOLE,
        options=listing(reference("Option")),
    ),
    "Sheet": shape(
        "the scores of finished deals by seat, and the totals where they are known",
        deals=listing(_SCORES),
        totals=nullable(_SCORES),
        higher_wins=_FLAG,
    ),
    "Over": shape(
        "the end of a game, and what replays it",
        scores=_SCORES,
        ranks=_SCORES,
        seed=_TEXT,
        choices=_SCORES,
        words=_TEXT,
    ),
    "DealEnd": shape(
        "the end of a deal: what each seat got in it, the totals, and who shot the moon; while the "
        "table rests, who has not gone on yet, and after how many seconds it goes on by itself",
        number=_WHOLE,
        points=_SCORES,
        totals=_SCORES,
        moon=nullable(_SEAT),
        waiting_for=listing(_SEAT),
        seconds=nullable({"type": "number"}),
    ),
    "Undo": shape(
        "whether moves can be taken back, who has asked for it, and who has to agree",
        possible=_FLAG,
        asked_by=nullable(_SEAT),
        number=nullable(_WHOLE),
        waiting_for=listing(_SEAT),
    ),
    "GameOfTable": shape(
        "the game that is played, with its options",
        name=_TEXT,
        title=_TEXT,
        preset=nullable(_TEXT),
        options={"type": "object", "additionalProperties": _TEXT},
    ),
    "Scene": shape(
        "one moment of a table, as one pair of eyes sees it",
        number=_WHOLE,
        due=nullable(_SEAT),
        game=reference("GameOfTable"),
        seat=nullable(_SEAT),
        watching=one_of("public", "open", "delayed", None),
        seats=listing(reference("Seat")),
        piles=listing(reference("Pile")),
        facts=listing(_TEXT),
        hand=listing(reference("Face")),
        trick=nullable(reference("Trick")),
        last=nullable(reference("Trick")),
        decision=nullable(reference("Decision")),
        deal=_WHOLE,
        sheet=reference("Sheet"),
        over=nullable(reference("Over")),
        deal_end=nullable(reference("DealEnd")),
        opening=listing(_TEXT),
        practice=_FLAG,
        watch=one_of("no", "public", "open", "delayed"),
        awaited=listing(_SEAT),
        undo=reference("Undo"),
        pace={"type": "number"},
    ),
    "Event": shape(
        "what was seen of a move, or something else that happened at the table",
        version=_WHOLE,
        kind=one_of("move", "table", "deal"),
        number=nullable(_WHOLE),
        seat=nullable(_SEAT),
        words=_TEXT,
        cards=listing(reference("Face")),
        changes=listing(_TEXT),
        trick=nullable(reference("Trick")),
        deal=nullable(reference("DealEnd")),
    ),
    "EstimateUnit": shape(
        "what estimates are: a measure (points; margin, the same against the mean of the others; "
        "rank, the share of the others that are behind; win, the chance to win; reward, from the "
        "worst outcome to the best), of the deal, the match or the game, and this in words. People "
        "read numbers from 0 to 1 in percent.",
        measure=one_of("points", "margin", "rank", "win", "reward"),
        scope=one_of("deal", "match", "game"),
        higher_is_better=_FLAG,
        percent=_FLAG,
        words=_TEXT,
    ),
    "Estimates": shape(
        "estimates of all options in order, null for those that were not tried",
        unit=reference("EstimateUnit"),
        values=listing(nullable({"type": "number"})),
    ),
    "Look": shape(
        "what a link shows: the scene, and the events since a version. `notice` is what people at "
        "the table should know of the server, such as a computer player that has failed.",
        version=_WHOLE,
        notice=nullable(_TEXT),
        scene=reference("Scene"),
        events=listing(reference("Event")),
    ),
}
"""Schemas by the names that they have in the description of the interface."""
