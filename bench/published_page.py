"""The page of published numbers: its tables, and where they stand in its text."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from published_claims import Verdict, judge
from published_orders import orders
from published_own import DEFINITIONS, definition_of, own_value

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from published_claims import Cells, Claim, Judged
    from published_measures import Measured
    from published_orders import Order
    from published_own import MeasureDefinition

MARKED = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)

HEAD = (
    "claim",
    "published",
    "by",
    "here",
    "95 % interval",
    "games",
    "off by",
    "",
    "by our definition",
)
IMPOSSIBLE_HEAD = ("claim", "by", "why not")
ORDER_HEAD = ("by", "published, from the least", "here", "pairs alike", "expected", "against")
DEFINITION_HEAD = ("measure", "by their definition", "computed by", "by our definition")
SAME = "same"
"""What a page says where our definition is that of the publication."""
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
        if name == "elsewhere":
            made[name] = _impossible(rows, sources)
        else:
            made[name] = _table(rows, sources, cells)
    made["definitions"] = _markdown(DEFINITION_HEAD, [_definition(one) for one in DEFINITIONS])
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


def _table(rows: Sequence[Judged], sources: Mapping[str, str], cells: Cells) -> str:
    """Return a table of claims; a source that all have in common is said above it.

    So is that our definitions are the same, where all are.
    """
    lines = [HEAD, *(_row(one, sources, cells) for one in rows)]
    above = []
    by = lines[1][HEAD.index("by")]
    if all(line[HEAD.index("by")] == by for line in lines[1:]):
        above.append(f"By {by}.")
        lines = [line[:2] + line[3:] for line in lines]
    if all(line[-1] == SAME for line in lines[1:]):
        above.append("Our definitions are the same.")
        lines = [line[:-1] for line in lines]
    return (" ".join(above) + "\n\n" if above else "") + _markdown(lines[0], lines[1:])


def _own(claim: Claim, cells: Cells) -> str:
    """Return a number by our definition, with its interval and games; or that it is the same."""
    if definition_of(claim).own is None:
        return SAME
    own = own_value(claim, cells)
    if own is None:
        return SAME if _of_one_batch(claim) else "not played"
    found, games = own
    here, interval = _shown(found, claim)
    return f"{here} ({interval}; {games:,} games)"


def _of_one_batch(claim: Claim) -> bool:
    """Say whether a claim is of a spread that was not pooled: so is ours."""
    return definition_of(claim).name == "spread" and not claim.cell.endswith("-both")


def _definition(one: MeasureDefinition) -> tuple[str, ...]:
    return (one.name, one.theirs, f"`{one.function}`", one.ours or SAME)


def _row(one: Judged, sources: Mapping[str, str], cells: Cells) -> tuple[str, ...]:
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
        _own(claim, cells),
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
