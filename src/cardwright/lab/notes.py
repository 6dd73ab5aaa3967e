"""Notes: what to keep in mind about a plan, though it is not an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.plan import loaded
from cardwright.lab.tables import layout_of

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.lab.plan import LabPlan

_SEEDS = range(3)
"""Deals that are compared: in a single one, cards may lie the same by chance."""
_TIMED = "ms"
"""The parameter of players that search for a set time."""
_FILE = "python"
"""The kind of players that are defined in files."""


def notes(plan: LabPlan) -> tuple[str, ...]:
    """Return sentences on what a plan's results depend on besides the plan; none for most plans.

    Raises LabError for a plan that cannot be played.
    """
    layout = layout_of(plan)
    found = []
    if len({_dealt(loaded(game)) for game in layout.games}) > 1:
        found.append(
            "The levels of an option change how the cards are dealt, so its cells do not have the "
            "same deals: their differences are as uncertain as those of separate experiments."
        )
    specs = sorted({who.spec for who in layout.players if who.spec is not None})
    timed = [spec for spec in specs if f":{_TIMED}=" in spec.replace(",", ":")]
    if timed:
        found.append(
            f"{' and '.join(timed)}: how far a search gets in a given time depends on the machine, "
            "so another run will not give the same results."
        )
    files = [spec for spec in specs if spec.startswith(f"{_FILE}:")]
    if files:
        found.append(
            f"{' and '.join(files)}: the plan does not say what is in a file; if it is changed, "
            "results from before and after must not be combined."
        )
    return tuple(found)


def _dealt(game: Game) -> tuple[object, ...]:
    """Return where all cards lie when some deals begin, to compare how games deal."""
    found: list[object] = []
    quick = game.with_engine("interpreter")  # nothing has to be compiled for it
    for seed in _SEEDS:
        state = quick.start(seed)
        # The view of the seat to decide would include the options, which takes long.
        other = next(seat for seat in range(game.players) if seat != state.player)
        for owner, kind, name, at in sorted(state.view(other).locations):
            whose = None if owner == game.program.table else int(owner)
            cards = state.cards(whose, kind, name, at)
            found.append(
                (owner, kind, name, at, *(tuple(card.attributes.items()) for card in cards))
            )
    return tuple(found)
