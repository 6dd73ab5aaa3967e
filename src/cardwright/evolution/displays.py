"""Design searches, as notebooks show them: what was found, beside the game it began with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference import explained
from cardwright.markup.element import display, element, heading, joined, note
from cardwright.markup.numbers import ShownInterval, mean_and_ends, number
from cardwright.markup.table import table

if TYPE_CHECKING:
    from cardwright.evolution.evolution import Elite, Evolution
    from cardwright.markup.element import Html

_SHOWN = 10
"""So many elites stand in a display: each is compared with the original, in 0.1 s or so."""


def evolution_html(found: Evolution) -> str:
    """Return the original and the best elites: how rules differ, and what the aims are about."""
    plan = found.plan
    measures = list(dict.fromkeys(aim.measure for aim in plan.aims))
    candidates = sum(one.candidates for one in found.generations[1:])
    facts = (", ".join(aim.text for aim in plan.aims), plan.method, f"{candidates:,} candidates")
    shown = found.elites[:_SHOWN]
    rows = [("", "the original", "", *_measured(found.original, measures))]
    rows += [
        (elite.name, _changes(found, elite), _score(elite), *_measured(elite, measures))
        for elite in shown
    ]
    more = len(found.elites) - len(shown)
    said = "[ ] are 95 % intervals; of finalists, from games that had no part in the choice."
    return display(
        heading(f"Games near {plan.name}", *facts, f"seed {plan.seed}"),
        table(("name", "rules", "score", *measures), rows, texts=2),
        note(said + (f" {more} more elites are in table()." if more else "")),
    )


def _measured(elite: Elite, measures: list[str]) -> list[Html | str]:
    found = [elite.measures.get(name) for name in measures]
    return [
        "–" if one is None else mean_and_ends(ShownInterval(one.mean, one.low, one.high), 3)
        for one in found
    ]


def _changes(found: Evolution, elite: Elite) -> Html:
    changes = explained(found.original.candidate.text, elite.candidate.text)
    return joined(*(element("div", one.sentence) for one in changes))


def _score(elite: Elite) -> str:
    judged = elite.again or elite.judged
    return number(judged.total if judged.scores else None, 3)
