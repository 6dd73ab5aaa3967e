"""Conditions under which a hierarchy uses a selector: `win_high if no_points`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.hearts.table import HeartsView

    Holds = Callable[[HeartsView], bool]


def no_points(table: HeartsView) -> bool:
    """The trick has no penalty so far."""
    return table.stake <= 0


def points(table: HeartsView) -> bool:
    """The trick already has a penalty."""
    return table.stake > 0


def last(table: HeartsView) -> bool:
    """The player is the last to play to the trick."""
    return table.last


def first_trick(table: HeartsView) -> bool:
    """No trick of the deal has been taken yet."""
    return not any(table.taken)


def broken(table: HeartsView) -> bool:
    """Hearts may be led."""
    return table.broken


def queen_out(table: HeartsView) -> bool:
    """Another player may hold the queen."""
    return table.queen_out


def queen_held(table: HeartsView) -> bool:
    """The queen is in the hand."""
    return table.family.queen in table.hand


def high_spade_on_table(table: HeartsView) -> bool:
    """Ace or king of spades has been played to the trick."""
    return any(table.family.above_queen >> card & 1 for card in table.trick)


CONDITIONS: dict[str, Holds] = {
    condition.__name__: condition
    for condition in (
        no_points,
        points,
        last,
        first_trick,
        broken,
        queen_out,
        queen_held,
        high_spade_on_table,
    )
}
"""All conditions by name; a condition's docstring says when it holds."""
