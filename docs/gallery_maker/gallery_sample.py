"""A sample of play in words: the beginning of a game, as `cardwright replay --table` tells it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.arena.referee import referee_game
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import parse_spec
from cardwright.table.watched_table import WatchedTable

if TYPE_CHECKING:
    from cardwright import Game
    from cardwright.table.watched_table import TableMoment

SEED = 1
MOST = 14
"""The seed of the sample, and its most decisions."""


def sample_of(game: Game, seed: int = SEED) -> list[str]:
    """Return what happens at the table, a sentence a line, with random players.

    It ends when everybody has decided and the rules have done something, such as taking a trick,
    or else after `MOST` decisions.
    """
    random = [parse_spec("random", FULL_TRUST).build() for _ in range(game.players)]
    choices = referee_game(game, seed, random).choices
    watched = WatchedTable(game, seed)
    lines = [*_said(watched.opening), *_hands(watched.opening)]
    decided = set()
    for number, choice in enumerate(choices[:MOST], 1):
        decision = watched.choose(choice)
        decided.add(decision.seat)
        lines.append(f"{number}. p{decision.seat + 1} {decision.words}")
        said = _said(decision.moments)
        lines += said
        if said and len(decided) == game.players:
            break
    else:
        if len(choices) > MOST:
            lines.append("and so on")
    return without_repeats(lines)


def without_repeats(lines: list[str]) -> list[str]:
    """Return lines of which none is the one before it again."""
    return lines[:1] + [after for before, after in pairwise(lines) if after != before]


def _said(moments: tuple[TableMoment, ...]) -> list[str]:
    return [f"   {sentence}" for moment in moments for sentence in moment.said]


def _hands(moments: tuple[TableMoment, ...]) -> list[str]:
    """Return the hands that were dealt."""
    hands = {
        place: cards
        for moment in moments
        for place, cards in moment.locations.items()
        if place.endswith(" HAND") and cards != "empty"
    }
    return [f"   {place}: {cards}" for place, cards in hands.items()]
