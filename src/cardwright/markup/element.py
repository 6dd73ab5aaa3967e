"""Elements of HTML. A text becomes part of one only by being escaped.

Styles are inline, since a style element would reach beyond its own output, and colours leave the
text's to the notebook, which may be light or dark.
"""

from __future__ import annotations

from html import escape
from typing import TypeAlias

_MOST = 400
"""The most characters of one text: names in a file can be as long as its author likes."""


class Html(str):
    """A text that is HTML already; any other `str` is escaped where it is put into an element."""

    __slots__ = ()


Child: TypeAlias = "str | int | None"
"""What an element may contain: HTML, a text or a number; nothing for None."""


def html_of(child: Child) -> Html:
    """Return a child as HTML: a text is escaped, and cut if it is very long."""
    if isinstance(child, Html):
        return child
    text = "" if child is None else str(child)
    return Html(escape(text if len(text) <= _MOST else text[: _MOST - 1] + "…"))


def joined(*children: Child) -> Html:
    """Return children one after another."""
    return Html("".join(map(html_of, children)))


def element(tag: str, *children: Child, style: str = "", **attributes: str) -> Html:
    """Return an element; `_` in the name of an attribute stands for a hyphen."""
    given = {**attributes, **({"style": style} if style else {})}
    said = "".join(f' {name.replace("_", "-")}="{escape(value)}"' for name, value in given.items())
    end = "" if tag == "img" else f"{joined(*children)}</{tag}>"
    return Html(f"<{tag}{said}>{end}")


def heading(text: str, *notes: str) -> Html:
    """Return the first line of a display: what it is, and facts about it in plainer letters."""
    facts = element("span", " · ".join(notes), style="opacity:.75") if notes else Html()
    gap = "margin:.2em 0 .4em"
    return element("div", element("b", text), Html(" &nbsp;") if notes else None, facts, style=gap)


def note(text: str) -> Html:
    """Return a remark below a table."""
    return element("div", text, style="opacity:.75;font-size:.9em;margin:.2em 0;max-width:60em")


def display(*parts: Child) -> str:
    """Return a whole display, which a wide table scrolls inside of."""
    return str(element("div", *parts, style="overflow-x:auto;line-height:1.45"))
