"""How exploitable players are, as notebooks show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.markup.element import display, heading, note
from cardwright.markup.numbers import ShownInterval, mean_and_ends, number
from cardwright.markup.table import table
from cardwright.solve.exploit import PolicyExploitability

if TYPE_CHECKING:
    from cardwright.markup.element import Html
    from cardwright.solve.exploiting import Exploited


def exploited_html(shown: Exploited) -> str:
    """Return what a player gets in each seat against itself, and what a response to it gains."""
    found = shown.found
    gains: list[Html | str]
    if isinstance(found, PolicyExploitability):
        facts = f"best response, {found.sets:,} information sets"
        gains = [number(gain, 4) for gain in found.gains]
        said = (
            f"Exploitability: {number(found.least, 4)} to {number(found.most, 4)} for each seat "
            f"(95 %: {number(found.low, 4)} to {number(found.high, 4)})."
        )
    else:
        facts = f"local best response, {found.deals:,} deals"
        gains = [
            mean_and_ends(ShownInterval(gain.mean, gain.low, gain.high), 4) for gain in found.gains
        ]
        low = found.gain.mean if found.gain.low is None else found.gain.low
        said = f"A lower bound: exploitable by at least {number(low, 4)} for each seat (95 %)."
    rows = [
        (str(seat), number(value, 4), gain)
        for seat, (value, gain) in enumerate(zip(found.values, gains, strict=True))
    ]
    title = heading(f"{shown.player} in {shown.game}", facts, f"seed {shown.seed}")
    heads = ("seat", f"{shown.utility} against itself", "a response gains")
    return display(title, table(heads, rows), note(said))
