"""Published numbers, and whether what is found here agrees with them.

A number found in n games differs from the true one by chance, and the published one, found in its
own games, does as well. How much is known from our games: their spread from one game to the next is
the same. A difference within 1.96 standard errors of both together agrees; beyond 3.29 (one chance
in a thousand) it differs; what lies between cannot be told from so few games.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from math import hypot, inf, nan
from typing import TYPE_CHECKING, Any

from published_cells import FILE, load_cells
from published_measures import Measured

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import TypeAlias

AGREES, DIFFERS = 1.96, 3.29
"""Standard errors: 95 % of all differences that are due to chance are below, and 99.9 %."""

READING = 0.05
"""How far off a range may be that was read off an overview, as a share of it."""


class Verdict(StrEnum):
    """What comes of a comparison."""

    AGREES = "agrees"
    DIFFERS = "**differs**"
    UNCLEAR = "inconclusive"
    NOT_PLAYED = "not played"
    IMPOSSIBLE = "not reproducible"


@dataclass(frozen=True)
class Claim:
    """A published number: see published_claims.toml, where most fields have the same names."""

    table: str
    text: str
    source: str
    value: Decimal | None = None
    cell: str = ""
    measure: str = ""
    games: int = 0
    within: float | None = None
    tolerance: float | None = None
    exact: bool = False
    range: bool = False
    over: str = ""
    less: str = ""
    group: str = ""
    member: str = ""
    remark: str = ""
    why: str = ""

    @property
    def digits(self) -> int:
        """The decimals with which the number was published."""
        return 0 if self.value is None else max(0, -int(self.value.as_tuple().exponent))

    @property
    def reading(self) -> float:
        """How far off the published number may be for having been rounded or read off."""
        return 0.5 * 10.0**-self.digits if self.within is None else self.within


@dataclass(frozen=True)
class Found:
    """The figures of a cell, and of how many games they are."""

    games: int
    figures: Mapping[str, Measured]


Cells: TypeAlias = "Mapping[str, Found]"


@dataclass(frozen=True)
class Judged:
    """A claim beside what was found; `off` is the difference in standard errors, NaN if unknown."""

    claim: Claim
    found: Measured | None
    games: int
    off: float
    verdict: Verdict


def load_claims(file: Path = FILE) -> tuple[dict[str, str], tuple[Claim, ...]]:
    """Return the sources in words by their keys, and all claims, one a number."""
    data = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    titles = _titles()
    claims = tuple(claim for row in data["claim"] for claim in _claims(row, titles))
    return data["sources"], claims


def _titles() -> dict[str, str]:
    """Return cells in words by their names."""
    return {cell.name: cell.title for cell in load_cells()}


def _claims(row: dict[str, Any], titles: Mapping[str, str]) -> list[Claim]:
    """Return the claims of a table of the file: one for `each`, or one alone."""
    fields = {name: value for name, value in row.items() if name not in {"each", "value"}}
    fields |= {name: float(row[name]) for name in ("within", "tolerance") if name in row}
    if "each" not in row:
        return [Claim(**fields, value=Decimal(row["value"]) if "value" in row else None)]
    return [
        Claim(**_filled(fields, item, titles.get(item, item)), value=Decimal(value))
        for item, value in zip(row["each"], row["value"], strict=True)
    ]


def _filled(fields: dict[str, Any], item: str, title: str) -> dict[str, Any]:
    """Return fields with an item in place of {}; in what is read it has its title."""
    texts = {
        name: text.replace("{}", title if name == "text" else item)
        for name, text in fields.items()
        if isinstance(text, str)
    }
    return {**fields, **texts, "member": title}


def judge(claim: Claim, cells: Cells) -> Judged:
    """Return a claim beside what was found, with a verdict."""
    if claim.value is None:
        return Judged(claim, None, 0, nan, Verdict.IMPOSSIBLE)
    found = taken(claim, cells)
    if found is None:
        return Judged(claim, None, 0, nan, Verdict.NOT_PLAYED)
    games = cells[claim.cell].games
    if claim.range:
        room = READING * float(claim.value)
        good = found.low - room <= float(claim.value) <= found.high + room
        return Judged(claim, found, games, nan, Verdict.AGREES if good else Verdict.DIFFERS)
    if claim.exact:
        good = found.low == found.value == found.high == float(claim.value)
        return Judged(claim, found, games, nan, Verdict.AGREES if good else Verdict.DIFFERS)
    gap = abs(found.value - float(claim.value))
    if claim.tolerance is not None:
        good = gap <= claim.tolerance + 1e-9
        return Judged(claim, found, games, nan, Verdict.AGREES if good else Verdict.DIFFERS)
    off = errors_off(gap - claim.reading, found.error, games, claim.games)
    return Judged(claim, found, games, off, _verdict(off))


def taken(claim: Claim, cells: Cells) -> Measured | None:
    """Return what was found for a claim; None if it was not played.

    For a quotient or a difference of two cells the errors of both count.
    """
    own = _figure(cells, claim.cell, claim.measure)
    other = claim.over or claim.less
    if own is None or not other:
        return own
    beside = _figure(cells, other, claim.measure)
    if beside is None:
        return None
    if claim.less:
        value = own.value - beside.value
        error = hypot(own.error, beside.error)
    else:
        value = own.value / beside.value
        error = abs(value) * hypot(own.error / own.value, beside.error / beside.value)
    return Measured(value, value - AGREES * error, value + AGREES * error)


def errors_off(gap: float, error: float, games: int, published: int) -> float:
    """Return a gap in standard errors of the difference; 0 if rounding or reading explains it.

    `error` is that of our number, found in so many games; the published one is of others.
    """
    if gap <= 1e-9:
        return 0.0
    both = error * math.sqrt(1 + games / published)
    return gap / both if both > 0 else inf


def _figure(cells: Cells, cell: str, measure: str) -> Measured | None:
    found = cells.get(cell)
    return None if found is None else found.figures.get(measure)


def _verdict(off: float) -> Verdict:
    if math.isnan(off) or AGREES < off <= DIFFERS:
        return Verdict.UNCLEAR
    return Verdict.AGREES if off <= AGREES else Verdict.DIFFERS
