"""The report on a contest, for queries: who got what, and by how much one is better."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.arena.deals import DealArrays
from cardwright.arena.plan import PlanError, numbered
from cardwright.arena.report_rows import difference_rows, standing_rows
from cardwright.arena.schedule import is_among_copies, is_balanced
from cardwright.players.kind import PlayerSpecError
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    import polars as pl

    from cardwright.arena.findings import (
        Difference,
        EntrantStanding,
        Measure,
        SeatEffect,
        TestedDifference,
    )
    from cardwright.arena.matrix import Matrix
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.results import Results
    from cardwright.arena.score_range import ScoreRange
    from cardwright.statistics.sample import Values

ContestTable: TypeAlias = Literal["results", "standings", "differences"]
"""A table of a report: a row per game and seat, per entrant, or per pair of entrants."""


@dataclass(frozen=True, eq=False, repr=False)
class ContestReport:
    """The findings of a contest. Parts that its kind does not have, or nobody asked for, are None.

    `played` deals were played of those in the plan, of which `counted` are whole. `results` has
    what every seat of every game got. Entrants are numbered from 0, as in the plan; wherever one is
    asked for, its name in `names` works too.
    """

    plan: RunPlan
    results: Results
    highest_wins: bool
    played: int
    counted: int
    failed: int
    score_range: ScoreRange | None
    """From where to where scores can be, if that is known: what guaranteed intervals rest on."""
    standings: tuple[EntrantStanding, ...]
    seats: tuple[SeatEffect, ...]
    differences: tuple[Difference, ...]
    tested: TestedDifference | None = None
    ratings: Ratings | None = None
    matrix: Matrix | None = None
    field: int = 0
    """How many entrants, the last ones, are the field of a ladder."""
    seconds: float = 0.0
    """How long it took to play what was played in this run."""

    @property
    def names(self) -> list[str]:
        """Names to display of the entrants: equal ones are numbered, as `random #1`."""
        first = len(self.plan.entrants) - self.field
        return [*numbered(self.plan.entrants[:first]), *numbered(self.plan.entrants[first:])]

    @property
    def guaranteed(self) -> bool:
        """Whether scores have guaranteed intervals, too.

        They have none where the range of scores is not known, and where a test ended the match:
        they are for a number of deals that was fixed beforehand.
        """
        return self.standings[0].score_guaranteed is not None

    @property
    def left_out(self) -> int:
        """The number of deals that are left out because a game failed."""
        return self.played - self.counted

    @property
    def among_copies(self) -> int:
        """The number of tables of one entrant and its copies, which do not count for ranking."""
        return sum(map(is_among_copies, self.plan.tables)) if len(self.plan.entrants) > 1 else 0

    @cached_property
    def neighbours_balanced(self) -> bool:
        """Whether each entrant of a table has every other as each neighbour equally often."""
        return is_balanced(self.plan.tables)

    @property
    def games(self) -> int:
        """The number of games that were played, including failed ones."""
        return self.played * len(self.plan.tables)

    @cached_property
    def deals(self) -> DealArrays:
        """The games of all whole deals in arrays, for statistics of your own."""
        plan = self.plan
        return DealArrays.of(self.results, plan.tables, len(plan.entrants), plan.exchanged)

    @property
    def best_first(self) -> list[int]:
        """The entrants except a ladder's field, the best score first, unknown ones last."""
        sign = -1 if self.highest_wins else 1

        def place(who: int) -> tuple[bool, float]:
            score = self.standings[who].score
            return (False, sign * score.mean) if score.count else (True, 0.0)

        return sorted(range(len(self.plan.entrants) - self.field), key=place)

    def number(self, entrant: int | str) -> int:
        """Return the number of an entrant; raises PlayerSpecError for an unknown one."""
        names = self.names
        if isinstance(entrant, str):
            if entrant in names:
                return names.index(entrant)
            advice = advice_on(entrant, names)
            raise PlayerSpecError(f"nobody named {entrant!r} has played; {advice}")
        if not 0 <= entrant < len(names):
            raise PlayerSpecError(
                f"there is no entrant {entrant}: they are numbered 0 to {len(names) - 1}"
            )
        return entrant

    def standing(self, entrant: int | str) -> EntrantStanding:
        """Return what an entrant got; raises PlayerSpecError for an unknown one."""
        return self.standings[self.number(entrant)]

    def difference(self, one: int | str, other: int | str) -> Difference:
        """Return by how much one entrant did better than another, or worse if it is negative.

        Raises PlayerSpecError for an entrant without differences.
        """
        first, second = self.number(one), self.number(other)
        for found in self.differences:
            if (found.one, found.other) == (first, second):
                return found
            if (found.one, found.other) == (second, first):
                return found.turned()
        raise PlayerSpecError(
            f"there is no difference between {self.names[first]} and {self.names[second]}: it is "
            "between two different entrants, and not of a ladder's field"
        )

    def by_deal(self, measure: Measure = "score") -> Values:
        """Return the mean of each entrant in each whole deal, shape (deals, entrants).

        It is NaN where an entrant met only its own copies.
        """
        return self.deals.among_others().by_entrant(measure)

    def to_polars(self, table: ContestTable = "results") -> pl.DataFrame:
        """Return a table as a polars frame: a row per game and seat, per entrant, or per pair.

        The columns of results are those of `Results`, and `player`, the entrant's name. A game that
        broke a rule has nulls for score, rank and win. Raises MissingExtraError without polars.
        """
        from cardwright.arena import tables

        tables.check_polars()
        if table == "results":
            return tables.named_results_frame(self.results, self.names)
        if table not in ("standings", "differences"):
            known = "results, standings, differences"
            raise PlanError(f"there is no table {table!r} of a contest; there are {known}")
        rows = standing_rows if table == "standings" else difference_rows
        return tables.rows_frame(*rows(self, self.names))

    def _repr_html_(self) -> str:
        from cardwright.arena.displays import contest_html

        return contest_html(self)

    def __repr__(self) -> str:
        deals = f"{self.played} deals at {len(self.plan.tables)} tables"
        return f"<{type(self).__name__} of {self.plan.game.name}, {deals}: {', '.join(self.names)}>"

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; seeds are strings, as some readers lack 64-bit integers."""
        return {
            "plan": self.plan.data(),
            "highest_wins": self.highest_wins,
            "field": self.field,
            "neighbours_balanced": self.neighbours_balanced,
            "deals": {
                "played": self.played, "counted": self.counted, "left_out": self.left_out,
            },
            "games": self.games,
            "failed_games": self.failed,
            "score_range": None if self.score_range is None else self.score_range.record(),
            "standings": [standing.record() for standing in self.standings],
            "seats": [seat.record() for seat in self.seats],
            "differences": [difference.record() for difference in self.differences],
            "sprt": None if self.tested is None else self.tested.record(),
            "ratings": None if self.ratings is None else self.ratings.record(),
            "matrix": None if self.matrix is None else self.matrix.record(),
        }  # fmt: skip
