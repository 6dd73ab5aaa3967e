"""Games of searching players, played and studied in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.analysis.measures import FORMULAS
from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import MeasureSums, Side, Study
from cardwright.arena.entrants import parse_spec
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.results import decisions_frame, results_frame
from cardwright.arena.run import PlanParts, PlayRunDeals
from cardwright.evolution.measures.estimates import mean, side_wins, sides_of
from cardwright.statistics.intervals import LEVEL
from cardwright.statistics.measures import over_chance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardwright.arena.results import PlayedDeals
    from cardwright.arena.schedule import Tables
    from cardwright.game.game import Game
    from cardwright.players.kind import Trust
    from cardwright.statistics.intervals import Estimate


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """Games of one player in all seats, a game for each deal.

    `wins` are the sides' shares of the win, of shape (deals, sides). `sums` are what the measures
    of `cardwright.analysis` are computed from; None if no game was finished.
    """

    wins: NDArray[np.float64]
    sums: MeasureSums | None

    def measured(self, key: str) -> Estimate | None:
        """Return a measure as `cardwright analyze` gives it for these games (its batch `AA`).

        None if these games do not determine it, as when the player notes nothing.
        """
        side = None if self.sums is None else Side.of(FORMULAS[key], [self.sums])
        if side is None or side.value != side.value:
            return None
        estimate, _ = side.uncertain(LEVEL)
        return estimate


def all_alike(game: Game, spec: str, deals: int, seed: int, *, trust: Trust) -> SelfPlay:
    """Play each deal once, with the same player in all seats.

    Games in which a player fails or a rule is broken are left out.
    """
    played = _played(game, (spec,), ((0,) * game.players,), deals, seed, trust=trust)
    frames = RunFrames.of_frames(
        results_frame(played.results), decisions_frame(played.traces["decisions"])
    )
    traces = frames.first(deals)
    sums = MeasureSums.of(traces, Study()) if len(traces) else None
    return SelfPlay(side_wins(game, traces.ranks == 0), sums)


def gain(
    game: Game, spec: str, others: str, deals: int, seed: int, *, trust: Trust
) -> Estimate | None:
    """Return how much more than its fair share a player wins: 0 as much, 1 if it wins always.

    Each deal is played as often as there are sides, with the player on each of them in turn and the
    others on the rest. The gain is (w - 1/S) / (1 - 1/S) for a share w of the wins and S sides,
    from -1 / (S - 1) on. Deals in which a player fails or a rule is broken are left out; None if no
    deal is left, or there is one side only.
    """
    sides = sides_of(game)
    if len(sides) < 2:
        return None
    tables = tuple(tuple(int(seat not in side) for seat in range(game.players)) for side in sides)
    played = _played(game, (spec, others), tables, deals, seed, trust=trust, notes=False)
    ranks = played.results.rank.reshape(deals, len(sides), game.players)
    whole = ranks[(ranks >= 0).all(axis=(1, 2))]
    shares = side_wins(game, (whole == 0).reshape(-1, game.players))
    own = shares.reshape(-1, len(sides), len(sides)).diagonal(axis1=1, axis2=2).mean(axis=1)
    return mean(over_chance(own, len(sides)), over_chance(0.0, len(sides)), 1.0)


def _played(
    game: Game,
    specs: tuple[str, ...],
    tables: Tables,
    deals: int,
    seed: int,
    *,
    trust: Trust,
    notes: bool = True,
) -> PlayedDeals:
    plan = RunPlan(
        GameRef.of_game(game), specs, tables, deals, seed, most_faults=0,
        detail="decisions" if notes else "scores",
    )  # fmt: skip
    parts = PlanParts(game, tuple(parse_spec(spec, trust) for spec in specs))
    return PlayRunDeals(plan, parts)(range(deals))
