"""Writes down what the package does, in files to compare: `scripts/behaviour FOLDER [PART...]`.

Whoever changes the insides of the package makes such a folder before, another one after, and looks
at `diff -r`. Only public names are used, and values are written without the names of their classes
and members, so that what is merely renamed or moved makes no difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import every_command
from cardwright import Game, GameError, GameFileError, Stream, play_random
from cardwright.library.catalogue import names
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright import State

TESTS = Path(__file__).parent
COMMANDS = TESTS / "behaviour_commands.txt"
PRESETS = ("standard", "microsoft", "openspiel", "hearts_league", "omnibus", "cancellation")
"""Forms of Hearts that are written down like games of their own."""

DETAILED = (1, 2)
"""Seeds of the games of which every decision is written down."""

TRACED = range(3, 23)
"""Seeds of the games of which a line is written down."""

MOST = 400
"""Decisions after which a game is left."""

COMPARED = {".csv", ".html", ".json", ".rcy", ".tex", ".toml"}
"""Files that commands make of which digests are written down."""

FORGOTTEN = (
    (re.compile(r"\b\d[\d,.]* (ms|s|seconds|minutes|min|h|hours)\b"), "TIME"),
    (re.compile(r"\b[\d,.]+ (games|deals|candidates|decisions) (a|per) (second|hour)"), "SPEED"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*"), "DATE"),
)
"""What differs from run to run."""


def main(arguments: list[str] | None = None) -> int:
    """Write the parts that are asked for, all if none is."""
    parts: dict[str, Callable[[Path], None]] = {
        "games": write_games,
        "programs": write_programs,
        "messages": write_messages,
        "commands": write_commands,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", choices=[[], *parts], metavar="PART")
    given = parser.parse_args(arguments)
    for part in given.parts or parts:
        folder = given.folder / part
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        parts[part](folder)
        sys.stderr.write(f"{part}: {sum(1 for _ in folder.iterdir())} files\n")
    return 0


def bare(value: Any) -> Any:
    """Return a value as lists, texts and numbers, without the names of classes and members."""
    if isinstance(value, Enum):
        return bare(value.value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, np.ndarray):
        return [str(value.dtype), *value.shape, *value.ravel().tolist()]
    if isinstance(value, Mapping):
        return sorted(([bare(key), bare(item)] for key, item in value.items()), key=repr)
    if isinstance(value, Set):
        return sorted((bare(item) for item in value), key=repr)
    if isinstance(value, (list, tuple)):
        return [bare(item) for item in value]
    if is_dataclass(value):
        shown = [getattr(value, field.name) for field in fields(value) if field.compare]
        return [bare(item) for item in shown if not isinstance(item, Game)]
    return str(value)


def digest(value: Any) -> str:
    """Return a short digest of a value; equal values have equal ones."""
    text = json.dumps(bare(value), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def write_games(folder: Path) -> None:
    """Write what each game is, games of it in detail, and traces of some more."""
    forms = [(name, None) for name in names()] + [("hearts", preset) for preset in PRESETS]
    for name, preset in forms:
        for engine in ("native", "interpreter"):
            game = Game.load(name, preset=preset, engine=engine)
            lines = [*_facts(game), *_detailed(game)]
            lines += [_trace(game, seed) for seed in TRACED]
            title = f"{name}-{preset}" if preset else name
            (folder / f"{title}-{engine}.txt").write_text("\n".join(lines) + "\n")
        bulk = play_random(Game.load(name, preset=preset), range(500))
        (folder / f"{title}-bulk.txt").write_text(f"{digest(bulk)}\n")


def _facts(game: Game) -> Iterator[str]:
    yield f"players {game.players}, longest {game.longest}, scores {game.score_range}"
    yield f"sum {game.constant_sum}, highest wins {game.highest_wins}"
    yield f"cards {digest(game.cards)}, actions {digest(list(map(str, game.actions)))}"
    yield f"observation {digest(game.observation_layout)}"


def _detailed(game: Game) -> Iterator[str]:
    for seed in DETAILED:
        state, chance = game.start(seed), Stream(seed)
        yield f"seed {seed}"
        for number in range(MOST):
            if state.finished:
                break
            choice = chance.below(state.option_count)
            yield f"{number} p{state.player} {choice} of {state.option_count}: {look(state)}"
            yield f"  {state.options()[choice]}"
            state.play(choice)
        if state.finished:
            yield f"  {list(state.scores)} {list(state.ranks)} {list(state.wins)}"
        records = [state.record(seat) for seat in range(game.players)]
        yield f"  {digest(records)}"


def look(state: State) -> str:
    """Return digests of the options, and of what each seat sees and knows."""
    seats = range(state.game.players)
    seen = [digest([state.view(seat), state.information(seat)]) for seat in seats]
    shown = digest([state.option_count, [str(option) for option in state.options()]])
    codes = digest([list(state.action_codes()), state.observation(state.player)])
    return f"{shown} {codes} {' '.join(seen)}"


def _trace(game: Game, seed: int) -> str:
    """Return the end of a random game and a digest of how it came about, or the rule it broke."""
    state, chance = game.start(seed), Stream(seed)
    trace: list[Any] = []
    try:
        while not state.finished and len(trace) < MOST:
            choice = chance.below(state.option_count)
            trace.append([state.player, state.option_count, choice])
            state.play(choice)
    except GameError as error:
        return f"{seed}: {len(trace)} {digest(trace)} {error}"
    return f"{seed}: {len(trace)} {digest(trace)} {list(state.scores) if state.finished else ''}"


def write_programs(folder: Path) -> None:
    """Write a trace of each conformance program, by both engines, and its plain text."""
    for path in sorted((TESTS / "conformance/programs").glob("*.rcy")):
        lines = []
        for engine in ("native", "interpreter"):
            try:
                game = Game.load(path, engine=engine)
                lines += [f"{engine} {_trace(game, seed)}" for seed in range(5)]
            except (GameError, GameFileError) as error:
                lines.append(f"{engine} {error}")
        (folder / f"{path.stem}.txt").write_text("\n".join(lines) + "\n")


def write_messages(folder: Path) -> None:
    """Write what the checker says of each broken file."""
    for path in sorted((TESTS / "program/broken").glob("*.rcy")):
        done = _called(["check", path.name], path.parent)
        (folder / f"{path.stem}.txt").write_text(done)


def write_commands(folder: Path) -> None:
    """Write what commands print and how they end, and digests of the files that they make."""
    paragraphs = [
        [line for line in paragraph.splitlines() if not line.startswith("#")]
        for paragraph in COMMANDS.read_text().split("\n\n")
    ]
    work: list[list[str]] = []
    for calls in filter(None, paragraphs):
        if "{games}" in calls[0]:
            work += [[call.replace("{games}", name) for call in calls] for name in names()]
        else:
            work.append(calls)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, text in enumerate(pool.map(called_in_turn, work)):
            title = re.sub(r"\W+", "-", work[number][0])[:40]
            (folder / f"{number:03}-{title}.txt").write_text(text)


def called_in_turn(calls: list[str]) -> str:
    """Return what calls print in a folder of their own, and digests of the files that they make."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        every_command.prepare(folder)
        said = [f"$ cardwright {call}\n{_called(shlex.split(call), folder)}" for call in calls]
        files = sorted(path for path in folder.rglob("*") if path.suffix in COMPARED)
        texts = [_kept(path.read_text("utf-8", "replace"), folder) for path in files]
        for path, text in zip(files, texts, strict=True):
            said.append(f"{path.relative_to(folder)} {digest(text)}\n")
        return "".join(said)


def _called(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "cardwright", *words],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", "PYTHONUTF8": "1", "NO_COLOR": "1"},
        encoding="utf-8",
        timeout=PATIENCE,
    )
    return _kept(f"{done.stdout}{done.stderr}exit {done.returncode}\n", folder)


def _kept(text: str, folder: Path) -> str:
    """Return a text without what differs from run to run."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, word in FORGOTTEN:
        text = pattern.sub(word, text)
    return text


if __name__ == "__main__":
    sys.exit(main())
