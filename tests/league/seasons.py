"""Seasons of random games for the tests of the league."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from plain_league import at_random, referee_game

from cardwright.league.block import SeasonBlock
from cardwright.league.roster import Roster, RosterEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plain_league import Round


@cache
def game(seed: int, rules: str = "code") -> list[Round]:
    """Return a random game."""
    rng = random.Random(seed)
    return referee_game(rng, at_random(rng), rules)


def block_of(games: Sequence[Sequence[Round]], first: int = 0) -> SeasonBlock:
    """Return games as a block."""
    choices = [
        [seat << 6 | card for seat, card in choices] for rounds in games for choices in rounds
    ]
    return SeasonBlock(
        first,
        np.array([len(rounds) for rounds in games], np.uint16),
        np.array(choices, np.uint8).reshape(-1, 64),
    )


def blocks_of(games: Sequence[Sequence[Round]], cuts: Sequence[int] = ()) -> list[SeasonBlock]:
    """Return games as several blocks that begin with these games."""
    borders = [0, *sorted(cuts), len(games)]
    return [block_of(games[begin:end], begin) for begin, end in pairwise(borders)]


def roster_of(bots: Sequence[tuple[str, str]]) -> Roster:
    """Return a roster of bots of these names and authors."""
    return Roster(tuple(RosterEntry(f"bot{row}", *bot) for row, bot in enumerate(bots)))
