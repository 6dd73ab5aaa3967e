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

HEAD = ("claim", "published", "here", "by our definition")
IMPOSSIBLE_HEAD = ("claim", "source", "why not")
ORDER_HEAD = ("by", "pairs alike", "expected", "against")
DEFINITION_HEAD = ("measure", "by their definition", "computed by", "by our definition")
SAME = ""
"""What a page says where our definition is that of the publication."""
VERDICTS = tuple(verdict for verdict in Verdict if verdict is not Verdict.NOT_PLAYED)
COUNT_HEAD = ("table", *(str(verdict).strip("*") for verdict in VERDICTS))
REPEATED = ("equals", "program")
"""Tables without our own definitions, whose numbers other tables have."""
TRICKS = re.compile(r"(leader|others) (\d+)")
"""Measures of Hearts by trick, which have a table of their own."""


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
        rows = [one for one in judged if one.claim.table == name and not _by_trick(one.claim)]
        if name == "elsewhere":
            made[name] = _impossible(rows)
        else:
            made[name] = _table(rows, sources, cells)
    made["tricks"] = _tricks([one for one in judged if _by_trick(one.claim)], sources)
    made["sources"] = _markdown(
        ("", "source"), [(_letter(key, sources), text) for key, text in sources.items()]
    )
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


def _by_trick(claim: Claim) -> bool:
    return claim.cell.startswith("hearts-4-RR") and bool(TRICKS.fullmatch(claim.measure))


def _tricks(judged: Sequence[Judged], sources: Mapping[str, str]) -> str:
    """Return the options of Hearts by trick: what both sources published, and what is found here.

    A fixed tolerance is around what the program published. Verdicts other than agreement stand
    beside the number that they are of.
    """
    charts, programs = {}, {}
    for one in judged:
        match = TRICKS.fullmatch(one.claim.measure)
        assert match is not None
        if one.claim.table == "acceptance":
            if one.verdict is not Verdict.AGREES:
                raise PageError(f"{one.claim.text} is out of its tolerance, which has no row")
            continue
        kept = programs if one.claim.table == "program" else charts
        kept[match[1], int(match[2])] = one
    rows = []
    for trick in sorted({trick for _, trick in charts}):
        cells = [str(trick)]
        for who in ("leader", "others"):
            chart, program = charts[who, trick], programs[who, trick]
            assert program.found is not None
            cells += [_with_verdict(one) for one in (chart, program)]
            cells.append(_shown(program.found, program.claim))
        rows.append(cells)
    a, b = (_letter(source, sources) for source in ("statistics", "program"))
    head = ["trick", *(f"{who}: {x}" for who in ("leader", "others") for x in (a, b, "here"))]
    most = [max(one.off for one in kept.values()) for kept in (charts, programs)]
    return (
        f"Off by at most {most[0]:.1f} ({a}) and {most[1]:.1f} ({b}); "
        f"{judged[0].games:,} games.\n\n" + _markdown(head, rows)
    )


def _with_verdict(one: Judged) -> str:
    verdict = "" if one.verdict is Verdict.AGREES else f" {one.verdict}"
    return f"{one.claim.value}{verdict}"


def _table(rows: Sequence[Judged], sources: Mapping[str, str], cells: Cells) -> str:
    """Return a table of claims; what all or most rows have in common is said above it."""
    usual, _ = Counter(one.games for one in rows).most_common(1)[0]
    letters = {_letter(one.claim.source, sources) for one in rows}
    above = [f"{usual:,} games, unless another number is given."]
    if len(letters) == 1:
        above.append(f"Source: {letters.pop()}.")
        sources = {}
    lines = [HEAD, *(_row(one, sources, cells, usual) for one in rows)]
    if not any(line[-1] for line in lines[1:]):
        lines = [line[:-1] for line in lines]
    return " ".join(above) + "\n\n" + _markdown(lines[0], lines[1:])


def _letter(source: str, sources: Mapping[str, str]) -> str:
    """Return the letter by which a table names a source."""
    keys = list(sources)
    return "abcdefghijklmnop"[keys.index(source)] if source in keys else ""


def _own(one: Judged, cells: Cells) -> str:
    """Return a number by our definition, with its interval; nothing if that is the same.

    The number of games follows where it is another than that of the row.
    """
    claim = one.claim
    if definition_of(claim).own is None or claim.table in REPEATED:
        return SAME
    own = own_value(claim, cells)
    if own is None:
        return SAME if _of_one_batch(claim) else "not played"
    found, games = own
    return _shown(found, claim) + ("" if games == one.games else f" (n={games:,})")


def _of_one_batch(claim: Claim) -> bool:
    """Say whether a claim is of a spread that was not pooled: so is ours."""
    return definition_of(claim).name == "spread" and not claim.cell.endswith("-both")


def _definition(one: MeasureDefinition) -> tuple[str, ...]:
    return (one.name, one.theirs, f"`{one.function}`", one.ours or "same")


def _row(one: Judged, sources: Mapping[str, str], cells: Cells, usual: int) -> tuple[str, ...]:
    claim = one.claim
    letter = _letter(claim.source, sources)
    source = f"<sup>{letter}</sup>" if letter else ""
    remark = f" ({claim.remark})" if claim.remark else ""
    allowed = "" if claim.tolerance is None else f" ± {claim.tolerance:g}"
    return (
        claim.text,
        f"{claim.value}{allowed}{source}{remark}",
        ("" if one.found is None else _shown(one.found, claim))
        + ("" if one.games in (0, usual) else f" (n={one.games:,})")
        + _verdict(one),
        _own(one, cells),
    )


def _verdict(one: Judged) -> str:
    """Return a verdict that is not agreement, with the difference in standard errors."""
    if one.verdict is Verdict.AGREES:
        return ""
    return f" {one.verdict}" + ("" if math.isnan(one.off) else f" ({one.off:.1f})")


def _shown(found: Measured, claim: Claim) -> str:
    """Return a value and its interval, with a decimal more than was published, or two."""
    if claim.range:
        return f"{found.value:g} [{found.low:g}, {found.high:g}]"
    if claim.exact:
        return f"{found.value:g}, always"
    digits = max(claim.digits + 1, 2)
    ends = (found.low, found.high)
    if found.low == found.high:
        return f"{found.value:.{digits}f}, always"
    return f"{found.value:.{digits}f} [" + ", ".join(f"{end:.{digits}f}" for end in ends) + "]"


def _impossible(rows: Iterable[Judged]) -> str:
    cells = [(one.claim.text, one.claim.source, one.claim.why) for one in rows]
    return _markdown(IMPOSSIBLE_HEAD, cells)


def _order_row(one: Order) -> tuple[str, ...]:
    against = "; ".join(f"{a} and {b}" for a, b in one.against)
    return (
        one.name,
        f"{one.same} of {one.pairs}",
        f"{one.low} to {one.high}",
        against or "none",
    )


def _counts(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """Return how many claims of each table have which verdict."""
    rows = []
    for name, title in TITLES.items():
        counts = Counter(one.verdict for one in judged if one.claim.table == name)
        rows.append((title, *(str(counts[verdict] or "") for verdict in VERDICTS)))
    return rows


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = (_line(cells) for cells in (head, *rows))
    return "".join((first, "|" + "---|" * len(head) + "\n", *others))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
