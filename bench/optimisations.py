"""What each optimisation of the compiler is worth: random games a second without it.

Every game of the library is compiled with all optimisations, then with one of them left out, and
played at random on one thread. The figures are ratios of speed: 1.20 says that with the
optimisation a game is played 1.2 times as fast as without. Takes about ten minutes.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

os.environ["CARDWRIGHT_CACHE"] = "off"

from script import carry_out

from cardwright import Game
from cardwright.compiler import layout, native
from cardwright.compiler.layout import BoardLayout, PileForms
from cardwright.compiler.llvm import emit
from cardwright.compiler.lower import (
    actions,
    card_sets,
    cards,
    collections,
    draws,
    guards,
    machine,
    stages,
)
from cardwright.game.native.random_games import play_random
from cardwright.game.seeds import game_seeds
from cardwright.library.catalogue import names
from cardwright.program import effects

if TYPE_CHECKING:
    from cardwright.program.places import Places

PARAMETERS = BoardLayout.parameters.fget  # type: ignore[attr-defined]


def no(*_: Any, **__: Any) -> bool:
    """Say no to any question."""
    return False


def never_changed(layout: BoardLayout) -> dict[str, int]:
    """Return a layout's parameters, with no room to note what a trial changes."""
    return {**PARAMETERS(layout), "MOST_CHANGED": -1}


def no_masks(where: Places, cards: int) -> PileForms:
    """Return forms by which all locations are piles."""
    return PileForms(0, 0, where.unordered)


LEFT_OUT: dict[str, list[tuple[object, str, Any]]] = {
    "masks": [(layout, "pile_forms", no_masks)],
    "sets": [(card_sets, "_set", lambda *_: None)],
    "groups": [
        (card_sets, "lies_by_number", no),
        (card_sets, "has_positions", no),
        (collections, "runs_of", lambda *_: None),
    ],
    "draws by bits": [(draws, "are_bits", no)],
    "bunches": [(draws, "can_draw", no)],
    "sides and exclusion": [
        (draws, "sides", lambda *_: None),
        (draws, "exclusive", no),
    ],
    "tests before actions": [(guards, "find_guards", lambda *_: None)],
    "stages as loops": [(machine, "is_structured", no), (stages, "is_structured", no)],
    "rounds": [(stages, "round_of", lambda *_: None)],
    "best cards": [
        (cards, "_fixed_order", lambda *_: None),
        (cards, "best_class", lambda *_: None),
    ],
    "values in variables": [(stages, "_table_cells", lambda *_: {})],
    "deferred shuffles": [(layout, "deferred_place", lambda *_: None)],
    "no trials": [
        (effects.EffectAnalysis, "sure", no),
        (guards, "find_guards", lambda *_: None),
    ],
    "partial restoring": [(BoardLayout, "parameters", property(never_changed))],
    "block moves": [(actions, "moves_tops", no)],
    "memory tags": [(emit._Metadata, "tag", lambda *_: "")],
}
"""Optimisations, and what is replaced to leave each out."""


def speed(name: str, left_out: str | None, seconds: float) -> float:
    """Return random games a second of a game, the best of five."""
    with ExitStack() as stack:
        for owner, attribute, replacement in LEFT_OUT.get(left_out or "", []):
            stack.enter_context(patch.object(owner, attribute, replacement))
        native._PROGRAMS.clear()
        native._LOADED.clear()
        game = Game.load(name, engine="native")
        game.start(0)
        count, rates = 64, [0.0]
        while len(rates) <= 5:  # the best of five
            start = time.process_time()
            play_random(game, game_seeds(0, count), threads=1)
            spent = time.process_time() - start
            if spent < seconds:
                count = int(count * max(2, min(16, 1.2 * seconds / max(spent, 1e-6))))
            else:
                rates.append(count / spent)
    return max(rates)


def table(games: list[str], left_out: list[str], seconds: float) -> None:
    """Print the ratios, games down and optimisations across, and the geometric means."""
    print("| game | games/s | " + " | ".join(left_out) + " |")
    print("|---|---|" + "---|" * len(left_out))
    sums = dict.fromkeys(left_out, 0.0)
    for name in games:
        whole = speed(name, None, seconds)
        ratios = {each: whole / speed(name, each, seconds) for each in left_out}
        for each, ratio in ratios.items():
            sums[each] += math.log(ratio)
        cells = " | ".join(f"{ratio:.2f}" for ratio in ratios.values())
        print(f"| {name} | {whole:,.0f} | {cells} |", flush=True)
    means = " | ".join(f"{math.exp(total / len(games)):.2f}" for total in sums.values())
    print(f"| geometric mean | | {means} |")


def main() -> None:
    """Read the options and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games of the library; all if none is named")
    parser.add_argument("--without", action="append", choices=list(LEFT_OUT), help="only these")
    parser.add_argument("--seconds", type=float, default=0.15, help="time of one measurement")
    options = parser.parse_args()
    table(options.games or list(names()), options.without or list(LEFT_OUT), options.seconds)


if __name__ == "__main__":
    carry_out(main)
