"""Journeys: where cards went between two decisions, without stations that say nothing.

Rules often lay a card somewhere only to look at it, as in a place to show it. Where a reader sees a
card all the way, and the author has no words for a part of it, only its beginning and its end are
told. What the reader does not see is never followed from one place to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.interpreter.effects import Exchanged, Moved, Shuffled, Swapped
from cardwright.program.cards import LocationKind
from cardwright.table.trick_watcher import TRICK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.interpreter.effects import Effect
    from cardwright.program.cards import CardId, Location


class Journey(NamedTuple):
    """A card went from one place to another; `shown` says whether the reader knows which card."""

    card: CardId
    source: Location
    target: Location
    shown: bool


Happening: TypeAlias = "Journey | Swapped | Exchanged | Shuffled"
"""What rules do with cards."""


def journeys(
    effects: Iterable[Effect],
    sees: Callable[[Location], bool],
    worded: Callable[[Location, Location], bool],
) -> list[Happening]:
    """Return what happened to cards, in order; `worded` are ways for which there are words."""
    found: list[Happening | None] = []
    last: dict[CardId, int] = {}
    for effect in effects:
        match effect:
            case Moved(card, source, _, target):
                way = Journey(card, source, target, sees(source) or sees(target))
                before = found[last[card]] if card in last else None
                if isinstance(before, Journey) and _goes_on(before, way, worded):
                    found[last[card]] = None
                    way = way._replace(source=before.source)
                    if before.source == target:
                        way = before
                last[card] = len(found)
                found.append(way)
            case Swapped() | Exchanged() | Shuffled():
                found.append(effect)
                last.clear()
    return [one for one in found if one is not None]


def _goes_on(before: Journey, way: Journey, worded: Callable[[Location, Location], bool]) -> bool:
    """Return whether two parts of a way are told as one."""
    return (
        before.shown
        and way.shown
        and before.target == way.source
        and not of_trick(before)
        and not of_trick(way)
        and not worded(before.source, before.target)
        and not worded(way.source, way.target)
    )


def of_trick(happening: Happening) -> bool:
    """Return whether a card of a trick was taken up."""
    if not isinstance(happening, Journey):
        return False
    return happening.source.name == TRICK and happening.source.kind is LocationKind.VISIBLE
