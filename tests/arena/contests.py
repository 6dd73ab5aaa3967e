"""Results of contests that were never played, with a known truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cardwright.arena.results import NO_RANK, NO_SCORE, Results

Scores = Callable[[int, Sequence[int]], Sequence[float]]
"""What the seats of a table score in a deal."""


def results_of(
    tables: Sequence[Sequence[int]],
    deals: int,
    scores: Scores,
    *,
    highest: bool = True,
    failed: Sequence[tuple[int, int]] = (),
) -> Results:
    """Return results in which each table of each deal scores as told; some games fail."""
    rows: dict[str, list[object]] = {
        name: []
        for name in ("deal", "table", "seat", "entrant", "score", "rank", "win", "decisions",
                     "faults", "error")
    }  # fmt: skip
    for deal in range(deals):
        for number, table in enumerate(tables):
            points = list(scores(deal, table))
            better = [point if highest else -point for point in points]
            ranks = [sum(other > mine for other in better) for mine in better]
            broken = (deal, number) in failed
            for seat, entrant in enumerate(table):
                win = 0.0 if ranks[seat] else 1 / ranks.count(0)
                rows["deal"].append(deal)
                rows["table"].append(number)
                rows["seat"].append(seat)
                rows["entrant"].append(entrant)
                rows["score"].append(NO_SCORE if broken else points[seat])
                rows["rank"].append(NO_RANK if broken else ranks[seat])
                rows["win"].append(float("nan") if broken else win)
                rows["decisions"].append(10)
                rows["faults"].append(int(broken and seat == 0))
                rows["error"].append("it stopped" if broken else None)
    return Results.of_columns(rows)


def noisy(
    skill: Sequence[float],
    seed: int = 0,
    *,
    luck: float = 3.0,
    noise: float = 1.0,
    seats: Sequence[float] = (0.0,) * 8,
) -> Scores:
    """Return scores of skill, luck in a deal's cards at each seat, and noise; 100 points a unit."""
    generator = np.random.default_rng(seed)
    hands: dict[int, np.ndarray] = {}

    def play(deal: int, table: Sequence[int]) -> list[int]:
        hand = hands.setdefault(deal, generator.normal(0, luck, 8))
        return [
            round(100 * (skill[who] + hand[seat] + seats[seat] + generator.normal(0, noise)))
            for seat, who in enumerate(table)
        ]

    return play
