"""The reference engine here, through the same face as any engine."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from peers.figures import Figure, package, pin, rate

if TYPE_CHECKING:
    from cardwright import Game

GAMES = ("hearts", "leduc", "blackjack", "euchre", "goofspiel", "gofish")


def measure(game: Game) -> None:
    """Print what one game comes to."""
    from random_games import play

    seeds = count()

    def many(number: int) -> None:
        for _ in range(number):
            play(game, next(seeds))

    decisions = sum(play(game, seed) for seed in range(50)) / 50
    figure = Figure("interpreter", game.name, "traced", rate(many), f"{decisions:.1f} decisions")
    figure.print()


def main() -> None:
    """Measure every game that a peer has too."""
    pin()
    cardwright = package("cardwright")
    for name in GAMES:
        measure(cardwright.Game.load(name, engine="interpreter"))


if __name__ == "__main__":
    main()
