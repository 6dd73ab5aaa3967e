"""The interpreter's random games a second, for the library and for game files given as arguments.

Process time of one core, the median of some repeats; where OpenSpiel's Python package is installed,
its Hearts (written by hand in C++, driven from Python) is measured in the same run and the ratio
printed. `--profile GAME` prints where the time goes instead.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from statistics import median
from typing import TYPE_CHECKING

from script import carry_out

from cardwright import Game, Stream
from cardwright.game.find import library_names

if TYPE_CHECKING:
    from collections.abc import Callable


def play(game: Game, seed: int) -> int:
    """Play one random game; return the number of decisions."""
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    while state.player is not None:
        state.play(streams[state.player].below(state.option_count))
    return len(state.choices)


def per_second(run: Callable[[int], object], games: int, repeats: int) -> float:
    """Return the median rate of some repeats of many games, in process time."""
    rates = []
    for repeat in range(repeats):
        start = time.process_time()
        for seed in range(games):
            run(repeat * games + seed)
        rates.append(games / (time.process_time() - start))
    return median(rates)


def openspiel_hearts() -> Callable[[int], object] | None:
    """Return a function that plays a deal of OpenSpiel's Hearts, if that is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    hearts = pyspiel.load_game("hearts(pass_cards=false)")

    def deal(seed: int) -> None:
        chooser = random.Random(seed)
        state = hearts.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))

    return deal


def main() -> None:
    """Measure, or profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=library_names())
    parser.add_argument("--count", type=int, default=100, help="games a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--profile", metavar="GAME")
    options = parser.parse_args()
    if options.profile:
        game = Game.load(options.profile, engine="interpreter")
        profile = cProfile.Profile()
        profile.runcall(lambda: [play(game, seed) for seed in range(options.count)])
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    print(f"{'game':24} {'games/s':>9} {'decisions/s':>12}")
    rates = {}
    for name in options.games:
        game = Game.load(name, engine="interpreter")
        rates[name] = rate = per_second(
            lambda seed, game=game: play(game, seed), options.count, options.repeats
        )
        decisions = sum(play(game, seed) for seed in range(20)) / 20
        print(f"{name:24} {rate:9.0f} {rate * decisions:12.0f}")
    peer = openspiel_hearts()
    if peer is None:
        print("OpenSpiel is not installed here: pip install open_spiel to compare")
    elif "hearts" in rates:
        rate = per_second(peer, options.count, options.repeats)
        print(f"{'OpenSpiel hearts, Python':24} {rate:9.0f}")
        print(f"hearts here / OpenSpiel hearts: {rates['hearts'] / rate:.4f}")


if __name__ == "__main__":
    carry_out(main)
