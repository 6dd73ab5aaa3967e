"""The page of a report and its sentences: one self-contained HTML file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.analysis.measures import MORE, NAMED, SIX, THINKING
from cardwright.english import minus, number, percent
from cardwright.publication.pages import templates
from cardwright.statistics.caveat import caveat, share_caveat
from cardwright.statistics.ties import tie_words, ties_in_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jinja2 import Environment

    from cardwright.analysis.measures import MeasureResult
    from cardwright.analysis.subject import Comparison, Subject


def verdict(key: str, subject: Subject) -> str:
    """Return what one of the six measures says about a game; empty if it has no value."""
    row = subject.result(key)
    if row is None:
        return ""
    match key:
        case "order":
            return _order(row, subject)
        case "fairness":
            return _fair(row, subject)
        case "convergence":
            return {
                1: "Choices become fewer.",
                -1: "Choices become more.",
                0: "Choices become neither clearly fewer nor clearly more.",
            }[row.printed_side(0.5)]
        case "spread":
            return _spread(row, subject)
        case "drama":
            behind = subject.row("articles", "behind", "AA")
            if behind is None:
                return "In these games winners are never behind."
            return f"Where winners are behind, it is by {_part(behind)} of the way."
        case "security":
            return f"Winners are not behind at {_part(row)} of the decisions."
    raise KeyError(key)


def summary(subject: Subject, player: str) -> list[str]:
    """Return a game's numbers as sentences, the plainest first."""
    return [*_random(subject), *_thinking(subject, player)]


def missing(subject: Subject) -> str:
    """Return which of the six measures have no value, and why; empty if all have."""
    lost = [measure.label.lower() for measure in SIX if subject.result(measure) is None]
    if not lost:
        return ""
    if subject.title.players == 1:
        reason = "they compare seats, and this game has one"
    elif "AA" not in subject.tallies:
        reason = "they need thinking players, and none played"
    else:
        reason = "the player notes no estimates, or nobody ever had a choice"
    return f"Without a value: {', '.join(lost)}; {reason}."


def errors(subject: Subject) -> str:
    """Return how many games stopped with an error; empty if none did."""
    said = [f"{count:,} of {batch}" for batch, count in subject.broken.items() if count]
    if not said:
        return ""
    return (
        f"Games that stopped with an error and are left out: {', '.join(said)}. The records say "
        "with which."
    )


def interval(row: MeasureResult, digits: int | None = None) -> str:
    """Return a line's interval as `0.40 to 0.51`, or as `40.2 to 51.3 %`; empty if it has none.

    It is written as its measure is, unless `digits` are given. What is the same in all deals gets
    `always`.
    """
    if row.constant:
        return "always"
    if math.isnan(row.low) or math.isnan(row.high):
        return ""
    if digits is not None:
        return f"{row.low:,.{digits}f} to {row.high:,.{digits}f}"
    low, high = map(row.measure.text, (row.low, row.high))
    return f"{low.removesuffix(' %')} to {high}"


def caution(rows: Iterable[MeasureResult]) -> str:
    """Return how low the coverage of intervals may be; empty if they are from many games.

    Means without bounds come first, since their caution applies to more games.
    """
    deals: dict[str, int] = {}
    for row in rows:
        deals[row.method] = min(row.deals, deals.get(row.method, row.deals))
    said = caveat(deals.get("student", 0), "games")
    if said:
        return f"Of decisions, options, convergence and scores: {said}"
    return share_caveat(deals.get("agresti-coull", 0), "games")


def _random(subject: Subject) -> Iterator[str]:
    counts = subject.random
    least, most = min(counts.lengths), max(counts.lengths)
    length = f"{least}" if least == most else f"{counts.mean_length:,.1f} ({least} to {most})"
    yield (
        f"A random game has {length} decisions, of {counts.branching:,.2f} options on average; "
        f"{percent(counts.forced, 0)} of them leave no choice."
    )
    if counts.tied == counts.games and subject.title.players > 1:
        yield "The first place is always shared, as partners share it."
    elif subject.title.players > 1:
        ties = subject.result("ties")
        share = percent(counts.tied / counts.games)
        ends = "" if ties is None else _beside(interval(ties))
        yield f"The first place is shared in {share} of random games{ends}."


def _thinking(subject: Subject, player: str) -> Iterator[str]:
    wins = subject.result("ai-wins")
    if wins is not None:
        more = " or more" if _in_full(subject) else ""
        yield (
            f"One {player} among random players wins {_part(wins)} of the games, "
            f"{ties_in_short(subject.ties)}; by chance {100 / subject.title.players:.0f} %{more}."
        )
    change = subject.result("lead-change")
    if change is not None and subject.title.players > 1:
        yield (
            f"Where all think, the lead changes hands at {_part(change)} of the steps, as the "
            "players see it."
        )


