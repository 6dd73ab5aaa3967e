"""Experiments, as notebooks show them: the main effects with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.markup.element import display, heading, note
from cardwright.markup.numbers import IntervalScale, ShownInterval, mean_and_ends, number
from cardwright.markup.table import table

if TYPE_CHECKING:
    from cardwright.lab.experiment import Experiment


def experiment_html(played: Experiment) -> str:
    """Return an experiment: its main effects on the primary response, by class of opponents."""
    title = f"Experiment {played.plan.name}"
    if not played.outcomes.deals:
        return display(heading(title, "nothing is played yet"))
    found = played.findings
    response = found.responses[0]
    facts = (f"{found.deals:,} deals", f"{found.games:,} games", f"{len(found.cells)} cells")
    effects = [
        (against, one)
        for against in range(len(found.opponents))
        for one in found.of(against, 0, ContrastReading.MAIN)
    ]
    intervals = [
        ShownInterval(one.found.value, one.found.low, one.found.high) for _, one in effects
    ]
    scale = IntervalScale(intervals, zero=0.0)
    rows = [
        (
            found.contrasts[one.contrast].name,
            found.opponents[against],
            mean_and_ends(interval),
            scale.drawn(interval),
            number(one.found.adjusted, 3),
        )
        for (against, one), interval in zip(effects, intervals, strict=True)
    ]
    said = (
        f"Main effects on {response.name} ({response.unit}; better: {response.better}), with "
        f"{100 * found.level:g} % intervals of each alone; p by Holm's adjustment."
    )
    heads = ("factor", "against", "effect", "", "adjusted p")
    return display(heading(title, *facts), table(heads, rows, texts=2), note(said))
