"""A call of every command of the command line that does its work on something small.

Its words are those of a call in a folder of the `prepare`d files. What an extra is needed for has
a call of its own.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from cardwright.interfaces.cli.group import GROUPS
from cardwright.interfaces.cli.lab import LabCommands
from cardwright.interfaces.cli.league import LeagueCommands

_FEW = "--seed 1 --workers 1 --quiet"
_CONTEST = "kuhn --deals 4 --seed 1 --quiet"
_STUDY = f"--games 20 --ai-games 0 {_FEW}"
_SEARCH = "--vary constants --candidates 2 --generation 2 --finalists 1 --games 4"
_LAB = f"--deals 6 --opponents rule {_FEW}"

CALLS = (
    "games",
    "show leduc",
    "play kuhn --plain --seed 1",
    "serve --port 0 --data tables",
    "publish kuhn",
    "replay kuhn --seed 1",
    "simulate kuhn --games 4 --seed 1",
    "match random random kuhn --deals 4 --seed 1 --quiet",
    f"match random random {_CONTEST} --records records",
    f"match random random {_CONTEST} --plot scores.svg",
    f"match random random {_CONTEST} --executor cluster --workers 1",
    f"tournament random ismcts:iterations=2 {_CONTEST} --resamples 20",
    f"tournament random ismcts:iterations=2 {_CONTEST} --resamples 20 --plot matrix=m.svg",
    f"ladder random ismcts:iterations=2 {_CONTEST} --field random",
    f"ladder random ismcts:iterations=2 {_CONTEST} --field random --plot field.svg",
    "players",
    "solve kuhn --iterations 5 --quiet",
    "solve kuhn --method lp --quiet",
    "solve kuhn --open-hands --seed 1 --choices 0",
    "exploit random kuhn --asks 4 --quiet --seed 1",
    f"analyze leduc {_STUDY} --out analysis",
    f"variants leduc --vary MAXRAISES=1,2 {_STUDY} --out variants",
    "evolve agram",
    f"evolve agram --aim 'length 20..30' {_SEARCH} {_FEW} --out evolution",
    f"figures leduc --games 10 {_FEW} --out figures",
    f"lab one passTest {_LAB} --out one",
    f"lab all {_LAB} --out all",
    f"lab factorial --slots pass,first {_LAB} --out factorial",
    f"lab screen --slots pass {_LAB} --out screen",
    f"lab one passTest {_LAB} --dry-run",
    f"lab run plan.toml {_FEW} --out run",
    "lab report lab-records --out report",
    "records lab-records",
    "league new Cup",
    "league check bot.py --games 1 --trusted --opponents random --seed 1",
    "league schedule --bots 4 --rounds 1",
    "league run Season --trusted --seed 1 --workers 1 --quiet",
    "league report Played --out site",
    "new mine --kind shedding",
    "check game.rcy",
    "format --check game.rcy",
    "test whist",
    "explain-diff game.rcy other.rcy",
    "compile kuhn",
    "lsp",
    "bench kuhn --engine interpreter --seconds 0.001",
    "cache",
    "completion bash",
    "doctor",
)
"""Calls, as words with a space between."""


_PACKAGE = Path(__file__).parents[1] / "src/cardwright"
_RULES = _PACKAGE / "library/games"
_BOTS = _PACKAGE / "league/authors/bots"


def prepare(folder: Path) -> None:
    """Make the files that calls name; what commands themselves make is only a name here."""
    for name in ("game.rcy", "other.rcy"):
        shutil.copy(next(_RULES.rglob("leduc.rcy")), folder / name)
    for name in ("lab-records", "Played", "Season"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "plan.toml").touch()
    shutil.copy(_BOTS / "first_card.py", folder / "bot.py")


def command_of(call: str) -> str:
    """Return the command of a call: one word, or two in a group."""
    first, *others = call.split()
    return f"{first} {others[0]}" if first in {"lab", "league"} else first


def every_command() -> set[str]:
    """Return the names of all commands, those of groups with two words."""
    groups = {"lab": LabCommands.names, "league": LeagueCommands.names}
    names: set[str] = set()
    for group in GROUPS.values():
        for name in group:
            names |= {f"{name} {one}" for one in groups[name]} if name in groups else {name}
    return names
