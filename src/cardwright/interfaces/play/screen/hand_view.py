"""The hand and the list of choices, marked by signs as well as by colours.

`[Q♠]` is under the cursor, `+Q♠` is picked, `(Q♠)` cannot be played now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interfaces.play.screen.text_box import Lines, fitted, joined, text, wrapped

if TYPE_CHECKING:
    from rich.text import Text

    from cardwright.interfaces.play.screen.card_face import Ink
    from cardwright.interfaces.play.screen.scene import Scene
    from cardwright.interfaces.play.screen.selection import Selection


def hand(scene: Scene, selection: Selection, ink: Ink, width: int) -> Lines:
    """Return the cards of the hand in as many lines as needed."""
    return wrapped(_cards(scene, selection, ink), width, "")


def _cards(scene: Scene, selection: Selection, ink: Ink) -> Lines:
    cells: Lines = []
    suit = ""
    for at, face in enumerate(scene.hand):
        card = scene.menu.hand[at]
        here = scene.mine and not selection.listing and at == selection.at
        legal = card in scene.menu.legal
        picked = card in selection.picked
        sides = "[]" if here else "()" if scene.mine and not legal else "  "
        style = "bold" if legal else "dim" if scene.mine else ""
        colour = f"{face.colour} {style}".strip()
        if here:
            colour += " reverse"
        new = at > 0 and face.text[-1] != suit and not face.text[-1].isalnum()
        suit = face.text[-1]
        plus = "+" if picked else " " if scene.menu.most > 1 else ""
        name = text(plus + face.text, f"{colour} underline" if picked else colour)
        cells.append(joined([" " if new else "", sides[0], name, sides[1]], ""))
    return cells


def choices(scene: Scene, selection: Selection, ink: Ink, width: int, height: int) -> Lines:
    """Return the list of choices: a window around the cursor, or the ones without cards.

    Nothing if the cursor is in the hand and every choice takes cards of it.
    """
    rows = selection.rows if selection.listing else scene.menu.others
    if not rows or height < 1:
        return []
    first = 0
    if len(rows) > height and selection.listing:
        first = max(0, min(selection.row - height // 2, len(rows) - height))
    shown = range(first, min(len(rows), first + height))
    lines = []
    for row in shown:
        here = selection.listing and row == selection.row
        words = scene.words[rows[row]]
        sides = "[]" if here else "  "
        number = f"{row + 1:>{len(str(len(rows)))}}"
        style = "bold reverse" if here else ""
        lines.append(joined([number, joined([sides[0], ink.coloured(words, style), sides[1]], "")]))
    hidden = len(rows) - len(shown)
    if hidden and lines:
        after = text(f"  {ink.more} {hidden} more", "dim")
        room = max(1, width - after.cell_len)
        lines[-1] = joined([fitted(lines[-1], min(lines[-1].cell_len, room), ink.more), after], "")
    return [fitted(line, width, ink.more) for line in lines]


def wanted_rows(scene: Scene, selection: Selection) -> int:
    """Return how many lines the whole list of choices would take."""
    if selection.listing:
        return len(selection.rows)
    return len(scene.menu.others)


def prompt(scene: Scene, selection: Selection) -> Text:
    """Return what the person is asked for."""
    if scene.menu.most > 1:
        return text(f"{scene.asked}: {len(selection.picked)} picked", "bold")
    if scene.menu.most and len({one.players for one in scene.menu.choices if one.players}) > 1:
        return text(f"{scene.asked}: Enter on a card, then on a player", "bold")
    return text(f"Your move. {scene.asked}".strip(), "bold")
