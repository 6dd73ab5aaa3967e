"""Browne's measures, adapted to card games of any number of players.

They follow Browne, "Automatic generation and evaluation of recombination games" (thesis, 2008),
with lead vectors in place of position evaluations. The winner is that of the result, the first seat
of those that tie. Steps are from one decision with a lead vector to the next of the same
game; own estimates are `cardwright.players.player.Note.best` at a seat's decisions in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.engine import fall_terms
from cardwright.analysis.measure import (
    THINKING,
    Measure,
    MeasureRules,
    mean_terms,
    ratio,
    shares,
    total,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.measure import Batch
    from cardwright.analysis.traces import Flags, Traces, Values

FAMILY = "browne"

NARROW = 0.75
"""How far from the average to the best estimate an option must be to stand out."""


def narrowness(estimates: Sequence[float]) -> float:
    """Return the share of a decision's options that stand out, from the estimates of all of them.

    These are above average + 0.75 (best - average). Records have no estimates of single options, so
    the table of heuristics cannot include it. Raises ValueError for no options.
    """
    if not estimates:
        raise ValueError("a decision has at least one option")
    average = sum(estimates) / len(estimates)
    bar = average + NARROW * (max(estimates) - average)
    return sum(estimate > bar for estimate in estimates) / len(estimates)


def _drama(traces: Traces, rules: MeasureRules) -> Values:
    """sqrt(leader's lead - own lead) at the winner's own decisions at which it trails."""
    del rules
    led = traces.led
    mine = led.seat == traces.winners[led.game]
    gap = led.lead.max(axis=1) - led.lead[np.arange(len(led)), traces.winners[led.game]]
    trails = mine & (gap > 0)
    gaps = total(traces, led.game[trails], np.sqrt(gap[trails]))
    value = shares(gaps, total(traces, led.game[trails]))
    return mean_terms(value, total(traces, led.game[mine]) > 0)


def _decisiveness(traces: Traces, rules: MeasureRules) -> Values:
    """The share of the game that is left once the winner's estimate stays high."""
    led = traces.led
    rows = total(traces, led.game)
    starts = (np.cumsum(rows) - rows).astype(np.int64)
    unsure = led.lead[np.arange(len(led)), traces.winners[led.game]] < rules.ahead
    sure_from = np.zeros(len(traces))
    place = np.arange(len(led)) - starts[led.game]
    np.maximum.at(sure_from, led.game[unsure], place[unsure] + 1.0)
    return mean_terms(1 - shares(sure_from, rows), rows > 0)


def _clarity(traces: Traces, rules: MeasureRules) -> Values:
    """How far the best option is above the average, as a fraction of the spread."""
    del rules
    noted = traces.noted
    matters = noted.spread > 0
    height = (noted.best[matters] - noted.average[matters]) / noted.spread[matters]
    game = noted.game[matters]
    return np.stack([total(traces, game, height), total(traces, game)], axis=1)


def _uncertainty(traces: Traces, rules: MeasureRules) -> Values:
    """1 minus the distance between the two best estimates, over all decisions."""
    del rules
    led = traces.led
    best = np.sort(led.lead, axis=1)
    open_still = 1 - (best[:, -1] - best[:, -2]) if traces.players > 1 else np.zeros(len(led))
    rows = total(traces, led.game)
    return mean_terms(shares(total(traces, led.game, open_still), rows), rows > 0)


def _steps(traces: Traces) -> Flags:
    led = traces.led
    same: Flags = led.game[1:] == led.game[:-1]
    return same


def _lead_change(traces: Traces, rules: MeasureRules) -> Values:
    """Whether none of the leaders leads at the next decision."""
    del rules
    led, step = traces.led, _steps(traces)
    leads = led.lead == led.lead.max(axis=1, keepdims=True)
    changed = step & ~(leads[1:] & leads[:-1]).any(axis=1)
    games = led.game[1:]
    steps = total(traces, games[step])
    return mean_terms(shares(total(traces, games[changed]), steps), steps > 0)


def _permanence(traces: Traces, rules: MeasureRules) -> Values:
    """Whether a rise or fall of an own estimate is not fully reversed by the step after it."""
    del rules
    own = traces.own
    step = np.diff(own.estimate)
    pair = own.follows[1:] & own.follows[:-1] & (step[:-1] != 0)
    back = (np.sign(step[1:]) == -np.sign(step[:-1])) & (abs(step[1:]) >= abs(step[:-1]))
    games = own.game[: len(pair)]
    kept = total(traces, games[pair & ~back])
    return np.stack([kept, total(traces, games[pair])], axis=1)


def _killer_moves(traces: Traces, rules: MeasureRules) -> Values:
    """The largest step of any seat's estimate in a game."""
    del rules
    led, step = traces.led, _steps(traces)
    largest = np.zeros(len(traces))
    sizes = np.abs(np.diff(led.lead, axis=0)).max(axis=1, initial=0)
    np.maximum.at(largest, led.game[1:][step], sizes[step])
    return mean_terms(largest, total(traces, led.game[1:][step]) > 0)


_AA: tuple[tuple[Batch, ...], ...] = (("AA",),)

MEASURES = (
    Measure("drama", FAMILY, _drama, ratio, _AA, note="the winner's own decisions", bounds=unit),
    Measure(
        "decisiveness", FAMILY, _decisiveness, ratio, _AA, note="high if decided early", bounds=unit
    ),
    Measure(
        "clarity", FAMILY, _clarity, ratio, THINKING, note="(best - average) / spread", bounds=unit
    ),
    Measure("uncertainty", FAMILY, _uncertainty, ratio, _AA, bounds=unit),
    Measure("lead_change", FAMILY, _lead_change, ratio, _AA, note="a step", bounds=unit),
    Measure(
        "permanence", FAMILY, _permanence, ratio, _AA, note="steps not taken back", bounds=unit
    ),
    Measure(
        "killer_moves",
        FAMILY,
        _killer_moves,
        ratio,
        _AA,
        note="largest step of a game",
        bounds=unit,
    ),
    Measure(
        "coolness",
        FAMILY,
        fall_terms,
        ratio,
        _AA,
        note="own estimates that had to fall",
        bounds=unit,
    ),
)
"""Each from games of thinking players."""
