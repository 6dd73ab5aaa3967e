"""The measures of a game in sentences.

A sentence claims something only if the whole interval does; otherwise it says that these games
cannot tell.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardwright.analysis.report.names import ALL, SIX
from cardwright.statistics.caveat import caveat, share_caveat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.analysis.heuristics import HeuristicRow
    from cardwright.analysis.report.subject import Subject


def verdict(key: str, subject: Subject) -> str:
    """Return what one of the six measures says about a game; empty if it has no value."""
    row = ALL[key].row(subject)
    if row is None:
        return ""
    match key:
        case "order":
            return _side(
                row,
                0.0,
                "Thinking pays.",
                "The player that thinks does worse than chance.",
                "These games do not tell whether thinking pays.",
            )
        case "fairness":
            return _fair(subject)
        case "convergence":
            return _side(
                row,
                0.5,
                "Choices become fewer.",
                "Choices become more.",
                "Choices become neither clearly fewer nor clearly more.",
            )
        case "spread":
            return f"Best and worst options are {_part(row)} of the way from last to first apart."
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
    lost = [one.label.lower() for one in SIX if one.row(subject) is None]
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


def interval(row: HeuristicRow, digits: int = 2, *, share: bool = False) -> str:
    """Return a line's interval as `0.40 to 0.51`; empty if it has none.

    What is the same in all deals gets `always`.
    """
    if row.constant:
        return "always"
    if math.isnan(row.low) or math.isnan(row.high):
        return ""
    if share:
        return f"{100 * row.low:.1f} to {100 * row.high:.1f} %"
    return f"{row.low:,.{digits}f} to {row.high:,.{digits}f}"


def caution(rows: Iterable[HeuristicRow]) -> str:
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
    counts = subject.bulk or subject.statistics["RR"]
    least, most = min(counts.lengths), max(counts.lengths)
    length = f"{least}" if least == most else f"{counts.mean_length:,.1f} ({least} to {most})"
    yield (
        f"A random game has {length} decisions, of {counts.branching:,.2f} options on average; "
        f"{100 * counts.forced:.0f} % of them leave no choice."
    )
    if counts.tied == counts.games and subject.title.players > 1:
        yield "The first place is always shared, as partners share it."
    elif subject.title.players > 1:
        ties = ALL["ties"].row(subject)
        share = f"{100 * counts.tied / counts.games:.1f} %"
        ends = "" if ties is None else _beside(interval(ties, share=True))
        yield f"The first place is shared in {share} of random games{ends}."


def _thinking(subject: Subject, player: str) -> Iterator[str]:
    wins = ALL["ai-wins"].row(subject)
    if wins is not None:
        fair = 1 / subject.title.players
        yield (
            f"One {player} among random players wins {_part(wins)} of the games, ties shared; by "
            f"chance {100 * fair:.0f} %."
        )
    change = ALL["lead-change"].row(subject)
    if change is not None and subject.title.players > 1:
        yield (
            f"Where all think, the lead changes hands at {_part(change)} of the steps, as the "
            "players see it."
        )


def _side(row: HeuristicRow, middle: float, above: str, below: str, unknown: str) -> str:
    return {1: above, -1: below, 0: unknown}[row.side(middle)]


def _fair(subject: Subject) -> str:
    """Say whether the first seat has an advantage, from shared wins: ties are not unfair."""
    wins = ALL["wins"].row(subject)
    if wins is None:
        return ""
    fair = 1 / subject.title.players
    ends = _beside(interval(wins, share=True))
    share = f"{100 * wins.value:.1f} % of the wins{ends}, where {100 * fair:.1f} % is fair"
    return _side(
        wins,
        fair,
        f"The first seat is better off: {share}.",
        f"The first seat is worse off: {share}.",
        f"No seat advantage is visible: the first has {share}.",
    )


def _part(row: HeuristicRow) -> str:
    """Return a share with its interval: `50 % (44 to 56 %)`."""
    ends = ""
    if not math.isnan(row.low):
        ends = f"{100 * row.low:.0f} to {100 * row.high:.0f} %"
    return f"{100 * row.value:.0f} %{_beside(ends)}"


def _beside(ends: str) -> str:
    return f" ({ends})" if ends else ""
