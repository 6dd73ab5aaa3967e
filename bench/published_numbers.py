"""Plays what others published numbers of, and writes the page that compares them with ours.

`python bench/published_numbers.py` plays all batches, which takes some ten minutes on two
processors, keeps their figures in `published.json` and puts the tables into `docs/published.md`;
the text around them is kept. `--only NAME` plays one kind of game again and leaves the other
figures as they are, and `--page` plays nothing. The same seed and numbers of games give the same
figures, with any number of workers.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from hearts_statistics import gather
from published_cells import BATCHES, PLAYER, Cell, load_cells
from published_claims import Found, Verdict, judge, load_claims
from published_measures import (
    Measured,
    definitions,
    of_breaking,
    of_own_definitions,
    of_records,
    of_sums,
    pooled,
)
from published_own import OWN_GAMES, definition_of
from published_page import filled, tables
from script import carry_out

from cardwright import play_random
from cardwright.analysis.records import RunFrames
from cardwright.arena.plan import RunPlan
from cardwright.arena.run import run
from cardwright.game import game_seeds
from cardwright.game.errors import CardwrightError
from cardwright.jobs.job import executor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.analysis.records import Traces

PAGE = Path(__file__).parents[1] / "docs" / "published.md"
FIGURES = Path(__file__).with_name("published.json")
DIGITS = 7
"""Digits that are kept of a figure, few enough that all machines agree on them."""


class Settings(NamedTuple):
    """How much is played: random games and thinking ones, before cells take their multiples."""

    random: int
    thinking: int
    seed: int
    workers: int


def played(cell: Cell, settings: Settings) -> Iterator[tuple[str, Found]]:
    """Play all batches of a cell, and yield the name and the figures of each."""
    kept: dict[str, Traces] = {}
    for batch, _ in cell.batches:
        games = cell.games(batch, settings.random, settings.thinking)
        if batch == "bulk":
            sums = play_random(cell.ref().load(), game_seeds(settings.seed, games))
            yield f"{cell.name}-bulk", Found(games, of_sums(sums.ended()))
        elif batch == "broken":
            broken = gather(cell.players, games, settings.workers).broken
            yield f"{cell.name}-broken", Found(games, of_breaking(np.asarray(broken)))
        else:
            kept[batch] = traces = recorded(cell, batch, games, settings)
            yield from measured(cell, batch, traces)
    if {"AA", "AR"} <= kept.keys():
        games = 2 * min(len(kept["AA"]), len(kept["AR"]))
        yield f"{cell.name}-both", Found(games, pooled(kept["AA"], kept["AR"]))


def recorded(cell: Cell, batch: str, games: int, settings: Settings) -> Traces:
    """Play a batch with records, and return its games."""
    game, players = cell.ref(), BATCHES[batch]
    table = (0, *[1] * (game.players - 1))
    plan = RunPlan(game, players, (table,), games, settings.seed, detail="decisions")
    with tempfile.TemporaryDirectory() as folder:
        run(plan, Path(folder) / batch, executor("processes", settings.workers))
        return RunFrames.of_folder(Path(folder) / batch).first(games)


def measured(cell: Cell, batch: str, traces: Traces) -> Iterator[tuple[str, Found]]:
    """Yield the figures of a batch, and those of its first games where there are to be some."""
    name = f"{cell.name}-{batch}"
    yield name, Found(len(traces), of_records(traces, batch, tricks=cell.tricks))
    if batch == "AA":
        yield f"{name}-own", Found(len(traces), of_own_definitions(traces))
    if first := dict(cell.first).get(batch):
        some = traces.take(slice(first))
        yield f"{name}-first", Found(len(some), of_records(some, batch, tricks=cell.tricks))


def played_own(cell: Cell, settings: Settings) -> Iterator[tuple[str, Found]]:
    """Play the games of a cell in which all think, for figures by our definitions alone."""
    claims = (one for one in load_claims()[1] if one.measure)
    claimed = {one.cell for one in claims if definition_of(one).name in OWN_GAMES}
    if f"{cell.name}-AA" in claimed:
        traces = recorded(cell, "AA", cell.games("AA", 0, settings.thinking), settings)
        yield f"{cell.name}-AA-own", Found(len(traces), of_own_definitions(traces))


def stored(cells: Mapping[str, Found], settings: Settings) -> str:
    """Return figures as JSON."""
    rounded = {
        name: {
            "games": found.games,
            "figures": {
                key: [float(f"{number:.{DIGITS}g}") for number in figure]
                for key, figure in found.figures.items()
            },
        }
        for name, found in cells.items()
    }
    data = {"player": PLAYER, "seed": settings.seed, "cells": rounded}
    lines = json.dumps(data, indent=1) + "\n"
    return lines.replace(",\n     ", ", ").replace("[\n     ", "[").replace("\n    ]", "]")


def load(file: Path) -> tuple[dict[str, Found], int]:
    """Return the figures in a file and the seed they were played with; none if it is not there."""
    if not file.exists():
        return {}, -1
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    cells = {
        name: Found(cell["games"], {key: Measured(*of) for key, of in cell["figures"].items()})
        for name, cell in data["cells"].items()
    }
    return cells, int(data["seed"])


def play_all(only: str, file: Path, settings: Settings, *, own: bool = False) -> None:
    """Play cells one after the other, and write the file after each.

    With `own` the figures on record are kept, and those by our definitions are played.
    """
    found, seed = load(file) if only or own else ({}, settings.seed)
    if found and seed != settings.seed:
        raise SystemExit(f"{file} is of seed {seed}: leave out --only, or say --seed {seed}")
    chosen = [cell for cell in load_cells() if cell.name.startswith(only)]
    if not chosen:
        names = ", ".join(dict.fromkeys(cell.name for cell in load_cells()))
        raise SystemExit(f"nothing is called {only!r}; there are {names}")
    found["definitions"] = Found(0, definitions())
    for number, cell in enumerate(chosen, 1):
        begun = time.perf_counter()
        found |= dict(played_own(cell, settings) if own else played(cell, settings))
        file.write_text(stored(found, settings), encoding="utf-8")
        took = time.perf_counter() - begun
        print(f"[{number}/{len(chosen)}] {cell.name} {took:.0f} s", file=sys.stderr, flush=True)


def report(file: Path, page: Path) -> None:
    """Make the tables of the page, and print what must agree and what does not."""
    sources, claims = load_claims()
    cells, _ = load(file)
    made = tables(claims, cells, sources)
    page.write_text(filled(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    print(made["acceptance"])
    print(made["counts"])
    for claim in claims:
        one = judge(claim, cells)
        if one.verdict is Verdict.DIFFERS and one.found is not None:
            print(f"differs: {claim.table}: {claim.text}: {claim.value}, here {one.found.value:g}")


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="random games of a kind")
    parser.add_argument("--ai-games", type=int, default=1_000, help="games with thinking players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", metavar="NAME", help="only cells that begin so")
    parser.add_argument(
        "--own", action="store_true", help="play only what our own definitions need"
    )
    parser.add_argument("--page", action="store_true", help="play nothing, make the tables again")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page, which must be there")
    parser.add_argument("--json", type=Path, default=FIGURES, help="where figures are kept")
    asked = parser.parse_args()
    settings = Settings(asked.games, asked.ai_games, asked.seed, asked.workers)
    if not asked.out.is_file():
        raise SystemExit(f"error: {asked.out} is not there; the tables are put into a page's text")
    try:
        if not asked.page:
            play_all(asked.only, asked.json, settings, own=asked.own)
        report(asked.json, asked.out)
    except CardwrightError as error:
        raise SystemExit(f"error: {error}") from None


if __name__ == "__main__":
    carry_out(main)
