"""Write the recorded playthroughs and the counts of decision sequences; run by scripts/goldens.

With names of games, only those are written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playthroughs import RECORDINGS

from cardwright.library.catalogue import names
from decision_sequences import count_sequences

if TYPE_CHECKING:
    from cardwright import Game

ROOT = Path(__file__).resolve().parents[2]
PLAYTHROUGHS = ROOT / "src" / "cardwright" / "library" / "playthroughs"
COUNTS = Path(__file__).with_name("counts")
MOST = {1: 20_000, 2: 3_000}
"""By seed, the largest count that is kept."""

LONGEST = 16

HEAD = """\
# The number of decision sequences of length 1, 2, 3, ... from the start of a game, by seed.
# Written by scripts/goldens. A change here is a change of the game's rules or of the engine.
"""


def counts(game: Game, seed: int) -> list[int]:
    """Return the counts by length, as long as they stay moderate."""
    state = game.start(seed)
    found: list[int] = []
    while not state.finished and len(found) < LONGEST:
        longer = count_sequences(state, len(found) + 1)
        if longer[-1] > MOST[seed]:
            break
        found = longer
    return found


def write_counts(name: str) -> None:
    blocks = [HEAD]
    for recording in RECORDINGS:
        if recording.game == name:
            game = recording.load()
            settings = "".join(f"{key} = {value}\n" for key, value in recording.declared.items())
            lines = ["[[count]]\n"]
            if recording.preset:
                lines.append(f'preset = "{recording.preset}"\n')
            lines += [f"seed-{seed} = {counts(game, seed)}\n" for seed in MOST]
            lines += [f"[count.declared]\n{settings}"]
            blocks.append("".join(lines))
    COUNTS.mkdir(exist_ok=True)
    (COUNTS / f"{name}.toml").write_text("\n".join(blocks), encoding="utf-8", newline="\n")


def write_playthroughs(name: str) -> None:
    for recording in RECORDINGS:
        if recording.game == name:
            (PLAYTHROUGHS / recording.file).write_text(
                recording.text(), encoding="utf-8", newline="\n"
            )


def main(chosen: list[str]) -> None:
    if unknown := set(chosen) - {recording.game for recording in RECORDINGS}:
        sys.exit(f"nothing is recorded of {', '.join(sorted(unknown))}; see RECORDINGS")
    PLAYTHROUGHS.mkdir(exist_ok=True)
    if not chosen:
        for old in (*PLAYTHROUGHS.glob("*.txt"), *COUNTS.glob("*.toml")):
            old.unlink()
    for name in chosen or names():
        write_playthroughs(name)
        write_counts(name)
        sys.stdout.write(f"{name} is written\n")


if __name__ == "__main__":
    main(sys.argv[1:])
