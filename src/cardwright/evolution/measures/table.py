"""The table of measures: what can be asked of a game, by the names that aims use."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cardwright.evolution.measures import random_measures, search_measures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.evolution.measures.evidence import Evidence
    from cardwright.evolution.measures.measure import GameMeasure
    from cardwright.statistics.sample import Estimate

MEASURES: Mapping[str, GameMeasure] = MappingProxyType(
    {one.name: one for one in (*random_measures.MEASURES, *search_measures.MEASURES)}
)
"""All measures by name: those of random games, then those of searching players."""


def measured(evidence: Evidence, names: Iterable[str]) -> dict[str, Estimate]:
    """Return measures of a game, in the order of the table; what cannot be measured is not there.

    A measure that needs more searching players than there are cannot be. All values are finite.
    Raises KeyError for a name that is not in the table.
    """
    wanted = {name: MEASURES[name] for name in names}
    found = {}
    for name in MEASURES:
        if name in wanted and len(evidence.players) >= wanted[name].players:
            estimate = wanted[name].take(evidence)
            if estimate is not None:
                found[name] = estimate
    return found
