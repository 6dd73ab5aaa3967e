"""Folders of seasons to play in tests: bots, a roster and a schedule."""

from __future__ import annotations

from itertools import permutations

FIRST = "def getPlay(state):\n    return 0\ndef getSluff(state):\n    return 0\n"
LAST = "def getPlay(state):\n    return len(state.legalMoves) - 1\ngetSluff = getPlay\n"
ANY = "import random\ndef getPlay(state):\n    return random.randrange(len(state.legalMoves))\n"
ANY += "getSluff = getPlay\n"

BOTS = {"first": FIRST, "last": LAST, "any": ANY}


def make_season(folder, bots=BOTS, builtins=("builtin:random",), games=24):
    """Make a season's folder, of these bots and library players, who sit in all orders."""
    for name in ("Bots", "Rosters", "Schedules"):
        (folder / name).mkdir(parents=True)
    for name, text in bots.items():
        (folder / "Bots" / f"{name}.py").write_text(text)
    entries = [*bots, *builtins]
    rows = [
        f"{number},{entry},{entry.partition(':')[2] or entry} {number},me"
        for number, entry in enumerate(entries)
    ]
    (folder / "Rosters" / "Main.csv").write_text("\n".join([",Filepath,Name,Author", *rows]) + "\n")
    orders = list(permutations(range(len(entries)), 4))
    lines = [",".join(map(str, orders[game % len(orders)])) for game in range(games)]
    (folder / "Schedules" / "Main.csv").write_text("\n".join(lines) + "\n")
    return folder


def outputs(folder):
    """Return the tables of a season that is over."""
    return {file.name: file.read_bytes() for file in sorted((folder / "Outputs").iterdir())}
