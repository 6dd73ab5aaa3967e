"""The end of a deal: the final table, when the next cards have already been dealt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.interfaces.play.screen.selection import Menu
from cardwright.table.hearts_table import with_last_trick

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.interfaces.play.screen.card_face import Faces
    from cardwright.interfaces.play.screen.scene import Scene, TrickShown
    from cardwright.table.account import Event


def left_by(event: Event, before: Scene, trick: TrickShown | None) -> Scene:
    """Return the table with the trick that a move has completed, if any, before any consequence.

    `before` is the scene in which the move was made.
    """
    gone = {card.id for card in event.cards}
    kept = [at for at, card in enumerate(before.cards) if card.id not in gone]
    menu = Menu(
        tuple(before.menu.hand[at] for at in kept), tuple(before.menu.typed[at] for at in kept)
    )
    seats = tuple(
        replace(seat, due=False, backs=max(0, seat.backs - len(gone) * (seat.seat == event.seat)))
        for seat in before.seats
    )
    return replace(
        before,
        mine=False,
        due=None,
        seats=seats,
        hand=tuple(before.hand[at] for at in kept),
        cards=tuple(before.cards[at] for at in kept),
        menu=menu,
        words=(),
        asked="",
        trick=trick,
    )


def summed_up(left: Scene, after: Scene, event: Event, game: Game, faces: Faces) -> Scene:
    """Return the table of a deal that a move has finished, with the standing in `after`.

    In games of the Hearts family the cards taken include those of the last trick. The log ends with
    the deal: how the next one began, which may tell cards, comes later.
    """
    scores, sheet = after.scores, after.sheet
    seats = tuple(
        replace(seat, score=None if scores is None else scores[seat.seat]) for seat in left.seats
    )
    last = None if sheet.hearts is None else sheet.hearts.last
    taken = left.taken
    if left.hearts is not None and last is not None:
        sheet = replace(sheet, hearts=with_last_trick(game, left.hearts, last))
        assert sheet.hearts is not None
        taken = tuple(faces.seen(cards) for cards in sheet.hearts.taken)
    next_deal = len(event.begun[1:])
    return replace(
        left, trick=None, seats=seats, sheet=sheet, taken=taken, scores=scores,
        log=after.log[: len(after.log) - next_deal], ended=event.deal,
    )  # fmt: skip
