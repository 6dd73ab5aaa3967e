"""The middle of the table: the trick, with each card in front of its seat, or the piles."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from cardwright.interfaces.play.screen.scene import PileShown, Scene, TrickShown

_BOX = 3
"""Lines of a card that is drawn as a box."""
LONGEST = 9
"""The length of the longest name shown in a box."""


def centre(scene: Scene, ink: Ink, width: int, height: int) -> Lines:
    """Return the middle of the table as a box of this size."""
    trick = scene.trick
    if trick is not None:
        draw = _compass if len(scene.seats) in {2, 3, 4} else _sequence
        cards = draw(trick, scene, ink, width, height)
        below = pile_lines(scene.piles, ink, width)[: max(0, height - len(cards))]
        box = centred(cards, width, height - len(below))
        return block(box + below, width, height, ink.more)
    boxes = _boxes(scene.piles, ink, width) if height >= _BOX + 2 else []
    below = [] if scene.hearts is not None else facts(scene, width)
    lines = [*below, *pile_lines(scene.piles, ink, width, not boxes)]
    for line in lines:
        line.rstrip()
    return centred([*boxes, *centred(lines, width, len(lines))], width, height)


def facts(scene: Scene, width: int) -> Lines:
    """Return the stored values of the table, in as few lines as needed."""
    return wrapped([text(fact, "italic") for fact in scene.facts], width, "  ")


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


def _compass(trick: TrickShown, scene: Scene, ink: Ink, width: int, height: int) -> Lines:
    """Return the cards of a trick, each on the side of its seat: left, top, right or bottom."""
    players = len(scene.seats)
    places = {2: "sn", 3: "swe", 4: "swne"}[players]
    cards = {places[(seat - scene.shown) % players]: (seat, face) for seat, face in trick.cards}
    tall = height >= 3 * _BOX
    size = 5

    def at(place: str) -> Lines:
        if place not in cards:
            return [text(" " * size)] * (_BOX if tall else 1)
        seat, face = cards[place]
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


def _sequence(trick: TrickShown, scene: Scene, ink: Ink, width: int, height: int) -> Lines:
    """Return the cards of a trick in a column, in the order of play."""
    lines = []
    for seat, face in trick.cards:
        mark = ink.due if seat == trick.winner else " "
        lines.append(
            joined(
                [
                    mark,
                    fitted(text(scene.names[seat]), min(14, width - 9), ink.more),
                    text(face.text, face.bold),
                ]
            )
        )
    if len(lines) > height:
        half = (len(lines) + 1) // 2
        short = [joined([scene.names[seat][:3], face.line]) for seat, face in trick.cards]
        columns = [block(part, width // 2, half) for part in (short[:half], short[half:])]
        return beside(*columns)
    return lines


def _boxes(piles: Sequence[PileShown], ink: Ink, width: int) -> Lines:
    """Return the top cards of piles as boxes in a row; nothing if they do not all fit."""
    if not piles:
        return []
    drawn = []
    for pile in piles:
        face = pile.faces[-1] if pile.faces and not pile.backs else None
        if face is not None and len(face.text) > LONGEST:
            return []
        box = card_box(face, ink)
        label = text(f"{pile.name} {pile.count}")
        wide = max(box[0].cell_len, label.cell_len)
        drawn.append([fitted(line, wide, align="center") for line in [*box, label]])
    row = beside(*drawn, between="  ")
    if row[0].cell_len > width:
        return []
    return centred(row, width, len(row))


def pile_lines(piles: Sequence[PileShown], ink: Ink, width: int, every: bool = True) -> Lines:
    """Return piles as lines, the top card first; if not `every`, only those with more to show."""
    lines = []
    for pile in piles:
        if not every and (len(pile.faces) < 2 or pile.backs):
            continue
        cards = [face.line for face in reversed(pile.faces)]
        if pile.backs:
            cards.append(text(f"{ink.back * min(3, pile.backs)}", "dim"))
        lines.append(joined([text(f"{pile.name} ({pile.count})", "dim"), *cards]))
    return [fitted(line, width, ink.more) for line in lines]
