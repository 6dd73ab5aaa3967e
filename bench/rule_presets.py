"""What the player `rule` and the default hierarchy gain over the plain rules, in all of Hearts.

One of them sits against plain rule players, in every seat in turn with the same deals; the gain is
the points of plain rules in the same seats less its own. Two packs, which machine code does not
play, are left out. Run: `python bench/rule_presets.py`.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from script import carry_out

from cardwright import Game
from cardwright.hearts.hierarchy import Hierarchy
from cardwright.hearts.native import ManyGames, unsuited
from cardwright.library.catalogue import facts

HEAD = (
    "| preset | games | points, plain | fewer, `rule` | wins | fewer, `hierarchy` | wins |\n"
    "|---|---|---|---|---|---|---|\n"
)


def compared(game: Game, name: str, games: int) -> tuple[float, str, str]:
    """Return the points of plain players, and what a hierarchy gains and wins, with margins."""
    seats, deals = game.players, max(1, games // game.players)
    player = ManyGames(game, [Hierarchy.load(name), Hierarchy.load("plain")])
    tables = [[int(seat != own) for seat in range(seats)] for own in range(seats)]
    played = player.play(np.arange(deals, dtype=np.uint64), [*tables, [1] * seats])
    scores = played.scores.reshape(deals, seats + 1, seats).astype(float)
    own = np.stack([scores[:, seat, seat] for seat in range(seats)])
    plain = scores[:, seats].mean(axis=1)
    best = scores[:, :seats] == scores[:, :seats].min(axis=2, keepdims=True)
    shares = best / best.sum(axis=2, keepdims=True)
    wins = np.stack([shares[:, seat, seat] for seat in range(seats)]).mean(axis=0)
    return (
        float(plain.mean()),
        _shown(plain - own.mean(axis=0), "+.2f", ".2f"),
        _shown(wins, ".3f", ".3f"),
    )


def _shown(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], way: str, margin: str) -> str:
    spread = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{float(values.mean()):{way}} ± {spread:{margin}}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="of a match, a tenth of them")
    wanted = parser.parse_args()
    sys.stdout.write(HEAD)
    for name, preset in facts("hearts").settings.presets.items():
        game = Game.load("hearts", preset=name)
        if preset.game or unsuited(game) is not None:
            continue
        games = wanted.games if game.declared["ROUNDS"] == 1 else wanted.games // 10
        plain, *rule = compared(game, "rule", games)
        _, *default = compared(game, "default", games)
        cells = " | ".join([*rule, *default])
        sys.stdout.write(f"| {name} | {games:,} | {plain:.2f} | {cells} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    carry_out(main)
