"""Games as columns of numbers: the outcome of each, and each decision with its player's notes.

Everything in this package is made from these: statistics, heuristics and figures. Games of one
`Traces` are in the order of their deals and tables, decisions in the order of their games and, in a
game, of play.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cardwright.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Values: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of some games: D rows.

    `game` says which game a decision belongs to, as an index into the games of the `Traces`; `seat`
    who had to choose, and `options` between how many options. The others are what the player noted,
    as `cardwright.players.player.Note` says, `lead` of shape (D, seats); NaN where it did not.
    """

    game: Integers
    seat: Integers
    options: Integers
    spread: Values
    average: Values
    best: Values
    lead: Values
    iterations: Values
    held_out_spread: Values
    score_spread: Values

    def __len__(self) -> int:
        return len(self.game)

    def where(self, rows: Flags) -> Decisions:
        """Return the decisions that a mask selects."""
        picked: dict[str, Any] = {one.name: getattr(self, one.name)[rows] for one in fields(self)}
        return Decisions(**picked)


class OwnEstimates(NamedTuple):
    """Each seat's own estimates, concatenated: by game, then seat, then in order of play.

    `estimate` is what the seat noted of its best option, and `place` counts its estimates in the
    game from 0. `follows` has one item less: whether the next row is of the same seat and game.
    """

    game: Integers
    seat: Integers
    place: Integers
    estimate: Values
    follows: Flags


class EstimateOrder(NamedTuple):
    """The seats in the order of their k-th own estimates, for every game and k.

    `seats` has shape (steps, players), with the best estimate first and equal ones by seat; `game`
    says which game a step is of.
    """

    game: Integers
    seats: Integers


@dataclass(frozen=True, eq=False)
class Traces:
    """Some finished games: G rows.

    `deal` and `table` name them; `scores`, `ranks` (seats with a strictly better score) and
    `entrants` have shape (G, seats); `lengths` is how many decisions each had. `decisions` is None
    where they were not recorded.
    """

    deal: Integers
    table: Integers
    scores: Integers
    ranks: Integers
    entrants: Integers
    lengths: Integers
    decisions: Decisions | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.scores.shape[1])

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def noted(self) -> Decisions:
        """The decisions; raises AnalysisError if they were not recorded."""
        if self.decisions is None:
            raise AnalysisError(
                "these records have no decisions: play the run with detail='decisions'"
            )
        return self.decisions

    @cached_property
    def tries(self) -> float:
        """The mean number of rollouts of an option at decisions with several; NaN if not noted."""
        noted = self.noted
        known = ~np.isnan(noted.iterations) & (noted.options > 1)
        if not known.any():
            return float("nan")
        return float((noted.iterations[known] / noted.options[known]).mean())

    @cached_property
    def ply(self) -> Integers:
        """For every decision the number of decisions before it in its game."""
        game = self.noted.game
        counts = np.bincount(game, minlength=len(self))
        return np.arange(len(game)) - (np.cumsum(counts) - counts)[game]

    @cached_property
    def portion(self) -> Values:
        """For every decision the portion of its game that is over: 0 at the first, 1 at the last.

        The only decision of a game is at 0.
        """
        lengths = np.bincount(self.noted.game, minlength=len(self))
        shares: Values = self.ply / np.maximum(lengths - 1, 1)[self.noted.game]
        return shares

    @cached_property
    def wins(self) -> Values:
        """Shares of the win, of shape (G, seats): 1/k for each of k winners."""
        best = self.ranks == 0
        shares: Values = best / best.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def winners(self) -> Integers:
        """The winner of every game by its result, the first seat of those that share the win."""
        first: Integers = np.argmax(self.ranks == 0, axis=1)
        return first

    @cached_property
    def last_leaders(self) -> Integers:
        """Who has the largest estimate in each game's last lead vector; -1 where there is none.

        Of seats with equal estimates it is the first.
        """
        led = self.led
        found = np.full(len(self), -1)
        found[led.game] = np.argmax(led.lead, axis=1)  # the last row of a game wins
        return found

    @cached_property
    def led(self) -> Decisions:
        """The decisions with a lead vector."""
        known: Flags = ~np.isnan(self.noted.lead[:, 0])  # a vector is complete or missing
        return self.noted.where(known)

    @cached_property
    def own(self) -> OwnEstimates:
        """Each seat's own estimates."""
        known = np.flatnonzero(~np.isnan(self.noted.best))
        key = self.noted.game[known] * self.players + self.noted.seat[known]
        order = np.argsort(key, kind="stable")
        rows, key = known[order], key[order]
        follows = key[1:] == key[:-1]
        starts = np.flatnonzero(np.r_[True, ~follows]) if len(key) else np.empty(0, np.int64)
        counts = np.diff(np.r_[starts, len(key)])
        place = np.arange(len(key)) - np.repeat(starts, counts)
        noted = self.noted
        return OwnEstimates(noted.game[rows], noted.seat[rows], place, noted.best[rows], follows)

    @cached_property
    def standings(self) -> EstimateOrder | None:
        """The seats by their own estimates, step by step.

        None if the seats of some game have different numbers of estimates.
        """
        own, players = self.own, self.players
        counts = np.bincount(own.game * players + own.seat, minlength=len(self) * players)
        by_seat = counts.reshape(-1, players)
        if (by_seat != by_seat[:, :1]).any():
            return None
        rows = np.lexsort((own.seat, own.place, own.game))
        estimates = own.estimate[rows].reshape(-1, players)
        seats = np.argsort(-estimates, axis=1, kind="stable")
        return EstimateOrder(own.game[rows][::players], seats)

    @cached_property
    def final_places(self) -> Values:
        """Final ranks on the scale of lead vectors, shape (G, seats): 1 for the first, 0 the last.

        Seats that tie have the better place: two that share the win both have 1.
        """
        places: Values = 1 - self.ranks / max(self.players - 1, 1)
        return places

    def take(self, games: Flags | slice) -> Traces:
        """Return some of the games, selected by a mask or a slice, with their decisions."""
        kept = np.zeros(len(self), bool)
        kept[games] = True
        own: dict[str, Any] = {
            name: getattr(self, name)[kept]
            for name in ("deal", "table", "scores", "ranks", "entrants", "lengths")
        }
        decisions = self.decisions
        if decisions is not None:
            decisions = decisions.where(kept[decisions.game])
            decisions = replace(decisions, game=(np.cumsum(kept) - 1)[decisions.game])
        return Traces(**own, decisions=decisions)
