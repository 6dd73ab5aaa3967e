"""The page of published numbers: its tables, and where they stand in its text."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from published_claims import Verdict, judge
from published_orders import orders

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from published_claims import Cells, Claim, Judged
    from published_measures import Measured
    from published_orders import Order

MARKED = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)

HEAD = ("claim", "published", "by", "here", "95 % interval", "games", "off by", "")
IMPOSSIBLE_HEAD = ("claim", "by", "why not")
ORDER_HEAD = ("by", "published, from the least", "here", "pairs alike", "expected", "against")
COUNT_HEAD = ("table", *(str(verdict).strip("*") for verdict in Verdict))


TITLES = {
    "hearts-random": "Hearts at random",
    "hearts-thinking": "Hearts with players that think",
    "variants": "Variants of Hearts",
    "summary": "Six measures of six games",
    "equals": "Drama and security with equals",
    "games": "Other games",
    "valet": "Valet's games at random",
    "scores": "Scores, and the Hearts League",
    "program": "Hearts by the independent program",
    "acceptance": "One full run with fixed tolerances",
    "elsewhere": "What cannot be reproduced here",
}
"""The tables of claims in words, in the order of the page."""


class PageError(CardwrightError):
    """A page that lacks the place of a table, or has one for a table that there is not."""


def tables(claims: Sequence[Claim], cells: Cells, sources: Mapping[str, str]) -> dict[str, str]:
    """Return all tables of the page as Markdown, by their names."""
    judged = [judge(claim, cells) for claim in claims]
    made = {}
    for name in TITLES:
        rows = [one for one in judged if one.claim.table == name]
        made[name] = _impossible(rows, sources) if name == "elsewhere" else _table(rows, sources)
    made["orders"] = _markdown(ORDER_HEAD, [_order_row(one) for one in orders(judged)])
    made["counts"] = _markdown(COUNT_HEAD, _counts(judged))
    return made


def filled(page: str, made: Mapping[str, str]) -> str:
    """Return the page with all tables in their places; raises PageError if one has no place."""
    places = [match[2] for match in MARKED.finditer(page)]
    if sorted(places) != sorted(made):
        lacking = set(made) ^ set(places) or {name for name in places if places.count(name) > 1}
        raise PageError(
            "the page must have one place for each table, as <!-- table: NAME --> and "
            f"<!-- end of table -->; look at: {', '.join(sorted(lacking))}"
        )
    return MARKED.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n{match[4]}", page)


def _table(rows: Sequence[Judged], sources: Mapping[str, str]) -> str:
    """Return a table of claims; a source that all have in common is said above it."""
    cells = [_row(one, sources) for one in rows]
    by = HEAD.index("by")
    if len({row[by] for row in cells}) > 1:
        return _markdown(HEAD, cells)
    shorter = [row[:by] + row[by + 1 :] for row in (HEAD, *cells)]
    return f"By {cells[0][by]}.\n\n" + _markdown(shorter[0], shorter[1:])


def _row(one: Judged, sources: Mapping[str, str]) -> tuple[str, ...]:
    claim = one.claim
    remark = f" ({claim.remark})" if claim.remark else ""
    allowed = "" if claim.tolerance is None else f" ± {claim.tolerance:g}"
    here, interval = ("", "") if one.found is None else _shown(one.found, claim)
    return (
        claim.text,
        f"{claim.value}{allowed}{remark}",
        _source(claim, sources),
        here,
        interval,
        f"{one.games:,}" if one.games else "",
        "" if math.isnan(one.off) else f"{one.off:.1f}",
        str(one.verdict),
    )


def _shown(found: Measured, claim: Claim) -> tuple[str, str]:
    """Return a value and its interval, with a decimal more than was published, or two."""
    if claim.range:
        return f"{found.value:g}", f"{found.low:g} to {found.high:g}"
    if claim.exact:
        return f"{found.value:g}", "always"
    digits = max(claim.digits + 1, 2)
    ends = (found.low, found.high)
    if found.low == found.high:
        return f"{found.value:.{digits}f}", "always"
    return f"{found.value:.{digits}f}", " to ".join(f"{end:.{digits}f}" for end in ends)


def _impossible(rows: Iterable[Judged], sources: Mapping[str, str]) -> str:
    cells = [(one.claim.text, _source(one.claim, sources), one.claim.why) for one in rows]
    return _markdown(IMPOSSIBLE_HEAD, cells)


def _source(claim: Claim, sources: Mapping[str, str]) -> str:
    return sources.get(claim.source, claim.source)


def _order_row(one: Order) -> tuple[str, ...]:
    against = "; ".join(f"{a} and {b}" for a, b in one.against)
    return (
        one.name,
        ", ".join(one.published),
        ", ".join(one.found),
        f"{one.same} of {one.pairs}",
        f"{one.low} to {one.high}",
        against or "none",
    )


def _counts(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """Return how many claims of each table have which verdict."""
    rows = []
    for name, title in TITLES.items():
        counts = Counter(one.verdict for one in judged if one.claim.table == name)
        rows.append((title, *(str(counts[verdict] or "") for verdict in Verdict)))
    return rows


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )
