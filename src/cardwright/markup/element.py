"""Elements of HTML, tables and small cards. A text becomes part of one only by being escaped.

Styles are inline, since a style element would reach beyond its own output, and colours leave the
text's to the notebook, which may be light or dark.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


MOST_ROWS = 60
"""The most rows of a table that is shown; how many more there are is said below."""

_LINE = "1px solid rgba(128,128,128,.45)"
_CELL = "padding:.15em .7em;vertical-align:top;background:none;color:inherit"


def table(heads: Sequence[str], rows: Iterable[Sequence[Child]], texts: int = 1) -> Html:
    """Return a table. The first `texts` columns are set to the left, the others, numbers, right."""
    every = list(rows)
    shown = every[:MOST_ROWS]

    def cell(tag: str, at: int, child: Child, border: str) -> Html:
        align = "left" if at < texts else "right"
        style = f"text-align:{align};{border}{_CELL}"
        scope = {"scope": "col"} if tag == "th" else {}
        return element(tag, child, style=style, **scope)

    head = joined(*(cell("th", at, one, f"border-bottom:{_LINE};") for at, one in enumerate(heads)))
    body = joined(
        *(element("tr", *(cell("td", at, one, "") for at, one in enumerate(row))) for row in shown)
    )
    style = f"border-collapse:collapse;border:0;border-bottom:{_LINE};margin:.3em 0;color:inherit"
    made = element(
        "table", element("thead", element("tr", head)), element("tbody", body), style=style
    )
    left = len(every) - len(shown)
    return joined(made, note(f"and {left} more rows") if left else None)


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
