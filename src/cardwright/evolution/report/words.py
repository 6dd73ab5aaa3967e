"""A search in sentences: what was asked for, what was found, and what it does not show."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from cardwright.english import agreed, capital, counted, in_number, listed, minus, number
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.account import AimSide, outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.candidate import CandidateChange
    from cardwright.evolution.report.account import AimOutcome, EvolutionAccount

_SHOWN = 60
"""Letters of a changed form that a sentence shows."""


def headline(account: EvolutionAccount) -> str:
    """Return what was found in one sentence, for somebody who knows the original."""
    many = counted(account.candidates, "candidate")
    if not account.elites:
        return f"No other game was found near {account.title}, of {many}."
    best = account.elites[0]
    if not best.held_out:
        return (
            f"Of {many} near {account.title}, no game was measured again and passed: what is shown "
            "of the elites is what the search saw, and they were chosen for it."
        )
    found = outcomes(account, best)
    if not found:
        return f"{best.name} is the best of {many} near {account.title}."
    better = [outcome for outcome in found if outcome.side is AimSide.BETTER]
    worse = [outcome for outcome in found if outcome.side is AimSide.WORSE]
    if not better:
        return f"No game clearly better than {account.title} was found among {many}."
    but = f", but {listed([_instead(account, outcome) for outcome in worse])}" if worse else ""
    said = listed([_instead(account, outcome) for outcome in better])
    return f"{best.name} is {account.title} with {said}{but}: the best of {many}."


def asked(account: EvolutionAccount) -> str:
    """Return what was asked for, as a sentence."""
    wanted = listed([*map(wish, account.aims)])
    return f"Wanted: games near {account.title} with {wanted}."


def wish(aim: Aim) -> str:
    """Return an aim as a phrase, such as `length from 40 to 60` or `the most fairness`."""
    name = MEASURES[aim.measure].phrase
    low, high = (minus(f"{round(end, 9):,.6g}") for end in (aim.low, aim.high))
    if aim.kind != "range":
        return f"{name} as {'high' if aim.kind == 'max' else 'low'} as can be"
    if aim.low == aim.high:
        return f"{name} near {low}"
    if isinf(aim.high):
        return f"{name} of {low} or more"
    return f"{name} of {high} or less" if isinf(aim.low) else f"{name} from {low} to {high}"


def passed(account: EvolutionAccount) -> str:
    """Return what became of all candidates, as a sentence."""
    left = sum(account.departures.values())
    stayed = account.candidates - left
    kept = len(account.elites)
    return (
        f"Of {counted(account.candidates, 'candidate')} {stayed:,} can be played to the end, in a "
        f"way of their own, and {agreed('were', stayed)} measured; {kept:,} {agreed('are', kept)} "
        f"kept as {in_number(kept, 'elite')}."
    )


def verdict(account: EvolutionAccount, found: Sequence[AimOutcome]) -> str:
    """Return in which aims a game is clearly better or worse than the original."""
    if not found:
        return "There is nothing to compare it with: the original was not measured."
    said = []
    for side, words in ((AimSide.BETTER, "Clearly better in"), (AimSide.WORSE, "clearly worse in")):
        names = [MEASURES[outcome.aim.measure].phrase for outcome in found if outcome.side is side]
        if names:
            said.append(f"{words} {listed(names)}")
    if not said:
        return "No clear difference in what was wanted."
    return f"{capital('; '.join(said))}."


def told(change: CandidateChange) -> str:
    """Return a change as a sentence with the texts of the rules."""
    source = f" (from {change.source})" if change.source else ""
    if not change.before:
        return f"Line {change.line}: {_short(change.after)} is new{source}."
    if not change.after:
        return f"Line {change.line}: {_short(change.before)} is left out."
    return f"Line {change.line}: {_short(change.before)} becomes {_short(change.after)}{source}."


def _instead(account: EvolutionAccount, one: AimOutcome) -> str:
    label = MEASURES[one.aim.measure]
    before, after = label.text(one.before.mean), label.text(one.after.mean)
    return f"{label.phrase} {after} instead of {before}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def front_words(account: EvolutionAccount) -> str:
    """Return what the chart of two aims shows, for those who do not see it."""
    if len(account.aims) < 2:
        return ""
    names = [MEASURES[aim.measure].phrase for aim in account.aims[:2]]
    return (
        f"{counted(len(account.points), 'candidate')} by {names[0]} and {names[1]}; the table of "
        "all games below has the values of the elites, points.csv those of all."
    )


def progress_words(account: EvolutionAccount) -> str:
    """Return what the chart of progress shows, for those who do not see it."""
    start = account.original.total
    best, at = start, 0
    for place, point in enumerate(account.points, 1):
        if point.total > best:
            best, at = point.total, place
    if not at:
        return f"The sum of scores stays at that of {account.title}, {number(start, 3)}."
    return (
        f"The best sum of scores goes from {number(start, 3)} for {account.title} to "
        f"{number(best, 3)} at candidate {at:,}."
    )


_PROGRAMS = (
    "Measures are of games between programs: of random choices, and of players that search where "
    "the measure says so. Whether people like a game, they do not say."
)
_CLEARLY = (
    "A game counts as clearly better only if all of its interval is better than all of the "
    "original’s. Each interval misses the truth once in twenty times, and many are shown here."
)
_AGAIN = (
    "Who is picked as the best of many has been lucky as well: so the games were played again with "
    "other seeds after the search, and their cards and their order are by these measures. The map "
    "and the charts are what the search saw."
)
_NOT_AGAIN = (
    "Who is picked as the best of many has been lucky as well, and these games were not measured "
    "again after the search: expect somewhat less of them than is shown."
)
_SENTENCES = (
    "Sentences on rules are made from the rules by a program. Where they and the lines below them "
    "disagree, the lines are right."
)
_MORE = "What was not found may still exist: a search sees few of all possible rules."


def caveats(account: EvolutionAccount) -> list[str]:
    """Return how the page is to be read, and what it does not show."""
    anew = any(game.held_out for game in account.elites)
    return [_PROGRAMS, _CLEARLY, _AGAIN if anew else _NOT_AGAIN, _SENTENCES, _MORE]
