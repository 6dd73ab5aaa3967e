"""The hand as cards in a row, where there is room for them.

The card under the cursor has a double frame. One that cannot be played is in parentheses, and has
no frame except the cursor's. A picked one is raised by a line, with `+` below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interfaces.play.screen.centre_view import LONGEST, card_box
from cardwright.interfaces.play.screen.text_box import Lines, fitted, joined, text

if TYPE_CHECKING:
    from cardwright.interfaces.play.screen.card_face import Face, Ink
    from cardwright.interfaces.play.screen.scene import Scene
    from cardwright.interfaces.play.screen.selection import Selection

_INNER = 3
"""The least width of a card within its frame."""


def hand_cards(scene: Scene, selection: Selection, ink: Ink, width: int) -> Lines:
    """Return the hand as three lines of cards, or four if cards may be raised.

    Nothing if there are no cards, or they do not fit side by side.
    """
    faces = scene.hand
    suits = [card.attributes.get("SUIT") for card in scene.cards]
    gaps = [int(at > 0 and suit != suits[at - 1]) for at, suit in enumerate(suits)]
    needed = sum(gaps) + sum(_inner(face) + 2 for face in faces)
    if needed > width or any(len(face.text) > LONGEST for face in faces):
        return []
    raised = scene.mine and (scene.menu.most > 1 or bool(selection.picked))
    rows: list[Lines] = [[] for _ in range(4 if raised else 3)] if faces else []
    for at, gap in enumerate(gaps):
        card = _card(scene, selection, ink, at)
        if raised:
            blank = text(" " * card[0].cell_len)
            lifted = scene.menu.hand[at] in selection.picked
            plus = fitted(text("+", "bold"), blank.cell_len, align="center")
            card = [*card, plus] if lifted else [blank, *card]
        for row, line in zip(rows, card, strict=True):
            row.append(joined([" " * gap, line], ""))
    return [joined(row, "") for row in rows]


def _card(scene: Scene, selection: Selection, ink: Ink, at: int) -> Lines:
    """Return a card of the hand as three lines."""
    face, number = scene.hand[at], scene.menu.hand[at]
    here = scene.mine and not selection.listing and at == selection.at
    playable = not scene.mine or number in scene.menu.legal
    style = "bold" if scene.mine and playable else "dim" if scene.mine else ""
    style = " ".join(filter(None, (face.colour, style, "reverse" if here else "")))
    box = card_box(face, ink, strong=here, style=style)
    if not playable:
        wide = _inner(face)
        if here:
            box[1] = joined(["(", text(face.text.center(wide), style), ")"], "")
        else:
            blank = text(" " * (wide + 2))
            box = [blank, text(f"({face.text})".center(wide + 2), style), blank]
    return box


def _inner(face: Face) -> int:
    return max(_INNER, len(face.text))