def _in_full(subject: Subject) -> bool:
    """Return whether shared wins count in full, and random games have any."""
    counts = subject.random
    return subject.ties == "full" and counts.tied > 0


def _order(row: MeasureResult, subject: Subject) -> str:
    side = row.printed_side(0.0)
    if side < 0:
        return "The player that thinks does worse than chance."
    if _in_full(subject):
        return (
            "With ties in full chance is above 0 too, so this does not tell whether thinking pays."
        )
    return "Thinking pays." if side else "These games do not tell whether thinking pays."


def _fair(row: MeasureResult, subject: Subject) -> str:
    """Say whether the first seat has an advantage: by its wins, counted as in fairness."""
    wins = subject.result("wins")
    if wins is None:
        return ""
    fair = 1 / subject.title.players
    ends = _beside(interval(wins))
    share = f"{percent(wins.value)} of the wins{ends}, where {percent(fair)} is fair"
    # Both are printed, so both have to leave out that all is fair.
    side = wins.printed_side(fair) if row.printed_side(1.0) else 0
    if side < 0:
        return f"The first seat is worse off: {share}."
    if _in_full(subject):
        return f"With ties in full the first seat has {share} only if nobody ties."
    if side > 0:
        return f"The first seat is better off: {share}."
    return f"No seat advantage is visible: the first has {share}."


def _spread(row: MeasureResult, subject: Subject) -> str:
    held = subject.row("articles", "held_out_spread", "AA+AR")
    way = "of the way from last to first apart"
    if held is None:
        return f"By the player’s estimates best and worst options are {_part(row)} {way}."
    tries = subject.samples["AA"].tries
    return (
        f"By the player’s estimates best and worst options are {_part(row)} {way}; without the "
        f"noise of {tries:,.0f} rollouts an option it is less, {_part(held)} at least."
    )


def _part(row: MeasureResult) -> str:
    """Return a share with its interval: `50 % (44 to 56 %)`."""
    ends = ""
    if not math.isnan(row.low):
        ends = f"{100 * row.low:.0f} to {percent(row.high, 0)}"
    return f"{percent(row.value, 0)}{_beside(ends)}"


def _beside(ends: str) -> str:
    return f" ({ends})" if ends else ""


_TEMPLATES = Path(__file__).parent / "templates"

STYLE = _TEMPLATES / "report.css"
"""The style of all pages of reports."""


@dataclass(frozen=True)
class Drawing:
    """A picture in a page: heading, caption, the SVG element itself, and files to open or save."""

    heading: str
    caption: str
    svg: str
    files: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Chapter:
    """What a page shows of one game. `left_out` are missing pictures, with reasons."""

    subject: Subject
    figures: Sequence[Drawing]
    diagrams: Sequence[Drawing]
    left_out: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, eq=False)
class Page:
    """All that a page shows. `sheets` are pictures of several games side by side."""

    heading: str
    player: str
    seed: int
    chapters: Sequence[Chapter]
    comparison: Comparison | None = None
    sheets: Sequence[Drawing] = ()
    left_out: Sequence[tuple[str, str]] = ()

    def text(self) -> str:
        """Return the page as HTML; raises MissingExtraError without Jinja."""
        template = environment().get_template("report.html")
        style = STYLE.read_text(encoding="utf-8")
        ties = self.chapters[0].subject.ties
        return template.render(
            page=self,
            style=style,
            version=__version__,
            six=SIX,
            more=MORE,
            thinking=THINKING,
            measures={key: measure.counting(ties) for key, measure in NAMED.items()},
            ties=tie_words(ties),
        )


def environment() -> Environment:
    """Return the Jinja environment of reports; raises MissingExtraError without Jinja."""
    made = templates(_TEMPLATES)
    from markupsafe import Markup

    made.filters.update(number=number, markup=Markup, true_minus=minus)
    made.globals.update(
        signed=signed,
        verdict=verdict,
        summary=summary,
        interval=interval,
        caution=caution,
        errors=errors,
        without=missing,
    )
    return made


def signed(row: MeasureResult) -> str:
    """Return a difference with its sign; differences of shares are in percentage points."""
    share, digits = row.measure.share, row.measure.digits
    value = 100 * row.value if share else row.value
    return minus(f"{value:+,.{1 if share else digits}f}")
