"""Tables in HTML, compact, with lines that can be seen on light and on dark grounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.markup.element import Html, element, joined, note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.markup.element import Child

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
