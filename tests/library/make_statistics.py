"""Play random games of the library and write docs/library.md; run by scripts/statistics.

With names of games, only those are played; with --page none, and the page is written from what is
on record. Exits with 1 if a game stopped with an error: it has no new statistics then.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from library_statistics import measure
from statistics_files import FOLDER, kinds, path, write
from statistics_page import page

from cardwright import CardwrightError
from cardwright.library.catalogue import names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"


def play(name: str) -> None:
    """Play all kinds of a game, and write what they came to."""
    begun = time.perf_counter()
    found = [measure(name, kind) for kind in kinds(name)]
    write(name, found)
    seconds = time.perf_counter() - begun
    games = sum(kind.games for kind in found)
    sys.stdout.write(f"{name}: {games:,} games in {seconds:.1f} s\n")


def main(arguments: list[str]) -> int:
    """Play what is asked for and write the page."""
    parser = argparse.ArgumentParser(description="Play random games of the library.")
    parser.add_argument("games", nargs="*", metavar="NAME", help="only these games")
    parser.add_argument("--page", action="store_true", help="play nothing, only write the page")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.games) - set(names()):
        parser.error(f"the library does not have {', '.join(sorted(unknown))}")
    failed = []
    for name in [] if asked.page else asked.games or names():
        try:
            play(name)
        except CardwrightError as error:
            failed.append(name)
            sys.stdout.write(f"{name} has no new statistics: {error}\n")
    for old in FOLDER.glob("*.toml"):
        if old.stem not in names():
            path(old.stem).unlink()
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"{PAGE.name} is written\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
