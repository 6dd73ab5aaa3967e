"""The axes of figures of a search: measures in words, with the units of their values."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from cardwright.publication.axis_words import AxisWord, labelled

if TYPE_CHECKING:
    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import EvolutionAccount

MORE, LESS = (f"{word}\u00a0is\u00a0wanted" for word in ("more", "less"))
"""Spaces at which lines are not broken."""

_LINE = 24
"""Letters of a line of a label."""

_OPTIONS = "options of a decision"
_GAMES, _DECISIONS = "share of games", "share of decisions"
_POINTS, _GAINED, _EQUAL = "points", "share of wins gained", "1 is equal"

UNITS = {
    "length": str(AxisWord.LENGTH),
    "choices": str(AxisWord.LENGTH),
    "branching": _OPTIONS,
    "widest": _OPTIONS,
    "dead": _DECISIONS,
    "fairness": _EQUAL,
    "draws": _GAMES,
    "score-range": _POINTS,
    "score": _POINTS,
    "highest-score": _POINTS,
    "lowest-score": _POINTS,
    "luck": "share of variance",
    "skill": _GAINED,
    "depth": _GAINED,
    "matters": _DECISIONS,
    "searched-fairness": _EQUAL,
    "searched-draws": _GAMES,
    "searched-length": str(AxisWord.LENGTH),
    "searched-branching": _OPTIONS,
    "searched-dead": _DECISIONS,
    "convergence": "above 0.5 options become fewer",
    "decision-spread": "of estimates, 0 to 1",
    "drama": "0 to 1",
    "security": _DECISIONS,
    "decisiveness": "share of the game",
    "clarity": "share of the spread",
    "uncertainty": "0 to 1",
    "lead-change": "share of steps",
    "permanence": "share of changes",
    "killer-moves": "of estimates, 0 to 1",
    "coolness": "share of estimates",
}
"""The unit of each measure, or what its values mean, as axes have it in brackets."""


def total_label() -> str:
    """Return the label of an axis of sums of scores."""
    return wrapped(labelled(AxisWord.TOTAL, "more\u00a0is\u00a0better"))


def axis_label(account: EvolutionAccount, measure: str) -> str:
    """Return the label of an axis, such as `length (decisions of a game)`."""
    name = account.label(measure).label
    detail = axis_detail(account, measure)
    small = f"{name[:1].lower()}{name[1:]}"
    return f"{small} ({detail})" if detail else small


def axis_detail(account: EvolutionAccount, measure: str) -> str:
    """Return the unit of a measure, and which direction was wanted if no band can show it."""
    aims = [aim for aim in account.aims if aim.measure == measure]
    parts = (UNITS.get(measure, ""), _direction(aims[0]) if aims else "")
    return "; ".join(part for part in parts if part)


def wrapped(label: str) -> str:
    """Return the label of an axis in lines that fit a narrow figure."""
    return "\n".join(wrap(label, _LINE, break_long_words=False))


def _direction(aim: Aim) -> str:
    return {"max": MORE, "min": LESS}.get(aim.kind, "")
