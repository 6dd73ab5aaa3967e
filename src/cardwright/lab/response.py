"""Responses: what is measured in a game, within which bounds, and what has to add up.

All responses are sums of integers, so adding them up in any order, by any number of workers, gives
the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from cardwright.arena.bounds import ScoreRange
from cardwright.arena.plan import loaded
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.lab.factor import LabError
from cardwright.statistics.measures import MEASURES, ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game

    Integers: TypeAlias = NDArray[np.int64]

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


class GameOutcomes(NamedTuple):
    """The outcomes of some games: each array has a row for each game, and a column for each seat.

    `tricks` are those taken, `queens` the deals in which the seat took the queen, `moons` those in
    which it took all penalty cards; `deals`, without columns, is how many were played. All but the
    scores are zero in games other than Hearts.
    """

    scores: Integers
    tricks: Integers
    queens: Integers
    moons: Integers
    deals: Integers


def measured(tally: GameOutcomes, wanted: Sequence[Response], *, highest_wins: bool) -> Integers:
    """Return the scaled integers of responses, an array of shape (games, seats, responses)."""
    scores = tally.scores
    goods = scores if highest_wins else -scores
    better = ranks(scores, highest_wins=highest_wins)
    equal = (goods[:, None, :] == goods[:, :, None]).sum(axis=2)
    seats = scores.shape[1]
    formulas: dict[str, Callable[[int], Integers]] = {
        "points": lambda scale: scores * scale,
        "margin": lambda scale: (
            (seats * goods - goods.sum(axis=1, keepdims=True)) * (scale // (seats - 1))
        ),
        "wins": lambda scale: np.where(better == 0, scale // equal, 0),
        # Equal scores share the places from `better` + 1 to `better` + `equal`.
        "place": lambda scale: (2 * better + equal + 1) * scale // 2,
        "queen": lambda scale: tally.queens * scale,
        "moon": lambda scale: tally.moons * scale,
        "tricks": lambda scale: tally.tricks * scale,
        "deals": lambda scale: np.repeat(tally.deals[:, None], seats, axis=1) * scale,
    }
    columns = [formulas[response.name](response.scale) for response in wanted]
    return np.stack(columns, axis=2).astype(np.int64)


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
    own = Better.LOWER if lowest_wins else Better.HIGHER
    high, neither = Better.HIGHER, Better.NEITHER
    span, once = ("match", None) if match else ("game", (0.0, 1.0))
    width = None if points is None else points[1] - points[0]
    rows: list[tuple[str, Better, int, Bounds | None]] = [
        ("points", own, 1, points),
        ("margin", high, players - 1, None if width is None else (-width, width)),
        ("wins", high, lcm(*range(1, players + 1)), (0.0, 1.0)),
        ("place", Better.LOWER, 2, (1.0, float(players))),
    ]
    if hearts:
        rows += [
            ("queen", own, 1, once),
            ("moon", high, 1, once),
            ("tricks", neither, 1, None if tricks is None else (0.0, float(tricks))),
        ]
    if hearts and match:
        rows.append(("deals", neither, 1, None))
    words = {name: MEASURES[f"seat {name}"] for name, *_ in rows}
    return tuple(
        Response(
            name, words[name].definition.format(span=span), words[name].unit, better, scale, bounds
        )
        for name, better, scale, bounds in rows
    )


def responses_of(games: Sequence[GameRef], *, ranged: bool = False) -> tuple[Response, ...]:
    """Return the responses of games that can all be measured in the same way.

    Points have bounds in single deals of Hearts; with `ranged` also where the ranges of scores of
    all games are known, by proof, which may take seconds, or by what their files declare. Raises
    LabError if in some the highest score wins, and in others the lowest.
    """
    all_ = [loaded(game) for game in games]
    highest = {game.highest_wins for game in all_}
    if len(highest) > 1:
        raise LabError(
            f"with some levels the highest score wins in {games[0].name}, with others the lowest: "
            "such results cannot be compared"
        )
    hearts = all(map(countable, all_))
    deals = [single_deal(game) for game in all_] if hearts else [None]
    known = [deal for deal in deals if deal is not None]
    points = tricks = None
    if len(known) == len(deals):
        points, tricks = _widest(deal[:2] for deal in known), max(deal[2] for deal in known)
    elif ranged:
        ranges = [ScoreRange.of(game) for game in all_]
        found = [(range_.least, range_.most) for range_ in ranges if range_ is not None]
        points = _widest(found) if len(found) == len(ranges) else None
    return responses(
        games[0].players,
        lowest_wins=not highest.pop(),
        hearts=hearts,
        match=hearts and any(game.declared.get("ROUNDS", 1) != 1 for game in all_),
        points=points,
        tricks=tricks,
    )


def _widest(ranges: Iterable[tuple[float, float]]) -> Bounds:
    leasts, mosts = zip(*ranges, strict=True)
    return float(min(leasts)), float(max(mosts))


def countable(game: Game) -> bool:
    """Say whether tricks and penalty cards can be counted: see `seat_counts`."""
    try:
        family = family_of(game)
    except NotHeartsError:
        return False
    return family.name == "hearts" and family.packs == 1


# What has to add up -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Audit:
    """The sums over all seats that one deal of Hearts must give, whoever plays it.

    The cards taken cost `points` in all. When the moon is shot they count nothing: then either the
    others get `value` each, or the shooter gets `value` less than nothing; `raised` and `lowered`
    say which of the two may happen. A deal has `tricks` tricks, and one queen.
    """

    points: int
    value: int
    seats: int
    tricks: int
    raised: bool
    lowered: bool

    def wrong(self, tally: GameOutcomes) -> tuple[int, str] | None:
        """Return the first game that does not add up, and what is wrong; None if all do."""
        tricks, queens = tally.tricks.sum(axis=1), tally.queens.sum(axis=1)
        scores = tally.scores.sum(axis=1)
        for what, sums, right in (
            ("points", scores, self._points_right(scores, tally)),
            ("tricks", tricks, tricks == self.tricks * tally.deals),
            ("queens", queens, queens == tally.deals),
        ):
            if not np.all(right):
                game = int(np.argmin(right))
                return game, f"{sums[game]} {what} in {tally.deals[game]} deals"
        return None

    def _points_right(self, scores: Integers, tally: GameOutcomes) -> Integers:
        moons = tally.moons.sum(axis=1)
        if not (self.raised or self.lowered):
            return scores == self.points * tally.deals  # type: ignore[no-any-return]
        # Of the moons, `raised` raised the others' scores; all the rest lowered their shooter's.
        above = scores - self.points * (tally.deals - moons) + self.value * moons
        raised, rest = np.divmod(above, self.seats * self.value)
        least = 0 if self.lowered else moons
        most = moons if self.raised else 0
        right: Integers = (rest == 0) & (least <= raised) & (raised <= most)
        return right


def single_deal(game: Game) -> tuple[int, int, int] | None:
    """Return the least and the most that a seat can score in a single deal, and the deal's tricks.

    None if a game has several deals, or if nothing is known about what adds up in them.
    """
    audit = audit_of(game)
    if audit is None or game.declared.get("ROUNDS", 1) != 1:
        return None
    family = family_of(game)
    costs = [family.costs[number] for number in family.numbers]
    least = sum(cost for cost in costs if cost < 0)
    most = sum(cost for cost in costs if cost > 0)
    if audit.lowered:
        least = min(least, -audit.value)
    if audit.raised:
        most = max(most, audit.value)
    return least, most, audit.tricks


_USUAL = {
    "PACKS": 1, "WIDOW": 0, "EXTRAS": 0, "EACHTRICK": 0, "FIRSTTAKEN": 0, "LASTTAKEN": 0,
    "NOTRICKS": 0, "HIT": 0, "SUN": 0, "MOONNEEDS": "POINTS",
}  # fmt: skip
"""The options of Hearts with which deals add up."""


def audit_of(game: Game) -> Audit | None:
    """Return what adds up in the deals of a game; None if it is not Hearts, or too special.

    Special are two packs, widows, deals that may be dealt again, prices for tricks, other cards
    that count, other ways to shoot the moon, and scores that change when they are hit or tied.
    """
    if not countable(game):
        return None
    family, says = family_of(game), game.declared
    if any(says[name] != value for name, value in _USUAL.items()):
        return None
    if says["FIRSTTRICK"] == "NEVER" or says["TIES"] == "LASTDEAL" or family.queen is None:
        return None
    points = sum(family.costs[number] for number in family.numbers)
    moon, value = says["MOON"], says["MOONVALUE"]
    assert isinstance(value, int)
    return Audit(
        points,
        value or points,
        game.players,
        len(family.numbers) // game.players,
        raised=moon in {"PLUS", "CHOICE", "BEST"},
        lowered=moon in {"MINUS", "CHOICE", "BEST"},
    )
