"""Forms as text, short enough for a message."""

from __future__ import annotations

from cardwright.syntax.tree import Atom, Syntax


def shown(item: Syntax, limit: int = 40) -> str:
    """Return the text of an item on one line, cut to a length."""
    text = _text(item, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _text(item: Syntax, room: int) -> str:
    if isinstance(item, Atom):
        return item.text
    words: list[str] = []
    for inner in item.items:
        words.append(_text(inner, room))
        if sum(map(len, words)) > room:
            break
    return "(" + " ".join(words).replace(" ,", ",") + ")"
