"""Writes the gallery, a page for each game of the library: scripts/gallery [OUT].

With --measure it plays random games first and keeps what they come to in numbers.json, for all
games or those that are named; that takes some minutes, as all games are compiled.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from gallery_index import index
from gallery_numbers import FILE, load, measure, write
from gallery_page import page
from gallery_pictures import draw

from cardwright import CardwrightError, Game
from cardwright.library.catalogue import facts, names

OUT = Path(__file__).resolve().parents[1] / "gallery"
WORKERS = 2


def make(name: str, out: Path) -> None:
    """Write the page and the pictures of a game, and its rules beside them."""
    game = Game.load(name, engine="interpreter")  # a few games each: compiling takes longer
    numbers = load()[name]
    pictures = draw(game, facts(name).title, numbers, out / "pictures")
    (out / f"{name}.md").write_text(page(game, numbers, pictures), encoding="utf-8")
    (out / f"{name}.rcy").write_text(game.program.source.text, encoding="utf-8")


def gallery(out: Path, games: list[str]) -> None:
    """Write pages of games and the first page into a folder."""
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(WORKERS) as workers:
        list(workers.map(partial(make, out=out), games))
    found = load()
    (out / "index.md").write_text(index({name: found[name] for name in games}), encoding="utf-8")


def play(chosen: list[str]) -> None:
    """Measure games, and write their numbers beside those of the others."""
    found = load() if FILE.exists() else {}
    for name in chosen:
        found[name] = measure(name)
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
    write({name: found[name] for name in names() if name in found})


def main(arguments: list[str]) -> int:
    """Measure if asked to, and write the gallery."""
    parser = argparse.ArgumentParser(description="Write a page for each game of the library.")
    parser.add_argument("out", nargs="?", type=Path, default=OUT, help="the folder to write")
    parser.add_argument("--measure", nargs="*", metavar="NAME", help="play these games, or all")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.measure or ()) - set(names()):
        parser.error(f"the library does not have {', '.join(sorted(unknown))}")
    try:
        if asked.measure is not None:
            play(asked.measure or names())
        if lacking := set(names()) - load().keys():
            parser.error(f"not measured: {', '.join(sorted(lacking))}; add --measure with them")
        gallery(asked.out, names())
    except (CardwrightError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    sys.stdout.write(f"{asked.out} has {len(names())} games\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
