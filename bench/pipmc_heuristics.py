"""What CardStock's players make of Hearts, beside figures that were found for them elsewhere.

First one PIPMC player, in the first seat, against random ones: how often it wins if ties count in
full, and its mean score. Then games of PIPMC players alone: the measures of
`cardwright.analysis.heuristics`. The expected figures are those of a program written for the
comparison, with their tolerances for these numbers of games.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from cardwright import Game, game_seeds
from cardwright.analysis import heuristics
from cardwright.arena.referee import play_game
from cardwright.players.spec import parse_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.arena.referee import Record
    from cardwright.players.note import Note
    from cardwright.players.player import Decision, Player

MOON = -26


class Figure(NamedTuple):
    """A number found, and what it is expected to be; the tolerance is None if none is stated."""

    name: str
    found: float
    expected: float
    tolerance: float | None = None


@dataclass
class Watched:
    """A player, and a list to which what it reports is added: seat and note of each decision."""

    player: Player
    notes: list[tuple[int, Note]]

    def choose(self, decision: Decision) -> int:
        """Return what the player chooses."""
        chosen = self.player.choose(decision)
        self.notes += [(decision.seat, note) for note in decision.notes]
        return chosen


class Noted(NamedTuple):
    """A game, and the notes of its decisions in order."""

    record: Record
    notes: list[tuple[int, Note]]


def played(game: Game, specs: list[str], count: int, seed: int) -> Iterator[Noted]:
    """Yield games between players of these specs, one a seat."""
    makers = [parse_spec(text) for text in specs]
    for one in game_seeds(seed, count):
        notes: list[tuple[int, Note]] = []
        yield Noted(play_game(game, one, [Watched(spec.build(), notes) for spec in makers]), notes)


def against_random(game: Game, player: str, count: int, seed: int) -> list[Figure]:
    """Return how one player fares in the first seat against random ones."""
    specs = [player, *["random"] * (game.players - 1)]
    records = [one.record for one in played(game, specs, count, seed)]
    wins = fmean(record.ranks[0] == 0 for record in records)
    return [
        Figure("wins, ties in full", wins, 0.584, 0.03),
        Figure("mean score", fmean(record.scores[0] for record in records), 3.0, 0.35),
    ]


def among_equals(game: Game, player: str, count: int, seed: int) -> list[Figure]:
    """Return the measures of games in which all seats have a player of one kind."""
    games = list(played(game, [player] * game.players, count, seed))
    notes = [[note for _, note in one.notes] for one in games]
    leads = [[note.lead or () for note in some] for some in notes]
    own = [
        [
            [note.best or 0.0 for who, note in one.notes if who == seat]
            for seat in range(game.players)
        ]
        for one in games
    ]
    winners = [one.record.ranks.index(0) for one in games]
    spreads = [note.spread or 0.0 for some in notes for note in some]
    moons = fmean(MOON in one.record.scores for one in games)
    return [
        Figure("spread", heuristics.spread(spreads), 0.133, 0.005),
        Figure("drama", heuristics.drama(leads), 0.478, 0.015),
        Figure("security", heuristics.security(leads), 0.39, 0.03),
        Figure("moon shot", moons, 0.10, 0.027),
        Figure("engine drama", heuristics.engine_drama(own, winners), 0.397),
        Figure("engine decisiveness", heuristics.engine_decisiveness(own, winners), 0.275),
        Figure("engine coolness", heuristics.engine_coolness(own), 0.640),
    ]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="cardstock-pipmc")
    parser.add_argument("--single", type=int, default=1_000, help="games against random players")
    parser.add_argument("--all", type=int, default=500, help="games among equals")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = Game.load("hearts")
    begun = time.perf_counter()
    figures = against_random(game, options.player, options.single, options.seed)
    figures += among_equals(game, options.player, options.all, options.seed)
    print(f"{'':22} {'found':>7} {'expected':>9}")
    for name, found, expected, tolerance in figures:
        far = "" if tolerance is None else f" ± {tolerance:<5}"
        off = "  OFF" if tolerance is not None and abs(found - expected) > tolerance else ""
        print(f"{name:22} {found:7.3f} {expected:9.3f}{far}{off}")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
