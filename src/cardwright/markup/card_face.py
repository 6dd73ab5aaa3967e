"""Cards as small faces in a line of text, on a ground of their own that any notebook shows."""

from __future__ import annotations

from cardwright.markup.element import Html, element

_SUITS = {
    "♠": "#14181f",
    "♥": "#b3122b",
    "♦": "#a84300",
    "♣": "#0b5d2e",
}
"""Colours of suits, each at least 5 : 1 on the faces' ground."""

_BOX = (
    "display:inline-block;padding:0 .3em;margin:.08em .1em;border-radius:.25em;white-space:nowrap;"
)


def card_face(name: str) -> Html:
    """Return a card by its short name, `Q♠`, in the colour of its suit, or by any other name."""
    colour = _SUITS.get(name[-1:], "#14181f")
    style = f"{_BOX}background:#fbfaf5;color:{colour};border:1px solid #8a8a8a"
    return element("span", name, style=style)


def card_backs(name: str, count: int) -> Html:
    """Return cards that are not seen: how many have this back, which is empty for the usual one."""
    text = f"{count} {name}".strip() if name else str(count)
    style = f"{_BOX}background:#3f5573;color:#fff;border:1px solid #8a8a8a"
    return element("span", f"{text} ▒", style=style)
