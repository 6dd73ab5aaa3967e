"""Ranks of a season, tried on bots that are all equally good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from cardwright.league.site.ranking import rank_ranges


def wrong_ranges(bots: int, games: int, seasons: int) -> float:
    """Return in which share of seasons of equal bots some bot's ranks leave some place out.

    Four sit at a table; who they are, and in which places they come, is drawn at random.
    """
    generator = np.random.default_rng([5, bots, games])
    wrong = 0
    for _ in range(seasons):
        standing = np.zeros((bots, 7), np.int64)
        common, places, products = (np.zeros((bots, bots), np.int64) for _ in range(3))
        for _ in range(games):
            seated = generator.permutation(bots)[:4]
            doubled = 2 * np.arange(4)
            standing[seated, doubled] += 1
            both = np.ix_(seated, seated)
            common[both] += 1
            places[both] += doubled[:, None]
            products[both] += doubled[:, None] * doubled[None, :]
        scores = SimpleNamespace(games=standing.sum(axis=1), standing=standing)
        duels = SimpleNamespace(games=common, places=places, products=products)
        facts = cast("Any", SimpleNamespace(scores=scores, duels=duels))
        played = [bot for bot in range(bots) if scores.games[bot]]
        every = (1, len(played))
        wrong += any(found != every for found in rank_ranges(facts, played))
    return wrong / seasons
