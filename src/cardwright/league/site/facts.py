"""Season facts: all that its site shows, gathered in one pass over its blocks.

Only sums and counts are kept, and twelve bytes per game: its bots and their points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.league.block import Timings
from cardwright.league.site.course import RunningTotals
from cardwright.league.site.duels import Duels
from cardwright.league.site.habits import Habits
from cardwright.league.site.highlights import Highlights
from cardwright.league.site.scores import Scores
from cardwright.league.site.trouble import Trouble

if TYPE_CHECKING:
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.site.part import SeasonPart


class SeasonFacts:
    """Statistics of a season so far; `add` its parts in order."""

    def __init__(self, plan: SeasonPlan) -> None:
        """Begin with no games; raises MissingExtraError if a library of the arena is missing."""
        entries = len(plan.bots)
        self.plan = plan
        self.games = 0
        self.rounds = 0
        self.timings = Timings.none()
        self.scores = Scores(entries)
        self.duels = Duels(entries)
        self.habits = Habits(entries)
        self.trouble = Trouble(entries)
        self.course = RunningTotals(entries, plan.games)
        self.highlights = Highlights()

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        self.games += len(part.block)
        self.rounds += len(part.block.plays)
        self.timings += part.block.timings
        self.scores.add(part)
        self.duels.add(part)
        self.habits.add(part)
        self.trouble.add(part)
        self.course.add(part)
        self.highlights.add(part)
