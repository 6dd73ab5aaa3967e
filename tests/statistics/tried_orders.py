"""Contests tried on identical players: who sits beside whom must not make one of them better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.arena.contest import Contest
from cardwright.game.game import Game
from cardwright.statistics.intervals import mean_interval

if TYPE_CHECKING:
    from cardwright.arena.schedule import Orders
    from cardwright.statistics.intervals import Values

DEALS = 5
"""Deals of a match."""


@dataclass(frozen=True)
class TriedContest:
    """A contest of the usual kind in which two entrants, of these numbers, are identical."""

    name: str
    game: str
    declared: tuple[tuple[str, int], ...]
    players: str
    pair: tuple[int, int]
    field: str = ""
    together: bool = False

    def differences(self, orders: Orders, deals: int) -> Values:
        """Return the score of one minus that of the other in each deal."""
        game = Game.variant(self.game, dict(self.declared))
        terms = {"deals": deals, "seed": 1, "orders": orders}
        if self.field:
            contest = Contest.ladder(game, self.players, self.field, terms)
        elif self.together:
            contest = Contest.tournament(game, self.players, {**terms, "together": True})
        else:
            contest = Contest.match(game, self.players, terms)
        means = contest.play().by_deal()
        one, other = self.pair
        values: Values = means[:, one] - means[:, other]
        return values


TRIED = (
    TriedContest(
        "match of 4, Hearts", "hearts", (("ROUNDS", 1),), "rule,rule,random,random", (2, 3)
    ),
    TriedContest("match of 3, Go Fish", "gofish", (("PLAYERS", 3),), "first,random,random", (1, 2)),
    TriedContest(
        "match of 5, No Thanks!",
        "nothanks",
        (("PLAYERS", 5),),
        "first,lowest,random,random,random",
        (2, 3),
    ),
    TriedContest(
        "ladder of 4, No Thanks!",
        "nothanks",
        (("PLAYERS", 4),),
        "random",
        (0, 1),
        field="random,first,random",
    ),
    TriedContest(
        "tournament together of 3, No Thanks!",
        "nothanks",
        (("PLAYERS", 3),),
        "first,random,lowest,random",
        (1, 3),
        together=True,
    ),
)


def missed(values: Values) -> float:
    """Return the share of matches of `DEALS` deals whose interval leaves out 0."""
    matches = [mean_interval(match) for match in values.reshape(-1, DEALS)]
    printed = [
        (one.low, one.high) for one in matches if one.low is not None and one.high is not None
    ]
    return sum(not low <= 0 <= high for low, high in printed) / max(len(printed), 1)


def table(matches: int) -> list[tuple[str, ...]]:
    """Return a row a contest: how often, and by how much, identical players differ."""
    rows = []
    for tried in TRIED:
        cells = []
        for orders in ("balanced", "rotations"):
            values = tried.differences(orders, DEALS * matches)
            found = mean_interval(values)
            cells += [f"{found.mean:+.2f} ± {found.margin:.2f}", f"{100 * missed(values):.1f}"]
        rows.append((tried.name, *cells))
    return rows
