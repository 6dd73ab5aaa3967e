"""Measures: the responses of a game, computed from its scores and from what was counted in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.arena.score_range import ScoreRange
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.lab.audit import single_deal
from cardwright.lab.errors import LabError
from cardwright.lab.response import responses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game
    from cardwright.lab.response import Bounds, Response

    Integers: TypeAlias = NDArray[np.int64]


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
    match = hearts and any(game.declared.get("ROUNDS", 1) != 1 for game in all_)
    points, tricks = _known(all_) if hearts else (None, None)
    if points is None and ranged:
        points = _range(all_)
    return responses(
        games[0].players,
        lowest_wins=not highest.pop(),
        hearts=hearts,
        match=match,
        points=points,
        tricks=tricks,
    )


def _known(games: Sequence[Game]) -> tuple[Bounds | None, int | None]:
    """Return the bounds of scores and the number of tricks, for single deals of Hearts."""
    found = [single_deal(game) for game in games]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None, None
    leasts, mosts, tricks = zip(*known, strict=True)
    return (float(min(leasts)), float(max(mosts))), max(tricks)


def _range(games: Sequence[Game]) -> Bounds | None:
    """Return the bounds of scores in all of some games, if each has some."""
    found = [ScoreRange.of(game) for game in games]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    return float(min(one.least for one in known)), float(max(one.most for one in known))


def countable(game: Game) -> bool:
    """Say whether tricks and penalty cards can be counted: see `seat_counts`."""
    try:
        family = family_of(game)
    except NotHeartsError:
        return False
    return family.name == "hearts" and family.packs == 1


def measured(tally: GameOutcomes, wanted: Sequence[Response], *, highest_wins: bool) -> Integers:
    """Return the scaled integers of responses, an array of shape (games, seats, responses)."""
    scores = tally.scores
    goods = scores if highest_wins else -scores
    better = (goods[:, None, :] > goods[:, :, None]).sum(axis=2)
    equal = (goods[:, None, :] == goods[:, :, None]).sum(axis=2)
    seats = scores.shape[1]
    how: dict[str, Callable[[int], Integers]] = {
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
    columns = [how[response.name](response.scale) for response in wanted]
    return np.stack(columns, axis=2).astype(np.int64)
