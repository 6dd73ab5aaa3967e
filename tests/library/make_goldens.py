"""Write the recorded playthroughs and the counts of decision sequences; run by scripts/goldens."""

from __future__ import annotations

import sys
from pathlib import Path

from cardwright import Game
from cardwright.game.count import count_sequences
from cardwright.library.playthrough import RECORDINGS

ROOT = Path(__file__).resolve().parents[2]
PLAYTHROUGHS = ROOT / "src" / "cardwright" / "library" / "playthroughs"
COUNTS = Path(__file__).with_name("counts.toml")
MOST = {1: 20_000, 2: 3_000}
"""By seed, the largest count that is kept."""

LONGEST = 16

HEAD = """\
# The number of decision sequences of length 1, 2, 3, ... from the start of a game, by seed.
# Written by scripts/goldens. A change here is a change of some game's rules or of the engine.
"""


def counts(game: Game, seed: int) -> list[int]:
    """Return the counts by length, as long as they stay moderate."""
    state = game.start(seed)
    found: list[int] = []
    while len(found) < LONGEST:
        count = count_sequences(state, len(found) + 1)
        if count > MOST[seed]:
            break
        found.append(count)
    return found


def write_counts() -> None:
    blocks = [HEAD]
    for recording in RECORDINGS:
        game = Game.load(recording.game, **recording.declared)
        settings = "".join(f"{name} = {value}\n" for name, value in recording.declared.items())
        lines = [f'[[count]]\ngame = "{recording.game}"\n']
        lines += [f"seed-{seed} = {counts(game, seed)}\n" for seed in MOST]
        lines += [f"[count.declared]\n{settings}"]
        blocks.append("".join(lines))
    COUNTS.write_text("\n".join(blocks), encoding="utf-8")


def write_playthroughs() -> None:
    texts = {recording.file: recording.text() for recording in RECORDINGS}
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for old in PLAYTHROUGHS.glob("*.txt"):
        old.unlink()
    for file, text in texts.items():
        (PLAYTHROUGHS / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_playthroughs()
    write_counts()
    sys.stdout.write(f"{len(RECORDINGS)} playthroughs and their counts are written\n")
