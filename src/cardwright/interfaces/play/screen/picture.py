"""The picture: the whole screen as lines of text, with the hand and the choices.

Where there is room the hand lies as cards: the one under the cursor has a double frame; one that
cannot be played is in parentheses, and has no frame except the cursor's; a picked one is raised by
a line, with `+` below it. Else it is a line of text: `[Q♠]` is under the cursor, `+Q♠` is picked,
`(Q♠)` cannot be played now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interfaces.play.screen import windows
from cardwright.interfaces.play.screen.selection import own_decision
from cardwright.interfaces.play.screen.table_view import LONGEST, card_box, own_line, table
from cardwright.interfaces.play.screen.text_box import (
    Lines,
    ScreenSize,
    beside,
    block,
    fitted,
    joined,
    text,
    wrapped,
)

if TYPE_CHECKING:
    from rich.text import Text

    from cardwright.interfaces.play.screen.card_face import Face, Ink
    from cardwright.interfaces.play.screen.selection import Selection
    from cardwright.table.scene import TableLook, TableScene

_INNER = 3
"""The least width of a card within its frame."""


def hand_cards(scene: TableScene, selection: Selection, ink: Ink, width: int) -> Lines:
    """Return the hand as three lines of cards, or four if cards may be raised.

    Nothing if there are no cards, or they do not fit side by side.
    """
    faces = list(map(ink.face, scene.hand))
    suits = [card.suit for card in scene.hand]
    gaps = [int(at > 0 and suit != suits[at - 1]) for at, suit in enumerate(suits)]
    needed = sum(gaps) + sum(_inner(face) + 2 for face in faces)
    if needed > width or any(len(face.text) > LONGEST for face in faces):
        return []
    raised = own_decision(scene) is not None and (selection.menu.most > 1 or bool(selection.picked))
    rows: list[Lines] = [[] for _ in range(4 if raised else 3)] if faces else []
    for at, gap in enumerate(gaps):
        card = _card(scene, selection, ink, at)
        if raised:
            blank = text(" " * card[0].cell_len)
            lifted = selection.menu.hand[at] in selection.picked
            plus = fitted(text("+", "bold"), blank.cell_len, align="center")
            card = [*card, plus] if lifted else [blank, *card]
        for row, line in zip(rows, card, strict=True):
            row.append(joined([" " * gap, line], ""))
    return [joined(row, "") for row in rows]


def _card(scene: TableScene, selection: Selection, ink: Ink, at: int) -> Lines:
    """Return a card of the hand as three lines."""
    face, mine = ink.face(scene.hand[at]), own_decision(scene) is not None
    here = mine and not selection.listing and at == selection.at
    playable = not mine or selection.menu.hand[at] in selection.menu.legal
    style = "bold" if mine and playable else "dim" if mine else ""
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


def hand(scene: TableScene, selection: Selection, ink: Ink, width: int) -> Lines:
    """Return the cards of the hand in as many lines as needed."""
    return wrapped(_cards(scene, selection, ink), width, "")


def _cards(scene: TableScene, selection: Selection, ink: Ink) -> Lines:
    cells: Lines = []
    suit, mine, menu = "", own_decision(scene) is not None, selection.menu
    for at, card in enumerate(scene.hand):
        face = ink.face(card)
        here = mine and not selection.listing and at == selection.at
        legal = card.id in menu.legal
        picked = card.id in selection.picked
        sides = "[]" if here else "()" if mine and not legal else "  "
        style = "bold" if legal else "dim" if mine else ""
        colour = f"{face.colour} {style}".strip()
        if here:
            colour += " reverse"
        new = at > 0 and face.text[-1] != suit and not face.text[-1].isalnum()
        suit = face.text[-1]
        plus = "+" if picked else " " if menu.most > 1 else ""
        name = text(plus + face.text, f"{colour} underline" if picked else colour)
        cells.append(joined([" " if new else "", sides[0], name, sides[1]], ""))
    return cells


def choices(selection: Selection, ink: Ink, width: int, height: int) -> Lines:
    """Return the list of choices: a window around the cursor, or the ones without cards.

    Nothing if the cursor is in the hand and every choice takes cards of it.
    """
    rows = selection.rows if selection.listing else selection.menu.others
    if not rows or height < 1:
        return []
    first = 0
    if len(rows) > height and selection.listing:
        first = max(0, min(selection.row - height // 2, len(rows) - height))
    shown = range(first, min(len(rows), first + height))
    lines = []
    for row in shown:
        here = selection.listing and row == selection.row
        words = ink.words(selection.menu.choices[rows[row]].words)
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


def wanted_rows(selection: Selection) -> int:
    """Return how many lines the whole list of choices would take."""
    if selection.listing:
        return len(selection.rows)
    return len(selection.menu.others)


def prompt(asked: str, selection: Selection) -> str:
    """Return what the person is asked for."""
    menu = selection.menu
    if menu.most > 1:
        return f"{asked}: {len(selection.picked)} picked"
    if menu.most and len({one.players for one in menu.choices if one.players}) > 1:
        return f"{asked}: Enter on a card, then on a player"
    return f"Your move. {asked}".strip()


WIDTH, HEIGHT = 80, 24
"""The size at which everything essential fits."""
_WIDE = 112
"""The least width with scores and log beside the table."""
_FIXED = 5
"""Lines of title, own seat, rule, message and keys."""
_TABLE = 12
"""Lines of a complete table."""
_MANY = 6
"""The most players with their whole names in the title."""


@dataclass(frozen=True)
class Overlay:
    """What is on the screen besides the scene: a window, a message, and the status.

    `window` is its title and lines; `status` says which player is thinking, or what the game waits
    for.
    """

    window: tuple[str, tuple[Text, ...]] | None = None
    scroll: int = 0
    message: str = ""
    status: str = ""
    keys: str = ""


def picture(
    look: TableLook, selection: Selection, shown: Overlay, ink: Ink, size: ScreenSize
) -> Lines:
    """Return the screen: lines that fill its height and width exactly."""
    width, height = size
    if width >= _WIDE:
        side = max(36, width * 3 // 10)
        left = _main(look, selection, shown, ink, ScreenSize(width - side - 1, height))
        edge = "│" if ink.symbols else "|"
        return beside(left, [text(edge, "dim")] * height, _side(look, ink, side, height))
    return _main(look, selection, shown, ink, size, log=True)


def _main(
    look: TableLook,
    selection: Selection,
    shown: Overlay,
    ink: Ink,
    size: ScreenSize,
    *,
    log: bool = False,
) -> Lines:
    """Return the screen without the side column; `log` says whether it includes the log."""
    scene = look.scene
    width, height = size
    room = max(0, height - _FIXED)
    wanted = wanted_rows(selection)
    share = max(1, room // 3) if selection.listing else max(1, room // 6)
    above = _TABLE if shown.window is None else max(_TABLE, len(shown.window[1]) + 1)
    hand = _hand(scene, selection, ink, ScreenSize(width, room), above + min(wanted, share))
    rows = min(wanted, share, max(0, room - len(hand)))
    left = max(0, room - len(hand) - rows)
    table_rows = left if not log else min(left, max(_TABLE, left * 2 // 3))
    log_rows = left - table_rows if shown.window is None else 0
    if shown.window is None:
        middle = table(scene, ink, width, table_rows)
        middle += [own_line(scene, ink, width)]
    else:
        title, said = shown.window
        middle = windows.window(title, said, ink, ScreenSize(width, left + 1), shown.scroll)
    if log_rows:
        middle += [text(ink.rule * width, "dim"), *_log(look, ink, width, log_rows - 1)]
    lines = [
        _title(scene, ink, width),
        *middle,
        _rule(scene, selection, shown, ink, width),
        *[fitted(line, width, ink.more) for line in hand],
        *choices(selection, ink, width, rows),
        fitted(text(shown.message, "bold"), width, ink.more),
        fitted(text(shown.keys, "dim"), width, ink.more),
    ]
    return block(lines, width, height, ink.more)


def _hand(scene: TableScene, selection: Selection, ink: Ink, room: ScreenSize, rest: int) -> Lines:
    """Return the hand: as cards if that leaves `rest` lines, otherwise as text."""
    cards = hand_cards(scene, selection, ink, room.width)
    if cards and room.height - len(cards) >= rest:
        return cards
    return _around(hand(scene, selection, ink, room.width), max(1, room.height // 4))


def _around(cards: Lines, rows: int) -> Lines:
    """Return as many lines of the hand as fit, around the cursor."""
    if len(cards) <= rows:
        return cards
    here = next((n for n, line in enumerate(cards) if "[" in line.plain), 0)
    first = max(0, min(here, len(cards) - rows))
    return cards[first : first + rows]


def _title(scene: TableScene, ink: Ink, width: int) -> Text:
    several = scene.sheet.deals or any(seat.points is not None for seat in scene.seats)
    deal = f"deal {scene.deal}" if several else ""
    if scene.over is not None:
        deal = "the game is over"
    standing = "  ".join(
        f"{seat.name if len(scene.seats) <= _MANY else seat.name[:3]} {seat.score}"
        for seat in scene.seats
        if seat.score is not None
    )
    pieces = [piece for piece in (f" {scene.game.title}", deal, standing) if piece]
    return text(fitted(text("   ".join(pieces)), width, ink.more).plain, "reverse")


def _rule(scene: TableScene, selection: Selection, shown: Overlay, ink: Ink, width: int) -> Text:
    """Return the line above the hand: the prompt or the status, and a moon warning."""
    words = shown.status
    if not words and (decision := own_decision(scene)) is not None:
        words = prompt(decision.prompt, selection)
        if scene.new and not selection.picked:
            new = " ".join(ink.face(card).text for card in scene.hand if card.id in scene.new)
            words = f"{words} (new: {new})"
        if scene.claim is not None:
            words = f"{words} (k claims the rest: {scene.claim})"
    parts: list[Text | str] = [ink.rule * 2, text(words, "bold")] if words else []
    if scene.warning is not None:
        parts.append(text(f" {scene.warning} ", ink.style("yellow") + " reverse"))
    line = joined([*parts, ""]) if parts else text()
    stored = "  ".join(scene.lines()) if scene.trick is not None else ""
    end = joined([f" {stored} ", ink.rule * 2], "") if stored else text()
    room = max(0, width - line.cell_len)
    if end.cell_len > room:
        end = fitted(end, room, ink.more)
    return joined([line, ink.rule * (room - end.cell_len), end], "")


def _log(look: TableLook, ink: Ink, width: int, rows: int) -> Lines:
    return block(windows.log(look, ink, rows), width, rows, ink.more)


def _side(look: TableLook, ink: Ink, width: int, height: int) -> Lines:
    """Return scores and log, for the side of a wide screen."""
    scores = windows.scores(look.scene, ink, width - 1)
    if len(scores) > height // 2:
        scores = [scores[0], text(ink.more, "dim"), *scores[-(height // 2 - 2) :]]
    head = [text(" Scores", "bold"), *[joined(["", line]) for line in scores], text()]
    rest = height - len(head) - 1
    lines = [joined(["", line]) for line in windows.log(look, ink, rest)]
    return block([*head, text(" Log", "bold"), *lines], width, height, ink.more)


def what_is_cut(width: int, height: int) -> str:
    """Return a message for a screen that is too small; empty for others."""
    if width >= WIDTH and height >= HEIGHT:
        return ""
    return f"{width}x{height}: parts are cut; {WIDTH}x{HEIGHT} shows all"
