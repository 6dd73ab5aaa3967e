"""Games of the library, played to their end in a browser by random clicks.

Run by `scripts/clicks`: all games, or those that are named, such as `gofish` or `hearts:standard`,
and with `--presets` Hearts in all its forms. With `--people 4` four people play, each in a browser
of its own; all other seats are computer players. One line a game; 1 if any could not be finished.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what tests of all packages share

from clicks import play_together
from pages import leave, open_page
from playwright.sync_api import sync_playwright
from served import Served, seats

from browser import launched
from cardwright import Game
from cardwright.library import catalogue

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def main() -> int:
    """Play, and return the exit code."""
    parser = argparse.ArgumentParser(description="Play games in a browser by random clicks.")
    parser.add_argument("games", nargs="*", help="games, or GAME:PRESET; all if none is named")
    parser.add_argument("--people", type=int, default=1, help="how many people play")
    parser.add_argument("--player", default="random", help="who plays in all other seats")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and the clicks")
    parser.add_argument("--presets", action="store_true", help="play all presets of Hearts as well")
    wanted = parser.parse_args()
    played = wanted.games or catalogue.names()
    if wanted.presets:
        played += [f"hearts:{name}" for name in catalogue.facts("hearts").settings.presets]
    failed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        server.start()
        browser = launched(playwright)
        for game in played:
            begun = time.monotonic()
            try:
                result = f"{_finished(server, browser, game, wanted)} clicks"
            except Exception as error:  # whatever it is, the other games are played too
                failed += 1
                result = f"not finished: {error}"
            took = time.monotonic() - begun
            sys.stdout.write(f"{game}: {result}, {took:.0f} s\n")
            sys.stdout.flush()
        browser.close()
        server.stop()
    sys.stdout.write(f"{len(played) - failed} of {len(played)} games finished\n")
    return 1 if failed else 0


def _finished(server: Served, browser: Browser, game: str, wanted: argparse.Namespace) -> int:
    """Play a game to its end; return how often people clicked."""
    name, _, preset = game.partition(":")
    players = Game.variant(name, {}, preset or None).players
    people = [f"Person {seat + 1}" for seat in range(wanted.people)]
    sitting = seats(*people, *[""] * (players - len(people)), player=wanted.player)
    made = server.table(name, preset=preset or None, seed=str(wanted.seed), seats=sitting)
    pages = [open_page(browser, server.address + one["link"]) for one in made["seats"]]
    clicks = play_together(pages, wanted.seed)
    for page in pages:
        leave(page)
    return clicks


if __name__ == "__main__":
    sys.exit(main())
