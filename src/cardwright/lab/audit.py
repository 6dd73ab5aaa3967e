"""Audits: what has to add up in every game of Hearts, whoever plays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.hearts.family import NotHeartsError, family_of

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.lab.measured import GameOutcomes, Integers


@dataclass(frozen=True)
class Audit:
    """The sums over all seats that one deal must give.

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
        checks = {
            "points": (tally.scores.sum(axis=1), self._points_right(tally)),
            "tricks": (
                tally.tricks.sum(axis=1),
                tally.tricks.sum(axis=1) == self.tricks * tally.deals,
            ),
            "queens": (tally.queens.sum(axis=1), tally.queens.sum(axis=1) == tally.deals),
        }
        for what, (sums, right) in checks.items():
            if not np.all(right):
                game = int(np.argmin(right))
                return game, f"{sums[game]} {what} in {tally.deals[game]} deals"
        return None

    def _points_right(self, tally: GameOutcomes) -> Integers:
        moons = tally.moons.sum(axis=1)
        if not (self.raised or self.lowered):
            return tally.scores.sum(axis=1) == self.points * tally.deals  # type: ignore[no-any-return]
        # Of the moons, `raised` raised the others' scores; all the rest lowered their shooter's.
        above = tally.scores.sum(axis=1) - self.points * (tally.deals - moons) + self.value * moons
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


def audit_of(game: Game) -> Audit | None:
    """Return what adds up in the deals of a game; None if it is not Hearts, or too special.

    Special are two packs, widows, deals that may be dealt again, prices for tricks, other cards
    that count, other ways to shoot the moon, and scores that change when they are hit or tied.
    """
    try:
        family = family_of(game)
    except NotHeartsError:
        return None
    if family.name != "hearts":
        return None
    says = game.declared
    usual = {
        "PACKS": 1, "WIDOW": 0, "EXTRAS": 0, "EACHTRICK": 0, "FIRSTTAKEN": 0, "LASTTAKEN": 0,
        "NOTRICKS": 0, "HIT": 0, "SUN": 0, "MOONNEEDS": "POINTS",
    }  # fmt: skip
    if any(says[name] != value for name, value in usual.items()):
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
