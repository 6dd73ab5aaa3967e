"""Numbers that say what a game is like to play, from random games and from players of one kind.

There are two families. The measures of CardStock's articles (`order` to `security`) come first;
they were made of Browne's ("Automatic generation and evaluation of recombination games", thesis,
2008). The measures that CardStock's program itself computes begin with `engine`: they have other
definitions, slips included, and agree with no article. Both are due to Goadrich and others
(https://github.com/mgoadric/cardstock, https://cardstock.wordpress.com).

A lead vector has for every seat an estimate of its place, from 0 (last) to 1 (first), at one
decision: `cardwright.players.note.Note.lead`. A game's own estimates are, for every seat, those of
`Note.best` at that seat's decisions in order. Win rates are shares from 0 to 1. Lists of games must
not be empty; ValueError is raised for numbers of players below 2 and where nothing was noted.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Leads: TypeAlias = "Sequence[Sequence[float]]"
"""The lead vectors of a game, one a decision."""

Own: TypeAlias = "Sequence[Sequence[float]]"
"""The own estimates in a game: for every seat those at its decisions."""

_ENGINE_BEHIND = 0.5
_ENGINE_AHEAD = 0.8
_ENGINE_CLEAR = 0.3


# Measures of the articles --------------------------------------------------------------------


def order(wins: float, players: int) -> float:
    """Return how much a thinking player is better than random ones: 0 not at all, 1 always wins.

    `wins` is his rate of wins against random players, where every shared win counts in full.
    """
    fair = 1 / _several(players)
    return (wins - fair) / (1 - fair)


def fairness(wins: float, players: int) -> float:
    """Return how near the first seat's rate of wins in random games is to its share: 1 is fair.

    Shared wins count in full.
    """
    if wins <= 1 / _several(players):
        return players * wins
    return (1 - wins) * players / (players - 1)


def convergence(counts: Sequence[int]) -> float:
    """Return whether options become fewer in a game: 0.5 if not, more if they do.

    It is 1 - (slope + 1)/2, where the slope is that of the least-squares line through the numbers
    of options at decisions 1, 2, and so on; 0 for a single decision. Average it over games.
    """
    if not counts:
        raise ValueError("a game without decisions has no convergence")
    middle = (len(counts) - 1) / 2
    mean = math.fsum(counts) / len(counts)
    width = math.fsum((at - middle) ** 2 for at in range(len(counts)))
    rise = math.fsum((at - middle) * (count - mean) for at, count in enumerate(counts))
    slope = rise / width if width else 0.0
    return 1 - (slope / 2 + 0.5)


def spread(spreads: Sequence[float]) -> float:
    """Return how much choices matter: the mean spread over the decisions of all games, 0 to 1."""
    return _mean(spreads)


def threshold(players: int) -> float:
    """Return the estimate below which a player is behind: half way between the best two places."""
    return (1 + (_several(players) - 2) / (players - 1)) / 2


def last_leader(leads: Leads) -> int:
    """Return who has the largest estimate in the last lead vector of a game, the first of equals.

    The articles take him for the winner.
    """
    last = list(leads[-1])
    return last.index(max(last))


def drama(games: Sequence[Leads], winners: Sequence[int] | None = None) -> float:
    """Return how far winners were behind while they were: a mean over games, 0 where they never.

    For a game it is the mean of sqrt(threshold - estimate of the winner) over all decisions, of
    any seat, at which the estimate is below the threshold. Without `winners` they are the last
    leaders.
    """
    return _mean([_mean(gaps) if gaps else 0.0 for gaps in _trailing(games, winners)])


def security(games: Sequence[Leads], winners: Sequence[int] | None = None) -> float:
    """Return for how much of a game its winner is not behind: a mean over games, 0 to 1."""
    gaps = _trailing(games, winners)
    return _mean([1 - len(some) / len(leads) for some, leads in zip(gaps, games, strict=True)])


def _trailing(games: Sequence[Leads], winners: Sequence[int] | None) -> list[list[float]]:
    """Return for each game the roots of how far the winner was behind, wherever he was."""
    if winners is None:
        winners = [last_leader(leads) for leads in games]
    found = []
    for leads, winner in zip(games, winners, strict=True):
        behind = threshold(len(leads[0]))
        found.append([math.sqrt(behind - lead[winner]) for lead in leads if lead[winner] < behind])
    return found


# Measures of CardStock's program -------------------------------------------------------------


def engine_fairness(ranks: Sequence[Sequence[int]]) -> float:
    """Return `fairness` as the program has it, from the ranks of every game, 0 for the best.

    A win that k players share counts 1/k, but 1 if all players share it; 0 if the first seat never
    wins.
    """
    players = len(ranks[0])
    shares = []
    for game in ranks:
        winners = list(game).count(0)
        shared = 1 if winners == players else winners
        shares.append(0.0 if game[0] else 1 / shared)
    return fairness(_mean(shares), players)


def engine_drama(games: Sequence[Own], winners: Sequence[int]) -> float:
    """Return how far winners saw themselves behind: the mean of sqrt(0.5 - estimate) below 0.5.

    It is pooled over all games, and 0 if no winner was ever behind.
    """
    gaps = [
        math.sqrt(_ENGINE_BEHIND - estimate)
        for own, winner in zip(games, winners, strict=True)
        for estimate in own[winner]
        if estimate < _ENGINE_BEHIND
    ]
    return _mean(gaps) if gaps else 0.0


def engine_decisiveness(games: Sequence[Own], winners: Sequence[int]) -> float:
    """Return how late winners saw themselves ahead: 1 less the mean share of decisions left then.

    A winner is ahead from his first estimate above 0.8 on, or else from his last decision.
    """
    left = []
    for own, winner in zip(games, winners, strict=True):
        estimates = own[winner]
        ahead = [at for at, estimate in enumerate(estimates) if estimate > _ENGINE_AHEAD]
        first = ahead[0] if ahead else len(estimates) - 1
        left.append((len(estimates) - first) / len(estimates))
    return 1 - _mean(left)


def engine_coolness(games: Sequence[Own]) -> float:
    """Return how seldom a player's estimate falls from one of his decisions to the next, 0 to 1."""
    steps = [
        before > after
        for own in games
        for estimates in own
        for before, after in pairwise(estimates)
    ]
    return 1 - _mean(steps)


def engine_clarity(decisions: Sequence[tuple[float, float]]) -> float:
    """Return how seldom the best option stands out, from best and average of every decision.

    It is 1 less the share of decisions with best - average >= 0.3.
    """
    return 1 - _mean([best - average >= _ENGINE_CLEAR for best, average in decisions])


def _several(players: int) -> int:
    if players < 2:
        raise ValueError("this is said of games of two players or more")
    return players


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("there is nothing to take the mean of")
    return math.fsum(values) / len(values)
