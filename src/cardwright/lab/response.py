"""Responses: what is measured for the tested seat, and how it is recorded as integers.

All responses are sums of integers, so adding them up in any order, by any number of workers, gives
the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import lcm
from typing import TypeAlias

Bounds: TypeAlias = "tuple[float, float]"
"""The least and the most that a value can be."""


class Better(StrEnum):
    """Which values of a response are good for the seat."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Response:
    """Something measured in every game.

    A game is recorded as the value times `scale`, an integer. `unit` is the name of its unit in
    reports, `about` says what it is. `bounds` is None if nothing is known about how small or large
    it can be.
    """

    name: str
    about: str
    unit: str
    better: Better
    scale: int = 1
    bounds: Bounds | None = None


def responses(
    players: int,
    *,
    lowest_wins: bool,
    hearts: bool,
    match: bool,
    points: Bounds | None = None,
    tricks: int | None = None,
) -> tuple[Response, ...]:
    """Return the responses for games with this many seats, the primary response first.

    `hearts` says that tricks and penalty cards can be counted, `match` that a game has many deals.
    `points` are the bounds of a score, `tricks` is the number of tricks in a game, if they are
    known.
    """
    once = None if match else (0.0, 1.0)
    own = Better.LOWER if lowest_wins else Better.HIGHER
    span = "match" if match else "game"
    found = [
        Response("points", f"the score of a {span}", "points", own, bounds=points),
        Response(
            "margin",
            "how much better the score is than the mean of the other seats' scores",
            "points",
            Better.HIGHER,
            players - 1,
            None if points is None else (points[0] - points[1], points[1] - points[0]),
        ),
        Response(
            "wins",
            f"the share of the win of a {span}: w winners have 1/w each",
            "share",
            Better.HIGHER,
            lcm(*range(1, players + 1)),
            (0.0, 1.0),
        ),
        Response(
            "place",
            "the place from 1, equal scores sharing the mean of theirs",
            "places",
            Better.LOWER,
            2,
            (1.0, float(players)),
        ),
    ]
    if hearts:
        found += [
            Response(
                "queen",
                f"deals of a {span} in which the seat took the queen",
                "deals",
                own,
                bounds=once,
            ),
            Response(
                "moon",
                f"deals of a {span} in which it took all points",
                "deals",
                Better.HIGHER,
                bounds=once,
            ),
            Response(
                "tricks",
                f"tricks taken in a {span}",
                "tricks",
                Better.NEITHER,
                bounds=None if tricks is None else (0.0, float(tricks)),
            ),
        ]
        if match:
            found.append(Response("deals", "deals of a match", "deals", Better.NEITHER))
    return tuple(found)
