"""Notes: what is to be borne in mind of a plan, and is no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.plan import loaded
from cardwright.lab.tables import layout_of

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.lab.plan import LabPlan

_SEEDS = range(3)
"""Deals that are looked at: in one alone, cards may lie alike by chance."""
_TIMED = "ms"
"""The parameter of players that search for a time."""
_FILE = "python"
"""The kind of players that are in files."""


def notes(plan: LabPlan) -> tuple[str, ...]:
    """Return sentences on what a plan's results depend on besides it; none for most plans.

    Raises LabError for a plan that cannot be played.
    """
    layout = layout_of(plan)
    found = []
    if len({_dealt(loaded(game)) for game in layout.games}) > 1:
        found.append(
            "The levels of an option change how the cards are dealt, so its cells have not the "
            "same deals: their differences are as uncertain as those of separate experiments."
        )
    specs = sorted({who.spec for who in layout.players if who.spec is not None})
    timed = [spec for spec in specs if f":{_TIMED}=" in spec.replace(",", ":")]
    if timed:
        found.append(
            f"{' and '.join(timed)}: how far a search comes in a time depends on the machine, so "
            "another run will not give the same results."
        )
    files = [spec for spec in specs if spec.startswith(f"{_FILE}:")]
    if files:
        found.append(
            f"{' and '.join(files)}: the plan does not say what is in a file; if it is changed, "
            "results before and after do not belong together."
        )
    return tuple(found)


def _dealt(game: Game) -> tuple[object, ...]:
    """Return where all cards lie when some deals begin, to tell whether games deal alike."""
    found: list[object] = []
    quick = game.with_engine("interpreter")  # nothing has to be compiled for it
    for seed in _SEEDS:
        state = quick.start(seed)
        # To the one who is to decide a view would show the options too, which takes long.
        other = next(seat for seat in range(game.players) if seat != state.player)
        for owner, kind, name, at in sorted(state.view(other).locations):
            whose = None if owner == game.program.table else int(owner)
            cards = state.cards(whose, kind, name, at)
            found.append(
                (owner, kind, name, at, *(tuple(card.attributes.items()) for card in cards))
            )
    return tuple(found)
