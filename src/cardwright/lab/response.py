"""Responses: what is measured of the seat that is tested, and how it is written down as integers.

All responses are sums of integers, so that they can be added up in any order and by any number of
workers to the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import lcm


class Better(StrEnum):
    """Which values of a response are good for the seat."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Response:
    """Something measured in every game.

    A game is written down as the value times `scale`, an integer. `unit` is what one of it is
    called in reports, `about` says what it is.
    """

    name: str
    about: str
    unit: str
    better: Better
    scale: int = 1


def responses(
    players: int, *, lowest_wins: bool, hearts: bool, match: bool
) -> tuple[Response, ...]:
    """Return what is measured in games of so many seats, the primary response first.

    `hearts` says that tricks and penalty cards can be told, `match` that a game has many deals.
    """
    own = Better.LOWER if lowest_wins else Better.HIGHER
    span = "match" if match else "game"
    found = [
        Response("points", f"the score of a {span}", "points", own),
        Response(
            "margin",
            "how much better the score is than the mean of the other seats' scores",
            "points",
            Better.HIGHER,
            players - 1,
        ),
        Response(
            "wins",
            f"the share of the win of a {span}: w winners have 1/w each",
            "share",
            Better.HIGHER,
            lcm(*range(1, players + 1)),
        ),
        Response(
            "place",
            "the place from 1, equal scores sharing the mean of theirs",
            "places",
            Better.LOWER,
            2,
        ),
    ]
    if hearts:
        found += [
            Response("queen", f"deals of a {span} in which the seat took the queen", "deals", own),
            Response(
                "moon", f"deals of a {span} in which it took all points", "deals", Better.HIGHER
            ),
            Response("tricks", f"tricks taken in a {span}", "tricks", Better.NEITHER),
        ]
        if match:
            found.append(Response("deals", "deals of a match", "deals", Better.NEITHER))
    return tuple(found)
