"""The record of a game as one seat saw it: who chose, and what could be seen of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.option import Content, as_seen
from cardwright.game.picked import picked_cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.effects import BuiltOption
    from cardwright.program.cards import CardId, Seat


class NoRecordError(CardwrightError):
    """A determinised state has no record of what other seats saw than the one it was made for."""


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """A decision as a seat saw it: which seat decided, and the content of what it chose.

    The cards in it are named if the seat saw them before they were chosen or after the option was
    carried out; the others are `Unseen`. The rest of an option is public.
    """

    seat: Seat
    content: Content


def content_of(
    option: BuiltOption, seen: Callable[[CardId], bool], chosen: Callable[[CardId], bool]
) -> Content:
    """Return the content of an option for an observer that sees some of the cards.

    `chosen` says which cards the chooser saw as it chose.
    """
    return Content(
        option.branch,
        tuple(
            (
                pick.node.variable.name,
                as_seen(pick, seen, blind=not all(map(chosen, picked_cards(pick)))),
            )
            for pick in option.picks
        ),
    )
