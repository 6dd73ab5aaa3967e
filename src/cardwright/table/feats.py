"""Feats: what a record of games counts for players, of what deals have brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.table.account import TakenBack
from cardwright.table.referee import Ply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game
    from cardwright.program.program import Program
    from cardwright.table.account import Entry
    from cardwright.table.deal_results import DealResult


def counted_feats(game: Game, past: Sequence[Entry]) -> dict[str, tuple[int, ...]]:
    """Return how often each seat has done each feat in what has happened at a table."""
    counts = {words.feat: [0] * game.players for words in game.words.results if words.feat}
    for result in _results(past):
        if result.words.feat:
            for seat in _seats(game.program, result):
                counts[result.words.feat][seat] += 1
    return {feat: tuple(count) for feat, count in counts.items()}


def _results(past: Sequence[Entry]) -> list[DealResult]:
    """Return what all deals have brought that were not taken back."""
    plies: list[Ply] = []
    for entry in past:
        match entry:
            case Ply():
                plies.append(entry)
            case TakenBack(_, number, _):
                del plies[number:]
    return [result for ply in plies if ply.deal is not None for result in ply.deal.results]


def _seats(program: Program, result: DealResult) -> Sequence[int]:
    if result.owner != program.table:
        return program.members(result.owner)
    number = result.stored.get((program.table, result.words.by))
    return [seat for seat in range(program.players) if number == seat + program.base]
