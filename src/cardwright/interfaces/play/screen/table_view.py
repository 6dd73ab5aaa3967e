"""The table: seats around it, the shown one at the bottom, and the cards in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interfaces.play.screen.selection import watched
from cardwright.interfaces.play.screen.text_box import (
    Lines,
    beside,
    block,
    centred,
    fitted,
    joined,
    text,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from cardwright.interfaces.play.screen.card_face import Face, Ink
    from cardwright.table.scene import ScenePile, SceneSeat, SceneTrick, TableScene

_BOX = 3
"""Lines of a card that is drawn as a box."""
LONGEST = 9
"""The length of the longest name shown in a box."""


def centre(scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    """Return the middle of the table as a box of this size."""
    trick = scene.trick
    if trick is not None:
        draw = _compass if len(scene.seats) in {2, 3, 4} else _sequence
        cards = draw(trick, scene, ink, width, height)
        below = pile_lines(scene.piles, ink, width)[: max(0, height - len(cards))]
        box = centred(cards, width, height - len(below))
        return block(box + below, width, height, ink.more)
    boxes = _boxes(scene.piles, ink, width) if height >= _BOX + 2 else []
    lines = [*facts(scene, width), *pile_lines(scene.piles, ink, width, not boxes)]
    for line in lines:
        line.rstrip()
    return centred([*boxes, *centred(lines, width, len(lines))], width, height)


def facts(scene: TableScene, width: int) -> Lines:
    """Return what is shown of the table, in as few lines as needed."""
    return wrapped([text(fact, "italic") for fact in scene.lines()], width, "  ")


def card_box(
    face: Face | None,
    ink: Ink,
    mark: str = "",
    *,
    strong: bool = False,
    style: str | None = None,
) -> Lines:
    """Return a card as a box of three lines; None is a hidden card.

    `mark` is in its upper edge; a strong box has double lines. `style` is that of the name, by
    default its colour in bold.
    """
    name = ink.back * 3 if face is None else face.text[:LONGEST]
    inner = max(3, len(name))
    edges = (
        ("╔═╗║╚╝" if strong else "┌─┐│└┘") if ink.symbols else ("#=#!##" if strong else "+-+|++")
    )
    colour = "dim" if face is None else face.bold
    name_style = colour if style is None else style
    edge = "bold" if strong else "dim"
    top = mark + edges[1] * (inner - len(mark))
    return [
        text(f"{edges[0]}{top}{edges[2]}", edge),
        joined(
            [text(edges[3], edge), text(name.center(inner), name_style), text(edges[3], edge)], ""
        ),
        text(f"{edges[4]}{edges[1] * inner}{edges[5]}", edge),
    ]


def _compass(trick: SceneTrick, scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    """Return the cards of a trick, each on the side of its seat: left, top, right or bottom."""
    players = len(scene.seats)
    places = {2: "sn", 3: "swe", 4: "swne"}[players]
    cards = {places[(played.seat - _shown(scene)) % players]: played for played in trick.cards}
    tall = height >= 3 * _BOX
    size = 5

    def at(place: str) -> Lines:
        if place not in cards:
            return [text(" " * size)] * (_BOX if tall else 1)
        seat, face = cards[place].seat, ink.face(cards[place].card)
        strong, mark = seat == trick.winner, "1" if seat == trick.leader else ""
        if tall:
            return card_box(face, ink, mark, strong=strong)
        return [_flat(face, strong=strong)]

    gap = [text(" " * (size + 2))] * (_BOX if tall else 1)
    blank = [text(" " * size)] * len(gap)
    rows = [beside(blank, at("n"), blank, between="  ")] if "n" in places else []
    rows += [beside(at("w"), gap, at("e"), between=" ")]
    rows += [beside(blank, at("s"), blank, between="  ")]
    return [line for row in rows for line in row]


def _flat(face: Face, *, strong: bool) -> Text:
    sides = "[]" if strong else "  "
    return fitted(text(f"{sides[0]}{face.text}{sides[1]}", face.bold), 5)


def _sequence(trick: SceneTrick, scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    """Return the cards of a trick in a column, in the order of play."""
    lines = []
    played = [(scene.seats[one.seat].name, ink.face(one.card)) for one in trick.cards]
    for (name, face), one in zip(played, trick.cards, strict=True):
        mark = ink.due if one.seat == trick.winner else " "
        lines.append(
            joined(
                [
                    mark,
                    fitted(text(name), min(14, width - 9), ink.more),
                    text(face.text, face.bold),
                ]
            )
        )
    if len(lines) > height:
        half = (len(lines) + 1) // 2
        short = [joined([name[:3], face.line]) for name, face in played]
        columns = [block(part, width // 2, half) for part in (short[:half], short[half:])]
        return beside(*columns)
    return lines


def _boxes(piles: Sequence[ScenePile], ink: Ink, width: int) -> Lines:
    """Return the top cards of piles as boxes in a row; nothing if they do not all fit."""
    if not piles:
        return []
    drawn = []
    for pile in piles:
        face = ink.face(pile.cards[-1]) if pile.cards and not pile.hidden else None
        if face is not None and len(face.text) > LONGEST:
            return []
        box = card_box(face, ink)
        label = text(f"{_name(pile)} {_count(pile)}")
        wide = max(box[0].cell_len, label.cell_len)
        drawn.append([fitted(line, wide, align="center") for line in [*box, label]])
    row = beside(*drawn, between="  ")
    if row[0].cell_len > width:
        return []
    return centred(row, width, len(row))


def pile_lines(piles: Sequence[ScenePile], ink: Ink, width: int, every: bool = True) -> Lines:
    """Return piles as lines, the top card first; if not `every`, only those with more to show."""
    lines = []
    for pile in piles:
        if not every and (len(pile.cards) < 2 or pile.hidden):
            continue
        cards = [ink.face(card).line for card in reversed(pile.cards)]
        if pile.hidden:
            cards.append(text(f"{ink.back * min(3, pile.hidden)}", "dim"))
        lines.append(joined([text(f"{_name(pile)} ({_count(pile)})", "dim"), *cards]))
    return [fitted(line, width, ink.more) for line in lines]


def _name(pile: ScenePile) -> str:
    return pile.name + (f" {pile.at}" if pile.at else "")


def _count(pile: ScenePile) -> int:
    return len(pile.cards) + pile.hidden


_SIDES = {1: (0, 1, 0), 2: (1, 0, 1), 3: (1, 1, 1), 4: (1, 2, 1), 5: (1, 3, 1), 6: (2, 2, 2)}
_MORE_SIDES = {7: (2, 3, 2), 8: (3, 2, 3), 9: (3, 3, 3)}
"""For each number of other seats, how many are left, opposite and right."""
_NARROW = 48
"""The least width for seats around the table; below it they are listed."""
_TALL = 3
"""Lines of a seat: its name, its cards, and what is in front of it."""
_NAME = 18
"""The least width of a seat opposite."""
_BACKS = 13
"""The most card backs that are drawn individually."""


def sides(shown: int, players: int) -> tuple[list[int], list[int], list[int]]:
    """Return the seats left (top to bottom), opposite and right: clockwise in playing order."""
    others = [(shown + step) % players for step in range(1, players)]
    count = len(others)
    sizes = _SIDES | _MORE_SIDES
    left, top, _ = sizes.get(count, (0, 0, 0) if not count else (3, count - 6, 3))
    return others[:left][::-1], others[left : left + top], others[left + top :]


def table(scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    """Return the table as lines of this width; what does not fit is left out."""
    if width < _NARROW or height < 4:
        return _listed(scene, ink, width, height)
    left, top, right = sides(_shown(scene), len(scene.seats))
    head = _TALL if height >= 3 * _TALL else 1
    above = _row([scene.seats[seat] for seat in top], scene, ink, width, head) if top else []
    below = height - len(above)
    if not left and not right:
        return above + centre(scene, ink, width, below)
    side = max(16, width * 3 // 10)
    columns = [
        _column([scene.seats[seat] for seat in seats], scene, ink, side, below)
        for seats in (left, right)
    ]
    middle = centre(scene, ink, width - 2 * side, below)
    return above + beside(columns[0], middle, columns[1])


def _row(seats: list[SceneSeat], scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    share = min(width // len(seats), 40)
    boxes = []
    for seat in seats:
        lines = seat_lines(seat, scene, ink, share - 2, height)
        for line in lines:
            line.rstrip()
        widest = max(line.cell_len for line in lines)
        boxes.append(block(lines, max(widest, min(share - 2, _NAME)), height, ink.more))
    return [fitted(line, width, ink.more, "center") for line in beside(*boxes, between="  ")]


def _column(seats: list[SceneSeat], scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    lines: Lines = []
    for number, seat in enumerate(seats):
        room = (height - len(lines)) // (len(seats) - number)
        used = min(room, 2 * _TALL)
        box = seat_lines(seat, scene, ink, width - 1, used)
        above = (room - used) // 2
        lines += block([text()] * above + box, width, room, ink.more)
    return block(lines, width, height, ink.more)


def _listed(scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    others = [seat for seat in scene.seats if seat.seat != scene.seat]
    lines = [_headline(seat, ink, width) for seat in others]
    rest = max(0, height - len(lines))
    return block(lines + centre(scene, ink, width, rest), width, height, ink.more)


def seat_lines(seat: SceneSeat, scene: TableScene, ink: Ink, width: int, height: int) -> Lines:
    """Return a seat as a box of this size: name and score, cards, what is in front of it."""
    lines = [_headline(seat, ink, width)]
    if seat.seat != scene.seat and seat.cards:
        lines.append(_backs(seat.cards, ink))
    lines += wrapped(_before(seat, ink), width - 1)
    return block(lines, width, height, ink.more)


def _headline(seat: SceneSeat, ink: Ink, width: int) -> Text:
    mark = f"{ink.due} " if seat.due else "  "
    score = "" if seat.score is None else str(seat.score)
    if seat.points:
        score += f" {seat.points:+d}"
    room = max(1, width - len(mark) - len(score) - 1)
    style = "bold reverse" if seat.due else "bold"
    name = fitted(text(seat.name, style), min(room, max(1, len(seat.name))), ink.more)
    return joined([mark, name, " ", text(score, ink.style("cyan"))], "")


def _backs(count: int, ink: Ink) -> Text:
    return text(f"  {ink.back * min(count, _BACKS)} {count}", "dim")


def _before(seat: SceneSeat, ink: Ink) -> Lines:
    """Return what is in front of a seat, in pieces: penalty cards, facts, piles."""
    pieces = []
    if seat.taken:
        pieces.append(joined([" took", *(ink.face(card).line for card in seat.taken)]))
    pieces += [text(f" {fact}") for fact in seat.facts]
    pieces += [pile_text(pile, ink) for pile in seat.piles]
    return pieces


def pile_text(pile: ScenePile, ink: Ink) -> Text:
    """Return a pile as a line: its name, its number of cards, and the top card if visible."""
    seen = pile.cards and not pile.hidden
    top = ink.face(pile.cards[-1]).line if seen else text(ink.back, "dim")
    return joined([text(f" {_name(pile)} ({_count(pile)})", "dim"), top, text(pile.note, "italic")])


def own_line(scene: TableScene, ink: Ink, width: int) -> Text:
    """Return the line of the shown seat, at the bottom of the table."""
    seat = scene.seats[_shown(scene)]
    pieces = [_headline(seat, ink, width)]
    if watched(scene) and seat.cards:
        pieces.append(_backs(seat.cards, ink))
    return fitted(joined([*pieces, *_before(seat, ink)], " "), width, ink.more)


def _shown(scene: TableScene) -> int:
    assert scene.seat is not None
    return scene.seat
