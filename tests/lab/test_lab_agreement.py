"""What the report says of points and wins that do not go together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from simulated import outcomes, plan, slot

from cardwright.lab.effects import effects
from cardwright.lab.report.words import summary

if TYPE_CHECKING:
    from cardwright.lab.outcomes import Outcomes

MADE = plan(slot("pass"), slot("first"), slot("fourth"), deals=2_000)
PLAYED = outcomes(MADE, ((-3.0, -3.0, -3.0),))


def of_points_and_wins(played: Outcomes) -> list[str]:
    """Return the sentences of that section."""
    (section,) = (
        one for one in summary(MADE, effects(MADE, played)) if one.heading == "Points and wins"
    )
    return list(section.sentences)


def said(every: int) -> list[str]:
    """Return the sentences if leading by rule wins a game more in every so many deals, no more."""
    sums = PLAYED.sums[0].copy()
    wins = next(at for at, one in enumerate(PLAYED.responses) if one.name == "wins")
    for cell, levels in enumerate(PLAYED.cells):
        if levels[1]:
            base = PLAYED.cells.index((levels[0], 0, levels[2]))
            sums[:, cell, wins] = sums[:, base, wins]
            sums[::every, cell, wins] += 12
    changed = replace(PLAYED, sums=(sums,))
    return of_points_and_wins(changed)


def test_effects_that_go_together_are_only_counted() -> None:
    found = of_points_and_wins(PLAYED)
    assert found == ["Points and wins agree on 3 effects that are clear in both."]


def test_an_effect_with_far_fewer_wins_for_its_points_stands_out() -> None:
    """A game more in every 50 deals is 0.5 % of wins, where 3 points bring the others 7.5 %."""
    (told,) = (text for text in said(50) if text.startswith("Much in points, little in wins"))
    assert "first against random" in told
    assert "+0.5 percentage points of wins" in told
    assert "pass" not in told


def test_an_effect_with_half_the_wins_of_the_others_does_not() -> None:
    assert not any(text.startswith("Much") for text in said(7))


def test_what_is_not_clear_in_wins_is_said_once() -> None:
    found = said(10**6)
    assert [text for text in found if "first" in text] == [
        text for text in found if text.startswith("Clear in points but not in wins: first")
    ]
    assert np.sum(["first" in text for text in found]) == 1
