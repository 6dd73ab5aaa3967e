"""All peers one after the other, and how many times faster the engines here are.

Run it in the folder `bench`, on a machine that does nothing else: `python -m peers.compare`.
`--json FILE` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from peers.figures import Figure

BENCH = Path(__file__).parents[1]
PEERS = ("openspiel", "rlcard", "pgx")
HERE = ("interpreter",)
NATIVE = "native"


def figures(script: str, python: str) -> list[Figure]:
    """Return what a script measures in a process of its own; nothing if it is skipped."""
    sys.stderr.write(f"{script} ...\n")
    done = subprocess.run(
        [python, "-m", f"peers.{script}"], cwd=BENCH, check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.stderr.write(f"failed: {script}; what it said before that counts\n")
    return [Figure(**json.loads(line)) for line in done.stdout.splitlines()]


def ours(file: Path | None) -> list[Figure]:
    """Return the native engine's figures: from a file, or from `cardwright bench` itself."""
    if file:
        text = file.read_text(encoding="utf-8")
    else:
        command = [sys.executable, "-m", "cardwright", "bench", "--format", "json"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            said = done.stderr.strip().rpartition("\n")[2]
            sys.stderr.write(f"skipped: the native engine (`cardwright bench`: {said})\n")
            return []
        text = done.stdout
    return [
        Figure(NATIVE, entry["game"], what, entry[f"{what}_per_second"], "")
        for entry in json.loads(text)["games"]
        for what in ("traced", "bulk", "rollouts", "python")
        if entry.get(f"{what}_per_second")
    ]


def table(found: list[Figure]) -> list[str]:
    """Return a line for each figure, with what the engines here do as a multiple of it.

    The native engine is compared in the same thing. Its traced games are played and written down
    by machine code; so games of which a peer's decisions are made from Python are compared with
    ours that are, too. The interpreter is compared in whole games.
    """
    native = {(one.game, one.what): one.per_second for one in found if one.peer == NATIVE}
    reference = {one.game: one.per_second for one in found if one.peer in HERE}
    order = {name: at for at, name in enumerate(dict.fromkeys(one.game for one in found))}
    title = f"{'game':13}{'peer':13}{'what':10}{'a second':>12}{'native':>10}{'by Python':>11}"
    lines = [f"{title}{'interpreter':>13}  note"]
    for one in sorted(found, key=lambda one: order[one.game]):
        ours_here = _times(native.get((one.game, one.what)), one)
        python = native.get((one.game, "python")) if one.what == "traced" else None
        interpreter = None if one.what == "rollouts" else reference.get(one.game)
        lines.append(
            f"{one.game:13}{one.peer:13}{one.what:10}{one.per_second:12,.0f}"
            f"{ours_here:>10}{_times(python, one):>11}{_times(interpreter, one):>13}"
            f"  {one.note}".rstrip()
        )
    return lines


def _times(rate: float | None, one: Figure) -> str:
    """Return a rate as a multiple of a figure, with three digits that mean something."""
    return f"{rate / one.per_second:.3g}x" if rate else "-"


def main() -> None:
    """Run everything, never two at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="what runs the peers")
    parser.add_argument("--ours", type=Path, metavar="FILE", help="JSON of `cardwright bench`")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures here")
    options = parser.parse_args()
    found = [figure for script in PEERS for figure in figures(script, options.python)]
    found += [figure for script in HERE for figure in figures(script, sys.executable)]
    found += ours(options.ours)
    if options.json:
        records = [asdict(figure) for figure in found]
        options.json.write_text(json.dumps({"figures": records}, indent=2) + "\n", encoding="utf-8")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
